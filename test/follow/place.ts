import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Say } from '../campaign/judge.ts';
import {
  type Program,
  startWatched,
  type WatchedEnd,
  type WatchedRun,
  type WatchOptions,
} from '../campaign/process.ts';
import { type Added, type Archive, createArchive } from './archive.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { KEPT } from './trail.ts';

/** A service, and the folders of one that follows it. */
export interface Place {
  readonly service: Service;
  readonly archive: Archive;
  readonly folder: string;
  readonly home: string;
  /** Holds the cursor and nothing else. */
  readonly places: string;
  readonly cursor: string;
  /** Holds the archive. */
  readonly sink: string;
  readonly path: string;
  readonly temporary: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its stdout is the archive, where nothing else is said. */
  start(argv: readonly string[], options?: Partial<WatchOptions>): WatchedRun;
  /** A run to its end, and what it added. It may be killed after so many milliseconds. */
  once(options?: Partial<WatchOptions>, killAfter?: number): Promise<Ran>;
  /** One that has to end well. */
  whole(where: string): Promise<Ran>;
  close(): Promise<void>;
}

export interface Ran extends WatchedEnd {
  readonly added: Added;
}

/** `say` hears what is wrong with what a run added. */
export async function openPlace(
  program: Program,
  seed: number,
  say: Say,
  options: Partial<ServiceOptions>,
): Promise<Place> {
  const usual = { history: 1_000, span: KEPT, start: Date.now(), growth: 5, resolution: 1, late: 2, step: 1 };
  const service = await startService({ seed, ...usual, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-follow-'));
  const at = (name: string): string => join(folder, name);
  const [home, sink, places, temporary] = [at('home'), at('sink'), at('cursor'), at('tmp')];
  for (const each of [home, sink, places, temporary]) mkdirSync(each, { mode: 0o700 });
  const cursor = join(places, 'acme.json');
  const path = join(sink, 'archive');
  const archive = createArchive(service.trail, path);
  const env = { ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'audit-0', TMPDIR: temporary };
  const start: Place['start'] = (argv, more) => startWatched(program, argv, { home, env, stdout: path, ...more });
  const once: Place['once'] = async (more, killAfter) => {
    const running = start(['audit-trail', 'follow', '--cursor', cursor, '--once', '-o', 'ndjson'], more);
    if (killAfter !== undefined) running.killAfter(killAfter);
    const ended = await running.ended;
    const added = archive.absorb();
    for (const fault of added.faults) say(fault);
    return { ...ended, added };
  };
  return {
    ...{ service, archive, folder, home, places, cursor, sink, path, temporary, env, start, once },
    async whole(where) {
      const ended = await once();
      if (ended.code !== 0) say(`${where}: exit ${ended.code}: ${ended.stderr}`);
      return ended;
    },
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The `code` of the error that a run ended with; undefined where it said none. */
export function toErrorName(stderr: string): string | undefined {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  try {
    return (JSON.parse(last) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}
