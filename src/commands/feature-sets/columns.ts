import type { JsonObject } from '../../lib/json.ts';
import {
  type Columns,
  type FormatCell,
  formatCount,
  formatValue,
  formatYes,
  ID,
  ORGANIZATION,
} from '../../output/columns.ts';

/** The service counts cents (facts). */
const formatPrice: FormatCell = (cents) =>
  typeof cents === 'number' ? `$${(cents / 100).toFixed(2)}` : formatValue(cents);

const formatLimit: FormatCell = (limit) => (limit === null ? 'no limit' : formatValue(limit ?? 'unknown'));

export const FEATURE_SET_COLUMNS: Columns = {
  empty: 'no plans found',
  table: [
    { header: 'PLAN', field: 'name' },
    { header: 'PRICE', field: 'cost', align: 'right', format: formatPrice },
    { header: 'USERS', field: 'user-limit', align: 'right', format: formatLimit },
    { header: 'AUDIT LOGGING', field: 'audit-logging', format: formatYes, isFlag: true },
    { header: 'CURRENT', field: 'is-current', format: (value) => (value === true ? 'current' : ''), isState: true },
    ID,
  ],
  hasOtherFields: true,
  fields: 'type identifier description plan is-free-tier self-serve-billing',
};

function formatUsers(_used: unknown, { used, invited, limit, left }: JsonObject): string {
  const waiting = invited ? ` (${formatValue(invited)} invited)` : '';
  const start = `${formatValue(used)}${waiting}`;
  if (typeof limit === 'number') return `${start} of ${limit}, ${formatValue(left)} left`;
  return `${start}, ${limit === null ? 'no limit' : 'limit unknown'}`;
}

export const CURRENT_COLUMNS: Columns = {
  table: [
    ORGANIZATION,
    { header: 'PLAN', field: 'name' },
    { header: 'USERS', field: 'used', align: 'right', format: formatCount },
    { header: 'LIMIT', field: 'limit', align: 'right', format: formatLimit },
    { header: 'LEFT', field: 'left', align: 'right', format: formatCount },
    { header: 'STATUS', field: 'status', isState: true },
    ID,
  ],
  lines: [
    { header: 'Plan', field: 'name' },
    { header: 'Users', field: 'used', format: formatUsers },
    { header: 'Audit logging', field: 'audit-logging', format: formatYes, isFlag: true },
    ID,
  ],
  fields: 'active invited cost identifier error.code error.message',
};
