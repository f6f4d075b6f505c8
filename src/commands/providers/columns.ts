import type { JsonObject } from '../../lib/json.ts';
import { type Column, type Columns, ERROR, ID, ORGANIZATION, RESULT, STATUS } from '../../output/columns.ts';

/** `yes`, or `no: it has no SHA256SUMS` */
function formatReady(ready: unknown, { missing, 'registry-name': registry }: JsonObject): string {
  if (registry === 'public') return 'in the public registry';
  if (typeof ready !== 'boolean') return 'unknown';
  return ready ? 'yes' : `no: it has no ${[missing].flat().join(', no ')}`;
}

const PROVIDER: Column = { header: 'PROVIDER', field: 'address' };
const ADDED: Column = { header: 'ADDED', field: 'created-at', format: 'age' };

export const PROVIDER_COLUMNS: Columns = {
  empty: 'no providers found',
  table: [PROVIDER, ADDED, ID],
  fields: 'type organization.id registry-name namespace name updated-at permissions.can-delete',
};

/** Only a provider that is shown alone is looked at closely. */
export const SHOWN_COLUMNS: Columns = {
  ...PROVIDER_COLUMNS,
  lines: [
    PROVIDER,
    ORGANIZATION,
    { header: 'READY', field: 'ready', format: formatReady },
    { ...ADDED, format: 'date' },
    ID,
  ],
  fields: `${PROVIDER_COLUMNS.fields} missing`,
};

export const VERSION_COLUMNS: Columns = {
  empty: 'no versions found',
  table: [
    { header: 'VERSION', field: 'version' },
    { header: 'PROTOCOLS', field: 'protocols' },
    { header: 'PLATFORMS', field: 'platforms' },
  ],
  fields: 'ready missing id type key-id created-at',
};

export const RESULT_COLUMNS: Columns = {
  table: [RESULT, { header: 'ADDRESS', field: 'address' }, ID, ...ERROR],
  fields: 'type changed organization.id',
};

export const CHECK_COLUMNS: Columns = {
  table: [PROVIDER, STATUS, { header: 'FILE', field: 'file' }],
};
