import type { Runtime } from '../lib/runtime.ts';

/** Requests a second that the hosted service takes of a token (facts). */
const LIMIT = 30;
/** A second, and a margin for jitter on the way. */
const WINDOW = 1_025;

/**
 * At most 30 requests in any second. The last departures are kept rather than a bucket of tokens, whose burst trips
 * services that count by window.
 */
export interface RateLimiter {
  /** Resolves when the next request may leave. */
  take(signal: AbortSignal): Promise<void>;
  /** Nothing leaves for so many milliseconds. */
  pause(milliseconds: number): void;
}

export function createRateLimiter({ now, sleep }: Pick<Runtime, 'now' | 'sleep'>): RateLimiter {
  const departures: number[] = [];
  let pausedUntil = 0;
  let queue = Promise.resolve();

  async function leave(signal: AbortSignal): Promise<void> {
    let at = now();
    // At most a window from now, however far the clock was set back meanwhile.
    const windowEnd = Math.min(at, departures[departures.length - LIMIT] ?? -WINDOW) + WINDOW;
    for (let next = Math.max(windowEnd, pausedUntil); next > at; next = pausedUntil) {
      await sleep(next - at, signal);
      at = Math.max(next, now());
    }
    signal.throwIfAborted();
    departures.push(at);
    if (departures.length > LIMIT) departures.shift();
  }

  return {
    take(signal) {
      const turn = queue.then(() => leave(signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
