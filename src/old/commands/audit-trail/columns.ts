import { isObject } from '../../json-object.ts';
import { toCellText } from '../../stdout/cell.ts';
import type { Columns, Show } from '../../stdout/columns.ts';
import { parseInstant } from '../../text/time.ts';
import type { AuditEvent } from '../../wire/resources.ts';

const TIME = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  hourCycle: 'h23',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** `Nov 22 01:04:04`: the service keeps events for 14 days. */
const showEventTime: Show = (value) => {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  return instant === undefined ? toCellText(value) : TIME.format(instant).replace(',', '');
};

/** `authentication_token/at-povyZwaRHCefhbLm` */
const showResource: Show = (value) =>
  isObject(value)
    ? [value['type'], value['id']]
        .map(toCellText)
        .filter((text) => text !== '')
        .join('/')
    : '';

export const AUDIT_TRAIL_COLUMNS: Columns<AuditEvent> = {
  name: 'audit events',
  shape: 'record',
  isAsSent: true,
  screen: [
    { head: 'TIME (UTC)', field: 'timestamp', priority: 0, width: 15, show: showEventTime },
    { head: 'ACTOR', field: 'auth.description', priority: 0, width: 24, least: 12 },
    { head: 'ACTION', field: 'resource.action', priority: 0, width: 'remove_member'.length },
    {
      head: 'RESOURCE',
      field: 'resource',
      fields: ['resource.type', 'resource.id'],
      priority: 0,
      width: 34,
      wraps: true,
      cuts: ['resource.type'],
      show: showResource,
    },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  shown: ['timestamp', 'auth.description', 'resource.action', 'resource.type', 'resource.id', 'id'],
  fields: [
    'version',
    'type',
    'auth',
    'auth.accessor_id',
    'auth.type',
    'auth.impersonator_id',
    'auth.organization_id',
    'request',
    'request.id',
    'resource',
    'resource.meta',
  ],
  times: ['timestamp'],
};
