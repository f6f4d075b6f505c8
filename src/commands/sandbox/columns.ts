import type { View } from '../../stdout/view.ts';

export const SANDBOX_ORGANIZATION_VIEW: View = {
  name: 'organizations',
  shape: 'record',
  columns: ['name', 'members', 'invited', 'teams', 'providers', 'audit-token', 'note'],
  fields: ['name', 'members', 'invited', 'teams', 'providers', 'audit-token', 'note'],
};

export const SANDBOX_MEMBERSHIP_VIEW: View = {
  name: 'accepted invitations',
  shape: 'record',
  columns: ['id', 'organization', 'email', 'status', 'changed'],
  fields: ['id', 'organization', 'email', 'status', 'changed'],
};
