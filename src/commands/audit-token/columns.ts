import type { View } from '../../stdout/view.ts';

export const AUDIT_TOKEN_VIEW: View = {
  name: 'audit trail tokens',
  shape: 'resource',
  columns: ['id', 'created-at', 'last-used-at', 'expired-at'],
  fields: [
    'id',
    'type',
    'created-at',
    'last-used-at',
    'expired-at',
    'description',
    'created-by',
    'created-by.id',
    'created-by.type',
    'changed',
  ],
  times: ['created-at', 'last-used-at', 'expired-at'],
};
