import { describe, expect, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';
import { READING, WRITING } from '../support/verbs.ts';

describe('read-only mode', () => {
  test.each(Object.entries(WRITING))('refuses %s before it asks, and lets a dry run through', async (words, argv) => {
    const service = await startService();
    const options = { env: { ORGCTL_READ_ONLY: '1', PATH: process.env.PATH } };
    const { code, stderr } = await service.run([...words.split(' '), ...argv], { ...AT_TERMINAL, ...options });
    expect(code).toBe(2);
    expect(stderr).toContain('read-only mode is on (ORGCTL_READ_ONLY), nothing was sent');
    expect(stderr).not.toContain('[y/N]');
    expect((await service.run([...words.split(' '), ...argv, '--dry-run'], options)).code).toBe(0);
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('allows what only reads', async () => {
    const service = await startService();
    for (const [words, argv] of Object.entries(READING)) {
      const before = service.requests.length;
      const as = words.startsWith('audit-trail') ? 'org-token' : 'owner';
      const { code, stderr } = await service.run([...words.split(' '), ...argv], {
        env: { ORGCTL_READ_ONLY: '1' },
        as,
      });
      expect([0, 13], stderr).toContain(code);
      expect(service.requests.length, words).toBeGreaterThan(before);
    }
  });

  test('refuses every method of api that may write', async () => {
    await transcript({ env: { ORGCTL_READ_ONLY: '1' } })`
      $ api POST things
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2, nothing sent
      $ api DELETE organization-memberships/ou-ada
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2, nothing sent
      $ api PATCH things --dry-run
      {"planned":{"method":"PATCH","path":"/things"}}
    `;
  });

  test('is off with 0, false, no, off and nothing', async () => {
    const service = await startService();
    for (const value of ['0', 'false', 'no', 'off', '']) {
      const argv = ['providers', 'create', 'hashicorp/null'];
      expect(await service.run(argv, { env: { ORGCTL_READ_ONLY: value } })).toMatchObject({ code: 0 });
    }
  });
});
