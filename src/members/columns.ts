import { createOrgRecord, type JsonObject } from '../lib/json.ts';
import { type Column, type Columns, ERROR, ID, ORGANIZATION, RESULT, STATUS } from '../output/columns.ts';
import { type Member, parseMemberRecord } from './member.ts';

/** Falls back to the user name, since service accounts have no email. */
function formatPerson(_email: unknown, record: JsonObject): string {
  const { email, username, id } = parseMemberRecord(record);
  return email ?? username ?? (record.id ? id : '');
}

const EMAIL: Column = { header: 'EMAIL', field: 'email', format: formatPerson };
const ADDED: Column = { header: 'ADDED', field: 'created-at', format: 'age' };
const TEAMS: Column = { header: 'TEAMS', field: 'teams.name' };
const USER: Column = { header: 'USER', field: 'user.username' };
const TWO_FACTOR: Column = { header: '2FA', field: 'user.two-factor.enabled', format: 'flag' };

const FIELDS =
  'type created-at is-org-two-factor-required teams.id user.id user.email user.two-factor.enabled ' +
  'user.is-service-account organization.id';

export const MEMBER_COLUMNS: Columns = {
  empty: 'no members found',
  table: [EMAIL, STATUS, TEAMS, USER, ID],
  lines: [
    EMAIL,
    USER,
    STATUS,
    TEAMS,
    ORGANIZATION,
    { ...TWO_FACTOR, header: 'Two-factor' },
    { ...ADDED, format: 'date' },
    ID,
  ],
  fields: FIELDS,
  hasOtherFields: true,
};

export const INVITED_COLUMNS: Columns = {
  ...MEMBER_COLUMNS,
  empty: 'no invitations found',
  table: [EMAIL, STATUS, { ...ADDED, header: 'INVITED' }, TEAMS, USER, ID],
};

export const OWN_COLUMNS: Columns = {
  ...MEMBER_COLUMNS,
  empty: 'no memberships found',
  table: [ORGANIZATION, STATUS, TEAMS, ID],
};

export const TEAM_MEMBER_COLUMNS: Columns = { ...MEMBER_COLUMNS, table: [EMAIL, STATUS, USER, ID] };

export const MEMBER_RESULT_COLUMNS: Columns = {
  table: [RESULT, { header: 'EMAIL', field: 'email' }, ORGANIZATION, TEAMS, ID, ...ERROR],
  fields: 'type changed status user.id user.username teams.id',
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

export const PLAN_COLUMNS: Columns = { table: STEP, fields: 'type teams.id organization.id' };

export const APPLY_COLUMNS: Columns = {
  table: [RESULT, ...STEP, ...ERROR],
  fields: 'type changed teams.id organization.id',
};

const REPORT: Column[] = [
  EMAIL,
  { header: 'OWNER', field: 'owner', format: 'flag' },
  TWO_FACTOR,
  STATUS,
  TEAMS,
  ADDED,
  USER,
  { header: 'LOGIN', field: 'user.auth-method' },
  { header: 'SERVICE ACCOUNT', field: 'user.is-service-account', format: 'flag' },
  ID,
];

export const REPORT_COLUMNS: Columns = { table: [ORGANIZATION, ...REPORT], fields: FIELDS };

export const REPORT_CHANGE_COLUMNS: Columns = {
  table: [
    { header: 'CHANGE', field: 'change' },
    ORGANIZATION,
    EMAIL,
    { header: 'BEFORE', field: 'before', format: 'yes' },
    { header: 'AFTER', field: 'after', format: 'yes' },
    ...REPORT.slice(1),
  ],
  fields: FIELDS,
};

/** Adds when people were last active, after their teams. */
export function withLastActive(columns: Columns): Columns {
  const column: Column = { header: 'LAST ACTIVE', field: 'last-active-at', format: 'age' };
  return { ...columns, table: columns.table.flatMap((one) => (one === TEAMS ? [one, column] : [one])) };
}

/** A person who is not in the organization has only some of the fields. */
export function createMemberRow(person: Partial<Member>, org: string): JsonObject {
  const { id = null, email, status, username, userId, teams } = person;
  return {
    id,
    type: 'organization-memberships',
    email,
    status,
    ...((userId ?? username) && { user: { id: userId, type: 'users', username } }),
    teams: teams?.map(({ id: team, name }) => ({ id: team, name, type: 'teams' })),
    organization: createOrgRecord(org),
  };
}
