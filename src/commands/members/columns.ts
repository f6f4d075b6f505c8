import { ADDED, EMAIL, formatPerson, INVITED, MEMBER_FIELDS, TEAMS, USER } from '../../members/columns.ts';
import {
  type Column,
  type Columns,
  ERROR,
  formatAge,
  formatDate,
  formatYes,
  ID,
  RESULT,
  STATUS,
} from '../../output/columns.ts';

export const MEMBER_COLUMNS: Columns = {
  empty: 'no members found',
  table: [EMAIL, STATUS, TEAMS, USER, ID],
  lines: [
    { header: 'Email', field: 'email', format: formatPerson },
    { header: 'User', field: 'user.username' },
    { header: 'Status', field: 'status', isState: true },
    { header: 'Teams', field: 'teams.name' },
    { header: 'Organization', field: 'organization.id' },
    { header: 'Two-factor', field: 'user.two-factor.enabled', format: formatYes, isFlag: true },
    { header: 'Added', field: 'created-at', format: formatDate },
    ID,
  ],
  fields: MEMBER_FIELDS,
  hasOtherFields: true,
};

export const INVITED_COLUMNS: Columns = {
  ...MEMBER_COLUMNS,
  empty: 'no invitations found',
  table: [EMAIL, STATUS, INVITED, TEAMS, USER, ID],
};

export const OWN_COLUMNS: Columns = {
  empty: 'no memberships found',
  table: [{ header: 'ORGANIZATION', field: 'organization.id' }, STATUS, TEAMS, ID],
  fields: MEMBER_FIELDS,
  hasOtherFields: true,
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
  { header: 'OWNER', field: 'owner', format: formatYes, isFlag: true },
  { header: '2FA', field: 'user.two-factor.enabled', format: formatYes, isFlag: true },
  STATUS,
  TEAMS,
  ADDED,
  USER,
  { header: 'LOGIN', field: 'user.auth-method' },
  { header: 'SERVICE ACCOUNT', field: 'user.is-service-account', format: formatYes, isFlag: true },
  ID,
];

export const REPORT_COLUMNS: Columns = {
  table: [{ header: 'ORGANIZATION', field: 'organization.id' }, ...REPORT],
  fields: MEMBER_FIELDS,
};

export const CHANGE_COLUMNS: Columns = {
  table: [
    { header: 'CHANGE', field: 'change' },
    { header: 'ORGANIZATION', field: 'organization.id' },
    EMAIL,
    { header: 'BEFORE', field: 'before', format: formatYes },
    { header: 'AFTER', field: 'after', format: formatYes },
    ...REPORT.slice(1),
  ],
  fields: MEMBER_FIELDS,
};

/** Adds when people were last active, after their teams. */
export function withLastActive(columns: Columns): Columns {
  const column = { header: 'LAST ACTIVE', field: 'last-active-at', format: formatAge };
  return { ...columns, table: columns.table.flatMap((one) => (one === TEAMS ? [one, column] : [one])) };
}
