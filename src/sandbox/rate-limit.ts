/** At most so many requests in any one second from each caller, counted in memory. Assumed: the document shows no limit. */

export interface RateVerdict {
  readonly accepted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the oldest request counted leaves the window. */
  readonly reset: number;
}

export interface RateLimiter {
  /** A refused request is not counted. */
  take(caller: string, now: number): RateVerdict;
}

const WINDOW = 1_000;
/** Above so many callers, those whose requests have all left the window are forgotten. */
const CALLERS_KEPT = 1_000;

export function createRateLimiter(limit: number): RateLimiter {
  const requests = new Map<string, number[]>();
  return {
    take(caller, now) {
      // A clock that was set back must not lock anybody out.
      const inWindow = (time: number): boolean => time > now - WINDOW && time <= now;
      const counted = (requests.get(caller) ?? []).filter(inWindow);
      const accepted = counted.length < limit;
      if (accepted) {
        counted.push(now);
      }
      requests.set(caller, counted);
      if (requests.size > CALLERS_KEPT) {
        for (const [other, times] of requests) {
          if (!times.some(inWindow)) {
            requests.delete(other);
          }
        }
      }
      const oldest = counted[0] ?? now;
      return { accepted, limit, remaining: limit - counted.length, reset: (oldest + WINDOW - now) / 1_000 };
    },
  };
}
