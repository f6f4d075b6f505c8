import {
  elsewhere,
  type Json,
  MEMBERS,
  PEOPLE,
  type Person,
  toMemberRecord,
  toMembership,
  toPage,
  toTeam,
  toUser,
} from '../../support/demo.ts';
import { type Row, toPageRows } from './row.ts';

const INVITE = 'POST /organizations/:organization_name/organization-memberships';
const LIST = 'GET /organizations/:organization_name/organization-memberships';
const OWN = 'GET /organization-memberships';
const SHOW = 'GET /organization-memberships/:organization_membership_id';
const REMOVE = 'DELETE /organization-memberships/:organization_membership_id';
const OF_ACME = '/organizations/acme/organization-memberships';

const { olive, milo, tara, rex, ada, ivan } = PEOPLE;
const COUNTS = { 'status-counts': { total: 6, active: 5, invited: 1 } };
/** The inactive member is in the total alone. */
const GLOBEX_COUNTS = { 'status-counts': { total: 10, active: 8, invited: 1 } };
const MANAGED_SINCE = '2026-10-12T09:00:00.000Z';
const toSsoUser = (name: string, ...teams: readonly string[]): Person => ({
  organization: 'globex',
  name: name.split('.')[0] ?? '',
  email: `${name}@example.com`,
  username: name.replace('.', '-'),
  status: 'active',
  createdAt: MANAGED_SINCE,
  teams,
  authMethod: 'hcp_sso',
});
const SERVICE_ACCOUNT: Person = {
  organization: 'globex',
  name: 'service',
  username: 'api-team_1001',
  status: 'active',
  createdAt: MANAGED_SINCE,
  teams: ['platform'],
};
const GLOBEX: readonly Person[] = [
  ...[olive, milo, tara, rex].map((person) => elsewhere(person, 'globex')),
  {
    organization: 'globex',
    name: 'gina',
    email: 'gina.globex@example.com',
    username: 'gina-globex',
    status: 'active',
    createdAt: '2026-09-26T09:00:00.000Z',
    teams: ['platform'],
  },
  {
    organization: 'globex',
    name: 'noor',
    email: 'noor.newcomer@example.com',
    username: null,
    status: 'invited',
    createdAt: '2026-09-27T09:00:00.000Z',
    teams: ['audit'],
  },
  { ...toSsoUser('sam.sso', 'network'), hasSecondFactor: true },
  { ...toSsoUser('priya.provisioned', 'data'), scim: 'request-1' },
  { ...toSsoUser('ines.inactive', 'platform', 'data'), scim: 'request-2', status: 'inactive' },
  SERVICE_ACCOUNT,
];
const OWN_MEMBERSHIPS = ['acme', 'globex', 'initech'].map((organization) => elsewhere(olive, organization));

const members = (people: readonly Person[]): readonly Json[] => people.map(toMembership);
const records = (people: readonly Person[], ...include: readonly ('user' | 'teams')[]): readonly Json[] =>
  people.map((person) => toMemberRecord(person, ...include));

const newcomer = (organization: string, ...teams: readonly string[]): Person => ({
  organization,
  name: '1',
  email: 'nina.new@example.com',
  username: null,
  status: 'invited',
  createdAt: '2026-11-21T09:00:00.000Z',
  teams,
});
const toInvitation = (...teams: readonly string[]): Json => ({
  data: {
    type: 'organization-memberships',
    attributes: { email: 'nina.new@example.com' },
    relationships: { teams: { data: teams.map((id) => ({ type: 'teams', id })) } },
  },
});

/** An invitation, after the command has looked whether the person is there already. */
function toInviteRow(
  given: string,
  parameters: readonly string[],
  organization: string,
  teams: readonly string[],
  options: string,
  before: readonly string[] = [],
): Row {
  const record = toMemberRecord(newcomer(organization, ...teams), 'user');
  // Teams that were named are named in the result.
  const named =
    before.length === 0 ? {} : { teams: teams.map((name) => ({ id: `team-${name}`, type: 'teams', name })) };
  const path = `/organizations/${organization}/organization-memberships`;
  const ids = teams.map((team) => `team-${team}${organization === 'acme' ? '' : `.${organization}`}`);
  const person = newcomer(organization, ...teams);
  return {
    operation: INVITE,
    parameters,
    given,
    ask: { path, body: toInvitation(...ids) },
    answer: { status: 201, body: { data: toMembership(person), included: [toUser(person)] } },
    argv: `members invite nina.new@example.com ${options}`,
    requests: [
      ...before,
      `GET ${path}?filter%5Bemail%5D=nina.new%40example.com&include=user%2Cteams&page%5Bsize%5D=100`,
      `POST ${path} ${JSON.stringify(toInvitation(...ids))}`,
    ],
    prints: [{ ...record, ...named, changed: true, result: 'invited' }],
  };
}

