import { describe, expect, test } from 'vitest';
import {
  createInvitation,
  type Json,
  MEMBERSHIPS,
  openTestSandbox,
  type Reply,
  type Sandbox,
  TOKEN,
  TOKEN_REQUEST,
} from './harness.ts';

const [OLIVE, MILO, TARA] = ['olive.owner@example.com', 'milo.member@example.com', 'tara.team-manager@example.com'];
const [REX, IVAN] = ['rex.registry-manager@example.com', 'ivan.invitee@example.com'];

const createMembers = (...ids: string[]): Json => ({
  data: ids.map((id) => ({ type: 'organization-memberships', id })),
});
const pathOf = async (sandbox: Sandbox, team: string): Promise<string> =>
  `/teams/${await sandbox.teamId(team)}/relationships/organization-memberships`;
const move = async (
  sandbox: Sandbox,
  method: 'POST' | 'DELETE',
  team: string,
  email: string,
  as: 'owner' | 'member' | 'org-token' | 'team-manager' | 'registry-manager' = 'owner',
): Promise<Reply> => {
  const body = createMembers(await sandbox.membershipId(email));
  return sandbox.ask(method, await pathOf(sandbox, team), { as, body });
};
const invite = async (sandbox: Sandbox, as: 'member' | 'team-manager'): Promise<number> => {
  const body = createInvitation('new@example.com', await sandbox.teamId('platform'));
  return (await sandbox.ask('POST', MEMBERSHIPS, { as, body })).status;
};
const generate = async (sandbox: Sandbox, as: 'owner' | 'member'): Promise<number> =>
  (await sandbox.ask('POST', TOKEN, { as, body: TOKEN_REQUEST })).status;

describe('permissions of a person come from their teams', () => {
  test('a previous owner may not, in that organization alone', async () => {
    const sandbox = openTestSandbox();
    await move(sandbox, 'POST', 'owners', MILO);
    const self = `/organization-memberships/${await sandbox.membershipId(OLIVE)}`;
    expect((await sandbox.ask('DELETE', self)).status).toBe(403);
    expect((await move(sandbox, 'DELETE', 'owners', OLIVE, 'member')).status).toBe(204);
    expect(await generate(sandbox, 'owner')).toBe(404);
    const globex = '/organizations/globex/authentication-token?token=audit-trails';
    expect((await sandbox.ask('GET', globex)).status).toBe(200);
  });

  test('members of a team that manages memberships may invite until they leave it', async () => {
    const sandbox = openTestSandbox();
    expect(await invite(sandbox, 'member')).toBe(404);
    await move(sandbox, 'POST', 'security', MILO);
    expect(await invite(sandbox, 'member')).toBe(201);
    await move(sandbox, 'DELETE', 'security', TARA);
    expect(await invite(sandbox, 'team-manager')).toBe(404);
  });
});

