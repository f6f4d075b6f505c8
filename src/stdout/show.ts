import { isObject, toText } from '../json-object.ts';
import { formatCount } from '../text/count.ts';
import { parseInstant, toFullTime, toRelativeTime } from '../text/time.ts';
import { toCellText } from './cell.ts';
import type { Show } from './columns.ts';
import { getField } from './fields.ts';
import type { FlatRecord } from './flatten.ts';

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

/** `never` for null, and nothing for what the service left out. */
export const showTimeOrNever =
  (field: string, show: Show = showTime): Show =>
  (value, record, now) =>
    value === null && Object.hasOwn(record, field) ? 'never' : show(value, record, now);

/** `4,327` */
export const showCount: Show = (value) => (typeof value === 'number' ? formatCount(value) : toCellText(value));

/** `not delivered`, for what programs read as `not-delivered`. */
export const showWords: Show = (value) => toCellText(value).replaceAll('-', ' ');

/** `platform, security` */
export const showList: Show = (value) => (Array.isArray(value) ? value.map(toCellText).join(', ') : toCellText(value));

export const showYes: Show = (value) => (value === true ? 'yes' : '');

/** `platform, security`; the id of a team whose name did not come along. */
export const showTeams: Show = (_value, record) => {
  const teams = record['teams'];
  return Array.isArray(teams) ? teams.map(toName).join(', ') : toCellText(teams);
};

/** The first of these fields that says something. */
export const showFirstOf =
  (...fields: readonly string[]): Show =>
  (_value, record) =>
    firstText(record, fields);

/** `ada@example.com`, `api-team_1001 (service account)` */
export const showPerson: Show = (_value, record) => {
  const name = firstText(record, ['email', 'user.email', 'user.username', 'id']);
  return isServiceAccount(record) ? `${name} (service account)` : name;
};

/** A service account has no second factor. */
export const showSecondFactor: Show = (value, record) => {
  const enabled = isObject(value) ? value['enabled'] : undefined;
  return typeof enabled === 'boolean' && !isServiceAccount(record) ? (enabled ? 'on' : 'off') : '';
};

function isServiceAccount(record: FlatRecord): boolean {
  return getField(record, 'user.is-service-account') === true;
}

function firstText(record: FlatRecord, fields: readonly string[]): string {
  for (const field of fields) {
    const text = toCellText(getField(record, field));
    if (text !== '') return text;
  }
  return '';
}

function toName(team: unknown): string {
  return isObject(team) ? (toText(team['name']) ?? toCellText(team['id'])) : toCellText(team);
}
