import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';
import { READING } from '../support/verbs.ts';

describe('ORGCTL_READ_ONLY', () => {
  test.each([
    'audit-token generate --yes',
    'audit-token delete --yes',
    'members invite new@example.com --team team-platform',
    'members remove ou-ada --yes',
    'providers create hashicorp/null',
    'providers delete public/hashicorp/aws --yes',
  ])('refuses %s, and lets its preview through', async (argv) => {
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    const env = { ORGCTL_READ_ONLY: '1' };
    const { code, stderr } = await service.run(real(argv).split(' '), { env });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('read-only mode is on (') });
    expect((await service.run([...real(argv).split(' '), '--dry-run'], { env })).code).toBe(0);
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

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
