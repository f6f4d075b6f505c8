import { expect, test } from 'vitest';
import type { Resource } from '../../src/api/types.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Organization, Reading } from '../../src/organizations/organization.ts';
import { INITIAL, prepareRules } from '../../src/organizations/rules/index.ts';
import { NOW } from '../support/run.ts';

interface Shown {
  attributes?: JsonObject;
  members?: JsonObject[];
  owners?: JsonObject[];
  teams?: Resource[];
  tokens?: JsonObject[];
  entitlements?: JsonObject;
  hasAuditTokens?: boolean;
}

/** An organization that shows everything to its owner; what a row leaves out could not be read. */
function createOrganization({ attributes = {}, ...shown }: Shown, seesTokens = true, seesPeople = true): Organization {
  const read = <T>(value: T | undefined) => {
    const reading: Reading<T> = value === undefined ? { error: 'unread' } : { value };
    return async () => reading;
  };
  return {
    ...{ attributes, seesTokens, seesPeople },
    members: read(shown.members),
    owners: read(shown.owners),
    teams: read(shown.teams),
    tokens: read(shown.tokens),
    entitlements: read(shown.entitlements),
    hasAuditTokens: read(shown.hasAuditTokens),
  };
}

async function check(rule: string, value: unknown, organization: Organization) {
  const [only] = prepareRules({ [rule]: value }, 'rules.yaml', NOW).filter(({ name }) => name === rule);
  const { found = [], ...rest } = (await only?.check(organization)) ?? {};
  return { ...rest, found: found.join(', ') };
}

const MANDATORY = 'two_factor_mandatory';
const day = (days: number): string => new Date(NOW + days * 86_400_000).toISOString();
const PASSWORD = { 'collaborator-auth-policy': 'password', 'saml-enabled': false };
const person = (email: string, hasFactor: unknown = true, more: JsonObject = {}): JsonObject => ({
  ...{ id: `ou-${email}`, status: 'active', email, ...more },
  user: { id: 'user-1', 'is-service-account': false, 'two-factor': { enabled: hasFactor } },
});
const SERVICE = { ...person('robot', false), user: { 'is-service-account': true } };
const NO_FACTOR = { ...person('a'), user: { 'is-service-account': false } };
const UNFLAGGED = { ...person('who', false), user: { 'two-factor': { enabled: false } } };
const INVITED = { status: 'invited' };
const NONE = { status: undefined };
const NAMELESS = { ...person('b', false), email: undefined };
const WITHOUT = [person('a', false)];
const without = (...names: string[]): Shown => ({
  attributes: PASSWORD,
  members: names.map((name) => person(name, false)),
});
const owners = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => person(`o${at}`));
const team = (name: string | undefined, access?: JsonObject, more: JsonObject = {}): Resource => ({
  ...{ id: 'team-1', type: 'teams' },
  attributes: { name, 'organization-access': access, ...more },
});
const NO_ADMIN = { 'manage-membership': false, 'manage-teams': false, 'manage-organization-access': false };
const MANAGER = { ...NO_ADMIN, 'manage-teams': true, 'read-projects': true };
const token = (more: JsonObject): JsonObject => ({
  ...{ id: 'at-1', kind: 'audit-trail', token: 'audit-trail', 'created-at': day(-200), 'last-used-at': day(-1) },
  ...{ expires: day(300), 'expired-at': day(300), ...more },
});
const HIDDEN = { id: null, kind: 'team', token: 'team:?' };
const BROKEN = { ...HIDDEN, kind: 'organization', error: { message: 'broke' } };
const UNDATED = { 'created-at': undefined };
const AUDITED = { entitlements: { 'audit-logging': true }, hasAuditTokens: true };

type Case = [shown: Shown, status: string, found: string, sees?: 'people' | 'none'];

const KIND = '2FA, status or kind of account of';
const OWNER_KIND = 'status, address or kind of account of';

