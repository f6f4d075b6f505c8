import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { devNull, homedir, hostname, tmpdir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { type Readable, Writable } from 'node:stream';

/** A stream orgctl writes to. `columns` is the terminal's width; some terminals report 0. */
export type HostOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type HostInput = Readable & { readonly isTTY?: boolean };
export type SignalName = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** Everything orgctl takes from the machine. The only way to process, clock, random numbers and home folder. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: HostInput;
  readonly stdout: HostOutput;
  readonly stderr: HostOutput;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  /** Absolute; empty where there is none. */
  readonly home: string;
  readonly cwd: string;
  /** Where programs put what may be gone after the next start of the machine. */
  readonly temporaryFolder: string;
  /** Of the user this runs as; undefined where the system has no entry for it. */
  readonly userName: string | undefined;
  readonly machineName: string;
  readonly pid: number;
  /** The number of the user this runs as; undefined where the platform has none. */
  readonly user: number | undefined;
  isStdoutDiscarded(): boolean;
  /** The number of the file that stdout is. */
  readonly stdoutDescriptor: number;
  /** Gives up what stdout has not taken yet: it would keep the process from ending. */
  abandonStdout(): void;
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
  /** How many minutes the local time is ahead of UTC at this moment. */
  minutesAhead(instant: number): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
  randomBytes(length: number): Uint8Array;
  /** Calls `handler` for each such signal until the returned function is called. */
  onSignal(signal: SignalName, handler: () => void): () => void;
  /** From now on what is no longer needed is given back early, and little room taken ahead. Costs nothing to call again. */
  keepMemoryLow(): Promise<void>;
  /** Signals another process, or with a negative id a process group. Throws when there is none. */
  sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}

export function createHost(process: NodeJS.Process, findHome: () => string = homedir): Host {
  let file: HostOutput | undefined;
  return {
    env: process.env,
    // Streams and the home folder cost time to look up, and many runs need only some of them.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      const { stdout } = process;
      if (stdout.fd !== STDOUT || !isStdout((status) => status.isFile())) return stdout;
      file ??= createFileOutput(STDOUT);
      return file;
    },
    get stderr() {
      return process.stderr;
    },
    platform: process.platform,
    nodeVersion: process.versions.node,
    get home() {
      return readHome(findHome);
    },
    get cwd() {
      return process.cwd();
    },
    get temporaryFolder() {
      return tmpdir();
    },
    get userName() {
      return readUserName();
    },
    get machineName() {
      return hostname();
    },
    pid: process.pid,
    get user() {
      return process.getuid?.();
    },
    isStdoutDiscarded,
    stdoutDescriptor: STDOUT,
    abandonStdout() {
      // Node has no public way: ending a stream waits for what was written to it.
      (process.stdout as { readonly _handle?: { close?(): void } })._handle?.close?.();
    },
    now: Date.now,
    minutesAhead: (instant) => -new Date(instant).getTimezoneOffset(),
    async sleep(milliseconds, signal) {
      const { setTimeout } = await import('node:timers/promises');
      try {
        await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        // A timer that is stopped rejects with an error of Node's own.
        signal?.throwIfAborted();
        throw error;
      }
    },
    random: Math.random,
    randomBytes,
    onSignal(signal, handler) {
      process.on(signal, handler);
      return () => process.off(signal, handler);
    },
    keepMemoryLow: () => keepMemoryLow(process.versions.node),
    sendSignal(pid, signal) {
      process.kill(pid, signal);
    },
  };
}

// Without HOME, and as a user the machine has no entry for, there is none: so in many a container.
function readHome(findHome: () => string): string {
  try {
    const home = findHome();
    // One that is relative would be another folder in each place.
    return isAbsolute(home) ? home : '';
  } catch {
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

const STDOUT = 1;

// Node's own takes what a full disk had room for as the whole, and the rest would be missing unnoticed.
function createFileOutput(descriptor: number): HostOutput {
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

// Node opens the null device in place of a stdout that was closed.
function isStdoutDiscarded(): boolean {
  return isStdout((status) => status.isCharacterDevice() && status.rdev === statSync(devNull).rdev);
}

function isStdout(matches: (status: Stats) => boolean): boolean {
  try {
    return matches(fstatSync(STDOUT));
  } catch {
    return false;
  }
}

/** The last major version of Node that these flags were tried on. V8 warns on stderr of one that it no longer knows. */
const LAST_TRIED = 26;

// V8 makes room for new objects as long as there is memory, and collects old ones once they are many: of a list of a
// thousand pages, each dropped as soon as it is printed, that is twice what it needs. Both numbers are read at each decision,
// neither changes code, nor what code cached between runs is valid for.
async function keepMemoryLow(nodeVersion: string): Promise<void> {
  if (Number.parseInt(nodeVersion, 10) > LAST_TRIED) return;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
}

const MOST_AT_ONCE = 65_536;

// The global is there without loading node:crypto, and fills only so much at a time.
function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += MOST_AT_ONCE) crypto.getRandomValues(bytes.subarray(at, at + MOST_AT_ONCE));
  return bytes;
}

export function isInCi({ env }: Pick<Host, 'env'>): boolean {
  return !['', '0', 'false'].includes((env['CI'] ?? '').toLowerCase());
}
