import { fstatSync, writeSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { addAbortSignal, type Readable, Writable } from 'node:stream';

/** `columns` is the width of a terminal; some report 0. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number };
type InputStream = Readable & { isTTY?: boolean; isRaw?: boolean };
export type SignalName = 'SIGHUP' | 'SIGINT' | 'SIGTERM';
export type Environment = Record<string, string | undefined>;

/** The machine that orgctl runs on. Tests hand in their own. */
export interface Runtime {
  env: Environment;
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  stdoutDescriptor: number;
  platform: NodeJS.Platform;
  nodeVersion: string;
  /** Absolute; empty if there is none. */
  home: string;
  cwd: string;
  pid: number;
  userName: string | undefined;
  machineName: string;
  /** The user's number; undefined on Windows. */
  user: number | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason if it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
  randomBytes(length: number): Uint8Array;
  /** Returns a function that removes the handler. */
  onSignal(name: SignalName, handler: () => void): () => void;
}

const STDOUT = 1;

export function createRuntime(process: NodeJS.Process): Runtime {
  let file: OutputStream | undefined;
  return {
    env: process.env,
    // Each stream costs time to open, and many runs need one of them.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      if (process.stdout.fd !== STDOUT || !isStdoutFile()) return process.stdout;
      file ??= createFileOutput(STDOUT);
      return file;
    },
    get stderr() {
      return process.stderr;
    },
    platform: process.platform,
    nodeVersion: process.versions.node,
    get home() {
      return readHome();
    },
    get cwd() {
      return process.cwd();
    },
    pid: process.pid,
    get userName() {
      return readUserName();
    },
    get machineName() {
      return hostname();
    },
    get user() {
      return process.getuid?.();
    },
    now: Date.now,
    async sleep(milliseconds, signal) {
      const { setTimeout } = await import('node:timers/promises');
      try {
        await setTimeout(milliseconds, undefined, { signal });
      } catch (error) {
        // An aborted timer rejects with an error of its own.
        signal?.throwIfAborted();
        throw error;
      }
    },
    random: Math.random,
    randomBytes,
    onSignal(name, handler) {
      process.on(name, handler);
      return () => process.off(name, handler);
    },
    stdoutDescriptor: STDOUT,
  };
}

function readHome(): string {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : '';
  } catch {
    // A user that the system has no entry for, as in many containers.
    return '';
  }
}

function readUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function isStdoutFile(): boolean {
  try {
    return fstatSync(STDOUT).isFile();
  } catch {
    return false;
  }
}

// Node's own stream takes a short write to a full disk for a whole one.
function createFileOutput(descriptor: number): OutputStream {
  return new Writable({
    write(bytes: Uint8Array, _encoding, done) {
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

// The global is there without loading node:crypto, and fills only 64 KiB at a time.
function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

export function isInCi(env: Environment): boolean {
  return !['', '0', 'false'].includes((env.CI ?? '').toLowerCase());
}

/** Empty variables count as unset. */
export function readVariable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

/** All that is piped in. Throws the signal's reason if it aborts first. */
export async function readStdin({ stdin }: Pick<Runtime, 'stdin'>, signal: AbortSignal): Promise<string> {
  const { text } = await import('node:stream/consumers');
  try {
    return await text(addAbortSignal(signal, stdin));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
