import type { JsonObject } from '../lib/json.ts';
import { formatRelative } from '../lib/time.ts';
import { type Column, type Columns, type FormatCell, formatValue } from '../output/columns.ts';
import { type Member, parseMemberRecord } from './member.ts';

/** Falls back to the user name, since service accounts have no email. */
export const formatPerson: FormatCell = (_email, record) => {
  const { email, username, id } = parseMemberRecord(record);
  return email ?? username ?? (record.id ? id : '');
};
const formatAge: FormatCell = (value, _record, now) => formatRelative(formatValue(value), now);

export const EMAIL: Column = { header: 'EMAIL', field: 'email', format: formatPerson };
export const STATUS: Column = { header: 'STATUS', field: 'status', isState: true };
export const INVITED: Column = { header: 'INVITED', field: 'created-at', format: formatAge };
export const ADDED: Column = { header: 'ADDED', field: 'created-at', format: formatAge };
export const TEAMS: Column = { header: 'TEAMS', field: 'teams.name' };
export const USER: Column = { header: 'USER', field: 'user.username' };
export const ID: Column = { header: 'ID', field: 'id' };

export const MEMBER_FIELDS = [
  'type',
  'created-at',
  'is-org-two-factor-required',
  'teams.id',
  'user.id',
  'user.email',
  'user.two-factor.enabled',
  'user.is-service-account',
  'organization.id',
];

export const RESULT_COLUMNS: Columns = {
  table: [
    { header: 'RESULT', field: 'result', isState: true },
    { header: 'EMAIL', field: 'email' },
    { header: 'ORGANIZATION', field: 'organization.id' },
    TEAMS,
    ID,
    { header: 'CODE', field: 'error.code' },
    { header: 'ERROR', field: 'error.message' },
  ],
  fields: ['type', 'changed', 'status', 'user.id', 'user.username', 'teams.id'],
};

export function createMemberRow({ id, email, status, username, userId, teams }: Member, org: string): JsonObject {
  return {
    id,
    type: 'organization-memberships',
    email,
    status,
    ...(userId && { user: { id: userId, type: 'users', username } }),
    teams: teams?.map((team) => ({ ...team, type: 'teams' })),
    organization: { id: org, type: 'organizations' },
  };
}
