import { OrgctlError } from '../lib/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { plural } from '../lib/text.ts';
import { parseBaseDescription } from './token.ts';

/** `status` of a token. `expires`: null for never, undefined if it is unknown. What ends before the instant `soon` is `expiring`. */
export function judgeExpiry(expires: unknown, now: number, soon: number): 'ok' | 'expiring' | 'expired' | 'unknown' {
  if (typeof expires !== 'string') return expires === null ? 'ok' : 'unknown';
  const end = Date.parse(expires);
  if (end <= now) return 'expired';
  return end <= soon ? 'expiring' : 'ok';
}

/** Whether a token ends before an instant. */
export function endsBefore({ expires }: JsonObject, instant: number): boolean {
  return typeof expires === 'string' && Date.parse(expires) <= instant;
}

/** For --fail-if-expires-within. */
export interface EndCounts {
  all: number;
  ending: number;
  unknown: number;
}

/** Expired tokens of which a newer one with the same description is there don't count. */
export function countEnds(rows: JsonObject[], instant: number): EndCounts {
  const name = ({ team, description }: JsonObject): string | undefined =>
    typeof description === 'string' && isObject(team)
      ? JSON.stringify([team.id, parseBaseDescription(description)])
      : undefined;
  const valid = new Set(rows.filter(({ status }) => status !== 'expired').map(name));
  const isReplaced = (row: JsonObject): boolean =>
    row.status === 'expired' && name(row) !== undefined && valid.has(name(row));
  return {
    all: rows.length,
    ending: rows.filter((row) => endsBefore(row, instant) && !isReplaced(row)).length,
    unknown: rows.filter(({ expires }) => expires === undefined).length,
  };
}

/** Throws `incomplete` if it is unknown when some end, and `attention` if some end. `within` is as the user wrote it. */
export function assertNoneEnds({ all, ending, unknown }: EndCounts, within: string): void {
  const name = (count: number): string => (all === 1 ? 'the token' : `${count} of ${plural(all, 'token')}`);
  const ends = `${name(ending)} ${ending === 1 ? 'expires' : 'expire'} within ${within}`;
  if (unknown > 0) {
    throw new OrgctlError('incomplete', `unknown when ${name(unknown)} ${unknown === 1 ? 'expires' : 'expire'}`, {
      reasons: ending > 0 ? [ends] : [],
    });
  }
  if (ending > 0) throw new OrgctlError('attention', ends, { code: 'expiring' });
}
