import { describe, expect, test } from 'vitest';
import { createInvitation, type Json, openTestSandbox, type Reply, type Sandbox } from './harness.ts';

/** Whose account, teams or state are not decided in the organization alone: globex has them, and initech is HCP's. */

const [INES, PRIYA, SAM, GINA] = [
  'ines.inactive@example.com',
  'priya.provisioned@example.com',
  'sam.sso@example.com',
  'gina.globex@example.com',
];
const SERVICE_ACCOUNT = 'api-team_1001';
const GLOBEX = '/organizations/globex/organization-memberships';

const read = async (sandbox: Sandbox, path: string): Promise<Json> => (await sandbox.ask('GET', path)).body;
const pathOf = async (sandbox: Sandbox, team: string, organization = 'globex'): Promise<string> =>
  `/teams/${await sandbox.teamId(team, organization)}/relationships/organization-memberships`;
const idOf = async (sandbox: Sandbox, person: string): Promise<string> => {
  if (person.includes('@')) return sandbox.membershipId(person, 'globex');
  return (await read(sandbox, `${GLOBEX}?q=${person}`)).data[0].id;
};
const change = async (
  sandbox: Sandbox,
  method: 'POST' | 'DELETE',
  team: string,
  ...people: string[]
): Promise<Reply> => {
  const ids = await Promise.all(people.map((person) => idOf(sandbox, person)));
  const data = ids.map((id) => ({ type: 'organization-memberships', id }));
  return sandbox.ask(method, await pathOf(sandbox, team), { body: { data } });
};
const createForbidden = (detail: string): Json => ({ errors: [{ status: '403', title: 'forbidden', detail }] });
const teamOf = async (sandbox: Sandbox, name: string): Promise<Json> =>
  (await read(sandbox, `/organizations/globex/teams?filter%5Bnames%5D=${name}`)).data[0].attributes;

describe('an inactive member', () => {
  test('is in the list and in the total, and is neither active nor invited', async () => {
    const { data, meta } = await read(openTestSandbox(), GLOBEX);
    expect(data.map(({ attributes }: Json) => [attributes.email, attributes.status]).slice(5)).toEqual([
      ['noor.newcomer@example.com', 'invited'],
      [SAM, 'active'],
      [PRIYA, 'active'],
      [INES, 'inactive'],
      [undefined, 'active'],
    ]);
    expect(meta['status-counts']).toEqual({ total: 10, active: 8, invited: 1 });
  });

  test.each([
    ['inactive', [INES]],
    ['invited', ['noor.newcomer@example.com']],
  ])('filter[status]=%s', async (status, expected) => {
    const { data, meta } = await read(openTestSandbox(), `${GLOBEX}?filter%5Bstatus%5D=${status}`);
    expect(data.map(({ attributes }: Json) => attributes.email)).toEqual(expected);
    expect(meta.pagination['total-count']).toBe(expected.length);
  });

  test('stays in the teams, which do not count it, and can be taken out of those that SCIM does not fill', async () => {
    const sandbox = openTestSandbox();
    const list = async (team: string): Promise<string[]> =>
      (await read(sandbox, await pathOf(sandbox, team))).data.map(({ attributes }: Json) => attributes.email);
    expect(await list('platform')).toContain(INES);
    expect(await list('data')).toContain(INES);
    expect((await teamOf(sandbox, 'data'))['users-count']).toBe(1);
    expect((await change(sandbox, 'DELETE', 'platform', INES)).status).toBe(204);
    expect(await list('platform')).not.toContain(INES);
    expect((await teamOf(sandbox, 'platform'))['users-count']).toBe(3);
  });

  test('counts as a member when that address is invited', async () => {
    const sandbox = openTestSandbox();
    const body = createInvitation(INES, await sandbox.teamId('platform', 'globex'));
    const reply = await sandbox.ask('POST', GLOBEX, { body });
    expect([reply.status, reply.body.errors[0].detail]).toEqual([
      422,
      'Email belongs to a member of the organization already',
    ]);
  });
});

