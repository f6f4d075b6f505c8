import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Host } from '../../src/host.ts';
import { main } from './product.ts';
import { createHome, NOW } from './run.ts';
import { captureStream } from './streams.ts';

export type Clock = Pick<Host, 'now' | 'sleep'>;

// Enough turns of the event loop for what was sent before to arrive on this machine.
const TURNS = 100;

/** Time that passes only by sleeping, and then at once, after what was sent has arrived. */
export function createSkippingClock(): Clock & { pass(milliseconds: number): void } {
  let time = NOW;
  return {
    now: () => time,
    async sleep(milliseconds, signal) {
      const wake = time + milliseconds;
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      signal?.throwIfAborted();
      time = Math.max(time, wake);
    },
    pass(milliseconds) {
      time += milliseconds;
    },
  };
}

/** Runs a command line through main by this clock. Its stdout is passed on in pieces and not kept. */
export async function runTimed(
  argv: readonly string[],
  options: {
    readonly clock?: Clock;
    readonly env: Readonly<Record<string, string>>;
    readonly onStdout?: (piece: Buffer) => void;
  },
): Promise<{ readonly code: number; readonly stderr: string }> {
  const home = createHome();
  const stderr = captureStream();
  const host: Host = {
    env: { ORGCTL_CONFIG_DIR: join(home, 'config'), ORGCTL_STATE_DIR: join(home, 'state'), ...options.env },
    stdin: Readable.from([]),
    stdout: new Writable({
      write(piece: Buffer, _encoding, done) {
        options.onStdout?.(piece);
        done();
      },
    }),
    stderr,
    platform: process.platform,
    nodeVersion: process.versions.node,
    home,
    cwd: home,
    pid: 4711,
    user: process.getuid?.(),
    isStdoutDiscarded: () => false,
    isStdoutEmptyFile: () => false,
    ...(options.clock ?? createSkippingClock()),
    random: () => 0.5,
    randomBytes: (length) => new Uint8Array(length),
    onSignal: () => () => undefined,
    keepMemoryLow: async () => undefined,
    sendSignal: () => undefined,
  };
  const code = await main(argv, host);
  rmSync(home, { recursive: true, force: true });
  return { code, stderr: stderr.text() };
}