/** A filter of the list; what the command adds comes after it. */
function toListRow(parameter: string, given: string, query: string, found: readonly Person[], options: string): Row {
  return {
    operation: LIST,
    parameters: [parameter],
    given,
    ask: { path: `${OF_ACME}?${query}` },
    answer: { status: 200, body: toPage(`${OF_ACME}?${query}`, members(found), { meta: COUNTS }) },
    argv: `members list ${options}`,
    requests: [`GET ${OF_ACME}?${query}&include=user%2Cteams&page%5Bsize%5D=100`],
    prints: records(found, 'user', 'teams'),
  };
}

const TWO = `filter%5Bemail%5D=${encodeURIComponent(`${ivan.email},${milo.email}`)}`;
const INVITED = `${OF_ACME}?filter%5Bstatus%5D=invited&include=user%2Cteams`;
const FILTERED = `${OF_ACME}?q=example&filter%5Bstatus%5D=active&filter%5Bemail%5D=ada.auditor%40example.com`;

export const MEMBERSHIP_ROWS: readonly Row[] = [
  toInviteRow(
    'acme, an email, one team by its id',
    [':organization_name', 'data.type', 'data.attributes.email', 'data.relationships.teams.data[]'],
    'acme',
    ['platform'],
    '--team team-platform',
  ),
  toInviteRow('globex', [':organization_name'], 'globex', ['audit'], '--team team-audit.globex --org globex'),
  toInviteRow(
    'several teams by their ids',
    ['data.relationships.teams.data[]'],
    'acme',
    ['platform', 'security', 'audit'],
    '--team team-platform,team-security --team team-audit',
  ),
  toInviteRow(
    'teams by their names',
    ['data.relationships.teams.data[]'],
    'acme',
    ['security', 'audit'],
    '--team security --team AUDIT',
    ['GET /organizations/acme/teams?page%5Bsize%5D=100'],
  ),

  ...(
    [
      ['acme', OF_ACME, MEMBERS, COUNTS],
      ['globex', '/organizations/globex/organization-memberships', GLOBEX, GLOBEX_COUNTS],
    ] as const
  ).map(([given, path, people, meta]) => ({
    operation: LIST,
    parameters: [':organization_name'],
    given,
    ask: { path },
    answer: { status: 200, body: toPage(path, members(people), { meta }) },
    argv: `members list --org ${given} --include none`,
    requests: [`GET ${path}?page%5Bsize%5D=100`],
    prints: records(people),
  })),
  toListRow('q', 'part of an email', 'q=auditor%40example', [ada], '--search auditor@example'),
  toListRow('q', 'part of a user name', 'q=registry-man', [rex], '-s registry-man'),
  toListRow('q', 'nobody', 'q=nobody', [], '--search nobody'),
  toListRow('filter[status]', 'invited', 'filter%5Bstatus%5D=invited', [ivan], '--status invited'),
  toListRow('filter[status]', 'active', 'filter%5Bstatus%5D=active', [olive, milo, tara, rex, ada], '--status active'),
  toListRow('filter[email]', 'one', 'filter%5Bemail%5D=ada.auditor%40example.com', [ada], `--email ${ada.email}`),
  toListRow('filter[email]', 'several, separated by commas', TWO, [milo, ivan], `--email ${ivan.email},${milo.email}`),
  toListRow('filter[email]', 'several, repeated', TWO, [milo, ivan], `--email ${ivan.email} --email ${milo.email}`),
  ...toPageRows({
    operation: LIST,
    path: OF_ACME,
    argv: 'members list',
    include: 'include=user%2Cteams&',
    data: members(MEMBERS),
    records: records(MEMBERS, 'user', 'teams'),
    meta: COUNTS,
  }),
  {
    operation: LIST,
    parameters: ['include'],
    given: 'user and teams',
    ask: { path: INVITED },
    answer: {
      status: 200,
      body: toPage(INVITED, members([ivan]), { included: [toUser(ivan), toTeam('platform')], meta: COUNTS }),
    },
    argv: 'members list --status invited --include user,teams',
    requests: [`GET ${INVITED}&page%5Bsize%5D=100`],
    prints: records([ivan], 'user', 'teams'),
  },
  {
    operation: LIST,
    parameters: ['q', 'filter[status]', 'filter[email]'],
    given: 'all of them',
    ask: { path: FILTERED },
    answer: { status: 200, body: toPage(FILTERED, members([ada]), { meta: COUNTS }) },
    argv: `members list -s example --status active --email ${ada.email} --include none`,
    requests: [`GET ${FILTERED}&page%5Bsize%5D=100`],
    prints: records([ada]),
  },

  {
    operation: OWN,
    parameters: [],
    given: 'nothing: no parameters are shown for it',
    ask: { path: '/organization-memberships' },
    answer: { status: 200, body: { data: members(OWN_MEMBERSHIPS) } },
    argv: 'members mine --include none',
    requests: ['GET /organization-memberships'],
    prints: records(OWN_MEMBERSHIPS),
  },
  {
    operation: OWN,
    parameters: ['include'],
    given: 'user and teams, as the command asks by itself',
    ask: { path: '/organization-memberships?include=user%2Cteams' },
    answer: {
      status: 200,
      body: {
        data: members(OWN_MEMBERSHIPS),
        included: [
          toUser(olive),
          ...['acme', 'globex', 'initech'].map((organization) => toTeam('owners', organization)),
        ],
      },
    },
    argv: 'members mine',
    requests: ['GET /organization-memberships?include=user%2Cteams'],
    prints: records(OWN_MEMBERSHIPS, 'user', 'teams'),
  },

  ...(
    [
      ['an id', ada, 'ou-ada', []],
      ['an email, looked up', ivan, 'Ivan.Invitee@example.com', ['filter%5Bemail%5D=Ivan.Invitee%40example.com&']],
      ['a user name, looked up', rex, 'rex-registry-manager', ['q=rex-registry-manager&']],
      ['a user id, looked up', tara, 'user-tara', ['']],
    ] as const
  ).map(([given, person, reference, lookups]) => ({
    operation: SHOW,
    parameters: [':organization_membership_id'],
    given,
    ask: { path: `/organization-memberships/ou-${person.name}` },
    answer: { status: 200, body: { data: toMembership(person) } },
    argv: `members show ${reference} --include none`,
    requests: [
      ...lookups.map((query) => `GET ${OF_ACME}?${query}include=user%2Cteams&page%5Bsize%5D=100`),
      `GET /organization-memberships/ou-${person.name}`,
    ],
    prints: toMemberRecord(person),
  })),
  {
    operation: SHOW,
    parameters: ['include'],
    given: 'teams',
    ask: { path: '/organization-memberships/ou-ada?include=teams' },
    answer: { status: 200, body: { data: toMembership(ada), included: [toTeam('audit')] } },
    argv: 'members show ou-ada --fields id,teams',
    requests: ['GET /organization-memberships/ou-ada?include=teams'],
    prints: { id: 'ou-ada', teams: toMemberRecord(ada, 'teams')['teams'] },
  },
  {
    operation: SHOW,
    parameters: ['include'],
    given: 'user and teams, as the command asks by itself',
    ask: { path: '/organization-memberships/ou-ada?include=user%2Cteams' },
    answer: { status: 200, body: { data: toMembership(ada), included: [toUser(ada), toTeam('audit')] } },
    argv: 'members show ou-ada',
    requests: ['GET /organization-memberships/ou-ada?include=user%2Cteams'],
    prints: toMemberRecord(ada, 'user', 'teams'),
  },

  ...(
    [
      ['the id of a member', ada, 'ou-ada', 'organization-memberships/ou-ada?include=user%2Cteams'],
      [
        'the email of somebody invited, looked up',
        ivan,
        ivan.email,
        'organizations/acme/organization-memberships?filter%5Bemail%5D=ivan.invitee%40example.com&include=user%2Cteams&page%5Bsize%5D=100',
      ],
    ] as const
  ).map(([given, { name, email, username, status, teams }, reference, read]) => ({
    operation: REMOVE,
    parameters: [':organization_membership_id'],
    given,
    ask: { path: `/organization-memberships/ou-${name}` },
    answer: { status: 204 },
    argv: `members remove ${reference} --yes`,
    requests: [`GET /${read}`, `DELETE /organization-memberships/ou-${name}`],
    prints: [
      {
        id: `ou-${name}`,
        type: 'organization-memberships',
        changed: true,
        email,
        organization: { id: 'acme', type: 'organizations' },
        teams: teams.map((team) => ({ id: `team-${team}`, type: 'teams', name: team })),
        status,
        user: {
          id: `user-${name}`,
          type: 'users',
          ...(username === null ? {} : { username }),
          'is-service-account': false,
          // Who is only invited can have none.
          ...(status === 'invited' ? {} : { 'two-factor': { enabled: false } }),
        },
        owner: false,
        result: 'removed',
      },
    ],
  })),
];
