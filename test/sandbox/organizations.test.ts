import { describe, expect, test } from 'vitest';
import {
  type Asking,
  type Json,
  listFlaws,
  NOT_FOUND,
  openTestSandbox,
  type Sandbox,
  UNAUTHORIZED,
} from './harness.ts';

const ALL = '/organizations';
const HOOLI = '/organizations/hooli';

const toOrganization = (attributes: Json): Json => ({ data: { type: 'organizations', attributes } });
const EMAIL = 'it@hooli.example.com';

async function create(sandbox: Sandbox, asking: Asking = {}): Promise<Json> {
  const reply = await sandbox.ask('POST', ALL, { body: toOrganization({ name: 'hooli', email: EMAIL }), ...asking });
  expect(reply.status).toBe(201);
  return reply.body.data;
}

const names = async (sandbox: Sandbox, query: string, asking: Asking = {}): Promise<string[]> =>
  (await sandbox.ask('GET', `${ALL}${query}`, asking)).body.data.map(({ id }: Json) => id);

describe('the list', () => {
  test.each([
    ['', ['acme', 'globex', 'initech']],
    ['?q=ACME', ['acme']],
    ['?q=example.com', ['acme', 'globex', 'initech']],
    ['?q=it%40init', ['initech']],
    ['?page%5Bsize%5D=2&page%5Bnumber%5D=2', ['initech']],
  ])('of an owner: %s', async (query, expected) => {
    expect(await names(openTestSandbox(), query)).toEqual(expected);
  });

  test('has no pagination unless it is asked for', async () => {
    const sandbox = openTestSandbox();
    expect(Object.keys((await sandbox.ask('GET', ALL)).body)).toEqual(['data']);
    const { body } = await sandbox.ask('GET', `${ALL}?page%5Bsize%5D=2`);
    expect(body.meta.pagination).toMatchObject({ 'total-count': 3, 'total-pages': 2 });
  });

  test('has the organizations of the caller', async () => {
    const sandbox = openTestSandbox();
    await create(sandbox, { as: 'member' });
    expect(await names(sandbox, '')).toEqual(['acme', 'globex', 'initech']);
    expect(await names(sandbox, '', { as: 'member' })).toEqual(['acme', 'globex', 'initech', 'hooli']);
    expect(await names(sandbox, '', { as: 'org-token', of: 'globex' })).toEqual(['globex']);
    expect(await names(sandbox, '', { as: 'owners-team', of: 'initech' })).toEqual(['initech']);
  });
});

test('an organization says what the caller may do', async () => {
  const sandbox = openTestSandbox();
  const permissions = async (as: 'owner' | 'member'): Promise<Json> =>
    (await sandbox.ask('GET', '/organizations/ACME', { as })).body.data.attributes.permissions;
  expect(await permissions('owner')).toEqual(
    Object.fromEntries(Object.keys(await permissions('member')).map((name) => [name, true])),
  );
  const given = Object.entries(await permissions('member')).filter(([, isGiven]) => isGiven);
  expect(given.map(([name]) => name)).toEqual(['can-traverse', 'can-access-via-teams']);
});

describe('creating', () => {
  test('makes the caller its owner, and nobody else a member', async () => {
    const sandbox = openTestSandbox();
    expect(await create(sandbox, { as: 'member' })).toMatchObject({
      id: 'hooli',
      type: 'organizations',
      attributes: { name: 'hooli', email: EMAIL, 'external-id': expect.stringMatching(/^org-/) },
    });
    const { body } = await sandbox.ask('GET', `${HOOLI}/organization-memberships?include=user,teams`, { as: 'member' });
    expect(body.data.map(({ attributes }: Json) => [attributes.email, attributes.status])).toEqual([
      ['milo.member@example.com', 'active'],
    ]);
    expect(body.included.map(({ attributes }: Json) => attributes.username ?? attributes.name)).toEqual([
      'milo-member',
      'owners',
    ]);
    expect((await sandbox.ask('GET', HOOLI)).body).toEqual(NOT_FOUND);
  });

  test.each([
    [{}, listFlaws(["Name can't be blank", 'attributes/name'], ["Email can't be blank", 'attributes/email'])],
    [
      { name: 'a b', email: 'nobody' },
      listFlaws(['Name is invalid', 'attributes/name'], ['Email is invalid', 'attributes/email']),
    ],
    [{ name: 'ACME', email: EMAIL }, listFlaws(['Name has already been taken', 'attributes/name'])],
    [
      { name: 'hooli', email: EMAIL, 'user-tokens-enabled': 'no' },
      listFlaws(['user-tokens-enabled is invalid', 'attributes/user-tokens-enabled']),
    ],
  ])('%j is refused', async (attributes, expected) => {
    const sandbox = openTestSandbox();
    const reply = await sandbox.ask('POST', ALL, { body: toOrganization(attributes) });
    expect([reply.status, reply.body]).toEqual([422, expected]);
    expect(sandbox.organizations()).toEqual(['acme', 'globex', 'initech']);
  });
});

