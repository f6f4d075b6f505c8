import { getField, isObject } from '../../lib/json.ts';
import { parseInstant } from '../../lib/time.ts';
import { type Columns, type FormatCell, formatValue, ID } from '../../output/columns.ts';

const formatEventTime: FormatCell = (value) => {
  const instant = parseInstant(String(value));
  return instant === undefined ? formatValue(value) : new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
};

const formatResource: FormatCell = (value) =>
  isObject(value)
    ? [value.type, getField(value, 'meta.name') ?? value.id].map((part) => formatValue(part)).join('/')
    : formatValue(value);

export const EVENT_COLUMNS: Columns = {
  isAsSent: true,
  table: [
    { header: 'TIME (UTC)', field: 'timestamp', format: formatEventTime },
    { header: 'ACTION', field: 'resource.action' },
    {
      header: 'RESOURCE',
      field: 'resource',
      plainFields: ['resource.type', 'resource.id'],
      format: formatResource,
    },
    { header: 'ACTOR', field: 'auth.description' },
    ID,
  ],
  fields:
    'version type auth.accessor_id auth.type auth.impersonator_id auth.organization_id request.id ' +
    'resource.type resource.id resource.meta',
};
