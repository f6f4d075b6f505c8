import type { JsonObject } from '../lib/json.ts';
import { formatRelative, formatTime } from '../lib/time.ts';
import { type Column, type Columns, ERROR, ID, ORGANIZATION, RESULT, STATUS } from '../output/columns.ts';

/** Null is never, undefined unknown. A row without an id has no token. */
function formatExpiry(format: typeof formatTime) {
  return (expires: unknown, { id }: JsonObject, now?: number): string => {
    if (typeof expires === 'string') return format(expires, now);
    if (expires === null) return 'never';
    return id ? 'unknown' : '';
  };
}

function formatLastUse(format: typeof formatTime) {
  return (used: unknown, { id }: JsonObject, now?: number): string =>
    used === null && id ? 'never' : format(String(used ?? ''), now);
}

const TOKEN: Column = { header: 'TOKEN', field: 'token' };
const CREATED: Column = { header: 'CREATED', field: 'created-at', format: 'age' };
const EXPIRES: Column = { header: 'EXPIRES', field: 'expires', format: formatExpiry(formatRelative) };
const LAST_USED: Column = { header: 'LAST USED', field: 'last-used-at', format: formatLastUse(formatRelative) };

export const TOKEN_COLUMNS: Columns = {
  empty: 'no tokens found',
  table: [TOKEN, EXPIRES, LAST_USED, STATUS, ID],
  hasOtherFields: true,
  fields:
    'organization.id kind team.id team.name description created-by created-by.id created-by.type ' +
    'created-at expired-at type',
};

export const AUDIT_TOKEN_COLUMNS: Columns = {
  table: [ORGANIZATION, EXPIRES, STATUS, CREATED, LAST_USED, ID],
  lines: [
    ORGANIZATION,
    { ...CREATED, format: 'date' },
    { ...LAST_USED, format: formatLastUse(formatTime) },
    { ...EXPIRES, format: formatExpiry(formatTime) },
    ID,
  ],
  hasOtherFields: true,
  fields: 'created-by.id expired-at description type error.code error.message',
};

export const DELETION_COLUMNS: Columns = {
  table: [RESULT, TOKEN, ID, ...ERROR],
  fields: 'type changed kind team.id team.name description organization.id',
};

export const ROTATION_COLUMNS: Columns = {
  table: [
    RESULT,
    TOKEN,
    { ...EXPIRES, field: 'expired-at' },
    { header: 'VERIFIED', field: 'verified' },
    { header: 'TO', field: 'places' },
    ID,
    ...ERROR,
  ],
  fields: 'type changed organization.id created-at fingerprint deleted',
};
