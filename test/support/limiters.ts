/** How servers count requests. Each gets a time in milliseconds, and decides whether one more request may pass. */
export interface Limiter {
  take(now: number): Verdict;
}

interface Verdict {
  readonly accepted: boolean;
  /** Milliseconds until one more would pass. */
  readonly wait: number;
}

const SECOND = 1_000;

/** Full at the start; a request takes one of `limit` tokens, which come back evenly over a second. */
export function createTokenBucket(limit: number): Limiter {
  let tokens = limit;
  let filled = Number.NEGATIVE_INFINITY;
  return {
    take(now) {
      tokens = Math.min(limit, tokens + (Math.max(0, now - filled) * limit) / SECOND);
      filled = now;
      const accepted = tokens >= 1;
      if (accepted) tokens -= 1;
      return { accepted, wait: tokens >= 1 ? 0 : ((1 - tokens) * SECOND) / limit };
    },
  };
}

/** So many in each second of the clock; the seconds begin `phase` milliseconds later. */
export function createFixedWindow(limit: number, phase = 0): Limiter {
  let current = Number.NaN;
  let count = 0;
  return {
    take(now) {
      const window = Math.floor((now - phase) / SECOND);
      if (window !== current) count = 0;
      current = window;
      const accepted = count < limit;
      if (accepted) count += 1;
      return { accepted, wait: count < limit ? 0 : (window + 1) * SECOND + phase - now };
    },
  };
}

/** So many within any second. The strictest one counts what it refused, too. */
export function createSlidingWindow(limit: number): Limiter {
  let taken: readonly number[] = [];
  return {
    take(now) {
      taken = taken.filter((time) => time > now - SECOND);
      const accepted = taken.length < limit;
      taken = [...taken, now];
      const blocking = taken.at(-limit);
      return { accepted, wait: blocking === undefined ? 0 : blocking + SECOND - now };
    },
  };
}
