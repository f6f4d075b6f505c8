import { UsageError } from '../lib/errors.ts';
import { addDuration, DAY, parseInstant } from '../lib/time.ts';
import type { Organization } from './organization.ts';

export interface Finding {
  status: 'failed' | 'unknown' | 'ok' | 'off';
  /** Names, reasons or a sentence. A rule that failed finds the same the next day. */
  found: string[];
  /** Commands as words, without the organization. */
  fix?: string[][];
}

export interface Rule {
  /** Completes the sentence `fails when …`. */
  failsWhen: string;
  /** The value where a file names none. */
  initial: unknown;
  /** Takes a value of YAML. Throws UsageError. */
  prepare(value: unknown, now: number): (organization: Organization) => Promise<Finding>;
}

export function createValueError(expected: string, value: unknown): UsageError {
  return new UsageError(`it must be ${expected}, not ${JSON.stringify(value)}`);
}

/** The instant that is a duration before (-1) or after (1) `now`. Throws UsageError. */
export function parseSpan(value: unknown, now: number, direction: 1 | -1): number {
  if (typeof value === 'string') return addDuration(now, value, direction, 'it');
  throw createValueError('a duration such as 30d', value);
}

/** Undefined if the value is no instant, or is further ahead than clocks differ. */
export function parsePast(value: unknown, now: number): number | undefined {
  const instant = parseInstant(String(value));
  return instant !== undefined && instant <= now + DAY ? instant : undefined;
}

/** Anything that is surely wrong decides. If nothing is, a doubt makes the finding unknown. */
export function judge(wrong: string[], doubts: (string | false | undefined)[], good: string): Finding {
  if (wrong.length > 0) return { status: 'failed', found: [...wrong].sort() };
  const reasons = doubts.filter((doubt) => typeof doubt === 'string');
  return reasons.length > 0 ? { status: 'unknown', found: reasons } : { status: 'ok', found: [good] };
}

/** Doubts about what some things don't show: `2FA of ada@example.com not shown` */
export function describeHidden(what: string, names: string[]): string[] {
  return names.map((name) => `${what} of ${name} not shown`).sort();
}
