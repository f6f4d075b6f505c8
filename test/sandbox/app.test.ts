import { describe, expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { createBytes } from '../support/bytes.ts';
import {
  addCalls,
  MEMBERSHIPS,
  NOT_FOUND,
  NOW,
  openTestSandbox,
  PROVIDERS,
  TOKEN,
  TOKEN_REQUEST,
  UNAUTHORIZED,
} from './harness.ts';

const MALFORMED = {
  errors: [{ status: '422', title: 'malformed body', detail: 'The request body must be a JSON object' }],
};

describe('authentication', () => {
  test.each([
    ['no header', undefined],
    ['an unknown token', 'Bearer sandbox.nobody'],
    ['another scheme', 'Basic sandbox.owner'],
    ['a token without its scheme', 'sandbox.owner'],
  ])('%s is 401', async (_name, authorization) => {
    const headers = new Headers(authorization === undefined ? {} : { authorization });
    const response = await openTestSandbox().handle(new Request('http://x/api/v2/feature-sets', { headers }));
    expect([response.status, await response.json()]).toEqual([401, UNAUTHORIZED]);
  });

  test('an unknown route is 404 even without a token, and is logged without the query', async () => {
    const lines: string[] = [];
    const sandbox = openTestSandbox({ log: (line) => lines.push(line) });
    const reply = await sandbox.ask('GET', '/organizations/acme/workspaces?token=hidden', { as: 'none' });
    expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
    expect(lines).toEqual(['no route for GET /api/v2/organizations/acme/workspaces']);
  });
});

describe('bodies', () => {
  const WRITES = [MEMBERSHIPS, PROVIDERS, TOKEN];

  test.each(WRITES)('POST to %s with a body that is not an object is 422', async (path) => {
    for (const body of ['', '{', '[]', 'null', '"text"']) {
      const reply = await openTestSandbox().ask('POST', path, { body });
      expect([reply.status, reply.body]).toEqual([422, MALFORMED]);
    }
  });

  test.each([
    ['POST', null],
    ['POST', 'application/json'],
    ['DELETE', null],
  ])('%s with the content type %s is 415 and does nothing', async (method, contentType) => {
    const sandbox = openTestSandbox();
    // Of a text fetch would name a type by itself.
    const body = method === 'POST' ? new TextEncoder().encode(JSON.stringify(TOKEN_REQUEST)) : null;
    const headers = { authorization: 'Bearer sandbox.owner', ...(contentType && { 'content-type': contentType }) };
    const response = await sandbox.handle(new Request(`http://x/api/v2${TOKEN}`, { method, headers, body }));
    expect(response.status).toBe(415);
    expect(sandbox.tokenFor('audit-token', 'acme')).toBe('sandbox.audit-token.acme');
  });

  test('parameters of the content type do not matter', async () => {
    const contentType = 'Application/vnd.api+json; charset=utf-8';
    expect((await openTestSandbox().ask('POST', TOKEN, { body: TOKEN_REQUEST, contentType })).status).toBe(201);
  });
});

const UMBRELLA = '/organizations/umbrella/feature-sets';

describe('paths and headers', () => {
  test('the same routes answer at the root, and links lead back to where the request went', async () => {
    const sandbox = openTestSandbox();
    const root = await sandbox.ask('GET', 'http://x:81/organizations/ACME/registry-providers?q=dns');
    expect(root.body.data[0].links.self).toBe('/organizations/acme/registry-providers/private/acme/internal-dns');
    expect(root.body.links.self).toBe(
      'http://x:81/organizations/ACME/registry-providers?q=dns&page%5Bnumber%5D=1&page%5Bsize%5D=20',
    );
    const prefixed = await sandbox.ask('GET', '/organizations/acme/registry-providers?q=dns');
    expect(prefixed.body.data[0].links.self).toBe(
      '/api/v2/organizations/acme/registry-providers/private/acme/internal-dns',
    );
  });

  test.each(['/organizations/%E0%A4%A/teams', '/organizations//teams', '/organizations/acme/teams/', '/', UMBRELLA])(
    '%s is 404',
    async (path) => {
      expect((await openTestSandbox().ask('GET', path)).status).toBe(404);
    },
  );

  test('every answer has an id of its own, and none that is unlimited says how much is left', async () => {
    const sandbox = openTestSandbox();
    const ids = new Set<string>();
    for (const path of ['/ping', '/feature-sets', '/nothing']) {
      const { headers } = await sandbox.ask('GET', path, { as: 'none' });
      expect(headers.get('x-ratelimit-limit')).toBeNull();
      ids.add(headers.get('x-request-id') ?? '');
    }
    const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids]).toEqual([uuid, uuid, uuid]);
  });
});

