import { describe, expect, test } from 'vitest';
import { createInvitation, type Json, listFlaws, MEMBERSHIPS, openTestSandbox } from './harness.ts';

const emails = (body: Json): string[] => body.data.map((member: Json) => member.attributes.email.split('@')[0]);

const ALL = ['olive.owner', 'milo.member', 'tara.team-manager', 'rex.registry-manager', 'ada.auditor', 'ivan.invitee'];

describe('the list of an organization', () => {
  test.each([
    ['', ALL],
    ['q=', ALL],
    ['q=OLIVE', ['olive.owner']],
    ['q=ada-aud', ['ada.auditor']],
    ['q=manager', ['tara.team-manager', 'rex.registry-manager']],
    ['q=_', []],
    ['q=%25', []],
    ['q=ivan-', []],
    ['filter%5Bstatus%5D=invited', ['ivan.invitee']],
    ['filter[status]=active', ALL.slice(0, 5)],
    ['filter%5Bemail%5D=ADA.auditor@Example.com', ['ada.auditor']],
    ['filter%5Bemail%5D=ivan.invitee@example.com,%20olive.owner@example.com,', ['olive.owner', 'ivan.invitee']],
    ['filter%5Bemail%5D=olive', []],
    ['filter%5Bemail%5D=olive.owner@example.com&filter%5Bstatus%5D=invited', []],
    ['q=o&filter%5Bstatus%5D=invited', ['ivan.invitee']],
    ['q=ada&filter%5Bemail%5D=ada.auditor@example.com', ['ada.auditor']],
    ['filter%5Bunknown%5D=x', ALL],
  ])('%s', async (query, expected) => {
    const { body } = await openTestSandbox().ask('GET', `${MEMBERSHIPS}?${query}`);
    expect(emails(body)).toEqual(expected);
    expect(body.meta.pagination['total-count']).toBe(expected.length);
    expect(body.meta['status-counts']).toEqual({ total: 6, active: 5, invited: 1 });
  });

  test.each([
    ['page%5Bsize%5D=4', 4, [1, 4, null, 2, 2, 6]],
    ['page%5Bsize%5D=4&page%5Bnumber%5D=2', 2, [2, 4, 1, null, 2, 6]],
    ['page[size]=3&page[number]=2', 3, [2, 3, 1, null, 2, 6]],
    ['page%5Bnumber%5D=999', 0, [999, 20, null, null, 1, 6]],
    ['page%5Bnumber%5D=999999999999999&page%5Bsize%5D=100', 0, [999999999999999, 100, null, null, 1, 6]],
    ['q=nobody', 0, [1, 20, null, null, 0, 0]],
  ])('%s', async (query, count, pagination) => {
    const { body } = await openTestSandbox().ask('GET', `${MEMBERSHIPS}?${query}`);
    expect(body.data).toHaveLength(count);
    expect(Object.values(body.meta.pagination)).toEqual(pagination);
  });

  const size = { status: '422', title: 'invalid attribute', detail: 'page[size] must be between 1 and 100' };
  const number = { status: '422', title: 'invalid attribute', detail: 'page[number] must be a whole number from 1' };
  test.each([
    ['page%5Bsize%5D=101', [size]],
    ['page%5Bsize%5D=0', [size]],
    ['page%5Bsize%5D=many', [size]],
    ['page%5Bnumber%5D=0', [number]],
    ['page%5Bnumber%5D=1.5', [number]],
    ['page%5Bnumber%5D=x&page%5Bsize%5D=x', [number, size]],
  ])('%s is 422', async (query, errors) => {
    const reply = await openTestSandbox().ask('GET', `${MEMBERSHIPS}?${query}`);
    expect([reply.status, reply.body]).toEqual([422, { errors }]);
  });

  test.each([
    ['filter%5Bstatus%5D=pending', 'filter[status] must be one of: invited, active, inactive'],
    ['include=user,organization', 'Invalid include parameter'],
  ])('%s is 400', async (query, detail) => {
    const reply = await openTestSandbox().ask('GET', `${MEMBERSHIPS}?${query}`);
    expect([reply.status, reply.body]).toEqual([400, { errors: [{ status: '400', title: 'bad request', detail }] }]);
  });
});

