import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { COMPILED } from './compiled.ts';

/** The built orgctl as users run it: in processes of its own, in a new home. */

export type Environment = Readonly<Record<string, string>>;

export interface Place {
  /** Empty at first. Settings and state go below it. */
  readonly home: string;
  /** The only variables a process gets, besides those a test adds. `orgctl` is on its path. */
  readonly env: Environment;
}

export interface Ended {
  /** Null where a signal ended the process before it could answer. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when the output so far satisfies; rejects when the process ends before. */
  untilStdout(satisfies: (text: string) => boolean): Promise<void>;
  untilStderr(satisfies: (text: string) => boolean): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly env: Environment;
  readonly cwd?: string;
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const ORGCTL = join(ROOT, 'bin', 'orgctl.cjs');

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
  const path = [bin, process.env['PATH'] ?? ''].join(delimiter);
  return { home, env: { PATH: path, HOME: home, TZ: 'UTC', NODE_COMPILE_CACHE: COMPILED } };
}

/** Runs the built file to its end, without input. */
export async function orgctl(argv: readonly string[], options: RunOptions): Promise<Ended> {
  return await start(process.execPath, [ORGCTL, ...argv], options).ended;
}

/** Runs a line of shell to its end. */
export async function shell(line: string, options: RunOptions): Promise<Ended> {
  return await start('sh', ['-c', line], options).ended;
}

export function start(command: string, argv: readonly string[], { env, cwd }: RunOptions): Running {
  const child = spawn(command, argv, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: stdout.text(), stderr: stderr.text() }));
  });
  const until = (stream: Collected) => (satisfies: (text: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (satisfies(stream.text())) resolve();
      };
      stream.onPiece(check);
      check();
      ended.then((end) => reject(new Error(`it ended before: ${JSON.stringify(end)}`)), reject);
    });
  return {
    child,
    stdout: stdout.text,
    stderr: stderr.text,
    ended,
    untilStdout: until(stdout),
    untilStderr: until(stderr),
  };
}

interface Collected {
  text(): string;
  onPiece(handler: () => void): void;
}

function collect(stream: NodeJS.ReadableStream): Collected {
  const pieces: Buffer[] = [];
  const handlers: (() => void)[] = [];
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    for (const handler of handlers) handler();
  });
  return {
    text: () => Buffer.concat(pieces).toString('utf8'),
    onPiece: (handler) => handlers.push(handler),
  };
}
