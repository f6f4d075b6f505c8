import type { JsonObject } from '../../lib/json.ts';
import { type Column, type Columns, formatValue, ID, ORGANIZATION, STATUS } from '../../output/columns.ts';

/** The service counts cents (facts). */
function formatPrice(cents: unknown): string {
  return typeof cents === 'number' ? `$${(cents / 100).toFixed(2)}` : formatValue(cents);
}

const formatLimit = (limit: unknown): string => (limit === null ? 'no limit' : formatValue(limit ?? 'unknown'));

const PLAN: Column = { header: 'PLAN', field: 'name' };
const AUDIT: Column = { header: 'AUDIT LOGGING', field: 'audit-logging', format: 'flag' };

export const FEATURE_SET_COLUMNS: Columns = {
  empty: 'no plans found',
  table: [
    PLAN,
    { header: 'PRICE', field: 'cost', align: 'right', format: formatPrice },
    { header: 'USERS', field: 'user-limit', align: 'right', format: formatLimit },
    AUDIT,
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
    PLAN,
    { header: 'USERS', field: 'used', align: 'right', format: 'count' },
    { header: 'LIMIT', field: 'limit', align: 'right', format: formatLimit },
    { header: 'LEFT', field: 'left', align: 'right', format: 'count' },
    STATUS,
    ID,
  ],
  lines: [PLAN, { header: 'USERS', field: 'used', format: formatUsers }, AUDIT, ID],
  fields: 'active invited cost identifier error.code error.message',
};
