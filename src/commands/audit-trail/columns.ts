import type { Columns } from '../../stdout/columns.ts';

export const AUDIT_TRAIL_COLUMNS: Columns = {
  name: 'audit events',
  shape: 'record',
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
