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
  const sentAt: number[] = [];
  let pausedUntil = 0;
  let queue = Promise.resolve();

  async function waitForTurn(signal: AbortSignal): Promise<void> {
    let time = now();
    // The clock may have been set back, so the wait is at most a window.
    const windowEnd = Math.min(time, sentAt[sentAt.length - LIMIT] ?? -WINDOW) + WINDOW;
    for (let next = Math.max(windowEnd, pausedUntil); next > time; next = pausedUntil) {
      await sleep(next - time, signal);
      time = Math.max(next, now());
    }
    signal.throwIfAborted();
    sentAt.push(time);
    if (sentAt.length > LIMIT) sentAt.shift();
  }

  return {
    /** Resolves when the next request may be sent. */
    take(signal: AbortSignal): Promise<void> {
      const turn = queue.then(() => waitForTurn(signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    /** Delays every request. */
    pause(milliseconds: number): void {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