const CASES: Record<string, [value: unknown, cases: Case[]]> = {
  'two-factor-required': [
    true,
    [
      [{ attributes: PASSWORD }, 'failed', 'password, no single sign-on'],
      [{ attributes: { 'collaborator-auth-policy': MANDATORY } }, 'ok', MANDATORY],
      [{ attributes: { 'saml-enabled': true } }, 'ok', 'single sign-on'],
      [{ attributes: { 'saml-enabled': false } }, 'unknown', 'collaborator-auth-policy not shown'],
      [{ attributes: { 'collaborator-auth-policy': 'password' } }, 'unknown', 'saml-enabled not shown'],
      [{ attributes: { ...PASSWORD, 'saml-enabled': null } }, 'unknown', 'saml-enabled not shown'],
    ],
  ],
  'members-without-2fa': [
    1,
    [
      [without('a', 'b'), 'failed', 'a, b'],
      [without('a', 'b'), 'failed', 'a, b', 'none'],
      [{ attributes: PASSWORD, members: [...WITHOUT, SERVICE, person('b')] }, 'ok', '1 person'],
      [{ attributes: PASSWORD, members: [...WITHOUT, person('b', false, INVITED)] }, 'ok', '1 person', 'people'],
      [without('a'), 'unknown', 'not all people are shown to you', 'none'],
      [{ attributes: PASSWORD, members: [NO_FACTOR] }, 'ok', '0 people'],
      [{ attributes: PASSWORD, members: [...WITHOUT, NO_FACTOR] }, 'unknown', `${KIND} a not shown`],
      [{ attributes: PASSWORD, members: [...WITHOUT, person('b', null)] }, 'unknown', `${KIND} b not shown`],
      [{ attributes: PASSWORD, members: [...WITHOUT, UNFLAGGED] }, 'unknown', `${KIND} who not shown`],
      [{ attributes: PASSWORD, members: [...WITHOUT, NAMELESS] }, 'unknown', `${KIND} ou-b not shown`],
      [{ attributes: PASSWORD, members: [...WITHOUT, person('b', false, NONE)] }, 'unknown', `${KIND} b not shown`],
      [{ attributes: PASSWORD, members: [UNFLAGGED, ...WITHOUT, person('b', false)] }, 'failed', 'a, b'],
      [{ attributes: PASSWORD }, 'unknown', 'unread'],
      [{ attributes: { 'saml-enabled': true } }, 'off', 'single sign-on'],
      [{ ...without('a', 'b'), attributes: {} }, 'unknown', 'saml-enabled not shown'],
      [{ members: [] }, 'unknown', 'saml-enabled not shown'],
    ],
  ],
  owners: [
    '2..5',
    [
      [{ owners: owners(2) }, 'ok', '2 owners'],
      [{ owners: owners(1) }, 'failed', '1 owner: o0'],
      [{ owners: owners(6) }, 'failed', 'o0, o1, o2, o3, o4, o5', 'none'],
      [{ owners: owners(1) }, 'unknown', 'not all owners are shown to you', 'people'],
      [{ owners: owners(3) }, 'unknown', 'not all owners are shown to you', 'people'],
      [{ owners: [...owners(1), SERVICE, person('a', true, { status: 'inactive' })] }, 'failed', '1 owner: o0'],
      [{ owners: [...owners(1), UNFLAGGED] }, 'unknown', `${OWNER_KIND} who not shown`],
      [{ owners: [...owners(5), UNFLAGGED] }, 'unknown', `${OWNER_KIND} who not shown`],
      [{ owners: [...owners(2), UNFLAGGED] }, 'ok', '2 owners'],
      [{ owners: [...owners(1), NAMELESS] }, 'unknown', `${OWNER_KIND} ou-b not shown`],
      [{}, 'unknown', 'unread'],
    ],
  ],
  'admin-teams': [
    ['SEC', 'team-2'],
    [
      [{ teams: [team('owners', MANAGER), team('dev', NO_ADMIN)] }, 'ok', 'no other team'],
      [{ teams: [team('ops', MANAGER)] }, 'failed', 'ops', 'none'],
      [{ teams: [team('sec', MANAGER), { ...team('ops', MANAGER), id: 'team-2' }] }, 'ok', 'no other team'],
      [{ teams: [team('dev', NO_ADMIN)] }, 'unknown', 'not all teams are shown to you', 'people'],
      [{ teams: [team('dev')] }, 'unknown', 'access of dev not shown'],
      [{ teams: [team('dev', { 'manage-membership': false })] }, 'unknown', 'access of dev not shown'],
      [{ teams: [team('dev', { 'manage-membership': true })] }, 'failed', 'dev'],
      [{ teams: [team(undefined, MANAGER)] }, 'unknown', 'access of team-1 not shown'],
      [{ teams: [] }, 'ok', 'no other team'],
      [{}, 'unknown', 'unread'],
    ],
  ],
  'pending-invitations': [
    '14d',
    [
      [{ members: [person('a', false, { 'created-at': day(-50) })] }, 'ok', 'none is older than 14d'],
      [{ members: [person('a', false, { ...INVITED, 'created-at': day(-13) })] }, 'ok', 'none is older than 14d'],
      [{ members: [person('a', false, { ...INVITED, 'created-at': day(-15) })] }, 'failed', 'a', 'none'],
      [{ members: [person('a', false, INVITED)] }, 'unknown', 'status or date of a not shown'],
      [
        { members: [person('a', false, { ...INVITED, 'created-at': day(9) })] },
        'unknown',
        'status or date of a not shown',
      ],
      [{ members: [person('a', 0, { ...NONE, 'created-at': day(-15) })] }, 'unknown', 'status or date of a not shown'],
      [{ members: [person('a', 0, { ...NONE, 'created-at': day(-1) })] }, 'ok', 'none is older than 14d'],
      [{ members: [] }, 'unknown', 'not all people are shown to you', 'none'],
      [{ members: [] }, 'ok', 'none is older than 14d', 'people'],
      [{}, 'unknown', 'unread'],
    ],
  ],
  'token-expiry': [
    '14d',
    [
      [{ tokens: [] }, 'ok', 'none expires within 14d'],
      [{ tokens: [token({}), token({ expires: null, 'expired-at': null })] }, 'ok', 'none expires within 14d'],
      [{ tokens: [token({ expires: day(13) })] }, 'failed', 'audit-trail (2026-12-04)'],
      [{ tokens: [token({ expires: day(-3) }), HIDDEN] }, 'failed', 'audit-trail (2026-11-18)'],
      [{ tokens: [token({ expires: undefined, 'expired-at': day(1) })] }, 'failed', 'audit-trail (2026-11-22)'],
      [{ tokens: [token({ 'is-ttl-rejected': true, expires: day(-9) })] }, 'failed', 'audit-trail (2026-11-12)'],
      [{ tokens: [token({ expires: undefined })] }, 'unknown', 'expiry of audit-trail not shown'],
      [{ tokens: [token({ 'is-ttl-rejected': 'odd' })] }, 'unknown', 'expiry of audit-trail not shown'],
      [{ tokens: [token({}), HIDDEN] }, 'unknown', 'team tokens not shown'],
      [{ tokens: [BROKEN] }, 'unknown', 'organization tokens not shown; broke'],
      [{}, 'unknown', 'unread'],
    ],
  ],
  'unused-tokens': [
    '90d',
    [
      [{ tokens: [token({})] }, 'ok', 'none unused for 90d'],
      [{ tokens: [token({ 'last-used-at': day(-91) })] }, 'failed', 'audit-trail'],
      [{ tokens: [token({ 'last-used-at': null })] }, 'failed', 'audit-trail'],
      [{ tokens: [token({ 'last-used-at': null, 'created-at': day(-89) })] }, 'ok', 'none unused for 90d'],
      [{ tokens: [token({ 'last-used-at': undefined, 'created-at': day(-1) })] }, 'ok', 'none unused for 90d'],
      [{ tokens: [token({ 'last-used-at': undefined })] }, 'unknown', 'last use of audit-trail not shown'],
      [{ tokens: [token({ 'last-used-at': day(9) })] }, 'unknown', 'last use of audit-trail not shown'],
      [{ tokens: [token({ 'last-used-at': null, ...UNDATED })] }, 'unknown', 'last use of audit-trail not shown'],
      [{ tokens: [token({ 'last-used-at': day(-91), ...UNDATED }), HIDDEN] }, 'failed', 'audit-trail'],
      [{ tokens: [HIDDEN] }, 'unknown', 'team tokens not shown'],
      [{}, 'unknown', 'unread'],
    ],
  ],
  'audit-trail-token': [
    '2d',
    [
      [{ ...AUDITED, tokens: [token({}), HIDDEN] }, 'ok', 'last used 2026-11-20'],
      [{ ...AUDITED, tokens: [token({ 'last-used-at': day(-3) })] }, 'failed', 'last used 2026-11-18'],
      [{ ...AUDITED, tokens: [token({ 'last-used-at': null })] }, 'failed', 'never used'],
      [{ ...AUDITED, tokens: [token({ 'last-used-at': null, 'created-at': day(-1) })] }, 'ok', 'never used'],
      [{ ...AUDITED, tokens: [HIDDEN] }, 'failed', 'none'],
      [{ ...AUDITED, tokens: [{ ...HIDDEN, kind: 'audit-trail' }] }, 'unknown', 'audit-trail tokens not shown'],
      [{ ...AUDITED, tokens: [token({ 'last-used-at': undefined })] }, 'unknown', 'last use not shown'],
      [{ ...AUDITED, entitlements: { 'audit-logging': false } }, 'off', 'not entitled to audit logging'],
      [{ hasAuditTokens: false, tokens: [] }, 'off', 'the service has no audit trail tokens'],
      [{ ...AUDITED, entitlements: {}, tokens: [] }, 'unknown', 'audit-logging not shown'],
      [{ hasAuditTokens: true, tokens: [token({})] }, 'unknown', 'unread'],
      [{ entitlements: { 'audit-logging': true }, tokens: [] }, 'unknown', 'unread'],
      [AUDITED, 'unknown', 'unread'],
    ],
  ],
  settings: [
    { a: 1, b: null },
    [
      [{ attributes: { a: 1, b: null } }, 'ok', 'as expected'],
      [{ attributes: { aa: 1, b: null } }, 'unknown', 'a not shown'],
      [{ attributes: { a: 2 } }, 'failed', 'a is 2'],
      [{ attributes: { a: { c: 1 }, b: false } }, 'failed', 'a is {"c":1}, b is false'],
    ],
  ],
};

