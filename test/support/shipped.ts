import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The built orgctl as users run it: in processes of its own, in a new home. */

export type Environment = Record<string, string>;

export interface Ended {
  /** Null where a signal ended the process before it could answer. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Resolves when what there is so far satisfies; rejects when the process ends before. */
type Until = (satisfies: (soFar: string) => boolean) => Promise<void>;

export interface Running {
  child: ChildProcess;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  untilStdout: Until;
  ended: Promise<Ended>;
}

export interface Place {
  /** Empty at first. Settings and state go below it. */
  home: string;
  /** The only variables a process gets, besides those a test adds. `orgctl` is on its path. */
  env: Environment;
}

export interface RunOptions {
  env: Environment;
  cwd?: string;
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const ORGCTL = join(ROOT, 'bin', 'orgctl.cjs');
/** Where the processes of tests keep compiled code (NODE_COMPILE_CACHE), as the home of a single test has none. */
export const COMPILED = join(ROOT, 'node_modules', '.cache', 'compiled');
// Some of them run under umask 000.
mkdirSync(COMPILED, { recursive: true, mode: 0o700 });

/** Removed when the test is over, unless it is kept. */
export function createPlace(after: (act: () => void) => void = onTestFinished): Place {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-e2e-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  mkdirSync(home);
  mkdirSync(bin);
  // For signals to orgctl itself, and not to the shell around it.
  writeFileSync(
    join(bin, 'orgctl'),
    `#!/bin/sh\n[ -z "$PID_FILE" ] || echo $$ > "$PID_FILE"\nunset PID_FILE\nexec '${process.execPath}' '${ORGCTL}' "$@"\n`,
    { mode: 0o755 },
  );
  const path = [bin, process.env.PATH ?? ''].join(delimiter);
  return { home, env: { PATH: path, HOME: home, TZ: 'UTC', NODE_COMPILE_CACHE: COMPILED } };
}

/** Starts a command, without input. */
export function start(command: string, argv: string[], { env, cwd }: RunOptions): Running {
  const child = spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
  });
  return {
    ...{ child, stdout, stderr, ended },
    untilStdout: until(child.stdout, stdout, ended),
  };
}

/** Runs the built file to its end, without input. */
export async function orgctl(argv: string[], options: RunOptions): Promise<Ended> {
  return await start(process.execPath, [ORGCTL, ...argv], options).ended;
}

/** Runs a line of shell to its end. */
export async function shell(line: string, options: RunOptions): Promise<Ended> {
  return await start('sh', ['-c', line], options).ended;
}

function collect(stream: Readable): () => string {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8');
}

function until(stream: Readable, soFar: () => string, ended: Promise<Ended>): Until {
  return (satisfies) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (satisfies(soFar())) resolve();
      };
      stream.on('data', check);
      check();
      ended.then(({ code, stdout, stderr }) => {
        reject(new Error(`it ended before: ${JSON.stringify({ code, stdout, stderr })}`));
      }, reject);
    });
}
