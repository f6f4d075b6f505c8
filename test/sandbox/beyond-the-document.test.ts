import { describe, expect, test } from 'vitest';
import { SERVICE_KINDS } from '../../src/sandbox/kinds.ts';
import { type Asking, createProvider, type Json, ORIGIN, openTestSandbox } from './harness.ts';

test.each([
  ['', ['owners', 'platform', 'security', 'audit']],
  ['q=TF', ['platform']],
  ['q=ur', ['security']],
  ['filter%5Bnames%5D=audit,owners,none', ['owners', 'audit']],
  ['filter%5Bnames%5D=Audit', []],
  ['page%5Bsize%5D=3&page%5Bnumber%5D=2', ['audit']],
])('teams?%s', async (query, expected) => {
  const { body } = await openTestSandbox().ask('GET', `/organizations/acme/teams?${query}`);
  expect(body.data.map((team: Json) => team.attributes.name)).toEqual(expected);
});

test.each([
  ['owner', 'olive-owner', false],
  ['registry-manager', 'rex-registry-manager', false],
  ['owners-team', 'api-team-owners-acme', true],
  ['org-token', 'api-org-acme', true],
] as const)('the account of %s', async (as, username, service) => {
  const { body } = await openTestSandbox().ask('GET', '/account/details', { as });
  expect(body.data).toMatchObject({
    type: 'users',
    id: expect.stringMatching(/^user-[A-Za-z0-9]{16}$/),
    attributes: { username, 'is-service-account': service },
  });
});

test('discovery is at the origin only, and plain', async () => {
  const sandbox = openTestSandbox();
  const { status, body, headers } = await sandbox.ask('GET', `${ORIGIN}/.well-known/terraform.json`, { as: 'none' });
  expect([status, headers.get('content-type'), body['tfe.v2.2']]).toEqual([200, 'application/json', '/api/v2/']);
  expect((await sandbox.ask('GET', '/.well-known/terraform.json')).status).toBe(404);
});

describe('the public registry', () => {
  const USUAL = '/api/registry/public/v1';
  const path = (address: string, prefix = USUAL): string => `${ORIGIN}${prefix}/providers/${address}/versions`;

  test('has the versions of what is curated, in whatever case', async () => {
    const sandbox = openTestSandbox({ documentOnly: true });
    const { status, body, headers } = await sandbox.ask('GET', path('HashiCorp/AWS'));
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(body.versions[0]).toEqual({
      version: '6.8.0',
      protocols: ['5.0'],
      platforms: expect.arrayContaining([{ os: 'linux', arch: 'amd64' }]),
    });
  });

  test('knows only what an organization of the caller lists', async () => {
    const sandbox = openTestSandbox();
    const status = async (address: string, asking: Asking = {}): Promise<number> =>
      (await sandbox.ask('GET', path(address), asking)).status;
    expect(await status('hashicorp/azurerm')).toBe(404);
    await sandbox.ask('POST', '/organizations/acme/registry-providers', {
      body: createProvider('public', 'hashicorp', 'azurerm'),
    });
    expect(await status('hashicorp/azurerm')).toBe(200);
    // Listed by globex alone, and by acme alone.
    expect(await status('hashicorp/google')).toBe(200);
    expect(await status('hashicorp/google', { as: 'org-token' })).toBe(404);
    expect(await status('hashicorp/google', { as: 'org-token', of: 'globex' })).toBe(200);
    expect(await status('acme/inventory')).toBe(404);
    const typo = createProvider('public', 'hashicorp', 'asw');
    expect((await sandbox.ask('POST', '/organizations/acme/registry-providers', { body: typo })).status).toBe(201);
    expect(await status('hashicorp/asw')).toBe(404);
  });
});

const NAMES = ['tfp-api-version', 'tfp-appname', 'x-tfe-version', 'x-tfe-current-version'];

test.each([
  ['document', ['2.6', 'HCP Terraform', null, null]],
  ['hosted', ['2.6', 'HCP Terraform', null, null]],
  ['enterprise', ['2.6', 'Terraform Enterprise', 'v202604-1', '2.0.0']],
] as const)('what a service like %s says of itself', async (like, expected) => {
  const sandbox = openTestSandbox({ like });
  for (const path of ['/ping', '/nothing', '/organization-memberships']) {
    const { headers } = await sandbox.ask('GET', path);
    expect(NAMES.map((name) => headers.get(name))).toEqual(expected);
  }
});

test('feature sets and subscriptions are the hosted edition alone', async () => {
  const statuses = async (path: string): Promise<number[]> =>
    await Promise.all(SERVICE_KINDS.map(async (like) => (await openTestSandbox({ like }).ask('GET', path)).status));
  expect(await statuses('/feature-sets')).toEqual([200, 200, 404]);
  expect(await statuses('/organizations/acme/feature-sets')).toEqual([200, 200, 404]);
  expect(await statuses('/organizations/acme/subscription')).toEqual([200, 200, 404]);
  expect(await statuses('/organizations/acme/entitlement-set')).toEqual([200, 200, 200]);
});

test.each([
  ['document', true],
  ['hosted', false],
  ['enterprise', true],
] as const)('like %s, may an owner on the free plan create teams: %s', async (like, can) => {
  const { body } = await openTestSandbox({ like }).ask('GET', '/organizations/initech');
  const { permissions } = body.data.attributes;
  expect([permissions['can-create-team'], permissions['can-update-api-token']]).toEqual([can, true]);
});
