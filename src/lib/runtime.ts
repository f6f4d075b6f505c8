import { writeSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { addAbortSignal, type Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { isRegularFile } from './descriptors.ts';
import { OrgctlError, UsageError } from './errors.ts';
import type { SignalName } from './exit-codes.ts';

/** A terminal may report 0 columns. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number };
export type Environment = Record<string, string | undefined>;

/** The machine that orgctl runs on. Tests pass their own. */
export interface Runtime {
  env: Environment;
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  stdoutDescriptor: number;
  platform: NodeJS.Platform;
  /** Absolute; empty if the user has no home folder. */
  home: string;
  cwd: string;
  author: { user: string | undefined; host: string; pid: number };
  /** The user's numeric id; undefined on Windows. */
  user: number | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason if it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
  randomBytes(length: number): Uint8Array;
  onSignal(name: SignalName, handler: () => void): () => void;
}

const STDOUT = 1;

export function createRuntime(process: NodeJS.Process): Runtime {
  let file: OutputStream | undefined;
  return {
    env: process.env,
    // Opening a stream costs time, and many runs need only one.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      if (process.stdout.fd !== STDOUT || !isRegularFile(STDOUT)) return process.stdout;
      file ??= createFileOutput(STDOUT);
      return file;
    },
    get stderr() {
      return process.stderr;
    },
    platform: process.platform,
    home: readUser(homedir) ?? '',
    get cwd() {
      try {
        return process.cwd();
      } catch (cause) {
        throw new UsageError('the current folder no longer exists', { hint: 'Go to another folder.', cause });
      }
    },
    get author() {
      return { user: readUser(() => userInfo().username), host: hostname(), pid: process.pid };
    },
    user: process.getuid?.(),
    now: Date.now,
    sleep,
    random: Math.random,
    // The global needs no import of node:crypto.
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    onSignal(name, handler) {
      process.on(name, handler);
      return () => process.off(name, handler);
    },
    stdoutDescriptor: STDOUT,
  };
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // An aborted timer rejects with an error of its own.
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}

/** In many containers the system has no entry for the user. */
function readUser(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Node's own stream takes a short write to a full disk for a complete one. */
function createFileOutput(descriptor: number): OutputStream {
  return new Writable({
    write(bytes: Uint8Array, _encoding, done) {
      try {
        for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

export function isInCi(env: Environment): boolean {
  return !['', '0', 'false'].includes((env.CI ?? '').toLowerCase());
}

/** Empty variables count as unset. */
export function readVariable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

/** Throws the signal's reason if it aborts first. */
export async function readStream(stream: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const { buffer } = await import('node:stream/consumers');
  try {
    return await buffer(addAbortSignal(signal, stream));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * `ask` prints the question, when the terminal is ready for the answer. Throws `cancelled` at the end of the input,
 * `interrupted` for a Ctrl-C that is read as a key, and the signal's reason. The terminal shows what is typed, unless it is
 * hidden: then readline takes each key, and shows it nowhere.
 */
export async function readTypedLine(
  { stdin }: Pick<Runtime, 'stdin'>,
  ask: () => Promise<void>,
  isHidden: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { createInterface } = await import('node:readline');
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isHidden ? nowhere : undefined, terminal: isHidden });
  try {
    return await new Promise((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('close', () => reject(new OrgctlError('cancelled', 'Cancelled.')));
      reader.once('SIGINT', () => reject(new OrgctlError('interrupted', 'Interrupted.')));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      ask().catch(reject);
    });
  } finally {
    reader.close();
    stdin.pause();
  }
}
