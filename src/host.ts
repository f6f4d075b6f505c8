import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** A stream orgctl writes to. `columns` is the terminal's width; some terminals report 0. */
export type HostOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number };
export type HostInput = Readable & { readonly isTTY?: boolean };
export type SignalName = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** Everything orgctl takes from the machine. The only way to process, clock, random numbers and home folder. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: HostInput;
  readonly stdout: HostOutput;
  readonly stderr: HostOutput;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
  randomBytes(length: number): Uint8Array;
  /** Calls `handler` for each such signal until the returned function is called. */
  onSignal(signal: SignalName, handler: () => void): () => void;
}

/** The host of a real process. */
export function createHost(process: NodeJS.Process): Host {
  return {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    platform: process.platform,
    home: homedir(),
    now: Date.now,
    async sleep(milliseconds, signal) {
      await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });
    },
    random: Math.random,
    randomBytes,
    onSignal(signal, handler) {
      process.on(signal, handler);
      return () => process.off(signal, handler);
    },
  };
}
