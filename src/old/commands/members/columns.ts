import { toText } from '../../json-object.ts';
import { describeHeld, type Member } from '../../people/member.ts';
import type { ChangeRow } from '../../report/compare.ts';
import { type TeamIdentity, toTeamIdentity } from '../../resources/team.ts';
import type { PlanRecord, Step } from '../../roster/plan.ts';
import {
  showDate,
  showFirstOf,
  showPerson,
  showRelative,
  showSecondFactor,
  showTeams,
  showTeamsOrNone,
  showTime,
  toCellText,
  toFirstText,
} from '../../stdout/cell.ts';
import { type Columns, listFields, type ScreenColumn, type Sentence, type Show } from '../../stdout/columns.ts';
import { getField } from '../../stdout/fields.ts';
import { joinNames } from '../../text/join.ts';
import { capitalize } from '../../text/sentence.ts';
import type { MembershipRow, ReportRow } from '../../wire/flat.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import { ACCOUNT_FIELDS, FIELDS_OF_TEAMS, ORGANIZATION_FIELDS } from '../known-fields.ts';
import { toPlace, withSentences } from '../result-sentences.ts';
import { RESULT_FIELDS, type ResultRow } from '../row-error.ts';

const STATUS: ScreenColumn<MembershipRow> = { head: 'STATUS', field: 'status', priority: 0, tone: true };
const TEAMS: ScreenColumn<MembershipRow> = {
  head: 'TEAMS',
  field: 'teams',
  fields: ['teams.name'],
  priority: 2,
  wraps: true,
  show: showTeams,
};
const USER: ScreenColumn<MembershipRow> = { head: 'USER', field: 'user.username', priority: 3 };
const ID: ScreenColumn<MembershipRow> = { head: 'ID', field: 'id', priority: 'spare' };

/** For a service that gives no names. */
const TEAM_IDS = { 'teams.name': 'teams.id' } as const;

/** What became of a person. */
type PersonRow<Result extends string> = MembershipRow &
  ResultRow<Result> & {
    /** What an invitation does not change; empty for a removal, which has the same columns. */
    readonly 'teams-missing'?: readonly TeamIdentity[];
  };

export type InvitationRow = PersonRow<'invited' | 'resent' | 'unchanged'>;

export type RemovalRow = PersonRow<'absent' | 'removed'> & {
  /** Null for a person who is in none of several. */
  readonly organization?: ResourceIdentifier | null;
  /** How the person was named. */
  readonly asked?: string;
  /** Null where the service does not say. */
  readonly owner?: boolean | null;
};

export type AppliedRow = MembershipRow &
  ResultRow<'absent' | 'changed' | 'invited' | 'removed' | 'unchanged'> & {
    readonly action: Step['action'];
    readonly 'teams-add'?: readonly TeamIdentity[];
    readonly 'teams-remove'?: readonly TeamIdentity[];
  };

export const MEMBERSHIP_COLUMNS: Columns<MembershipRow> = {
  name: 'members',
  empty: 'No members match.',
  shape: 'resource',
  shown: ['id', 'email', 'status', 'user.username', 'teams.name'],
  instead: TEAM_IDS,
  screen: [{ head: 'EMAIL', field: 'email', priority: 0, show: showPerson }, STATUS, TEAMS, USER, ID],
  lines: [
    { label: 'Email', field: 'email', show: showFirstOf('email', 'user.email') },
    { label: 'User', field: 'user.username' },
    { label: 'Account', field: 'user.is-service-account', show: (is) => (is === true ? 'service account' : '') },
    { label: 'Status', field: 'status', tone: true },
    { label: 'Teams', field: 'teams', show: showTeamsOrNone },
    { label: 'Organization', field: 'organization.id' },
    { label: 'Two-factor', field: 'user.two-factor', show: showSecondFactor },
    { label: 'Invited', field: 'created-at', show: showDateOf('invited') },
    { label: 'Added', field: 'created-at', show: showDateOf('active', 'inactive') },
    { label: 'ID', field: 'id' },
  ],
  fields: [
    'type',
    'created-at',
    'is-org-two-factor-required',
    ...ACCOUNT_FIELDS,
    ...FIELDS_OF_TEAMS,
    ...ORGANIZATION_FIELDS,
  ],
  times: ['created-at'],
};

/** Invitations that wait for an answer, and since when. */
export const INVITED_COLUMNS: Columns<MembershipRow> = {
  ...MEMBERSHIP_COLUMNS,
  shown: [...MEMBERSHIP_COLUMNS.shown, 'created-at'],
  screen: [
    { head: 'EMAIL', field: 'email', priority: 0, show: showPerson },
    STATUS,
    { head: 'INVITED', field: 'created-at', priority: 2, show: showRelative },
    TEAMS,
    USER,
    ID,
  ],
};

