import { describe, expect, test } from 'vitest';
import { ACCESSES } from '../../src/sandbox/permissions.ts';
import {
  type Asking,
  type Json,
  listFlaws,
  MEMBERSHIPS,
  NOT_FOUND,
  openTestSandbox,
  type Reply,
  type Sandbox,
  TOKEN_REQUEST,
} from './harness.ts';

const TEAMS = '/organizations/acme/teams';
const toTeam = (attributes: Json): Json => ({ data: { type: 'teams', attributes } });
const create = async (sandbox: Sandbox, attributes: Json, asking: Asking = {}): Promise<Reply> =>
  await sandbox.ask('POST', TEAMS, { body: toTeam(attributes), ...asking });
const change = async (sandbox: Sandbox, id: string, attributes: Json, asking: Asking = {}): Promise<Reply> =>
  await sandbox.ask('PATCH', `/teams/${id}`, { body: toTeam(attributes), ...asking });
const given = (access: Json): Json => ACCESSES.filter((name) => access[name]);
const names = async (sandbox: Sandbox, asking: Asking = {}): Promise<Json> =>
  (await sandbox.ask('GET', TEAMS, asking)).body.data.map(({ attributes }: Json) => attributes.name);

describe('a new team', () => {
  test('is secret, has no access and nobody in it', async () => {
    const sandbox = openTestSandbox();
    const { status, body } = await create(sandbox, { name: 'network' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^team-/),
      type: 'teams',
      attributes: {
        name: 'network',
        visibility: 'secret',
        'users-count': 0,
        'sso-team-id': null,
        'allow-member-token-management': true,
      },
      relationships: { organization: { data: { id: 'acme', type: 'organizations' } } },
    });
    expect(given(body.data.attributes['organization-access'])).toEqual([]);
    expect((await sandbox.ask('GET', `/teams/${body.data.id}`)).body.data).toEqual(body.data);
    expect(await names(sandbox)).toEqual(['owners', 'platform', 'security', 'audit', 'network']);
  });

  test('has what it is given', async () => {
    const sandbox = openTestSandbox();
    const attributes = { name: 'a/b c-1', visibility: 'organization', 'sso-team-id': 'sso-1' };
    const access = { 'manage-providers': true, 'manage-projects': true, 'read-projects': false, other: true };
    const { body } = await create(sandbox, { ...attributes, 'organization-access': access });
    expect(body.data.attributes).toMatchObject(attributes);
    expect(given(body.data.attributes['organization-access'])).toEqual([
      'manage-projects',
      'manage-providers',
      'manage-workspaces',
    ]);
  });

  test.each([
    [{}, listFlaws(["Name can't be blank", 'attributes/name'])],
    [{ name: true }, listFlaws(['Name must be a string', 'attributes/name'])],
    [{ name: 'audit' }, listFlaws(['Name has already been taken', 'attributes/name'])],
    [
      { name: 'new', visibility: 'public', 'sso-team-id': 1, 'allow-member-token-management': 'yes' },
      listFlaws(
        ['Visibility is invalid', 'attributes/visibility'],
        ['Sso team is invalid', 'attributes/sso-team-id'],
        ['Allow member token management is invalid', 'attributes/allow-member-token-management'],
      ),
    ],
    [
      { name: 'new', 'organization-access': { 'manage-teams': 'yes' } },
      listFlaws(['manage-teams must be true or false', 'attributes/organization-access/manage-teams']),
    ],
  ])('%j is refused', async (attributes, expected) => {
    const sandbox = openTestSandbox();
    const { status, body } = await create(sandbox, attributes);
    expect([status, body]).toEqual([422, expected]);
    expect(await names(sandbox)).toHaveLength(4);
  });

  test.each([
    ['document', false],
    ['hosted', true],
  ] as const)(
    'with an access that needs another is refused, %s, and is there nonetheless: %s',
    async (like, isThere) => {
      const sandbox = openTestSandbox({ like });
      const access = { 'manage-organization-access': true, 'manage-membership': true };
      const { status, body } = await create(sandbox, { name: 'leads', 'organization-access': access });
      const flaw = 'manage-organization-access needs manage-teams';
      expect([status, body]).toEqual([
        422,
        listFlaws([flaw, 'attributes/organization-access/manage-organization-access']),
      ]);
      expect((await names(sandbox)).includes('leads')).toBe(isThere);
    },
  );

  test('is refused where teams are managed in HCP', async () => {
    const reply = await openTestSandbox().ask('POST', '/organizations/initech/teams', { body: toTeam({ name: 'x' }) });
    expect([reply.status, reply.body.errors[0].detail]).toEqual([403, 'The organization is managed by HCP']);
  });
});

