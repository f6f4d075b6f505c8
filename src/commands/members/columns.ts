import type { JsonObject } from '../../lib/json.ts';
import { formatRelative } from '../../lib/time.ts';
import { readMember } from '../../members/member.ts';
import { type Column, type Columns, type FormatCell, formatValue, formatYes } from '../../output/columns.ts';

/** Service accounts have no email. */
const formatPerson: FormatCell = (_email, record) => {
  const { email, username, id } = readMember(record);
  return email ?? username ?? (record.id ? id : '');
};
export const formatAge: FormatCell = (value, _record, now) => formatRelative(formatValue(value), now);

const EMAIL: Column = { header: 'EMAIL', field: 'email', format: formatPerson };
const STATUS: Column = { header: 'STATUS', field: 'status', isState: true };
const INVITED: Column = { header: 'INVITED', field: 'created-at', format: formatAge };
const TEAMS: Column = { header: 'TEAMS', field: 'teams.name' };
const USER: Column = { header: 'USER', field: 'user.username' };
const ID: Column = { header: 'ID', field: 'id' };

const MEMBER_FIELDS = [
  'type',
  'created-at',
  'teams.id',
  'user.id',
  'user.email',
  'user.two-factor.enabled',
  'user.is-service-account',
  'organization.id',
];

export const MEMBER_COLUMNS: Columns = {
  name: 'members',
  table: [EMAIL, STATUS, TEAMS, USER, ID],
  lines: [
    { header: 'Email', field: 'email', format: formatPerson },
    { header: 'User', field: 'user.username' },
    { header: 'Status', field: 'status', isState: true },
    { header: 'Teams', field: 'teams.name' },
    { header: 'Organization', field: 'organization.id' },
    { header: 'Two-factor', field: 'user.two-factor.enabled', format: formatYes },
    { header: 'Added', field: 'created-at', format: formatAge },
    { header: 'ID', field: 'id' },
  ],
  fields: MEMBER_FIELDS,
};

export const INVITED_COLUMNS: Columns = { ...MEMBER_COLUMNS, table: [EMAIL, STATUS, INVITED, TEAMS, USER, ID] };

export const TEAM_MEMBER_COLUMNS: Columns = { ...MEMBER_COLUMNS, table: [EMAIL, STATUS, USER, ID] };

export const OWN_COLUMNS: Columns = {
  name: 'memberships',
  table: [{ header: 'ORGANIZATION', field: 'organization.id' }, STATUS, TEAMS, ID],
  fields: MEMBER_FIELDS,
};

/** What became of each person. */
export const RESULT_COLUMNS: Columns = {
  name: 'people',
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

const STEP: Column[] = [
  { header: 'ACTION', field: 'action' },
  EMAIL,
  STATUS,
  TEAMS,
  { header: 'ADD TO', field: 'teams-add' },
  { header: 'REMOVE FROM', field: 'teams-remove' },
  ID,
];

export const PLAN_COLUMNS: Columns = { name: 'steps', table: STEP, fields: ['type', 'teams.id', 'organization.id'] };

export const APPLY_COLUMNS: Columns = {
  name: 'steps',
  table: [
    { header: 'RESULT', field: 'result', isState: true },
    ...STEP,
    { header: 'CODE', field: 'error.code' },
    { header: 'ERROR', field: 'error.message' },
  ],
  fields: ['type', 'changed', 'teams.id', 'organization.id'],
};

const REPORT: Column[] = [
  EMAIL,
  STATUS,
  TEAMS,
  { header: '2FA', field: 'user.two-factor.enabled', format: formatYes },
  { header: 'OWNER', field: 'owner', format: formatYes },
  { header: 'ADDED', field: 'created-at', format: formatAge },
  USER,
  { header: 'LOGIN', field: 'user.auth-method' },
  { header: 'SERVICE ACCOUNT', field: 'user.is-service-account', format: formatYes },
  ID,
];

export const REPORT_COLUMNS: Columns = { name: 'members', table: REPORT, fields: MEMBER_FIELDS };

export const CHANGE_COLUMNS: Columns = {
  name: 'changes',
  table: [
    { header: 'CHANGE', field: 'change' },
    EMAIL,
    { header: 'BEFORE', field: 'before' },
    { header: 'AFTER', field: 'after' },
    ...REPORT.slice(1),
  ],
  fields: MEMBER_FIELDS,
};

/** The columns of a membership that a row about it has. */
export function createMemberRow(
  { id, email, status, username, userId }: ReturnType<typeof readMember>,
  org: string,
): JsonObject {
  return {
    id,
    type: 'organization-memberships',
    email,
    status,
    ...(userId && { user: { id: userId, type: 'users', username } }),
    organization: { id: org, type: 'organizations' },
  };
}