const ROWS = Object.entries(CASES).flatMap(([rule, [value, cases]]) =>
  cases.map(([shown, status, found, sees]) => ({ rule, value, shown, status, found, sees })),
);

test.each(ROWS)('$rule: $shown', async ({ rule, value, shown, status, found, sees }) => {
  const organization = createOrganization(shown, sees === undefined, sees !== 'none');
  expect(await check(rule, value, organization)).toMatchObject({ status, found });
});

test('names of attributes are none of JavaScript, and no attributes switch the rule off', async () => {
  const organization = createOrganization({});
  expect(await check('settings', { constructor: 1 }, organization)).toMatchObject({ status: 'unknown' });
  expect(await check('settings', {}, organization)).toMatchObject({ status: 'off' });
});

test.each([
  [
    'two-factor-required',
    { attributes: PASSWORD },
    [['organizations', 'update', `collaborator-auth-policy=${MANDATORY}`]],
  ],
  ['admin-teams', { teams: [team('a', MANAGER)] }, [['teams', 'update', 'team-1', '--access=read-projects']]],
  ['admin-teams', { teams: [team('a', { 'manage-teams': true })] }, [['teams', 'update', 'team-1', '--access=none']]],
  ['admin-teams', { teams: [team('a', MANAGER, { 'scim-linked': true })] }, []],
  ['admin-teams', { teams: [team('a', { ...MANAGER, 'manage-moons': true })] }, []],
  ['admin-teams', { teams: [{ ...team('a', MANAGER), id: '--yes' }] }, []],
  [
    'settings',
    { attributes: { a: 2, b: 'x', name: 'acme', d: {} } },
    [['organizations', 'update', 'a=1', "b=it's $(b)"]],
  ],
  ['members-without-2fa', without('a', 'b'), undefined],
])('%s has a fix that takes nothing else away: %j', async (rule, shown, fix) => {
  const value = rule === 'settings' ? { a: 1, b: "it's $(b)", name: 'other', d: 1 } : INITIAL[rule];
  const { fix: commands } = await check(rule, value, createOrganization(shown));
  expect(commands).toEqual(fix);
});

