/**
 * How fast requests may leave: never more than the service's limit in any window of a second and a small margin.
 * A log of departures rather than a token bucket, since a bucket's burst trips limiters that count by window.
 */
export interface Pace {
  /** Resolves when the next request may leave. */
  take(signal: AbortSignal): Promise<void>;
  /** Takes the limit from an answer's headers. */
  learn(headers: Readonly<Record<string, string | undefined>>): void;
  /** Nothing leaves for so many milliseconds: the service said that we were too fast. */
  hold(milliseconds: number): void;
}

export interface PaceOptions {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Requests a second until the service names its limit. */
const ASSUMED_LIMIT = 30;
/** Milliseconds; the margin over a second covers jitter on the way. */
export const WINDOW = 1_025;

/** When the next request may leave, given when the ones before it left, oldest first. */
function nextDeparture(departures: readonly number[], now: number, limit: number, heldUntil: number): number {
  const windowFull = departures[departures.length - limit];
  const last = departures[departures.length - 1] ?? 0;
  return Math.max(now, heldUntil, last, windowFull === undefined ? 0 : windowFull + WINDOW);
}

export function createPace(options: PaceOptions): Pace {
  let limit = ASSUMED_LIMIT;
  let heldUntil = 0;
  let departures: readonly number[] = [];
  let queue: Promise<void> = Promise.resolve();

  async function leave(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const now = options.now();
      const departure = nextDeparture(departures, now, limit, heldUntil);
      if (departure > now) await options.sleep(departure - now, signal);
      // A hold that came meanwhile holds those who were already waiting, too.
      if (heldUntil > departure) continue;
      // Timers are late at times: what counts is when the request really left.
      departures = [...departures, Math.max(departure, options.now())].slice(-limit);
      return;
    }
  }

  return {
    take(signal) {
      const turn = queue.then(() => leave(signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    learn(headers) {
      const text = headers['x-ratelimit-limit'];
      if (text !== undefined && /^\s*[1-9]\d{0,5}\s*$/.test(text)) limit = Number(text);
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, options.now() + milliseconds);
    },
  };
}
