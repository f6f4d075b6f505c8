import { describe, expect, test } from 'vitest';
import {
  createInvitation,
  createProvider,
  type Json,
  listFlaws,
  NOT_FOUND,
  NOW,
  openTestSandbox,
  TOKEN,
  TOKEN_REQUEST,
  TRAIL,
  UNAUTHORIZED,
} from './harness.ts';

const toRequest = (expiry: unknown): Json => ({
  data: { type: 'authentication-token', attributes: { 'expired-at': expiry } },
});

describe('the audit trail token', () => {
  test('shows its secret once, and replaces the previous token at once', async () => {
    const sandbox = openTestSandbox();
    expect((await sandbox.ask('GET', TRAIL, { token: 'sandbox.audit-token.acme' })).status).toBe(200);
    const reply = await sandbox.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    const secret = reply.body.data.attributes.token;
    expect(secret).toMatch(/^sandbox\.[A-Za-z0-9]{56}$/);
    const old = await sandbox.ask('GET', TRAIL, { token: 'sandbox.audit-token.acme' });
    expect([old.status, old.body]).toEqual([401, UNAUTHORIZED]);
    expect((await sandbox.ask('GET', TRAIL, { token: secret })).status).toBe(200);
    const shown = await sandbox.ask('GET', TOKEN);
    const { attributes, ...rest } = reply.body.data;
    expect(shown.body.data).toEqual({
      ...rest,
      attributes: { ...attributes, token: null, 'last-used-at': '2026-03-01T12:00:00.000Z' },
    });
    expect(sandbox.tokenFor('audit-token', 'globex')).toBe('sandbox.audit-token.globex');
  });

  test('has the caller as its creator', async () => {
    const sandbox = openTestSandbox();
    const creator = async (as: 'owners-team' | 'org-token'): Promise<Json> =>
      (await sandbox.ask('POST', TOKEN, { as, body: TOKEN_REQUEST })).body.data.relationships['created-by'].data;
    expect(await creator('owners-team')).toEqual({ id: await sandbox.teamId('owners'), type: 'teams' });
    expect(await creator('org-token')).toEqual({ id: 'acme', type: 'organizations' });
  });

  test('can be deleted, and deleting it again is 404', async () => {
    const sandbox = openTestSandbox();
    const reply = await sandbox.ask('DELETE', TOKEN);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await sandbox.ask('DELETE', TOKEN)).body).toEqual(NOT_FOUND);
    expect((await sandbox.ask('GET', TOKEN)).body).toEqual(NOT_FOUND);
    expect((await sandbox.ask('GET', TRAIL, { token: 'sandbox.audit-token.acme' })).status).toBe(401);
    expect(sandbox.tokenFor('audit-token', 'acme')).toBeUndefined();
    expect((await sandbox.ask('POST', TOKEN, { body: TOKEN_REQUEST })).status).toBe(201);
  });

  test.each(['?token=other', '?token=audit_trails'])('is not what the query %j is about', async (query) => {
    const sandbox = openTestSandbox();
    const path = `/organizations/acme/authentication-token${query}`;
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await sandbox.ask(method, path, method === 'POST' ? { body: TOKEN_REQUEST } : {});
      expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
    }
    expect(sandbox.tokenFor('audit-token', 'acme')).toBe('sandbox.audit-token.acme');
  });

  test.each([
    [undefined, null],
    [null, null],
    ['2026-03-01T12:00:01Z', '2026-03-01T12:00:01.000Z'],
    ['2027-01-01T00:00:00.123Z', '2027-01-01T00:00:00.123Z'],
    ['2027-01-01T02:00:00+02:00', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01 00:00:00', '2027-01-01T00:00:00.000Z'],
  ])('expires at %j: %j', async (expiry, expected) => {
    const reply = await openTestSandbox().ask('POST', TOKEN, { body: toRequest(expiry) });
    expect([reply.status, reply.body.data.attributes['expired-at']]).toEqual([201, expected]);
  });

  const NO_DATE = 'Expired at must be an ISO 8601 date and time';
  test.each<[unknown, string]>([
    ['2026-03-01T12:00:00Z', 'Expired at must be in the future'],
    ['2020-01-01T00:00:00Z', 'Expired at must be in the future'],
    ['2027-13-01T00:00:00Z', NO_DATE],
    ['2027-01-01', NO_DATE],
    ['', NO_DATE],
    [1830000000, NO_DATE],
  ])('cannot expire at %j', async (expiry, detail) => {
    const sandbox = openTestSandbox();
    const reply = await sandbox.ask('POST', TOKEN, { body: toRequest(expiry) });
    expect([reply.status, reply.body]).toEqual([422, listFlaws([detail, 'attributes/expired-at'])]);
    expect(sandbox.tokenFor('audit-token', 'acme')).toBe('sandbox.audit-token.acme');
  });

  test('is refused with 401 once it has expired, and is still shown', async () => {
    let now = NOW;
    const sandbox = openTestSandbox({ now: () => now });
    const { body } = await sandbox.ask('POST', TOKEN, { body: toRequest('2026-03-01T13:00:00Z') });
    const token = body.data.attributes.token;
    now += 3_599_999;
    expect((await sandbox.ask('GET', TRAIL, { token })).status).toBe(200);
    now += 1;
    expect((await sandbox.ask('GET', TRAIL, { token })).status).toBe(401);
    expect((await sandbox.ask('GET', TOKEN)).body.data.attributes['expired-at']).toBe('2026-03-01T13:00:00.000Z');
  });
});

