import type { Columns } from '../../stdout/columns.ts';

export const SANDBOX_ORGANIZATION_COLUMNS: Columns = {
  name: 'organizations',
  shape: 'record',
  shown: ['name', 'members', 'invited', 'teams', 'providers', 'audit-token', 'note'],
};

export const SANDBOX_MEMBERSHIP_COLUMNS: Columns = {
  name: 'accepted invitations',
  shape: 'record',
  shown: ['id', 'organization', 'email', 'status', 'changed'],
};
