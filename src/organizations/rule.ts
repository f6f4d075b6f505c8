import { UsageError } from '../lib/errors.ts';
import { addDuration } from '../lib/time.ts';
import type { Finding } from './evidence.ts';
import type { Organization } from './organization.ts';

export interface Rule {
  /** Completes the sentence. */
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