describe('the members of a team', () => {
  const emails = (body: Json): string[] => body.data.map((member: Json) => member.attributes.email);

  test.each([
    ['', [REX, IVAN]],
    ['filter%5Bstatus%5D=active', [REX]],
    ['filter%5Bstatus%5D=invited', [IVAN]],
    ['filter%5Bstatus%5D=inactive', []],
    ['page%5Bsize%5D=1&page%5Bnumber%5D=2', [IVAN]],
  ])('?%s', async (query, expected) => {
    const sandbox = openTestSandbox();
    const path = await pathOf(sandbox, 'platform');
    const { body } = await sandbox.ask('GET', `${path}?${query}`, { as: 'member' });
    expect(emails(body)).toEqual(expected);
    const total = query.startsWith('page') ? 2 : expected.length;
    expect(body.meta.pagination['total-count']).toBe(total);
  });

  test('are counted once they are active', async () => {
    const sandbox = openTestSandbox();
    const count = async (): Promise<number> =>
      (await sandbox.ask('GET', `/teams/${await sandbox.teamId('platform')}`)).body.data.attributes['users-count'];
    expect(await count()).toBe(1);
    sandbox.accept(IVAN);
    expect(await count()).toBe(2);
    await move(sandbox, 'DELETE', 'platform', IVAN);
    expect(await count()).toBe(1);
    await sandbox.ask('DELETE', `/organization-memberships/${await sandbox.membershipId(REX)}`);
    expect(await count()).toBe(0);
  });

  test('two are added and removed together, each with an event', async () => {
    const sandbox = openTestSandbox();
    const path = await pathOf(sandbox, 'audit');
    const ids = [await sandbox.membershipId(OLIVE), await sandbox.membershipId(IVAN)];
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await sandbox.ask(method, path, { body: createMembers(...ids) })).status).toBe(204);
    }
    const { body } = await sandbox.ask('GET', '/organization/audit-trail?page%5Bsize%5D=4', { as: 'org-token' });
    const [, audit] = /\/teams\/(.+)\/rel/.exec(path) ?? [];
    expect(body.data.map(({ resource }: Json) => [resource.type, resource.id, resource.action])).toEqual([
      ['team', audit, 'remove_member'],
      ['team', audit, 'remove_member'],
      ['team', audit, 'add_member'],
      ['team', audit, 'add_member'],
    ]);
    expect(body.data[0].resource.meta).toEqual({ user: expect.stringMatching(/^user-/) });
  });

  test.each([
    ['POST', { data: [{ type: 'users', id: 'ou-1' }] }, 'Type must be organization-memberships'],
    ['POST', createMembers(''), "Id can't be blank"],
    ['POST', { data: [] }, 'Data must be a list of organization memberships'],
    ['POST', { data: createMembers('ou-1').data[0] }, 'Data must be a list of organization memberships'],
    ['DELETE', createMembers('ou-none'), 'ou-none is not a membership of the organization'],
  ] as const)('%s of %j is 400', async (method, body, detail) => {
    const sandbox = openTestSandbox();
    const reply = await sandbox.ask(method, await pathOf(sandbox, 'audit'), { body });
    expect([reply.status, reply.body]).toEqual([400, { errors: [{ status: '400', title: 'bad request', detail }] }]);
  });

  test('who can not be added or removed is named, and nothing is done: 400', async () => {
    const sandbox = openTestSandbox();
    const path = await pathOf(sandbox, 'audit');
    const [olive, milo] = [await sandbox.membershipId(OLIVE), await sandbox.membershipId(MILO)];
    const gina = await sandbox.membershipId('gina.globex@example.com', 'globex');
    const details = [];
    for (const [method, ids] of [
      ['POST', [olive, milo]],
      ['DELETE', [milo, olive]],
      ['POST', [olive, gina]],
    ] as const) {
      const { status, body } = await sandbox.ask(method, path, { body: createMembers(...ids) });
      details.push([status, body.errors[0].detail]);
    }
    expect(details).toEqual([
      [400, `${milo} is already a member`],
      [400, `${olive} is not a member`],
      [400, `${gina} is not a membership of the organization`],
    ]);
    const ids = (await sandbox.ask('GET', path)).body.data.map(({ id }: Json) => id);
    expect([ids.includes(olive), ids.includes(milo)]).toEqual([false, true]);
  });

  test('the last active owner stays, with any caller, and even beside an invited one', async () => {
    const sandbox = openTestSandbox();
    await move(sandbox, 'POST', 'owners', IVAN);
    const reply = await move(sandbox, 'DELETE', 'owners', OLIVE, 'org-token');
    const detail = 'You cannot remove the last active owner of the organization';
    expect([reply.status, reply.body]).toEqual([403, { errors: [{ status: '403', title: 'forbidden', detail }] }]);
    expect((await move(sandbox, 'DELETE', 'owners', IVAN)).status).toBe(204);
  });
});

describe('include', () => {
  test.each(['/organizations/acme/teams?filter%5Bnames%5D=platform&', '/teams/TEAM?'])(
    '%s shows the members of a team: active users, and memberships',
    async (start) => {
      const sandbox = openTestSandbox();
      const path = start.replace('TEAM', await sandbox.teamId('platform'));
      const { body } = await sandbox.ask('GET', `${path}include=users,organization-memberships`);
      const [team] = [body.data].flat();
      expect(body.included.map((one: Json) => [one.type, one.attributes.username ?? one.attributes.status])).toEqual([
        ['users', 'rex-registry-manager'],
        ['organization-memberships', 'active'],
        ['organization-memberships', 'invited'],
      ]);
      const toIdentifiers = (type: string): Json =>
        body.included.filter((one: Json) => one.type === type).map(({ id }: Json) => ({ id, type }));
      expect(team.relationships).toEqual({
        organization: { data: { id: 'acme', type: 'organizations' } },
        users: { data: toIdentifiers('users') },
        'organization-memberships': { data: toIdentifiers('organization-memberships') },
      });
    },
  );
});
