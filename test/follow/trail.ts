/**
 * An audit trail that a seed decides, event by event: nothing is kept, any event can be asked for. Numbers count from the
 * oldest; times never fall as numbers rise, and several events may share one.
 */

const DAY = 86_400_000;
/** The service forgets after so many milliseconds. */
export const KEPT = 14 * DAY;
/** No event comes later than so many milliseconds after the time it bears. */
const LATEST = 300_000;
/** Times within such a group may be made equal. */
const GROUP = 8;

export interface TrailPlan {
  readonly seed: number;
  /** Events before `start`, spread over `span` milliseconds. */
  readonly history: number;
  readonly span: number;
  /** Milliseconds since 1970; from then on the log grows. */
  readonly start: number;
  /** Events a second from `start` on; 0 where nothing happens any more. */
  readonly growth: number;
  /** Times are whole multiples of so many milliseconds. */
  readonly resolution: number;
  /** Of a hundred events, so many come late. */
  readonly late: number;
}

interface Asking {
  readonly since?: number | undefined;
  readonly number: number;
  readonly size: number;
  /** Milliseconds after which events are forgotten. */
  readonly kept?: number;
}

export interface TrailPage {
  readonly numbers: readonly number[];
  readonly total: number;
}

export type Trail = ReturnType<typeof createTrail>;

export function createTrail(plan: TrailPlan) {
  const { history, span, start, growth, resolution } = plan;
  const roll = (number: number, salt: number): number => mix(plan.seed, number, salt);

  /** When it happens, before times are made equal. */
  function toBase(number: number): number {
    if (number < history) return start - span + Math.floor((number * span) / history);
    return start + Math.floor(((number - history) * 1_000) / growth);
  }

  function toTime(number: number): number {
    const inGroup = number % GROUP;
    const first = number - inGroup;
    const kind = roll(first, 1) % 4;
    const like = kind === 1 ? first : kind === 2 ? first + (inGroup & ~1) : number;
    const time = toBase(like);
    return time - (time % resolution);
  }

  /** From when on the service shows it. */
  function toShown(number: number): number {
    const base = toBase(number);
    if (roll(number, 2) % 100 >= plan.late) return base;
    return Math.max(base, toTime(number) + (roll(number, 3) % (LATEST + 1)));
  }

  /** How many events have happened by then. */
  function countUntil(now: number): number {
    if (now < start) return history === 0 ? 0 : Math.max(0, Math.floor(((now - start + span) * history) / span) + 1);
    if (growth === 0) return history;
    let count = history + Math.floor(((now - start) * growth) / 1_000) + 1;
    while (count > 0 && toBase(count - 1) > now) count -= 1;
    return count;
  }

  /** The first event with that time or a later one. */
  function findFirst(time: number, end: number): number {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (toTime(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    toTime,
    toShown,
    countUntil,
    toText: (number: number): string => toText(plan.seed, number, toTime(number)),
    /** Newest first, as the service pages at that moment. `since` is included. */
    page(now: number, { since, number, size, kept = KEPT }: Asking): TrailPage {
      const end = countUntil(now);
      const first = findFirst(Math.max(now - kept, since ?? 0), end);
      const newest: number[] = [];
      let next = end - 1;
      // Only what has just happened may be late.
      for (; next >= first && toBase(next) > now - LATEST - 60_000; next -= 1) {
        if (toShown(next) <= now) newest.push(next);
      }
      const total = newest.length + Math.max(0, next + 1 - first);
      const numbers: number[] = [];
      for (let at = (number - 1) * size; at < Math.min(total, number * size); at += 1) {
        numbers.push(newest[at] ?? next - (at - newest.length));
      }
      return { numbers, total };
    },
    /** Those that must be in an archive that was complete at `now`, and whose first reading began after `from`. */
    *expected(from: number, now: number): Generator<number> {
      const end = countUntil(now);
      for (let each = findFirst(from, end); each < end; each += 1) if (toShown(each) <= now) yield each;
    },
  };
}

/** The number that an event's id ends with; undefined where it is none of ours. */
export function toNumber(id: unknown): number | undefined {
  const digits =
    typeof id === 'string' ? /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-([0-9a-f]{12})$/.exec(id) : null;
  return digits?.[1] === undefined ? undefined : Number.parseInt(digits[1], 16);
}

const ACTIONS = ['create', 'update', 'destroy', 'show', 'add_member'];
const TYPES = ['workspace', 'team', 'run', 'authentication_token', 'stacks-deployment_step'];
/** What a line of JSON must survive: other scripts, quotes, line ends of other worlds, signs of control, and length. */
const TEXTS = [
  'api-org-acme',
  'Ana "la" Núñez',
  'línea\u2028otra\r\nmás',
  '\u001b[31mrot\u0007',
  '東京 🗼',
  '',
  'x'.repeat(3_000),
];

function toText(seed: number, number: number, time: number): string {
  const hash = mix(seed, number, 4);
  const hex = hash.toString(16).padStart(8, '0');
  const isLong = hash % 500 === 0;
  const text = TEXTS[hash % 97 < 90 ? 0 : isLong ? 6 : hash % 6];
  return JSON.stringify({
    id: `${hex}-${hex.slice(0, 4)}-4${hex.slice(1, 4)}-8${hex.slice(4, 7)}-${number.toString(16).padStart(12, '0')}`,
    version: '0',
    type: 'Resource',
    timestamp: new Date(time).toISOString(),
    auth: {
      accessor_id: `user-${hex}`,
      description: hash % 13 === 0 ? null : text,
      type: 'Client',
      impersonator_id: null,
      organization_id: 'org-acme',
    },
    request: { id: hash % 11 === 0 ? null : `${hex}-0000-4000-8000-${hex}0000` },
    resource: {
      id: `ws-${hex}`,
      type: TYPES[hash % 5],
      action: ACTIONS[hash % 5],
      meta: isLong ? { note: text, list: [1, null, { deep: text }] } : null,
    },
  });
}

/** 32 bits that look thrown. */
function mix(seed: number, number: number, salt: number): number {
  let value = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b) ^ Math.imul(salt, 0xc2b2ae35)) >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}
