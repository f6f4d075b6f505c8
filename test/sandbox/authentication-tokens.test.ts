import { describe, expect, test } from 'vitest';
import type { ServiceKind } from '../../src/sandbox/kinds.ts';
import {
  createInvitation,
  createProvider,
  type Json,
  listFlaws,
  MEMBERSHIPS,
  NOT_FOUND,
  openTestSandbox,
  PROVIDERS,
  type Sandbox,
  TOKEN,
  TOKEN_REQUEST,
  TRAIL,
} from './harness.ts';

const GENERAL = '/organizations/acme/authentication-token';
const ofTeam = async (sandbox: Sandbox, name: string): Promise<string> =>
  `/teams/${await sandbox.teamId(name)}/authentication-token`;
const generate = async (sandbox: Sandbox, path: string): Promise<Json> => {
  const reply = await sandbox.ask('POST', path, { body: TOKEN_REQUEST });
  expect(reply.status).toBe(201);
  return reply.body.data;
};
const works = async (sandbox: Sandbox, token: string): Promise<boolean> =>
  (await sandbox.ask('GET', '/account/details', { token })).status === 200;

test("the organization's own token is another than the audit trail token, and each is replaced alone", async () => {
  const sandbox = openTestSandbox();
  const audit = (await sandbox.ask('GET', TOKEN)).body.data.id;
  const first = await generate(sandbox, GENERAL);
  expect(await works(sandbox, 'sandbox.org-token.acme')).toBe(false);
  expect(await works(sandbox, first.attributes.token)).toBe(true);
  const second = await generate(sandbox, `${GENERAL}?token=`);
  expect(await works(sandbox, first.attributes.token)).toBe(false);
  expect((await sandbox.ask('GET', GENERAL)).body.data).toEqual({
    ...second,
    attributes: { ...second.attributes, token: null },
  });
  expect((await sandbox.ask('GET', TOKEN)).body.data.id).toBe(audit);
  expect(sandbox.tokenFor('audit-token', 'acme')).toBe('sandbox.audit-token.acme');
  expect((await sandbox.ask('DELETE', GENERAL)).status).toBe(204);
  expect((await sandbox.ask('GET', GENERAL)).body).toEqual(NOT_FOUND);
  expect((await sandbox.ask('DELETE', GENERAL)).body).toEqual(NOT_FOUND);
  expect((await sandbox.ask('GET', TOKEN)).body.data.id).toBe(audit);
});

