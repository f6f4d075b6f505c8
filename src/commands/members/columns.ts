import { type Columns, listFields } from '../../stdout/columns.ts';
import type { Resource } from '../../wire/json-api.ts';
import { RESULT_FIELDS } from '../options.ts';

export const MEMBERSHIP_COLUMNS: Columns = {
  name: 'memberships',
  shape: 'resource',
  shown: ['id', 'status', 'email', 'user.username', 'teams'],
  fields: [
    'type',
    'created-at',
    'is-org-two-factor-required',
    'user',
    'user.id',
    'user.email',
    'user.two-factor',
    'user.is-service-account',
    'user.auth-method',
    'teams.id',
    'teams.name',
    'organization',
    'organization.id',
    'changed',
    'teams-missing',
  ],
  times: ['created-at'],
};

/** The caller’s own, in every organization. */
export const OWN_MEMBERSHIP_COLUMNS: Columns = {
  ...MEMBERSHIP_COLUMNS,
  shown: ['id', 'organization.id', 'status', 'teams.name'],
  fields: [...listFields(MEMBERSHIP_COLUMNS), 'organization.name'],
};

const PERSON_COLUMNS = ['email', 'organization.id', 'id', 'teams.name', 'teams-missing', 'error.code', 'error.message'];
const RESULT_COLUMNS = ['result', ...PERSON_COLUMNS];

/** What `invite` and `resend` leave behind: a row a person. */
export const INVITATION_COLUMNS: Columns = {
  ...MEMBERSHIP_COLUMNS,
  shown: RESULT_COLUMNS,
  fields: [...listFields(MEMBERSHIP_COLUMNS), ...RESULT_FIELDS],
};

/** What `remove` leaves behind: a row a membership, and one for each person who was not there. */
export const MEMBER_REMOVAL_COLUMNS: Columns = {
  name: 'removals',
  shape: 'resource',
  shown: RESULT_COLUMNS,
  fields: ['type', 'changed', 'asked', 'organization', 'teams', 'teams.id', ...RESULT_FIELDS],
};

export function toOrganization(name: string): { readonly id: string; readonly type: string } {
  return { id: name, type: 'organizations' };
}

/** What a row needs beside a membership that does not say which organization it is of. */
export function addOrganization({ relationships }: Resource, name: string): { readonly organization?: object } {
  return relationships?.['organization'] === undefined ? { organization: toOrganization(name) } : {};
}

export const PLAN_COLUMNS: Columns = {
  name: 'steps',
  shape: 'record',
  shown: ['action', 'email', 'id', 'status', 'teams', 'teams-missing'],
  fields: ['organization'],
};

export const APPLIED_COLUMNS: Columns = {
  name: 'steps',
  shape: 'resource',
  shown: ['result', 'action', ...PERSON_COLUMNS],
  fields: [
    'type',
    'status',
    'created-at',
    'user',
    'user.id',
    'user.username',
    'teams',
    'teams.id',
    'organization',
    'changed',
    ...RESULT_FIELDS,
  ],
  times: ['created-at'],
};