test.each([
  [{ owners: '5..2' }, 'owners: it must be a range such as 2..5, not "5..2"'],
  [{ owners: 3 }, 'owners: it must be a range such as 2..5, not 3'],
  [{ owners: null }, 'owners: it must be a range'],
  [{ 'two-factor-required': 'yes' }, 'two-factor-required: it must be true or off, not "yes"'],
  [{ 'members-without-2fa': -1 }, 'members-without-2fa: it must be a number, not -1'],
  [{ 'admin-teams': 'sec' }, 'admin-teams: it must be a list of names, not "sec"'],
  [{ 'admin-teams': [1] }, 'admin-teams: it must be a list of names, not [1]'],
  [{ 'token-expiry': 14 }, 'token-expiry: it must be a duration such as 30d, not 14'],
  [{ 'token-expiry': '14 days' }, "token-expiry: it must be a duration such as 30d or 12h, not '14 days'"],
  [{ settings: { a: [1] } }, 'settings: it must be attributes and values, not {"a":[1]}'],
  [{ owner: '2..5' }, 'owner: no such rule'],
  [{ owner: '2..5', owners: 3 }, 'rules.yaml: 2 problems'],
])('%j is wrong', (values, problem) => {
  expect(() => prepareRules(values, 'rules.yaml', NOW)).toThrow(problem);
});