describe('the token of a team', () => {
  test('can do what its team can', async () => {
    const sandbox = openTestSandbox();
    const tokens = new Map<string, string>();
    for (const team of ['owners', 'platform', 'security', 'audit']) {
      tokens.set(team, (await generate(sandbox, await ofTeam(sandbox, team))).attributes.token);
    }
    const statuses = async (team: string): Promise<number[]> => {
      const token = tokens.get(team) ?? '';
      const body = createInvitation(`${team}@example.com`, await sandbox.teamId('audit'));
      return [
        (await sandbox.ask('GET', MEMBERSHIPS, { token })).status,
        (await sandbox.ask('POST', MEMBERSHIPS, { token, body })).status,
        (await sandbox.ask('POST', PROVIDERS, { token, body: createProvider('private', 'acme', team) })).status,
        (await sandbox.ask('GET', TOKEN, { token })).status,
        (await sandbox.ask('GET', MEMBERSHIPS.replace('acme', 'globex'), { token })).status,
      ];
    };
    // To list, to invite, to create a provider, to see the audit trail token; and to list elsewhere.
    expect(await statuses('owners')).toEqual([200, 201, 201, 200, 404]);
    expect(await statuses('platform')).toEqual([200, 404, 201, 404, 404]);
    expect(await statuses('security')).toEqual([200, 201, 404, 404, 404]);
    expect(await statuses('audit')).toEqual([200, 404, 404, 404, 404]);
  });

  test('acts as a service account of that team', async () => {
    const sandbox = openTestSandbox();
    const path = await ofTeam(sandbox, 'platform');
    const { attributes, relationships } = await generate(sandbox, path);
    const team = { type: 'teams', id: await sandbox.teamId('platform') };
    expect(relationships).toMatchObject({ 'created-by': { data: { type: 'users' } }, team: { data: team } });
    const { body } = await sandbox.ask('GET', '/account/details', { token: attributes.token });
    expect(body.data).toMatchObject({
      attributes: { username: 'api-team-platform-acme', 'is-service-account': true },
      relationships: { 'authenticated-resource': { data: team } },
    });
    const provider = createProvider('private', 'acme', 'new');
    await sandbox.ask('POST', PROVIDERS, { token: attributes.token, body: provider });
    const trail = await sandbox.ask('GET', TRAIL, { as: 'org-token' });
    expect(trail.body.data[0].auth.description).toBe('api-team-platform-acme');
  });

  test('is one for each team, and goes by itself', async () => {
    const sandbox = openTestSandbox();
    const [platform, security] = [await ofTeam(sandbox, 'platform'), await ofTeam(sandbox, 'security')];
    expect((await sandbox.ask('GET', platform)).body).toEqual(NOT_FOUND);
    const first = (await generate(sandbox, platform)).attributes.token;
    const other = (await generate(sandbox, security)).attributes.token;
    const second = (await generate(sandbox, platform)).attributes.token;
    expect(await Promise.all([first, other, second].map((token) => works(sandbox, token)))).toEqual([
      false,
      true,
      true,
    ]);
    expect((await sandbox.ask('DELETE', platform)).status).toBe(204);
    expect(await Promise.all([other, second].map((token) => works(sandbox, token)))).toEqual([true, false]);
    expect(await works(sandbox, 'sandbox.owners-team.acme')).toBe(true);
    await generate(sandbox, await ofTeam(sandbox, 'owners'));
    expect(await works(sandbox, 'sandbox.owners-team.acme')).toBe(false);
  });
});

