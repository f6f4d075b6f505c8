import type { JsonObject } from '../lib/json.ts';
import {
  type Column,
  type Columns,
  createOrgRecord,
  ERROR,
  type FormatCell,
  formatAge,
  ID,
  RESULT,
} from '../output/columns.ts';
import { type Member, parseMemberRecord } from './member.ts';

/** Falls back to the user name, since service accounts have no email. */
export const formatPerson: FormatCell = (_email, record) => {
  const { email, username, id } = parseMemberRecord(record);
  return email ?? username ?? (record.id ? id : '');
};

export const EMAIL: Column = { header: 'EMAIL', field: 'email', format: formatPerson };
export const INVITED: Column = { header: 'INVITED', field: 'created-at', format: formatAge };
export const ADDED: Column = { header: 'ADDED', field: 'created-at', format: formatAge };
export const TEAMS: Column = { header: 'TEAMS', field: 'teams.name' };
export const USER: Column = { header: 'USER', field: 'user.username' };

export const MEMBER_FIELDS =
  'type created-at is-org-two-factor-required teams.id user.id user.email user.two-factor.enabled ' +
  'user.is-service-account organization.id';

export const RESULT_COLUMNS: Columns = {
  table: [
    RESULT,
    { header: 'EMAIL', field: 'email' },
    { header: 'ORGANIZATION', field: 'organization.id' },
    TEAMS,
    ID,
    ...ERROR,
  ],
  fields: 'type changed status user.id user.username teams.id',
};

/** A person who is not in the organization has only some of the fields. */
export function createMemberRow(person: Partial<Member>, org: string): JsonObject {
  const { id = null, email, status, username, userId, teams } = person;
  return {
    id,
    type: 'organization-memberships',
    email,
    status,
    ...((userId ?? username) && { user: { id: userId, type: 'users', username } }),
    teams: teams?.map((team) => ({ ...team, type: 'teams' })),
    organization: createOrgRecord(org),
  };
}
