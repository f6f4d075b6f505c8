import { isObject, type JsonObject } from '../lib/json.ts';
import { formatUtc, parseInstant } from '../lib/time.ts';
import { formatMember, parseMemberRecord } from '../members/member.ts';
import { getField } from '../output/columns.ts';

export interface Finding {
  status: 'failed' | 'unknown' | 'ok' | 'off';
  /** Names, reasons or a sentence; of a rule that failed nothing that changes by the day. */
  found: string[];
  /** Commands as words, without the organization. */
  fix?: string[][];
}

/** What is surely wrong decides; where nothing is, a doubt makes the finding unknown. */
export function judge(wrong: string[], doubts: (string | false | undefined)[], good: string): Finding {
  if (wrong.length > 0) return { status: 'failed', found: [...wrong].sort() };
  const reasons = doubts.filter((doubt) => typeof doubt === 'string');
  return reasons.length > 0 ? { status: 'unknown', found: reasons } : { status: 'ok', found: [good] };
}

/** Doubts about what some things don't show: `2FA of ada@example.com not shown` */
export function describeHidden(what: string, names: string[]): string[] {
  return names.map((name) => `${what} of ${name} not shown`).sort();
}

/** Whether the record is of somebody who can log in, and no service account. Undefined if it doesn't say so. */
export function isPerson(record: JsonObject): boolean | undefined {
  const { status, email } = parseMemberRecord(record);
  const isServiceAccount = getField(record, 'user.is-service-account');
  if (isServiceAccount === true || status === 'invited' || status === 'inactive') return false;
  return status === 'active' && isServiceAccount === false && email !== undefined ? true : undefined;
}

/** `2026-11-21` */
export function formatDay(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatUtc(instant).slice(0, 10);
}

export function namePerson(record: JsonObject): string {
  return formatMember(parseMemberRecord(record));
}

/** Tokens that the service may not have shown: `organization, team tokens not shown` */
export function describeHiddenTokens(rows: JsonObject[]): string | false {
  const hidden = rows.filter(({ id }) => id === null);
  const reasons = hidden.flatMap(({ error }) => (isObject(error) ? [String(error.message)] : []));
  const names = `${hidden.map(({ kind }) => kind).join(', ')} tokens not shown`;
  return hidden.length > 0 && [names, ...new Set(reasons)].join('; ');
}

/** A token that was never used counts from its creation. Undefined if that can't be known. */
export function isUnusedSince(row: JsonObject, since: number): boolean | undefined {
  const { 'last-used-at': last } = row;
  const created = parseInstant(String(row['created-at']));
  if (created !== undefined && created > since) return false;
  const used = last === null ? created : parseInstant(String(last));
  return used === undefined ? undefined : used <= since;
}
