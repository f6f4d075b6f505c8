import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';
import { READING } from '../support/verbs.ts';

/** Each command that changes something, and the request that is refused. */
const WRITES = [
  ['audit-token generate --yes', 'POST /api/v2/organizations/acme/authentication-token'],
  ['audit-token delete --yes', 'DELETE /api/v2/organizations/acme/authentication-token'],
  ['members invite new@example.com --team team-platform', 'POST /api/v2/organizations/acme/organization-memberships'],
  ['members remove ou-ada --yes', 'DELETE /api/v2/organization-memberships/ou-ada'],
] as const;

describe('ORGCTL_READ_ONLY', () => {
  test.each(WRITES)('refuses %s, and lets its preview through', async (argv, request) => {
    const env = { ORGCTL_READ_ONLY: '1' };
    await transcript({ env })`
      $ ${argv}
      ! orgctl: read-only mode is on (from ORGCTL_READ_ONLY), nothing was sent
      !   The request was ${request}.
      !   → Unset it there to allow changes.
      = 2
    `;
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    const { code, stderr } = await service.run([...real(argv).split(' '), '--dry-run', '--quiet'], { env });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Would .*\nNothing was sent\.\n$/),
    });
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('refuses to create and delete providers before it asks, and lets the preview through', () =>
    transcript({ env: { ORGCTL_READ_ONLY: '1' } })`
      $ providers create hashicorp/null
      failed\tpublic/hashicorp/null\t\tread-only\tread-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2
      $ providers create hashicorp/null --dry-run
      planned\tpublic/hashicorp/null\t\t\t
      $ providers delete public/hashicorp/aws
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2
    `);

  test('refuses each method of api that may write, and lets its preview through', async () => {
    await transcript({ env: { ORGCTL_READ_ONLY: '1' } })`
      $ api POST things
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2, nothing sent
      $ api DELETE organization-memberships/ou-ada
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2, nothing sent
      $ api PATCH things --dry-run
      {"planned":{"method":"PATCH","path":"/things"}}
      $ api PUT things --dry-run
      {"planned":{"method":"PUT","path":"/things"}}
    `;
  });

  test.each(Object.entries(READING))('allows %s, which only asks', async (words, argv) => {
    const service = await startService();
    const env = { ORGCTL_READ_ONLY: 'true' };
    const as = words.startsWith('audit-trail') ? 'org-token' : 'owner';
    const { code, stderr } = await service.run([...words.split(' '), ...argv], { env, as });
    expect([0, 13], stderr).toContain(code);
    expect(stderr).not.toContain('read-only mode');
    expect(service.requests.map(({ method }) => method)).toEqual(service.requests.map(() => 'GET'));
    expect(service.requests.length).toBeGreaterThan(0);
  });

  for (const value of ['0', 'false', 'no', 'off', '']) {
    test(`${JSON.stringify(value)} is no`, async () => {
      const service = await startService();
      const result = await service.run(['providers', 'create', 'hashicorp/null'], {
        env: { ORGCTL_READ_ONLY: value },
      });
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    });
  }
});
