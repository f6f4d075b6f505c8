import type { TeamIdentity } from '../../resources/team.ts';
import { showCount, showPerson, toFirstText } from '../../stdout/cell.ts';
import type { Columns } from '../../stdout/columns.ts';
import type { MembershipRow, Placed, TeamRow } from '../../wire/flat.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import { ACCOUNT_FIELDS, ORGANIZATION_FIELDS, TEAM_FIELDS } from '../known-fields.ts';
import { toPlace, withSentences } from '../result-sentences.ts';
import { RESULT_FIELDS, type ResultRow } from '../row-error.ts';

export const TEAM_COLUMNS: Columns<TeamRow & Placed> = {
  name: 'teams',
  shape: 'resource',
  shown: ['id', 'name', 'users-count', 'visibility'],
  screen: [
    { head: 'TEAM', field: 'name', priority: 0 },
    { head: 'MEMBERS', field: 'users-count', priority: 1, align: 'right', show: showCount },
    { head: 'VISIBILITY', field: 'visibility', priority: 3 },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: ['type', ...TEAM_FIELDS, ...ORGANIZATION_FIELDS],
};

/** Who is in a team. */
export const TEAM_MEMBER_COLUMNS: Columns<MembershipRow> = {
  name: 'members',
  empty: 'No members.',
  shape: 'resource',
  shown: ['id', 'email', 'status', 'user.username'],
  screen: [
    { head: 'EMAIL', field: 'email', priority: 0, show: showPerson },
    { head: 'STATUS', field: 'status', priority: 0, tone: true },
    { head: 'USER', field: 'user.username', priority: 3 },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: ['type', 'created-at', ...ACCOUNT_FIELDS, 'teams.name', ...ORGANIZATION_FIELDS],
  times: ['created-at'],
};

export type TeamChangeRow = MembershipRow &
  ResultRow<'added' | 'moved' | 'removed' | 'unchanged'> & {
    readonly organization?: ResourceIdentifier;
    readonly team?: TeamIdentity;
    /** The team that a person leaves for the other. */
    readonly from?: TeamIdentity;
  };

/** What `add` and `remove` leave behind: a row a person in an organization. */
const CHANGE_COLUMNS: Columns<TeamChangeRow> = {
  name: 'team changes',
  shape: 'resource',
  shown: ['result', 'organization.id', 'email', 'team.name', 'id', 'error.code', 'error.message'],
  fields: [
    'type',
    'changed',
    'status',
    'user',
    'user.id',
    'user.type',
    'user.username',
    'team',
    'team.id',
    'team.type',
    'from',
    'from.id',
    'from.type',
    'from.name',
    ...ORGANIZATION_FIELDS,
    ...RESULT_FIELDS,
  ],
};

/** Of several organizations the name of a team alone does not say which it is. */
export const ADDITION_COLUMNS = { inOne: toAdditionColumns(toTeamName), inSeveral: toAdditionColumns(toTeamAndPlace) };
export const TEAM_REMOVAL_COLUMNS = {
  inOne: toRemovalColumns(toTeamName),
  inSeveral: toRemovalColumns(toTeamAndPlace),
};

type ToText = (record: TeamChangeRow) => string;

function toAdditionColumns(toTeam: ToText): Columns<TeamChangeRow> {
  return toChangeColumns((record) => {
    const rest = record.from === undefined ? '' : `, and not in ${record.from.name}`;
    return `${toPerson(record)} is in ${toTeam(record)} already${rest}`;
  });
}

function toRemovalColumns(toTeam: ToText): Columns<TeamChangeRow> {
  return toChangeColumns((record) => `${toPerson(record)} is not in ${toTeam(record)}`);
}

function toChangeColumns(sayUnchanged: ToText): Columns<TeamChangeRow> {
  return withSentences(CHANGE_COLUMNS, {
    added: (record) => ({ sign: '✓', text: `Added ${toPerson(record)} to ${toTeamAndPlace(record)}` }),
    moved: (record) => ({
      sign: '✓',
      text: `Moved ${toPerson(record)} from ${record.from?.name} to ${toTeamAndPlace(record)}`,
    }),
    removed: (record) => ({ sign: '✓', text: `Removed ${toPerson(record)} from ${toTeamAndPlace(record)}` }),
    unchanged: (record) => ({ sign: '=', text: sayUnchanged(record) }),
  });
}

function toPerson(record: TeamChangeRow): string {
  return toFirstText(record, ['email', 'user.username', 'id']);
}

/** `platform (acme)` */
function toTeamAndPlace(record: TeamChangeRow): string {
  return `${toTeamName(record)} (${toPlace(record)})`;
}

function toTeamName({ team }: TeamChangeRow): string {
  return team?.name ?? '';
}
