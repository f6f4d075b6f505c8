import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Runtime } from '../../src/lib/runtime.ts';
import { NOW, run } from './run.ts';

export type Clock = Pick<Runtime, 'now' | 'sleep'>;

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
  argv: string[],
  options: {
    clock?: Clock;
    env: Record<string, string>;
    onStdout?: (piece: Buffer) => void;
  },
): Promise<{ code: number; stderr: string }> {
  const stdout = new Writable({
    write(piece: Buffer, _encoding, done) {
      options.onStdout?.(piece);
      done();
    },
  });
  const host = { ...(options.clock ?? createSkippingClock()), stdout };
  const { code, stderr } = await run(argv, { env: options.env, host });
  return { code, stderr };
}
