import { describe, expect, test } from 'vitest';
import { ask, type Json, NOT_FOUND, ORIGIN, openTestSandbox } from './harness.ts';

describe('teams', () => {
  test.each([
    ['', ['owners', 'platform', 'security', 'audit']],
    ['q=TF', ['platform']],
    ['q=ur', ['security']],
    ['filter%5Bnames%5D=audit,owners,none', ['owners', 'audit']],
    ['filter%5Bnames%5D=Audit', []],
    ['page%5Bsize%5D=3&page%5Bnumber%5D=2', ['audit']],
  ])('?%s', async (query, expected) => {
    const { body } = await ask(openTestSandbox(), 'GET', `/organizations/acme/teams?${query}`);
    expect(body.data.map((team: Json) => team.attributes.name)).toEqual(expected);
  });
});

describe('who the caller is', () => {
  test.each([
    ['owner', 'olive-owner', false],
    ['registry-manager', 'rex-registry-manager', false],
    ['owners-team', 'api-team-owners-acme', true],
    ['org-token', 'api-org-acme', true],
  ] as const)('%s', async (as, username, service) => {
    const { body } = await ask(openTestSandbox(), 'GET', '/account/details', { as });
    expect(body.data).toMatchObject({
      type: 'users',
      id: expect.stringMatching(/^user-[A-Za-z0-9]{16}$/),
      attributes: { username, 'is-service-account': service },
    });
  });
});

describe('the service as such', () => {
  test('ping', async () => {
    const { status, text, headers } = await ask(openTestSandbox(), 'GET', '/ping', { as: 'none' });
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
  });

  test('discovery is at the origin only, and plain', async () => {
    const sandbox = openTestSandbox();
    const { status, body, headers } = await ask(sandbox, 'GET', `${ORIGIN}/.well-known/terraform.json`, { as: 'none' });
    expect([status, headers.get('content-type'), body['tfe.v2.2']]).toEqual([200, 'application/json', '/api/v2/']);
    expect((await ask(sandbox, 'GET', '/.well-known/terraform.json')).status).toBe(404);
  });

  test('the public registry', async () => {
    const sandbox = openTestSandbox();
    const path = (address: string): string => `${ORIGIN}/api/registry/public/v1/providers/${address}/versions`;
    const { body, headers } = await ask(sandbox, 'GET', path('hashicorp/aws'));
    expect(headers.get('content-type')).toBe('application/json');
    expect(body.versions[0]).toEqual({
      version: '6.8.0',
      protocols: ['5.0'],
      platforms: expect.arrayContaining([{ os: 'linux', arch: 'amd64' }]),
    });
    const unknown = await ask(sandbox, 'GET', path('hashicorp/none'));
    expect([unknown.status, unknown.body]).toEqual([404, NOT_FOUND]);
  });
});