describe('changing', () => {
  test('keeps what the body leaves out', async () => {
    const sandbox = openTestSandbox();
    const change = async (attributes: Json): Promise<Json> =>
      (await sandbox.ask('PATCH', '/organizations/acme', { body: toOrganization(attributes) })).body.data.attributes;
    await change({ 'collaborator-auth-policy': 'two_factor_mandatory', 'unknown-setting': true });
    const changed = await change({ 'session-timeout': 60 });
    expect(changed).toMatchObject({
      name: 'acme',
      email: 'platform@acme.example.com',
      'collaborator-auth-policy': 'two_factor_mandatory',
      'session-timeout': 60,
    });
    expect(changed).not.toHaveProperty('unknown-setting');
  });

  const CHANGES: [string, unknown[], unknown[]][] = [
    ['collaborator-auth-policy', ['password', 'two_factor_mandatory'], ['sso', '', null, true]],
    ['default-execution-mode', ['local', 'agent', 'remote'], ['cloud', null]],
    ['session-timeout', [1, 525_600, null], [0, -5, 1.5, '60', 525_601]],
    ['session-remember', [20_160, null], [0, 'never', {}]],
    ['owners-team-saml-role-id', ['admins', null], [7, true]],
    ['max-ttl-enabled', [true, false], ['true', 1, null]],
    ['email', ['new@acme.example.com'], ['nobody', '', 5]],
  ];
  test.each(CHANGES)('%s takes %j and refuses %j', async (name, accepted, refused) => {
    const sandbox = openTestSandbox();
    const change = (value: unknown) =>
      sandbox.ask('PATCH', '/organizations/acme', { body: toOrganization({ [name]: value }) });
    for (const value of accepted) {
      const { status, body } = await change(value);
      expect([value, status, body.data.attributes[name]]).toEqual([value, 200, value]);
    }
    for (const value of refused) {
      const { status, body } = await change(value);
      expect([value, status, body.errors[0].source]).toEqual([value, 422, { pointer: `/data/attributes/${name}` }]);
    }
  });

  test('an organization can forbid tokens of people but not of teams', async () => {
    const sandbox = openTestSandbox();
    const members = `${ALL}/acme/organization-memberships`;
    const change = (isOn: boolean, asking: Asking = {}) =>
      sandbox.ask('PATCH', '/organizations/acme', { body: toOrganization({ 'user-tokens-enabled': isOn }), ...asking });
    expect((await change(false)).status).toBe(200);
    expect((await sandbox.ask('GET', members)).body).toEqual(UNAUTHORIZED);
    expect((await sandbox.ask('GET', members.replace('acme', 'globex'))).status).toBe(200);
    expect((await sandbox.ask('GET', members, { as: 'owners-team' })).status).toBe(200);
    expect((await change(true)).status).toBe(401);
    expect((await change(true, { as: 'owners-team' })).status).toBe(200);
    expect((await sandbox.ask('GET', members)).status).toBe(200);
  });
});

test('deleting one deletes all that belongs to it', async () => {
  const sandbox = openTestSandbox();
  expect((await sandbox.ask('DELETE', '/organizations/acme')).status).toBe(204);
  expect((await sandbox.ask('GET', '/organizations/acme')).body).toEqual(NOT_FOUND);
  expect(await names(sandbox, '')).toEqual(['globex', 'initech']);
  const own = await sandbox.ask('GET', '/organization-memberships');
  expect(own.body.data.map(({ relationships }: Json) => relationships.organization.data.id)).toEqual([
    'globex',
    'initech',
  ]);
  for (const token of ['sandbox.org-token.acme', 'sandbox.owners-team.acme', 'sandbox.audit-token.acme']) {
    expect((await sandbox.ask('GET', '/account/details', { token })).status).toBe(401);
  }
  await sandbox.ask('POST', ALL, { body: toOrganization({ name: 'acme', email: EMAIL }) });
  expect(sandbox.info().organizations.at(-1)).toMatchObject({ name: 'acme', members: 1, providers: 0, teams: 1 });
});

describe('plans', () => {
  const plan = async (sandbox: Sandbox, name: string): Promise<Json> => {
    const { body } = await sandbox.ask('GET', `/organizations/${name}/subscription`);
    return body.included[0].attributes.name;
  };
  const entitlements = async (sandbox: Sandbox, name: string): Promise<Json> => {
    const { attributes } = (await sandbox.ask('GET', `/organizations/${name}/entitlement-set`)).body.data;
    return [attributes['audit-logging'], attributes['user-limit']];
  };
  test.each([
    ['Business', { 'contract-user-limit': 1000 }, 'Premium', [true, 1000]],
    ['Standard (entitlement)', {}, 'Standard', [true, null]],
    ['free', {}, 'Free', [false, 5]],
  ])('change to %s, as the tests of other clients ask for it', async (wanted, attributes, name, expected) => {
    const sandbox = openTestSandbox({ like: 'hosted' });
    const { body } = await sandbox.ask('GET', `/admin/feature-sets?q=${encodeURIComponent(wanted)}`);
    const subscribe = async (id: string): Promise<Json> => {
      const relationships = { 'feature-set': { data: { type: 'feature-sets', id } } };
      const data = { type: 'subscription', attributes, relationships };
      return sandbox.ask('POST', '/admin/organizations/initech/subscription', { body: { data } });
    };
    expect((await subscribe('fs-none')).status).toBe(422);
    expect((await subscribe(body.data[0].id)).status).toBe(200);
    expect([await plan(sandbox, 'initech'), await entitlements(sandbox, 'initech')]).toEqual([name, expected]);
  });

  test.each([
    ['document', ['Standard', 201]],
    ['hosted', ['Free', 404]],
  ] as const)('of a new organization, and whether it can have an audit trail token: %s', async (like, expected) => {
    const sandbox = openTestSandbox({ like });
    await create(sandbox);
    const body = { data: { type: 'authentication-token', attributes: {} } };
    const { status } = await sandbox.ask('POST', `${HOOLI}/authentication-token?token=audit-trails`, { body });
    expect([await plan(sandbox, 'hooli'), status]).toEqual(expected);
  });

  test('are not there in the other edition, where everything is allowed', async () => {
    const sandbox = openTestSandbox({ like: 'enterprise' });
    expect(await entitlements(sandbox, 'initech')).toEqual([true, 5]);
  });
});
