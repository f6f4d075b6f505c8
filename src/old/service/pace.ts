/**
 * How fast requests may leave: never more than the service's limit in any window of a second and a small margin.
 * A log of departures rather than a token bucket, since a bucket's burst trips limiters that count by window.
 */
export interface Pace {
  /** Resolves when the next request may leave, with what to call when it does: making a connection first takes time. */
  take(signal: AbortSignal): Promise<() => void>;
  /** Takes the limit from an answer's headers. */
  learn(headers: Readonly<Record<string, string | undefined>>): void;
  /** Nothing leaves for so many milliseconds: the service said that we were too fast. */
  hold(milliseconds: number): void;
}

export interface PaceOptions {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Assumed: the service takes 30 requests a second, until it names its limit; its document shows none. */
const ASSUMED_LIMIT = 30;
/** Milliseconds; the margin over a second covers jitter on the way. */
export const WINDOW = 1_025;

interface Departure {
  at: number;
}

/** When the next request may leave, given when the ones before it left, oldest first. */
function nextDeparture(departures: readonly Departure[], now: number, limit: number, heldUntil: number): number {
  const windowFull = departures[departures.length - limit]?.at;
  const last = departures[departures.length - 1]?.at ?? 0;
  return Math.max(now, heldUntil, last, windowFull === undefined ? 0 : windowFull + WINDOW);
}

export function createPace(options: PaceOptions): Pace {
  let limit = ASSUMED_LIMIT;
  let heldUntil = 0;
  let departures: readonly Departure[] = [];
  let queue: Promise<void> = Promise.resolve();
  let latest = options.now();
  let setBack = 0;

  /** Time that never runs backwards: a clock that is set back must not hold requests until it is there again. */
  function readClock(): number {
    const now = options.now() + setBack;
    setBack += Math.max(0, latest - now);
    latest = Math.max(latest, now);
    return latest;
  }

  async function leave(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const now = readClock();
      const departure = nextDeparture(departures, now, limit, heldUntil);
      if (departure > now) await options.sleep(departure - now, signal);
      // A hold that came meanwhile, or a departure that was late, holds those who were already waiting, too.
      if (nextDeparture(departures, departure, limit, heldUntil) > departure) continue;
      // Timers are late at times: what counts is when the request really left.
      const made: Departure = { at: Math.max(departure, readClock()) };
      departures = [...departures, made].slice(-limit);
      return () => {
        made.at = Math.max(made.at, readClock());
      };
    }
  }

  return {
    take(signal) {
      const turn = queue.then(() => leave(signal));
      queue = turn.then(
        () => undefined,
        () => undefined,
      );
      return turn;
    },
    learn(headers) {
      const text = headers['x-ratelimit-limit'];
      if (text !== undefined && /^\s*[1-9]\d{0,5}\s*$/.test(text)) limit = Number(text);
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, readClock() + milliseconds);
    },
  };
}
