import { formatRelative, formatTime } from '../lib/time.ts';
import { type Column, type Columns, ERROR, type FormatCell, formatValue, ID, RESULT } from '../output/columns.ts';

/** Null is never, undefined unknown. A row without an id has no token. */
const formatExpiry =
  (format: typeof formatTime): FormatCell =>
  (expires, { id }, now) => {
    if (typeof expires === 'string') return format(expires, now);
    if (expires === null) return 'never';
    return id ? 'unknown' : '';
  };

const formatLastUse =
  (format: typeof formatTime): FormatCell =>
  (used, { id }, now) =>
    used === null && id ? 'never' : format(formatValue(used), now);

export const EXPIRES: Column = { header: 'EXPIRES', field: 'expires', format: formatExpiry(formatRelative) };
export const LAST_USED: Column = { header: 'LAST USED', field: 'last-used-at', format: formatLastUse(formatRelative) };

export const EXPIRES_LINE = { header: 'Expires', field: 'expires', format: formatExpiry(formatTime) };
export const LAST_USED_LINE = { header: 'Last used', field: 'last-used-at', format: formatLastUse(formatTime) };

export const DELETION_COLUMNS: Columns = {
  table: [RESULT, { header: 'TOKEN', field: 'token' }, ID, ...ERROR],
  fields: 'type changed kind team.id team.name description organization.id',
};

export const ROTATION_COLUMNS: Columns = {
  table: [
    RESULT,
    { header: 'TOKEN', field: 'token' },
    { header: 'EXPIRES', field: 'expired-at', format: formatExpiry(formatRelative) },
    { header: 'VERIFIED', field: 'verified' },
    { header: 'TO', field: 'places' },
    ID,
    ...ERROR,
  ],
  fields: 'type changed organization.id created-at fingerprint deleted',
};
