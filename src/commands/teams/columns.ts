import { showCount, showFirstOf, showPerson, toCellText } from '../../stdout/cell.ts';
import type { Columns } from '../../stdout/columns.ts';
import { getField } from '../../stdout/fields.ts';
import type { FlatRecord } from '../../stdout/flatten.ts';
import { withSentences } from '../result-sentences.ts';
import { RESULT_FIELDS } from '../row-error.ts';

export const TEAM_COLUMNS: Columns = {
  name: 'teams',
  shape: 'resource',
  shown: ['id', 'name', 'users-count', 'visibility'],
  screen: [
    { head: 'TEAM', field: 'name', priority: 0 },
    { head: 'MEMBERS', field: 'users-count', priority: 1, align: 'right', show: showCount },
    { head: 'VISIBILITY', field: 'visibility', priority: 3 },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: ['type', 'sso-team-id', 'scim-linked', 'scim-group-name', 'is-unified', 'organization-access', 'permissions'],
};

/** Who is in a team. */
export const TEAM_MEMBER_COLUMNS: Columns = {
  name: 'members',
  empty: 'No members.',
  shape: 'resource',
  shown: ['id', 'email', 'status', 'user.username'],
  screen: [
    { head: 'EMAIL', field: 'email', priority: 0, show: showPerson },
    { head: 'STATUS', field: 'status', priority: 1, tone: true },
    { head: 'USER', field: 'user.username', priority: 3 },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: [
    'type',
    'created-at',
    'user',
    'user.id',
    'user.email',
    'user.two-factor',
    'user.two-factor.enabled',
    'user.is-service-account',
    'user.auth-method',
    'teams',
    'teams.id',
    'teams.name',
    'organization',
    'organization.id',
  ],
  times: ['created-at'],
};

/** What `add` and `remove` leave behind: a row a person in an organization. */
const CHANGE_COLUMNS: Columns = {
  name: 'team changes',
  shape: 'resource',
  shown: ['result', 'organization.id', 'email', 'team.name', 'id', 'error.code', 'error.message'],
  fields: [
    'type',
    'changed',
    'status',
    'user',
    'user.id',
    'user.username',
    'team',
    'team.id',
    'from',
    'from.id',
    'from.name',
    'organization',
    ...RESULT_FIELDS,
  ],
};

/** Of several organizations the name of a team alone does not say which it is. */
export const ADDITION_COLUMNS = { inOne: toAdditionColumns(toTeamName), inSeveral: toAdditionColumns(toPlace) };
export const TEAM_REMOVAL_COLUMNS = { inOne: toRemovalColumns(toTeamName), inSeveral: toRemovalColumns(toPlace) };

function toAdditionColumns(toTeam: (record: FlatRecord) => string): Columns {
  return withSentences(CHANGE_COLUMNS, {
    added: (record) => ({ sign: '✓', text: `Added ${toPerson(record)} to ${toPlace(record)}` }),
    moved: (record) => ({
      sign: '✓',
      text: `Moved ${toPerson(record)} from ${toText(record, 'from.name')} to ${toPlace(record)}`,
    }),
    unchanged: (record) => {
      const from = toText(record, 'from.name');
      const rest = from === '' ? '' : `, and not in ${from}`;
      return { sign: '=', text: `${toPerson(record)} is in ${toTeam(record)} already${rest}` };
    },
  });
}

function toRemovalColumns(toTeam: (record: FlatRecord) => string): Columns {
  return withSentences(CHANGE_COLUMNS, {
    removed: (record) => ({ sign: '✓', text: `Removed ${toPerson(record)} from ${toPlace(record)}` }),
    unchanged: (record) => ({ sign: '=', text: `${toPerson(record)} is not in ${toTeam(record)}` }),
  });
}

function toPerson(record: FlatRecord): string {
  return showFirstOf('email', 'user.username', 'id')(undefined, record, 0);
}

/** `platform (acme)` */
function toPlace(record: FlatRecord): string {
  return `${toTeamName(record)} (${toText(record, 'organization.id')})`;
}

function toTeamName(record: FlatRecord): string {
  return toText(record, 'team.name');
}

function toText(record: FlatRecord, field: string): string {
  return toCellText(getField(record, field));
}
