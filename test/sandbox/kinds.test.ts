import { describe, expect, test } from 'vitest';
import { SERVICE_KINDS } from '../../src/sandbox/kinds.ts';
import { ask, openTestSandbox } from './harness.ts';

describe('what each kind of service says of itself', () => {
  const NAMES = ['tfp-api-version', 'tfp-appname', 'x-tfe-version', 'x-tfe-current-version'];

  test.each([
    ['document', ['2.6', 'HCP Terraform', null, null]],
    ['hosted', ['2.6', 'HCP Terraform', null, null]],
    ['enterprise', ['2.6', 'Terraform Enterprise', 'v202604-1', '2.0.0']],
  ] as const)('%s', async (like, expected) => {
    const sandbox = openTestSandbox({ like });
    for (const path of ['/ping', '/nothing', '/organization-memberships']) {
      const { headers } = await ask(sandbox, 'GET', path);
      expect(NAMES.map((name) => headers.get(name))).toEqual(expected);
    }
  });
});

test('feature sets and subscriptions are the hosted edition alone', async () => {
  const statuses = async (path: string): Promise<number[]> =>
    await Promise.all(SERVICE_KINDS.map(async (like) => (await ask(openTestSandbox({ like }), 'GET', path)).status));
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
  const { body } = await ask(openTestSandbox({ like }), 'GET', '/organizations/initech');
  const { permissions } = body.data.attributes;
  expect([permissions['can-create-team'], permissions['can-update-api-token']]).toEqual([can, true]);
});
