import { formatRelative } from '../lib/time.ts';
import { type Columns, type FormatCell, formatValue } from '../output/columns.ts';

export const formatEnd: FormatCell = (value, _record, now) =>
  value === null ? 'never' : formatRelative(formatValue(value), now);

/** What became of each rotation. */
export const ROTATION_COLUMNS: Columns = {
  name: 'tokens',
  table: [
    { header: 'RESULT', field: 'result', isState: true },
    { header: 'EXPIRES', field: 'expired-at', format: formatEnd },
    { header: 'VERIFIED', field: 'verified' },
    { header: 'TO', field: 'places' },
    { header: 'ID', field: 'id' },
    { header: 'CODE', field: 'error.code' },
    { header: 'ERROR', field: 'error.message' },
  ],
  fields: ['type', 'changed', 'organization.id', 'created-at', 'fingerprint', 'deleted'],
};
