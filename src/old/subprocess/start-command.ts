import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Surroundings } from './find-command.ts';

export interface Command {
  readonly path: string;
  readonly words: readonly [string, ...string[]];
}

export type Child<Stdin extends Writable | null = Writable> = ChildProcessByStdio<Stdin, Readable, Readable>;

const TREE_TIMEOUT = 5_000;

/** Runs a command without a shell. Without `stdin` there is nothing for it to read. Throws what the system says. */
export function startCommand(command: Command, surroundings: Surroundings, stdin: 'pipe'): Child;
export function startCommand(command: Command, surroundings: Surroundings, stdin: 'ignore'): Child<null>;
export function startCommand(
  { path, words: [name, ...args] }: Command,
  { env, platform, cwd }: Surroundings,
  stdin: 'pipe' | 'ignore',
): Child | Child<null> {
  return spawn(path, args, {
    argv0: name,
    cwd,
    env: toChildEnvironment(env),
    stdio: [stdin, 'pipe', 'pipe'],
    // A group of its own: it can be ended with all it started, and a key pressed here does not end it half done.
    detached: platform !== 'win32',
    windowsHide: true,
  }) as Child | Child<null>;
}

/** Without our own credentials: what needs one has its own. All else stays. */
function toChildEnvironment(env: Surroundings['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:ORGCTL_TOKEN|TFE_TOKEN|TF_TOKEN_.*)$/i.test(name)),
  );
}

/** How it ended; undefined for exit code 0. */
export function untilEnd(child: Child<Writable | null>): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`not started: ${error.message}`));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(code === null ? `ended by ${signal}` : `exit code ${code}`);
    });
  });
}

/** Ends it with all it started. What does not obey within `grace` milliseconds is killed. */
export async function stopCommand(
  child: Child<Writable | null>,
  ended: Promise<unknown>,
  grace: number,
  surroundings: Surroundings,
): Promise<void> {
  signalAll(child, 'SIGTERM', surroundings);
  await settlesWithin(ended, grace);
  // Also what is left of its group when the command itself has obeyed.
  signalAll(child, 'SIGKILL', surroundings);
}

function signalAll(
  child: Child<Writable | null>,
  signal: 'SIGTERM' | 'SIGKILL',
  { env, platform, sendSignal }: Surroundings,
): void {
  try {
    if (platform === 'win32' && child.pid !== undefined) endTree(child.pid, env);
    if (platform === 'win32' || child.pid === undefined) child.kill(signal);
    else sendSignal(-child.pid, signal);
  } catch {
    // None of them is left.
  }
}

/** Windows has no groups of processes; a program of its own knows who started whom. */
function endTree(pid: number, env: Surroundings['env']): void {
  const program = join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  // It has to look before the process that the others belong to is gone.
  spawnSync(program, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true, timeout: TREE_TIMEOUT });
}

/** Waits no longer than so many milliseconds. The promise must not reject. */
export function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