describe('tokens with descriptions', () => {
  const ALL = '/organizations/acme/team-tokens';
  const toRequest = (attributes: Json): Json => ({ data: { type: 'authentication-tokens', attributes } });
  const add = async (sandbox: Sandbox, team: string, attributes: Json): Promise<Json> => {
    const path = `/teams/${await sandbox.teamId(team)}/authentication-tokens`;
    return (await sandbox.ask('POST', path, { body: toRequest(attributes) })).body;
  };
  const list = async (sandbox: Sandbox, query = ''): Promise<Json> =>
    (await sandbox.ask('GET', `${ALL}?${query}`)).body;
  const describeAll = ({ data }: Json): Json => data.map(({ attributes }: Json) => attributes.description);

  test('exist beside the one without and beside each other, and are deleted alone', async () => {
    const sandbox = openTestSandbox();
    const single = await generate(sandbox, await ofTeam(sandbox, 'platform'));
    const made: Json[] = [];
    for (const description of ['deploy', '']) made.push((await add(sandbox, 'platform', { description })).data);
    expect(made.map(({ attributes }) => attributes.description)).toEqual(['deploy', '']);
    const secrets = [single, ...made].map(({ attributes }) => attributes.token);
    const whichWork = async () => await Promise.all(secrets.map((token) => works(sandbox, token)));
    expect(await whichWork()).toEqual([true, true, true]);
    const { body } = await sandbox.ask('GET', await ofTeam(sandbox, 'platform'));
    expect(body.data.id).toBe(single.id);
    expect((await list(sandbox)).data.map(({ id }: Json) => id)).toEqual(
      expect.arrayContaining([single.id, ...made.map(({ id }) => id)]),
    );
    expect((await sandbox.ask('GET', `/authentication-tokens/${made[0].id}`)).body.data).toEqual({
      ...made[0],
      attributes: { ...made[0].attributes, token: null, 'last-used-at': expect.any(String) },
    });
    expect((await sandbox.ask('DELETE', `/authentication-tokens/${made[0].id}`)).status).toBe(204);
    expect(await whichWork()).toEqual([true, false, true]);
    await generate(sandbox, await ofTeam(sandbox, 'platform'));
    expect(await whichWork()).toEqual([false, false, true]);
    await sandbox.ask('DELETE', `/teams/${await sandbox.teamId('platform')}`);
    expect(await whichWork()).toEqual([false, false, false]);
  });

  test('act as their team, say which they are, and are noted as used', async () => {
    let now = Date.parse('2026-03-01T12:00:00.000Z');
    const sandbox = openTestSandbox({ now: () => now });
    const { data } = await add(sandbox, 'owners', { description: 'ci' });
    const { token } = data.attributes;
    const use = async (): Promise<Json> => (await sandbox.ask('GET', '/account/details', { token })).body.data;
    expect(await use()).toMatchObject({
      relationships: { 'authenticated-resource': { data: { type: 'teams' } } },
      links: { 'auth-token': `/api/v2/authentication-tokens/${data.id}` },
    });
    const usedAt = async (): Promise<Json> =>
      (await list(sandbox, 'q=owners')).data.find(({ id }: Json) => id === data.id).attributes['last-used-at'];
    expect(await usedAt()).toBe('2026-03-01T12:00:00.000Z');
    now += 1_000;
    await use();
    expect(await usedAt()).toBe('2026-03-01T12:00:01.000Z');
  });

  test('are one of each description in a team', async () => {
    const sandbox = openTestSandbox();
    const taken = {
      status: '422',
      title: 'invalid attributes',
      detail: 'Validation failed: Description has already been taken',
    };
    expect(await add(sandbox, 'platform', { description: 'ci' })).toEqual({ errors: [taken] });
    expect(await add(sandbox, 'platform', { description: 'CI' })).toMatchObject({ data: {} });
    expect(await add(sandbox, 'security', { description: 'ci' })).toMatchObject({ data: {} });
    expect(await add(sandbox, 'owners', { description: 'ci' })).toMatchObject({ data: {} });
    expect(await add(sandbox, 'owners', { description: 'ci' })).toEqual({ errors: [taken] });
    expect(await add(sandbox, 'owners', {})).toEqual(
      listFlaws(["Description can't be blank", 'attributes/description']),
    );
    expect(await add(sandbox, 'owners', { description: 'late', 'expired-at': '2026-01-01T00:00:00Z' })).toEqual(
      listFlaws(['Expired at must be in the future', 'attributes/expired-at']),
    );
  });

  test('are listed page by page, by what ends first unless the other order is asked for', async () => {
    const sandbox = openTestSandbox();
    await add(sandbox, 'security', { description: 'a', 'expired-at': '2026-03-02T00:00:00Z' });
    await add(sandbox, 'audit', { description: 'b' });
    const orders = ['', 'sort=-expired-at', 'q=ATFO'];
    expect(await Promise.all(orders.map(async (order) => describeAll(await list(sandbox, order))))).toEqual([
      ['a', 'ci', 'laptop of rex', null, 'b'],
      [null, 'b', 'laptop of rex', 'ci', 'a'],
      ['ci', 'laptop of rex'],
    ]);
    const { meta, data } = await list(sandbox, 'page[size]=2&page[number]=2');
    expect([meta.pagination['total-count'], data.length, data[0].attributes.token]).toEqual([5, 2, null]);
  });

  test('of owners are not shown to who may not see them, and secret teams have none in the hosted service', async () => {
    const sandbox = openTestSandbox({ like: 'hosted' });
    await add(sandbox, 'audit', { description: 'b' });
    const seen = async (as: 'org-token' | 'owner') => describeAll((await sandbox.ask('GET', ALL, { as })).body);
    expect(await seen('owner')).toEqual(['ci', 'laptop of rex', 'b', null]);
    expect(await seen('org-token')).toEqual(['ci', 'laptop of rex', 'b']);
    const { body } = await sandbox.ask('POST', '/organizations/acme/teams', {
      body: {
        data: {
          type: 'teams',
          attributes: { name: 'leads', 'organization-access': { 'manage-membership': true, 'manage-teams': true } },
        },
      },
    });
    const token = (await generate(sandbox, `/teams/${body.data.id}/authentication-token`)).attributes.token;
    expect(describeAll((await sandbox.ask('GET', ALL, { token })).body)).toEqual(['ci', 'laptop of rex', null]);
  });
});

