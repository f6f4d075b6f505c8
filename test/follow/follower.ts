import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { COMPILED } from '../support/compiled.ts';

/** The built orgctl as a timer or a service starts it: stdout appended to a file. */

export interface Program {
  readonly node: string;
  readonly door: string;
  /** Loaded before orgctl: notes what it does to files, and ends it there. */
  readonly points: string;
  /** Loaded before orgctl where its clock is to be wrong. */
  readonly clock: string;
}

/** Where orgctl ends itself: at a counted operation on files, or within a counted write, after so many percent of it. */
export type FilePoint = { readonly at: number } | { readonly write: number; readonly percent: number };

export interface StartOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Appended to. */
  readonly stdout: string;
  readonly stdin?: string;
  readonly point?: FilePoint;
  /** Milliseconds by which its own clock is wrong. */
  readonly clock?: number;
  /** Milliseconds after which it gets the signal. */
  readonly killAfter?: number;
  readonly signal?: NodeJS.Signals;
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stderr: string;
  /** Operations on files up to its end. */
  readonly points: number;
  /** Where it ended itself. */
  readonly killed: string | undefined;
  /** True where it had to be ended because it never would have. */
  readonly hung: boolean;
}

export type Follower = ReturnType<typeof startFollower>;

/** Milliseconds that no run takes, on a busy machine either. */
const PATIENCE = 600_000;

export function startFollower({ node, door, points, clock }: Program, argv: readonly string[], options: StartOptions) {
  const notes = mkdtempSync(join(tmpdir(), 'orgctl-follow-'));
  const note = join(notes, 'note');
  const file = openSync(options.stdout, 'a');
  const isClockWrong = options.clock !== undefined && options.clock !== 0;
  const child = spawn(node, ['-r', points, ...(isClockWrong ? ['-r', clock] : []), door, ...argv], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: options.home,
      TZ: 'UTC',
      NODE_COMPILE_CACHE: COMPILED,
      ...options.env,
      ORGCTL_FILE_POINTS: JSON.stringify({ note, stdout: true, ...options.point }),
      ...(isClockWrong ? { ORGCTL_CLOCK: String(options.clock) } : {}),
    },
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', file, 'pipe'],
    cwd: options.home,
  });
  closeSync(file);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.stdin);
  let stderr = '';
  child.stderr?.on('data', (piece) => {
    stderr += String(piece);
  });
  let hung = false;
  const patience = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, PATIENCE);
  const killer =
    options.killAfter === undefined
      ? undefined
      : setTimeout(() => child.kill(options.signal ?? 'SIGKILL'), options.killAfter);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(patience);
      clearTimeout(killer);
      const operations = readNote(note);
      rmSync(notes, { recursive: true, force: true });
      const last = operations.at(-1);
      const killed = last?.killed === undefined ? undefined : `${last.when} ${last.name} ${basename(last.path)}`;
      resolve({ code, stderr, points: operations.filter((each) => each.killed === undefined).length, killed, hung });
    });
  });
  return {
    kill: (signal: NodeJS.Signals = 'SIGKILL') => void child.kill(signal),
    stderr: () => stderr,
    ended,
  };
}

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly when?: string;
  readonly killed?: number;
}

function readNote(note: string): readonly Operation[] {
  try {
    return readFileSync(note, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Operation);
  } catch {
    return [];
  }
}
