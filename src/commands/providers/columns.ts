import { formatRelative, formatTime } from '../../lib/time.ts';
import { type Column, type Columns, type FormatCell, formatValue } from '../../output/columns.ts';

const formatAge: FormatCell = (value, _record, now) => formatRelative(formatValue(value), now);
const formatAdded: FormatCell = (value, _record, now) => formatTime(formatValue(value), now);

/** `yes`, or `no: it lacks SHA256SUMS` */
const formatReady: FormatCell = (ready, { missing, 'registry-name': registry }) => {
  if (registry === 'public') return 'in the public registry';
  if (ready === undefined) return 'unknown';
  return ready ? 'yes' : `no: it lacks ${formatValue(missing, ', ')}`;
};

const ADDRESS: Column = { header: 'PROVIDER', field: 'address' };
const ID: Column = { header: 'ID', field: 'id' };

export const PROVIDER_COLUMNS: Columns = {
  table: [ADDRESS, { header: 'ADDED', field: 'created-at', format: formatAge }, ID],
  lines: [
    { header: 'Provider', field: 'address' },
    { header: 'Organization', field: 'organization.id' },
    { header: 'Ready', field: 'ready', format: formatReady },
    { header: 'Added', field: 'created-at', format: formatAdded },
    { header: 'ID', field: 'id' },
  ],
  fields: ['type', 'registry-name', 'namespace', 'name', 'updated-at', 'permissions.can-delete', 'missing'],
};

export const VERSION_COLUMNS: Columns = {
  table: [
    { header: 'VERSION', field: 'version' },
    { header: 'PROTOCOLS', field: 'protocols' },
    { header: 'PLATFORMS', field: 'platforms' },
  ],
  fields: ['ready', 'missing', 'id', 'type', 'key-id', 'created-at'],
};

/** What became of each provider, version or platform. */
export const RESULT_COLUMNS: Columns = {
  table: [
    { header: 'RESULT', field: 'result', isState: true },
    { header: 'ADDRESS', field: 'address' },
    ID,
    { header: 'CODE', field: 'error.code' },
    { header: 'ERROR', field: 'error.message' },
  ],
  fields: ['type', 'changed', 'organization.id'],
};

export const CHECK_COLUMNS: Columns = {
  table: [ADDRESS, { header: 'STATUS', field: 'status', isState: true }, { header: 'FILE', field: 'file' }],
};