describe('include', () => {
  const included = (body: Json): string[] | undefined =>
    body.included?.map((resource: Json) => resource.attributes.username ?? resource.attributes.name ?? resource.type);

  test.each([
    ['', undefined],
    ['include=', undefined],
    ['include=user&q=ivan', ['users']],
    ['include=user&q=ada', ['ada-auditor']],
    ['include=teams', ['owners', 'audit', 'security', 'platform']],
    ['include=teams,user&q=ada', ['ada-auditor', 'audit']],
    ['include=user&q=nobody', []],
  ])('%s', async (query, expected) => {
    const { body } = await openTestSandbox().ask('GET', `${MEMBERSHIPS}?${query}`);
    expect(included(body)).toEqual(expected);
  });

  test('works on one membership and on the own ones', async () => {
    const sandbox = openTestSandbox();
    const id = await sandbox.membershipId('ada.auditor@example.com');
    const one = await sandbox.ask('GET', `/organization-memberships/${id}?include=user,teams`);
    expect(included(one.body)).toEqual(['ada-auditor', 'audit']);
    expect((await sandbox.ask('GET', `/organization-memberships/${id}?include=organization`)).status).toBe(400);
    const own = await sandbox.ask('GET', '/organization-memberships?include=organization,user');
    expect(included(own.body)).toEqual(['olive-owner', 'acme', 'globex', 'initech']);
  });
});

describe('own memberships', () => {
  const organizations = (body: Json): string[] =>
    body.data.map((member: Json) => member.relationships.organization.data.id);

  test('are all listed, without pagination, unless a page is asked for', async () => {
    const sandbox = openTestSandbox();
    const all = await sandbox.ask('GET', '/organization-memberships', { as: 'member' });
    expect(organizations(all.body)).toEqual(['acme', 'globex', 'initech']);
    expect(Object.keys(all.body)).toEqual(['data']);
    const path = '/organization-memberships?page%5Bsize%5D=2&page%5Bnumber%5D=2';
    const page = await sandbox.ask('GET', path, { as: 'member' });
    expect(organizations(page.body)).toEqual(['initech']);
    expect(Object.values(page.body.meta.pagination)).toEqual([2, 2, 1, null, 2, 3]);
  });

  test.each(['owners-team', 'org-token'] as const)('are none for the %s', async (as) => {
    const sandbox = openTestSandbox();
    expect((await sandbox.ask('GET', '/organization-memberships', { as })).body).toEqual({ data: [] });
    const page = await sandbox.ask('GET', '/organization-memberships?page%5Bsize%5D=2', { as });
    expect(page.body.meta.pagination['total-count']).toBe(0);
  });
});

