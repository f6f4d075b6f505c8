import type { Columns } from '../../stdout/columns.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import type { Named } from '../../wire/resources.ts';

export interface SandboxOrganizationRow {
  readonly name: string;
  readonly members: number;
  readonly invited: number;
  readonly teams: number;
  readonly providers: number;
  readonly 'audit-token': boolean;
  readonly note: string;
}

export const SANDBOX_ORGANIZATION_COLUMNS: Columns<SandboxOrganizationRow> = {
  name: 'organizations',
  shape: 'record',
  shown: ['name', 'members', 'invited', 'teams', 'providers', 'audit-token', 'note'],
  screen: [
    { head: 'ORGANIZATION', field: 'name', priority: 0 },
    { head: 'MEMBERS', field: 'members', priority: 1, align: 'right' },
    { head: 'INVITED', field: 'invited', priority: 2, align: 'right' },
    { head: 'TEAMS', field: 'teams', priority: 4, align: 'right' },
    { head: 'PROVIDERS', field: 'providers', priority: 3, align: 'right' },
    { head: 'AUDIT TOKEN', field: 'audit-token', priority: 3, show: (value) => (value === true ? 'yes' : 'no') },
    { head: 'NOTE', field: 'note', priority: 5, wraps: true },
  ],
};

export type AcceptedRow = Named<'email' | 'id' | 'status'> & {
  readonly organization: ResourceIdentifier;
  readonly changed: true;
};

export const SANDBOX_MEMBERSHIP_COLUMNS: Columns<AcceptedRow> = {
  name: 'accepted invitations',
  shape: 'record',
  shown: ['id', 'organization', 'email', 'status', 'changed'],
  fields: ['organization.id', 'organization.type'],
  sentences: ({ email, organization }) => [{ sign: '✓', text: `${email} is now a member of ${organization.id}` }],
};