describe('a service account', () => {
  test('has a user name and no address, and is counted among the users of its team', async () => {
    const sandbox = openTestSandbox();
    const { data, included } = await read(sandbox, `${GLOBEX}?q=${SERVICE_ACCOUNT}&include=user`);
    expect(data[0].attributes).not.toHaveProperty('email');
    expect(included[0].attributes).toMatchObject({ username: SERVICE_ACCOUNT, 'is-service-account': true });
    expect(included[0].attributes).not.toHaveProperty('email');
    expect(await teamOf(sandbox, 'platform')).toMatchObject({ 'users-count': 3, 'non-service-users-count': 2 });
    await change(sandbox, 'DELETE', 'platform', SERVICE_ACCOUNT);
    expect(await teamOf(sandbox, 'platform')).toMatchObject({ 'users-count': 2, 'non-service-users-count': 2 });
  });

  test('is no owner that could stay alone', async () => {
    const sandbox = openTestSandbox();
    expect((await change(sandbox, 'POST', 'owners', SERVICE_ACCOUNT)).status).toBe(204);
    const reply = await change(sandbox, 'DELETE', 'owners', 'olive.owner@example.com');
    expect([reply.status, reply.body]).toEqual([
      403,
      createForbidden('You cannot remove the last active owner of the organization'),
    ]);
    expect((await change(sandbox, 'DELETE', 'owners', SERVICE_ACCOUNT)).status).toBe(204);
  });
});

describe('SCIM', () => {
  test('a membership names its identity, which the list of the organization alone includes', async () => {
    const sandbox = openTestSandbox();
    const { data, included } = await read(sandbox, `${GLOBEX}?include=scim-identity`);
    const identities = data.map(({ relationships }: Json) => relationships['scim-identity'].data);
    expect(identities.filter((identity: Json) => identity !== null)).toEqual([
      { id: included[0].id, type: 'scim-identities' },
      { id: included[1].id, type: 'scim-identities' },
    ]);
    expect(included.map(({ attributes }: Json) => attributes.status)).toEqual(['provisioned', 'claimed']);
    for (const path of [`/organization-memberships/${data[0].id}`, '/organization-memberships']) {
      expect((await sandbox.ask('GET', `${path}?include=scim-identity`)).status).toBe(400);
    }
  });

  test('where it is off, neither people nor teams have anything of it', async () => {
    const sandbox = openTestSandbox();
    const { data } = await read(sandbox, '/organizations/acme/organization-memberships?include=scim-identity');
    expect(data[0].relationships).not.toHaveProperty('scim-identity');
    const { data: teams } = await read(sandbox, '/organizations/acme/teams');
    expect(Object.keys(teams[0].attributes).filter((name) => name.startsWith('scim'))).toEqual([]);
  });

  test('nobody can edit a managed team', async () => {
    const sandbox = openTestSandbox();
    const answers = [];
    for (const method of ['POST', 'DELETE'] as const) {
      const { status, body } = await change(sandbox, method, 'data', method === 'POST' ? GINA : PRIYA);
      answers.push([status, body]);
    }
    expect(answers).toEqual(Array(2).fill([403, createForbidden('The team is managed by SCIM')]));
    const body = createInvitation('new@example.com', await sandbox.teamId('data', 'globex'));
    expect((await sandbox.ask('POST', GLOBEX, { body })).body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Team is managed by SCIM, and only SCIM adds members to it',
        source: { pointer: '/data/relationships/teams/data/0/id' },
      },
    ]);
    const priya = await idOf(sandbox, PRIYA);
    const removal = await sandbox.ask('DELETE', `/organization-memberships/${priya}`);
    expect([removal.status, removal.body]).toEqual([403, createForbidden(`${priya} is managed by SCIM`)]);
    expect((await change(sandbox, 'POST', 'network', PRIYA)).status).toBe(204);
    expect((await read(sandbox, GLOBEX)).data).toHaveLength(10);
  });
});

test.each(['acme', 'globex', 'initech'])('what teams of %s say of a change is what is answered to it', async (name) => {
  for (const as of ['owner', 'team-manager', 'member', 'org-token'] as const) {
    const sandbox = openTestSandbox();
    const { body } = await sandbox.ask('GET', `/organizations/${name}/teams`, { as, of: name });
    for (const { id, attributes } of body.data) {
      const path = `/teams/${id}/relationships/organization-memberships`;
      const statuses = [];
      for (const method of ['POST', 'DELETE']) {
        statuses.push((await sandbox.ask(method, path, { as, of: name, body: { data: [] } })).status);
      }
      const isManaged = attributes['is-unified'] || attributes['scim-linked'] === true;
      const status = as === 'member' ? 404 : isManaged ? 403 : 400;
      expect([attributes.permissions['can-update-membership'], ...statuses]).toEqual([status === 400, status, status]);
    }
  }
});
