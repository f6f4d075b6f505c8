import { setImmediate } from 'node:timers/promises';

export interface VirtualClock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Lets time pass until no sleep is left. */
  run(): Promise<void>;
}

/** Time that passes only while every caller sleeps. */
export function createVirtualClock(): VirtualClock {
  let time = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => time,
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        const sleeper = {
          at: time + milliseconds,
          wake() {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        const stop = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal?.reason);
        };
        sleepers.push(sleeper);
        if (signal?.aborted === true) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    },
    async run() {
      for (;;) {
        await setImmediate();
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers.shift();
        if (next === undefined) return;
        time = Math.max(time, next.at);
        next.wake();
      }
    },
  };
}
