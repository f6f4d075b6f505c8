import type { Runtime } from '../lib/runtime.ts';

/** Requests per second that the hosted service accepts from a token (facts). */
const LIMIT = 30;
/** A second, and a margin for jitter on the way. */
const WINDOW = 1_025;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Allows at most 30 requests in any second. It keeps the times of the last requests, since the burst of a token bucket would
 * exceed the limit of services that count by window.
 */
export function createRateLimiter({ now, sleep }: Pick<Runtime, 'now' | 'sleep'>) {
  let leftAt: number[] = [];
  /** Requests that had their turn and wait for a connection. */
  let waiting = 0;
  let pausedUntil = 0;
  let queue = Promise.resolve();

  function findTurn(time: number): number {
    // The clock may have been set back.
    leftAt = leftAt.slice(-LIMIT).map((at) => Math.min(at, time));
    const before = waiting < LIMIT ? (leftAt.at(waiting - LIMIT) ?? -WINDOW) : time;
    return Math.max(before + WINDOW, pausedUntil);
  }

  async function waitForTurn(signal: AbortSignal): Promise<void> {
    let time = now();
    for (let next = findTurn(time); next > time; next = findTurn(time)) {
      await sleep(next - time, signal);
      time = Math.max(next, now());
    }
    signal.throwIfAborted();
    waiting += 1;
  }

  return {
    /** Calls `send` when the next request may be sent. Its second begins when `send` calls `onLeave`. */
    async run<T>(signal: AbortSignal, send: (onLeave: () => void) => Promise<T>): Promise<T> {
      const turn = queue.then(() => waitForTurn(signal));
      queue = turn.catch(() => undefined);
      await turn;
      let isWaiting = true;
      const stopWaiting = (): void => {
        if (isWaiting) waiting -= 1;
        isWaiting = false;
      };
      const onLeave = (): void => {
        stopWaiting();
        leftAt.push(now());
      };
      return send(onLeave).finally(stopWaiting);
    },
    /** Delays every request. */
    pause(milliseconds: number): void {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