test('the token of a team has a path by its id, and by that of the team', async () => {
  const sandbox = openTestSandbox();
  for (const team of ['platform', 'owners']) {
    const { id } = await generate(sandbox, await ofTeam(sandbox, team));
    for (const by of [id, await sandbox.teamId(team)]) {
      expect((await sandbox.ask('GET', `/authentication-tokens/${by}`)).body.data.id).toBe(id);
      expect((await sandbox.ask('GET', `/authentication-tokens/${by}`, { as: 'member' })).body).toEqual(NOT_FOUND);
    }
    expect((await sandbox.ask('DELETE', `/authentication-tokens/${id}`)).status).toBe(204);
    expect((await sandbox.ask('GET', `/authentication-tokens/${id}`)).body).toEqual(NOT_FOUND);
  }
  const { id } = (await sandbox.ask('GET', GENERAL)).body.data;
  expect((await sandbox.ask('GET', `/authentication-tokens/${id}`)).body).toEqual(NOT_FOUND);
});

describe('what is asked for', () => {
  const REQUESTS: Json[] = [{ data: { type: 'authentication-tokens' } }, { data: { type: '' } }, { data: {} }, {}];

  test.each([
    ['document', [422, 422, 422, 422]],
    ['hosted', [201, 201, 201, 201]],
    ['enterprise', [201, 201, 201, 201]],
  ] as const)('in other words, %s', async (like, expected) => {
    const sandbox = openTestSandbox({ like });
    const statuses: number[] = [];
    for (const body of REQUESTS) statuses.push((await sandbox.ask('POST', TOKEN, { body })).status);
    expect(statuses).toEqual(expected);
  });

  test.each([
    ['document', null],
    ['hosted', '2028-03-01T12:00:00.000Z'],
    ['enterprise', '2028-03-01T12:00:00.000Z'],
  ] as const)('without an end, %s', async (like, expected) => {
    const sandbox = openTestSandbox({ like });
    for (const path of [TOKEN, GENERAL, await ofTeam(sandbox, 'platform')]) {
      expect((await generate(sandbox, path)).attributes['expired-at']).toBe(expected);
    }
  });
});

test('in Enterprise the parameter is passed over: the token that is replaced is the general one', async () => {
  const state = openTestSandbox({ like: 'enterprise' });
  expect(state.tokens().map(({ kind }) => kind)).not.toContain('audit-token');
  expect(state.tokenFor('audit-token', 'acme')).toBeUndefined();
  expect((await state.ask('GET', TRAIL, { token: 'sandbox.audit-token.acme' })).status).toBe(401);
  const { id } = (await state.ask('GET', GENERAL)).body.data;
  expect((await state.ask('GET', TOKEN)).body.data.id).toBe(id);
  const made = await generate(state, TOKEN);
  expect(await works(state, 'sandbox.org-token.acme')).toBe(false);
  expect(await works(state, made.attributes.token)).toBe(true);
  expect((await state.ask('DELETE', TOKEN)).status).toBe(204);
  expect((await state.ask('GET', GENERAL)).status).toBe(404);
});

test('people are invited without teams where the service takes that', async () => {
  const without = { data: { type: 'organization-memberships', attributes: { email: 'new@example.com' } } };
  const invite = async (like: ServiceKind, body: Json): Promise<number> =>
    (await openTestSandbox({ like }).ask('POST', MEMBERSHIPS, { body })).status;
  const empty = createInvitation('new@example.com');
  const wrong = { data: { ...without.data, relationships: { teams: { data: 'all' } } } };
  expect([await invite('document', without), await invite('document', empty)]).toEqual([422, 422]);
  expect([await invite('hosted', without), await invite('hosted', empty)]).toEqual([201, 201]);
  expect([await invite('enterprise', without), await invite('enterprise', empty)]).toEqual([201, 201]);
  expect(await invite('hosted', wrong)).toBe(422);
});
