import { isObject, toText } from '../json-object.ts';
import { formatCount } from '../text/count.ts';
import { parseInstant, toFullTime, toRelativeTime } from '../text/time.ts';
import type { MembershipRow } from '../wire/flat.ts';
import type { Named } from '../wire/resources.ts';
import type { AnyColumns, Field, Show } from './columns.ts';
import { getField } from './fields.ts';
import type { FlatRecord } from './flatten.ts';

/** A value as the text of one cell, not yet made safe for any format. Null is empty. */
export function toCellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toCellText).join(',');
  if (isObject(value)) return isIdentified(value) ? toLabel(value) : JSON.stringify(value);
  return String(value);
}

/**
 * The fields a single thing is shown with, each with its value. A relationship is one of them; another object is one
 * for each member, one level deep.
 */
export function toDetails(record: FlatRecord, shape: AnyColumns['shape']): (readonly [path: string, value: unknown])[] {
  return Object.entries(record).flatMap(([name, value]) => {
    // Records have no relationships, so an `id` and a `type` in one are members like all others.
    if (!isObject(value) || (shape === 'resource' && isIdentified(value))) return [[name, value] as const];
    return Object.entries(value).map(([member, inner]) => [`${name}.${member}`, inner] as const);
  });
}

function isIdentified({ id, type }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof type === 'string';
}

function toLabel({ id, name, username, email }: Record<string, unknown>): string {
  return toCellText([name, username, email].find((text) => typeof text === 'string' && text !== '') ?? id);
}

/** Values as people read them. Missing ones are empty. */

export const showRelative: Show = (value, _record, now) =>
  typeof value === 'string' ? toRelativeTime(value, now) : toCellText(value);

export const showTime: Show = (value, _record, now) =>
  typeof value === 'string' ? toFullTime(value, now) : toCellText(value);

/** `2026-09-23` */
export const showDate: Show = (value) => {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  return instant === undefined ? toCellText(value) : new Date(instant).toISOString().slice(0, 10);
};

/** What services written in Go send for a time that was never set. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/** `never` for null, and nothing for what the service left out. */
export const showTimeOrNever =
  (field: string, show: Show = showTime): Show<object> =>
  (value, record, now) =>
    (value === null && Object.hasOwn(record, field)) || value === ZERO_TIME ? 'never' : show(value, record, now);

/** `4,327` */
export const showCount: Show = (value) => (typeof value === 'number' ? formatCount(value) : toCellText(value));

/** `not delivered`, for what programs read as `not-delivered`. */
export const showWords: Show = (value) => toCellText(value).replaceAll('-', ' ');

/** `platform, security` */
export const showList: Show = (value) => (Array.isArray(value) ? value.map(toCellText).join(', ') : toCellText(value));

export const showYes: Show = (value) => (value === true ? 'yes' : '');

/** `platform, security`; the id of a team whose name did not come along. */
export const showTeams: Show<Named<'teams'>> = (_value, { teams }) =>
  Array.isArray(teams) ? teams.map(toName).join(', ') : toCellText(teams);

/** A service shows no secret team to everyone: that none is seen does not say that there is none. */
export const showTeamsOrNone: Show<Named<'teams'>> = (value, record, now) =>
  Array.isArray(record.teams) && record.teams.length === 0 ? 'none that you can see' : showTeams(value, record, now);

/** The first of these fields that says something. */
export const showFirstOf =
  <Row>(...fields: readonly Field<Row>[]): Show<Row> =>
  (_value, record) =>
    toFirstText(record, fields);

/** `ada@example.com`, `api-team_1001 (service account)` */
export const showPerson: Show<MembershipRow> = (_value, record) => {
  const name = toFirstText(record, ['email', 'user.email', 'user.username', 'id']);
  return isServiceAccount(record) ? `${name} (service account)` : name;
};

/** A service account has no second factor. */
export const showSecondFactor: Show<MembershipRow> = (value, record) => {
  const enabled = isObject(value) ? value['enabled'] : undefined;
  return typeof enabled === 'boolean' && !isServiceAccount(record) ? (enabled ? 'on' : 'off') : '';
};

function isServiceAccount(record: MembershipRow): boolean {
  return getField(record, 'user.is-service-account') === true;
}

export function toFirstText<Row>(record: Row, fields: readonly Field<Row>[]): string {
  for (const field of fields) {
    const text = toCellText(getField(record, field));
    if (text !== '') return text;
  }
  return '';
}

function toName(team: unknown): string {
  return isObject(team) ? (toText(team['name']) ?? toCellText(team['id'])) : toCellText(team);
}