const ONE_PAGE = { current_page: 1, page_size: 1000, prev_page: null, next_page: null };

describe('the audit trail', () => {
  test('shows what was done, by whom, in which request', async () => {
    let now = NOW;
    const sandbox = openTestSandbox({ now: () => now });
    const team = await sandbox.teamId('audit');
    const replies = [];
    for (const [method, path, body] of [
      ['POST', TOKEN, TOKEN_REQUEST],
      ['GET', TOKEN, undefined],
      ['DELETE', TOKEN, undefined],
      ['POST', '/organizations/acme/organization-memberships', createInvitation('new@example.com', team)],
      ['POST', '/organizations/acme/registry-providers', createProvider('private', 'acme', 'new')],
      ['DELETE', '/organizations/acme/registry-providers/private/acme/new', undefined],
      ['DELETE', '/organizations/globex/authentication-token?token=audit-trails', undefined],
    ] as const) {
      now += 1_000;
      replies.push(await sandbox.ask(method, path, { body }));
    }
    now += 1_000;
    const member = await sandbox.membershipId('new@example.com');
    await sandbox.ask('DELETE', `/organization-memberships/${member}`, { as: 'org-token' });

    const since = `${TRAIL}?since=2026-03-01T12:00:01.000Z`;
    const reply = await sandbox.ask('GET', since, { as: 'org-token' });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.body.data.map(({ resource }: Json) => `${resource.type} ${resource.action}`).join(', ')).toBe(
      'organization_user destroy, team remove_member, registry_provider destroy, registry_provider create, ' +
        'team add_member, organization_user create, authentication_token destroy, authentication_token show, ' +
        'authentication_token create',
    );
    expect(reply.body.data[8]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: '0',
      type: 'Resource',
      timestamp: '2026-03-01T12:00:01.000Z',
      auth: {
        accessor_id: replies[0]?.body.data.relationships['created-by'].data.id,
        description: 'olive-owner',
        type: 'Client',
        impersonator_id: null,
        organization_id: expect.stringMatching(/^org-/),
      },
      request: { id: replies[0]?.headers.get('x-request-id') },
      resource: { id: replies[0]?.body.data.id, type: 'authentication_token', action: 'create', meta: null },
    });
    expect(reply.body.data[0]).toMatchObject({
      auth: { accessor_id: expect.stringMatching(/^user-/), description: 'api-org-acme' },
      resource: { id: member },
    });
    expect(reply.body.data[1].resource).toMatchObject({ id: team, meta: { user: expect.stringMatching(/^user-/) } });
    expect(reply.body.pagination).toEqual({ ...ONE_PAGE, total_pages: 1, total_count: 9 });
    const page = await sandbox.ask('GET', `${since}&page[size]=2&page[number]=5`, { as: 'org-token' });
    expect(page.body.data).toEqual(reply.body.data.slice(8));
  });

  test('goes back 14 days, to the millisecond, and `since` is inclusive', async () => {
    let now = NOW;
    const sandbox = openTestSandbox({ now: () => now, seed: 'empty' });
    await sandbox.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    now += 1;
    await sandbox.ask('GET', TOKEN);
    const read = async (query = ''): Promise<Json> => {
      const { body } = await sandbox.ask('GET', `${TRAIL}${query}`, { as: 'org-token' });
      return body.data.map(({ resource }: Json) => resource.action);
    };
    expect(await read('?since=2026-03-01T12:00:00.000Z')).toEqual(['show', 'create']);
    expect(await read('?since=2026-03-01T13:00:00.001%2B01:00')).toEqual(['show']);
    expect(await read('?since=2026-03-01T12:00:00.002Z')).toEqual([]);
    now = NOW + 14 * 86_400_000;
    expect(await read()).toEqual(['show', 'create']);
    now += 1;
    expect(await read()).toEqual(['show']);
    now += 1;
    expect(await read('?since=2026-01-01T00:00:00Z')).toEqual([]);
  });

  test.each(['owner', 'owners-team', 'member', 'team-manager', 'registry-manager'] as const)(
    'is the same for the %s as one in which nothing happened',
    async (as) => {
      const sandbox = openTestSandbox();
      for (const query of ['', '?page%5Bsize%5D=4&page%5Bnumber%5D=3', '?since=2026-02-28T00:00:00Z', '?since=never']) {
        const reply = await sandbox.ask('GET', `${TRAIL}${query}`, { as });
        const empty = await sandbox.ask('GET', `${TRAIL}${query}`, { as: 'org-token', of: 'initech' });
        expect([reply.status, reply.body]).toEqual([empty.status, empty.body]);
        if (query !== '') continue;
        const pagination = { ...ONE_PAGE, total_pages: 0, total_count: 0 };
        expect([reply.status, reply.body]).toEqual([200, { data: [], pagination }]);
      }
    },
  );

  test('a write that is refused leaves no event', async () => {
    const sandbox = openTestSandbox();
    const before = (await sandbox.ask('GET', TRAIL, { as: 'org-token' })).body;
    await sandbox.ask('POST', TOKEN, { body: toRequest('never') });
    expect((await sandbox.ask('GET', TRAIL, { as: 'org-token' })).body).toEqual(before);
  });

  test.each(['since=yesterday', 'page[size]=1001'])('%s is 422', async (query) => {
    expect((await openTestSandbox().ask('GET', `${TRAIL}?${query}`, { as: 'org-token' })).status).toBe(422);
  });
});