describe('changing a team', () => {
  test('keeps what the body leaves out, each access too', async () => {
    const sandbox = openTestSandbox();
    const id = await sandbox.teamId('security');
    const first = await change(sandbox, id, { 'organization-access': { 'manage-teams': true } });
    expect([first.status, given(first.body.data.attributes['organization-access'])]).toEqual([
      200,
      ['manage-membership', 'manage-teams'],
    ]);
    const second = await change(sandbox, id, { name: 'guards', 'organization-access': { 'manage-teams': false } });
    expect(second.body.data.attributes).toMatchObject({ name: 'guards', visibility: 'organization' });
    expect(given(second.body.data.attributes['organization-access'])).toEqual(['manage-membership']);
    const third = await change(sandbox, id, {
      'organization-access': { 'manage-membership': false, 'manage-teams': true },
    });
    expect(third.status).toBe(422);
    expect((await change(sandbox, id, { name: 'guards' })).status).toBe(200);
    expect((await change(sandbox, id, { name: 'audit' })).status).toBe(422);
  });

  test('who manages teams changes them, and who manages access what they may do', async () => {
    const sandbox = openTestSandbox();
    const [id, other] = [await sandbox.teamId('security'), await sandbox.teamId('platform')];
    const as = 'team-manager';
    expect((await change(sandbox, other, { visibility: 'secret' }, { as })).body).toEqual(NOT_FOUND);
    await change(sandbox, id, { 'organization-access': { 'manage-teams': true } });
    expect((await change(sandbox, other, { visibility: 'secret' }, { as })).status).toBe(200);
    expect((await create(sandbox, { name: 'new' }, { as })).status).toBe(200);
    const access = { 'organization-access': { 'manage-modules': true } };
    expect((await change(sandbox, other, access, { as })).body).toEqual(NOT_FOUND);
    expect((await create(sandbox, { name: 'newer', ...access }, { as })).body).toEqual(NOT_FOUND);
    expect((await sandbox.ask('DELETE', `/teams/${other}`, { as })).body).toEqual(NOT_FOUND);
    await change(sandbox, id, { 'organization-access': { 'manage-organization-access': true } });
    expect((await change(sandbox, other, access, { as })).status).toBe(200);
  });

  test('owners keep their name and visibility', async () => {
    const sandbox = openTestSandbox();
    const id = await sandbox.teamId('owners');
    for (const attributes of [{ name: 'bosses' }, { visibility: 'secret' }]) {
      expect((await change(sandbox, id, attributes)).status).toBe(422);
    }
    expect((await change(sandbox, id, { 'allow-member-token-management': false })).status).toBe(200);
    expect((await sandbox.ask('DELETE', `/teams/${id}`)).status).toBe(403);
  });
});

test('deleting a team deletes its token and keeps its members', async () => {
  const sandbox = openTestSandbox();
  const id = await sandbox.teamId('platform');
  const { body } = await sandbox.ask('POST', `/teams/${id}/authentication-token`, { body: TOKEN_REQUEST });
  const token = body.data.attributes.token;
  expect((await sandbox.ask('GET', TEAMS, { token })).status).toBe(200);
  expect((await sandbox.ask('DELETE', `/teams/${id}`)).status).toBe(204);
  expect((await sandbox.ask('GET', TEAMS, { token })).status).toBe(401);
  expect((await sandbox.ask('GET', `/teams/${id}`)).body).toEqual(NOT_FOUND);
  const rex = await sandbox.ask('GET', `${MEMBERSHIPS}?q=rex`);
  expect(rex.body.data[0].relationships.teams.data).toEqual([]);
});

