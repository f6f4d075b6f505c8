import { formatTime } from '../../lib/time.ts';
import {
  type Columns,
  type FormatCell,
  formatAge,
  formatValue,
  getField,
  ID,
  ORGANIZATION,
  STATUS,
} from '../../output/columns.ts';
import { EXPIRES, EXPIRES_LINE, LAST_USED, LAST_USED_LINE } from '../../tokens/columns.ts';

const formatCreated: FormatCell = (value, record, now) => {
  const creator = getField(record, 'created-by.username') ?? getField(record, 'created-by.id');
  return `${formatTime(formatValue(value), now)}${creator ? ` by ${formatValue(creator)}` : ''}`;
};

export const AUDIT_TOKEN_COLUMNS: Columns = {
  table: [ORGANIZATION, EXPIRES, STATUS, { header: 'CREATED', field: 'created-at', format: formatAge }, LAST_USED, ID],
  lines: [
    ORGANIZATION,
    { header: 'Created', field: 'created-at', format: formatCreated },
    LAST_USED_LINE,
    EXPIRES_LINE,
    ID,
  ],
  hasOtherFields: true,
  fields: 'created-by.id created-by.username expired-at description type error.code error.message',
};