/** The caller's own, in every organization. */
export const OWN_MEMBERSHIP_COLUMNS: Columns<MembershipRow> = {
  ...MEMBERSHIP_COLUMNS,
  empty: 'You are not a member of any organization.',
  shown: ['id', 'organization.id', 'status', 'teams.name'],
  screen: [{ head: 'ORGANIZATION', field: 'organization.id', priority: 0 }, STATUS, TEAMS, ID],
  fields: [...listFields(MEMBERSHIP_COLUMNS), 'organization.name'],
};

const REPORT_SCREEN: readonly ScreenColumn<ReportRow>[] = [
  { head: 'EMAIL', field: 'email', priority: 0, show: showPerson },
  { head: 'ORGANIZATION', field: 'organization.id', priority: 0 },
  STATUS,
  TEAMS,
  {
    head: '2FA',
    field: 'user.two-factor',
    fields: ['user.two-factor.enabled'],
    priority: 3,
    show: showSecondFactor,
  },
  { head: 'OWNER', field: 'owner', priority: 4, show: (owner) => (owner === true ? 'owner' : '') },
  { head: 'ADDED', field: 'created-at', priority: 5, show: showDate },
  { ...USER, priority: 6 },
  ID,
];

/** Everyone, and what they can reach an organization with. */
export const REPORT_COLUMNS: Columns<ReportRow> = {
  ...MEMBERSHIP_COLUMNS,
  empty: 'No members.',
  shape: 'record',
  shown: [
    'organization.id',
    'email',
    'user.username',
    'status',
    'owner',
    'teams.name',
    'user.two-factor.enabled',
    'user.auth-method',
    'user.is-service-account',
    'created-at',
    'id',
  ],
  screen: REPORT_SCREEN,
};

/** Of one organization, whose name is in the line below: its column takes no other one's room. */
export const SINGLE_REPORT_COLUMNS: Columns<ReportRow> = {
  ...REPORT_COLUMNS,
  screen: REPORT_SCREEN.map((column) =>
    column.field === 'organization.id' ? { ...column, priority: 'spare' } : column,
  ),
};

/** What became of people since an earlier report: a row for each change. */
export const CHANGE_COLUMNS: Columns<ChangeRow> = {
  ...REPORT_COLUMNS,
  name: 'changes',
  empty: 'No changes.',
  shown: ['change', ...REPORT_COLUMNS.shown, 'before', 'after'],
  sentences: (record) => [sayChange(record)],
};

const PERSON_COLUMNS = [
  'email',
  'organization.id',
  'id',
  'teams.name',
  'teams-missing',
  'error.code',
  'error.message',
] as const;
const RESULT_COLUMNS = ['result', ...PERSON_COLUMNS] as const;

/** What `invite` and `resend` leave behind: a row a person. */
export const INVITATION_COLUMNS = withSentences<InvitationRow>(
  {
    name: 'invitations',
    shape: 'resource',
    shown: RESULT_COLUMNS,
    instead: TEAM_IDS,
    fields: [...listFields(MEMBERSHIP_COLUMNS), 'changed', ...RESULT_FIELDS],
  },
  { invited: sayInvited, resent: sayResent, unchanged: sayUnchanged },
);

/** What `remove` leaves behind: a row a person in an organization, and one for each who was not there. */
export const MEMBER_REMOVAL_COLUMNS = withSentences<RemovalRow>(
  {
    name: 'removals',
    shape: 'resource',
    shown: RESULT_COLUMNS,
    instead: TEAM_IDS,
    fields: [
      'type',
      'changed',
      'asked',
      'status',
      'owner',
      ...ACCOUNT_FIELDS,
      'user.username',
      ...ORGANIZATION_FIELDS,
      ...RESULT_FIELDS,
    ],
  },
  { removed: sayRemoved, absent: sayAbsent },
);

/** The teams of a member who was read, by name, as a row has them. */
export function toTeamsOf(member: Member | undefined): Pick<MembershipRow, 'teams'> {
  const teams = member?.teams?.map(toTeamIdentity);
  return teams === undefined ? {} : { teams };
}

export const PLAN_COLUMNS: Columns<PlanRecord> = {
  name: 'steps',
  empty: 'No changes.',
  shape: 'record',
  shown: ['action', 'email', 'status', 'teams.name', 'teams-add', 'teams-remove', 'id'],
  instead: TEAM_IDS,
  fields: ['teams', 'teams.id', 'teams.type', ...ORGANIZATION_FIELDS],
};