const INVENTORY = `${PROVIDERS}/private/acme/inventory`;
test.each([
  'GET /organizations/acme/teams',
  `GET ${TOKEN}`,
  'GET /organization/audit-trail',
  'GET /ping',
  'GET /account/details',
  'GET http://x/.well-known/terraform.json',
  'GET /teams/team-none',
  'POST /organizations/acme/authentication-token',
  'DELETE /organizations/acme/authentication-token',
  'GET /organizations/acme/team-tokens',
  'POST /teams/team-1/authentication-tokens',
  'DELETE /authentication-tokens/at-1',
  'GET /organizations/acme/token-ttl-policies',
  'PATCH /organizations/acme/token-ttl-policies',
  `GET ${INVENTORY}/versions`,
  `GET ${INVENTORY}/versions/1.2.0/platforms`,
  'GET http://x/api/registry/private/v2/gpg-keys',
  'GET http://x/api/registry/v1/providers/acme/inventory/versions',
])('the service of the document only: %s is 404', async (request) => {
  const [method = '', path = ''] = request.split(' ');
  const reply = await openTestSandbox({ documentOnly: true }).ask(method, path, {
    ...(method !== 'GET' && { body: TOKEN_REQUEST }),
  });
  expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
  expect(reply.headers.get('tfp-appname')).toBeNull();
});

describe('the rate limit', () => {
  test('is a window of one second for each caller', async () => {
    let now = NOW;
    const sandbox = openTestSandbox({ rateLimit: 3, now: () => now });
    const hit = async (as: 'owner' | 'member' | 'none', path = '/feature-sets'): Promise<unknown[]> => {
      const { status, headers } = await sandbox.ask('GET', path, { as });
      const header = (name: string): string | null => headers.get(`x-ratelimit-${name}`);
      return [status, header('limit'), header('remaining'), header('reset')];
    };
    expect(await hit('owner')).toEqual([200, '3', '2', '1.000']);
    now += 388;
    expect(await hit('owner')).toEqual([200, '3', '1', '0.612']);
    // One count over all of a user's organizations, routes known and unknown.
    expect(await hit('owner', '/nothing')).toEqual([404, '3', '0', '0.612']);
    expect(await hit('owner')).toEqual([429, '3', '0', '0.612']);
    expect(await hit('member')).toEqual([200, '3', '2', '1.000']);
    // Without a token the address counts.
    expect(await hit('none', '/ping')).toEqual([204, '3', '2', '1.000']);
    expect(await hit('none')).toEqual([401, '3', '1', '1.000']);
    now += 612;
    expect(await hit('owner')).toEqual([200, '3', '0', '0.388']);
    expect(await hit('owner')).toEqual([429, '3', '0', '0.388']);
    now += 1_000;
    expect(await hit('owner')).toEqual([200, '3', '2', '1.000']);
  });

  test("answers with the service's own error and changes nothing", async () => {
    const sandbox = openTestSandbox({ rateLimit: 1 });
    await sandbox.ask('GET', '/feature-sets');
    const reply = await sandbox.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual({
      errors: [{ detail: "You have exceeded the API's rate limit.", status: 429, title: 'Too many requests' }],
    });
    expect(sandbox.tokenFor('audit-token', 'acme')).toBe('sandbox.audit-token.acme');
  });

  test('is thirty a second unless said otherwise', async () => {
    const sandbox = openSandbox({ state: ':memory:', now: () => NOW, randomBytes: createBytes('sandbox') });
    expect((await addCalls(sandbox).ask('GET', '/feature-sets')).headers.get('x-ratelimit-limit')).toBe('30');
  });
});
