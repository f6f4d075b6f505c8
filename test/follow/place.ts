import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Added, type Archive, createArchive } from './archive.ts';
import { type Ended, type Follower, type Program, type StartOptions, startFollower } from './follower.ts';
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
  start(argv: readonly string[], options?: Partial<StartOptions>): Follower;
  /** A run to its end, and what it added. */
  once(options?: Partial<StartOptions>): Promise<Ended & { readonly added: Added }>;
  close(): Promise<void>;
}

export async function openPlace(program: Program, seed: number, options: Partial<ServiceOptions>): Promise<Place> {
  const service = await startService({
    seed,
    history: 1_000,
    span: KEPT,
    start: Date.now(),
    growth: 5,
    resolution: 1,
    late: 2,
    step: 1,
    ...options,
  });
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-follow-'));
  const at = (name: string): string => join(folder, name);
  const [home, sink, places, temporary] = [at('home'), at('sink'), at('cursor'), at('tmp')];
  for (const each of [home, sink, places, temporary]) mkdirSync(each, { mode: 0o700 });
  const cursor = join(places, 'acme.json');
  const path = join(sink, 'archive');
  const archive = createArchive(service.trail, path);
  const env = { ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'audit-0', TMPDIR: temporary };
  const start: Place['start'] = (argv, more) => startFollower(program, argv, { home, env, stdout: path, ...more });
  return {
    ...{ service, archive, folder, home, places, cursor, sink, path, temporary, env, start },
    async once(more) {
      const ended = await start(['audit-trail', 'follow', '--cursor', cursor, '--once', '-o', 'ndjson'], more).ended;
      return { ...ended, added: archive.absorb() };
    },
    async close() {
      await service.stop();
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