/** What became of each step: a row a person. */
export const APPLIED_COLUMNS = withSentences<AppliedRow>(
  {
    name: 'steps',
    shape: 'resource',
    shown: [
      'result',
      'action',
      ...PERSON_COLUMNS.flatMap((name) => (name === 'teams-missing' ? (['teams-add', 'teams-remove'] as const) : name)),
    ],
    instead: TEAM_IDS,
    fields: [
      'type',
      'status',
      'created-at',
      ...ACCOUNT_FIELDS,
      'user.username',
      ...ORGANIZATION_FIELDS,
      'changed',
      ...RESULT_FIELDS,
    ],
    times: ['created-at'],
  },
  { invited: sayInvited, removed: sayRemoved, absent: sayAbsent, changed: sayTeamChange, unchanged: sayUnchanged },
);

function sayChange(record: ChangeRow): Sentence {
  const [person, place] = [toPerson(record), toPlace(record)];
  const value = (field: 'after' | 'before' | 'status'): string => toCellText(record[field]);
  const facts = `${value('status')}${toTeams(record)}`;
  const say = (text: string): Sentence => ({ sign: '~', text: `${person} (${place}): ${text}` });
  switch (record.change) {
    case 'joined':
      return { sign: '+', text: `${person} joined ${place}: ${facts}` };
    case 'left':
      return { sign: '-', text: `${person} left ${place}: was ${facts}` };
    case 'status':
      return say(`was ${value('before')}, is ${value('after')}`);
    case 'team-added':
      return say(`added to ${value('after')}`);
    case 'team-removed':
      return say(`removed from ${value('before')}`);
    case 'owner-gained':
      return say('is an owner now');
    case 'owner-lost':
      return say('is no longer an owner');
    case '2fa-lost':
      return say('two-factor is off now');
    case '2fa-gained':
      return say('two-factor is on now');
  }
}

/** When a person was invited, or was added: the service gives one time for both. */
function showDateOf(...statuses: readonly unknown[]): Show<MembershipRow> {
  return (value, record, now) => (statuses.includes(record.status) ? showTime(value, record, now) : '');
}

function sayInvited(record: MembershipRow): Sentence {
  return { sign: '✓', text: `Invited ${toPerson(record)} to ${toPlace(record)}${toTeams(record)}` };
}

function sayResent(record: MembershipRow): Sentence {
  return { sign: '✓', text: `Invited ${toPerson(record)} to ${toPlace(record)} again${toTeams(record)}` };
}

function sayUnchanged(record: MembershipRow & Pick<InvitationRow, 'teams-missing'>): Sentence {
  const { status } = record;
  const member = status === 'inactive' ? 'an inactive member' : 'a member';
  const state = status === 'invited' ? 'already invited' : `already ${member}`;
  const said = `${toPerson(record)} is ${state} ${status === 'invited' ? 'to' : 'of'} ${toPlace(record)}`;
  const missing = toCellText(record['teams-missing']).replaceAll(',', ', ');
  return missing === ''
    ? { sign: '=', text: `${said}${toTeams(record)}` }
    : { sign: '!', text: `${said}, but is not in ${missing}: an invitation can't change teams` };
}

function sayRemoved(record: MembershipRow): Sentence {
  const { status, teams } = record;
  // A sentence about several organizations has it beside each.
  if (status === undefined && teams === undefined) {
    return { sign: '✓', text: `Removed ${toPerson(record)} from ${toPlace(record)}` };
  }
  const factor = getField(record, 'user.two-factor.enabled');
  const held = describeHeld({
    status: toText(status),
    isServiceAccount: getField(record, 'user.is-service-account') === true,
    teams: teams?.map(({ id, name }) => ({ id: String(id), name: toText(name) })),
    hasSecondFactor: typeof factor === 'boolean' ? factor : undefined,
  });
  return { sign: '✓', text: `Removed ${toPerson(record)} from ${toPlace(record)} (${held})` };
}

function sayTeamChange(record: AppliedRow): Sentence {
  const toList = (field: 'teams-add' | 'teams-remove'): string => toCellText(record[field]).replaceAll(',', ', ');
  const [added, removed] = [toList('teams-add'), toList('teams-remove')];
  const parts = [
    ...(added === '' ? [] : [`added ${toPerson(record)} to ${added}`]),
    ...(removed === '' ? [] : [`removed ${added === '' ? toPerson(record) : 'them'} from ${removed}`]),
  ];
  const text = `${joinNames(parts)} (${toPlace(record)})`;
  return { sign: '✓', text: capitalize(text) };
}

function sayAbsent(record: MembershipRow): Sentence {
  const place = record.organization === null ? 'in none of the organizations' : `not in ${toPlace(record)}`;
  return { sign: '=', text: `${toPerson(record)} is ${place}` };
}

function toPerson(record: MembershipRow & Pick<RemovalRow, 'asked'>): string {
  return toFirstText(record, ['email', 'user.username', 'asked', 'id']);
}

/** ` (platform, security)` */
function toTeams(record: MembershipRow): string {
  const teams = showTeams(undefined, record, 0);
  return teams === '' ? '' : ` (${teams})`;
}
