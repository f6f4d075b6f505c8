import { UsageError } from '../errors.ts';
import { parseTokenReference } from '../input/token-reference.ts';
import { parseDuration, parseWhen, toUtcText } from '../when.ts';
import type { Given } from './dates.ts';
import { flag, valued } from './param.ts';

/** What the verbs that change a token share. */

export function allowEnterprise(effect: 'replaces' | 'deletes') {
  return {
    allowEnterprise: flag(
      '--allow-enterprise',
      `Continue on Terraform Enterprise, where this ${effect} the main organization token`,
    ),
  };
}

/** A token by how it is named. */
export function tokenReference<const Usage extends string>(usage: Usage) {
  return valued(
    usage,
    'audit-trail, organization, team:<team>, team:<team>/<description>, or an id (at-…)',
    parseTokenReference,
    { complete: 'tokens' },
  );
}

/** A time from now on, or back from now. */
export interface Within extends Given {
  /** Milliseconds. */
  readonly time: number;
}

export function within<const Usage extends string>(usage: Usage, summary: string) {
  return valued(usage, summary, (text, name, now): Within => ({ text, time: parseDuration(text, name, now) }));
}

/** When a new token is to expire. */
export interface GivenExpiry<Value = string | null> extends Given {
  /** With what it was given for, such as `--expires 90d`. */
  readonly said: string;
  /** UTC text, or null for never. */
  readonly expires: Value;
}

/** `more`: what can be given beside a moment. `read`: throws UsageError. */
export function expires<Value>(more: string, read: (text: string, name: string, now: number) => GivenExpiry<Value>) {
  return {
    expires: valued('--expires <when>', `90d, 6mo, 1y, a date, an instant with time zone, ${more}`, read),
  };
}

/** `name`: of the option or setting. Throws UsageError. */
export function readExpiry(text: string, name: string, now: number): GivenExpiry {
  const when = parseWhen(text, now);
  return { text, said: `${name} ${text.trim()}`, expires: when === 'never' ? null : toUtcText(when.at) };
}

/** Reads an expiry, or `same`, which means as long as the current token. */
export function readExpiryOrSame(text: string, name: string, now: number): GivenExpiry<string | null | 'same'> {
  if (text.trim() === 'same') return { text, said: `${name} same`, expires: 'same' };
  try {
    return readExpiry(text, name, now);
  } catch (error) {
    if (!(error instanceof UsageError) || error.hint === undefined) throw error;
    throw new UsageError(error.message, { hint: `${error.hint} Or same: as long as the current token.`, cause: error });
  }
}
