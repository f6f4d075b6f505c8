/** At most so many requests in any one second from each caller, counted in memory. Assumed: the document shows no limit. */

export interface RateVerdict {
  readonly accepted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the oldest request counted leaves the window. */
  readonly reset: number;
}

const WINDOW = 1_000;

/** Counts a request of the caller, unless it is refused. */
export function createRateLimiter(limit: number): (caller: string, now: number) => RateVerdict {
  const requests = new Map<string, number[]>();
  return (caller, now) => {
    // Requests of the future do not count: a clock that was set back must not lock a caller out.
    const counted = (requests.get(caller) ?? []).filter((time) => time > now - WINDOW && time <= now);
    const accepted = counted.length < limit;
    if (accepted) counted.push(now);
    requests.set(caller, counted);
    const oldest = counted[0] ?? now;
    return { accepted, limit, remaining: limit - counted.length, reset: (oldest + WINDOW - now) / 1_000 };
  };
}
