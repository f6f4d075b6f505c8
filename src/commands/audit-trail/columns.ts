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
  meanings: {
    timestamp: 'When it happened (UTC)',
    'auth.description': 'Who did it, as people read it: a user name, or what the token was called',
    'resource.action': 'What was done, such as create, update or destroy',
    'resource.type': 'Kind of thing that it was done to, such as team',
    'resource.id': 'Id of that thing; empty where it has none',
    id: 'Id of the event',
    version: "Version of the event's form",
    type: 'Kind of event: Resource',
    auth: 'Who did it, and how',
    'auth.accessor_id': 'Id of who did it; empty for the service itself',
    'auth.type': 'Client, Impersonated (by an operator) or System (the service itself)',
    'auth.impersonator_id': 'Id of the operator who acted in their name; else empty',
    'auth.organization_id': 'Id of the organization',
    request: 'The request that it came of',
    'request.id': 'Id of that request; empty for what the service did by itself',
    resource: 'What was done, and to what',
    'resource.meta': 'More about it, by its kind; often empty',
  },
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