describe('inviting', () => {
  test('names each team once, and can be found by its address', async () => {
    const sandbox = openTestSandbox();
    const [platform, audit] = [await sandbox.teamId('platform'), await sandbox.teamId('audit')];
    const body = createInvitation('New.Person+x@example.com', audit, platform, audit);
    const { data } = (await sandbox.ask('POST', MEMBERSHIPS, { body })).body;
    expect(data.relationships.teams.data.map(({ id }: Json) => id)).toEqual([platform, audit]);
    expect((await sandbox.ask('GET', `/organization-memberships/${data.id}`)).body).toEqual({ data });
    const found = await sandbox.ask('GET', `${MEMBERSHIPS}?filter%5Bemail%5D=new.person%2Bx@example.com`);
    expect(found.body.data).toEqual([data]);
  });

  test('reuses the account that has the address', async () => {
    const sandbox = openTestSandbox();
    const team = await sandbox.teamId('audit');
    const reply = await sandbox.ask('POST', MEMBERSHIPS, { body: createInvitation('GINA.globex@example.com', team) });
    expect(reply.body.data.attributes.status).toBe('invited');
    expect(reply.body.included[0].attributes.username).toBe('gina-globex');
  });

  const TEAM = { type: 'teams', id: 'team-none' };
  const EMAIL = 'attributes/email';
  const TEAMS = 'relationships/teams';
  const toTaken = (how: string): string => `Email ${how} the organization already`;
  const NO_TEAM: [string, string] = ['Teams must name at least one team', TEAMS];
  test.each([
    ['no email', { email: undefined }, [["Email can't be blank", EMAIL]]],
    ['an empty email', { email: '' }, [["Email can't be blank", EMAIL]]],
    ['a number for an email', { email: 7 }, [['Email must be a string', EMAIL]]],
    ['no email address', { email: 'not-an-email-address' }, [['Email is not an email address', EMAIL]]],
    ['two addresses', { email: 'a@x.example,b@x.example' }, [['Email is not an email address', EMAIL]]],
    ['a member', { email: 'ADA.auditor@example.com' }, [[toTaken('belongs to a member of'), EMAIL]]],
    ['an invitee', { email: 'ivan.invitee@example.com' }, [[toTaken('has been invited to'), EMAIL]]],
    ['no teams', { teams: undefined }, [NO_TEAM]],
    ['an empty list of teams', { teams: { data: [] } }, [NO_TEAM]],
    ['one team without a list', { teams: { data: TEAM } }, [NO_TEAM]],
    ['an unknown team', { teams: { data: [TEAM] } }, [['Team not found in the organization', `${TEAMS}/data/0/id`]]],
    ['no identifiers', { teams: { data: ['owners'] } }, [['Type must be teams', `${TEAMS}/data/0/type`]]],
    ['another type', { type: 'x', email: '' }, [['Type must be organization-memberships', 'type']]],
  ] as [string, Json, [string, string][]][])('%s is 422', async (_name, change, flaws) => {
    const sandbox = openTestSandbox();
    const body = createInvitation('new@example.com', await sandbox.teamId('audit'));
    const { email, teams, ...rest } = { ...body.data.attributes, ...body.data.relationships, ...change };
    Object.assign(body.data, rest, { attributes: { email }, relationships: { teams } });
    const reply = await sandbox.ask('POST', MEMBERSHIPS, { body });
    expect([reply.status, reply.body]).toEqual([422, listFlaws(...flaws)]);
    expect((await sandbox.ask('GET', MEMBERSHIPS)).body.meta['status-counts'].total).toBe(6);
  });

  test("another organization's team is unknown", async () => {
    const sandbox = openTestSandbox();
    const body = createInvitation('new@example.com', await sandbox.teamId('audit', 'globex'));
    expect((await sandbox.ask('POST', MEMBERSHIPS, { body })).status).toBe(422);
  });
});

describe('removing', () => {
  test('takes the member out of the list and of the teams, who may be invited again', async () => {
    const sandbox = openTestSandbox();
    const id = await sandbox.membershipId('ada.auditor@example.com');
    const reply = await sandbox.ask('DELETE', `/organization-memberships/${id}`);
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
    expect((await sandbox.ask('GET', `/organization-memberships/${id}`)).status).toBe(404);
    expect((await sandbox.ask('DELETE', `/organization-memberships/${id}`)).status).toBe(404);
    const list = await sandbox.ask('GET', `${MEMBERSHIPS}?include=teams`);
    expect(list.body.meta['status-counts']).toEqual({ total: 5, active: 4, invited: 1 });
    const team = list.body.included.find((resource: Json) => resource.attributes.name === 'audit');
    expect(team.attributes['users-count']).toBe(1);
    const again = await sandbox.ask('POST', MEMBERSHIPS, {
      body: createInvitation('ada.auditor@example.com', team.id),
    });
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(id);
  });

  test('only owners are refused to remove themselves', async () => {
    const sandbox = openTestSandbox();
    const [olive, tara] = [
      await sandbox.membershipId('olive.owner@example.com'),
      await sandbox.membershipId('tara.team-manager@example.com'),
    ];
    const remove = async (id: string, as: 'owner' | 'team-manager' | 'owners-team') =>
      (await sandbox.ask('DELETE', `/organization-memberships/${id}`, { as })).status;
    expect(await remove(olive, 'owner')).toBe(403);
    expect(await remove(tara, 'team-manager')).toBe(204);
    expect(await remove(olive, 'owners-team')).toBe(204);
  });
});
