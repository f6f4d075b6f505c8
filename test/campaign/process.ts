import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../support/compiled.ts';
import type { FilePoint, Operation } from './kill.ts';

/** Processes: what they write, how they end, and waiting for either. */

export type Environment = Readonly<Record<string, string>>;

/** The Node that runs orgctl, and the file that it runs. */
export interface Program {
  readonly node: string;
  readonly door: string;
}

export interface Ended {
  /** Null where a signal ended the process before it could answer. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves when what there is so far satisfies; rejects when the process ends before. */
type Until<T> = (satisfies: (soFar: T) => boolean) => Promise<void>;

export interface Running<End extends Ended = Ended> {
  readonly child: ChildProcess;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  readonly untilStdout: Until<string>;
  readonly untilStderr: Until<string>;
  readonly ended: Promise<End>;
}

/** A run of orgctl that notes what it does to files. */
export interface WatchedRun extends Running<WatchedEnd> {
  readonly untilOperation: Until<readonly Operation[]>;
  /** By SIGKILL, where nothing else is said. */
  kill(signal?: NodeJS.Signals): void;
}

export interface WatchedEnd extends Ended {
  readonly operations: readonly Operation[];
  /** Where it ended itself. */
  readonly stopped: Operation | undefined;
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const ORGCTL = join(ROOT, 'bin', 'orgctl.cjs');
export const PROGRAM: Program = { node: process.execPath, door: ORGCTL };
/** Milliseconds that no run takes, on a busy machine either. */
const PATIENCE = 300_000;
/** The descriptor that orgctl's operations on files are noted on. */
const NOTES = 3;

export function start(
  command: string,
  argv: readonly string[],
  { env, cwd }: { readonly env: Environment; readonly cwd?: string },
): Running {
  return watch(
    spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) }),
    (end) => end,
  );
}

export interface WatchOptions {
  /** The folder it runs in, with settings and state below it unless `env` says otherwise. */
  readonly home: string;
  readonly env?: Environment;
  readonly stdin?: string | undefined;
  /** A file that stdout is appended to, and is one of those whose operations count. */
  readonly stdout?: string;
  readonly point?: FilePoint | undefined;
  /** As a shell takes it. */
  readonly umask?: string;
  /** Whether it goes on until it is stopped, as a server does: then it is never taken for one that hangs. */
  readonly isServer?: boolean;
}

/** Starts orgctl. It has ended when every command that it started has, too. */
export function startWatched(
  { node, door }: Program,
  argv: readonly string[],
  { home, env, stdin, stdout, point, umask, isServer }: WatchOptions,
): WatchedRun {
  const file = stdout === undefined ? 'pipe' : openSync(stdout, 'a');
  const words = [node, '-r', join(ROOT, 'test', 'campaign', 'preload.cjs'), door, ...argv];
  const line = umask === undefined ? words : ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh', ...words];
  const child = spawn(line[0] ?? node, line.slice(1), {
    env: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: home, TZ: 'UTC', NODE_COMPILE_CACHE: COMPILED },
      ...env,
      ORGCTL_FILE_POINTS: JSON.stringify({ stdout: stdout !== undefined, ...point }),
    },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', file, 'pipe', 'pipe'],
    cwd: home,
  });
  if (typeof file === 'number') closeSync(file);
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined).end(stdin);
  const notes = child.stdio[NOTES] as Readable;
  const operations = collectLines<Operation>(notes);
  let timer: NodeJS.Timeout | undefined;
  if (isServer !== true) {
    const end = (): void => {
      child.kill('SIGKILL');
      // Commands that it started may go on for ever.
      notes.destroy();
    };
    timer = setTimeout(end, PATIENCE);
  }
  const running = watch(child, (end): WatchedEnd => {
    clearTimeout(timer);
    return { ...end, operations, stopped: operations.find(({ when }) => when !== undefined) };
  });
  return {
    ...running,
    untilOperation: until(notes, () => operations, running.ended),
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  };
}

function watch<End extends Ended>(child: ChildProcess, toEnd: (end: Ended) => End): Running<End> {
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<End>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(toEnd({ code, stdout: stdout(), stderr: stderr() })));
  });
  return {
    ...{ child, stdout, stderr, ended },
    untilStdout: until(child.stdout, stdout, ended),
    untilStderr: until(child.stderr, stderr, ended),
  };
}

function collect(stream: Readable | null): () => string {
  const pieces: Buffer[] = [];
  stream?.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8');
}

/** Values in JSON, one a line. A line that was begun is not one. */
function collectLines<T>(stream: Readable): readonly T[] {
  const values: T[] = [];
  let rest = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) values.push(JSON.parse(line));
  });
  return values;
}

function until<T>(stream: Readable | null, soFar: () => T, ended: Promise<Ended>): Until<T> {
  return (satisfies) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (satisfies(soFar())) resolve();
      };
      stream?.on('data', check);
      check();
      ended.then(({ code, stdout, stderr }) => {
        reject(new Error(`it ended before: ${JSON.stringify({ code, stdout, stderr })}`));
      }, reject);
    });
}