describe('people by name', () => {
  const change = async (sandbox: Sandbox, method: 'POST' | 'DELETE', team: string, ...ids: string[]): Promise<Reply> =>
    await sandbox.ask(method, `/teams/${await sandbox.teamId(team)}/relationships/users`, {
      body: { data: ids.map((id) => ({ type: 'users', id })) },
    });
  const users = async (sandbox: Sandbox, team: string): Promise<Json> => {
    const { body } = await sandbox.ask('GET', `/teams/${await sandbox.teamId(team)}?include=users`);
    return body.included.map(({ attributes }: Json) => attributes.username);
  };

  test('come into a team and leave it', async () => {
    const sandbox = openTestSandbox();
    const { body } = await sandbox.ask('GET', '/account/details');
    expect(await change(sandbox, 'POST', 'audit', 'Rex-Registry-Manager', body.data.id)).toMatchObject({ status: 204 });
    expect(await users(sandbox, 'audit')).toEqual([
      'olive-owner',
      'milo-member',
      'rex-registry-manager',
      'ada-auditor',
    ]);
    expect((await change(sandbox, 'DELETE', 'audit', 'milo-member', 'ada-auditor')).status).toBe(204);
    expect(await users(sandbox, 'audit')).toEqual(['olive-owner', 'rex-registry-manager']);
  });

  test.each([
    [['nobody'], 400, 'nobody is not a member of the organization'],
    [['ivan.invitee@example.com'], 400, 'ivan.invitee@example.com is not a member of the organization'],
    [[''], 400, "Id can't be blank"],
    [[], 400, 'Data must be a list of users'],
  ])('%j are refused', async (ids, status, detail) => {
    const sandbox = openTestSandbox();
    const reply = await change(sandbox, 'POST', 'audit', ...ids);
    expect([reply.status, reply.body.errors[0].detail]).toEqual([status, detail]);
    expect((await change(sandbox, 'DELETE', 'owners', 'olive-owner')).status).toBe(403);
  });
});

describe('secret teams', () => {
  const see = async (like: 'document' | 'hosted', asking: Asking): Promise<Json> => {
    const sandbox = openTestSandbox({ like });
    const audit = await sandbox.teamId('audit');
    const ada = `/organization-memberships/${await sandbox.membershipId('ada.auditor@example.com')}`;
    const shown = await sandbox.ask('GET', ada, asking);
    return {
      listed: await names(sandbox, asking),
      total: (await sandbox.ask('GET', TEAMS, asking)).body.meta.pagination['total-count'],
      one: (await sandbox.ask('GET', `/teams/${audit}`, asking)).status,
      members: (await sandbox.ask('GET', `/teams/${audit}/relationships/organization-memberships`, asking)).status,
      ofAda: shown.body.data.relationships.teams.data.length,
    };
  };
  const ALL = { listed: ['owners', 'platform', 'security', 'audit'], total: 4, one: 200, members: 200, ofAda: 1 };
  const LESS = { listed: ['owners', 'platform', 'security'], total: 3, one: 404, members: 404, ofAda: 0 };

  test.each([
    ['document', 'registry-manager', ALL],
    ['hosted', 'registry-manager', LESS],
    ['hosted', 'team-manager', LESS],
    ['hosted', 'member', ALL],
    ['hosted', 'owner', ALL],
    ['hosted', 'org-token', ALL],
    ['hosted', 'owners-team', ALL],
  ] as const)('%s, to %s', async (like, as, expected) => {
    expect(await see(like, { as })).toEqual(expected);
  });

  test('are shown to who may see them', async () => {
    const sandbox = openTestSandbox({ like: 'hosted' });
    const access = { 'organization-access': { 'access-secret-teams': true } };
    expect(await names(sandbox, { as: 'registry-manager' })).toEqual(LESS.listed);
    await change(sandbox, await sandbox.teamId('platform'), access);
    expect(await names(sandbox, { as: 'registry-manager' })).toEqual(ALL.listed);
  });
});

const generate = async (sandbox: Sandbox, as: 'member' | 'registry-manager'): Promise<number> => {
  const path = `/teams/${await sandbox.teamId('audit')}/authentication-token`;
  return (await sandbox.ask('POST', path, { as, body: TOKEN_REQUEST })).status;
};

test('the token of a team is created by its members, unless it does not let them', async () => {
  const sandbox = openTestSandbox();
  expect([await generate(sandbox, 'member'), await generate(sandbox, 'registry-manager')]).toEqual([201, 404]);
  await change(sandbox, await sandbox.teamId('audit'), { 'allow-member-token-management': false });
  expect([await generate(sandbox, 'member'), await generate(sandbox, 'registry-manager')]).toEqual([404, 404]);
});
