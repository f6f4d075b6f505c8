import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';
import { READING, WRITING } from '../support/verbs.ts';

const AT_TERMINAL = { stdin: true, stderr: true };

describe('read-only mode', () => {
  test.each(Object.entries(WRITING))('refuses %s before it asks, and lets a dry run through', async (words, argv) => {
    const service = await startService();
    const options = { env: { ORGCTL_READ_ONLY: '1', PATH: process.env.PATH } };
    const { code, stderr } = await service.run([...words.split(' '), ...argv], { ...options, tty: AT_TERMINAL });
    expect(code).toBe(2);
    expect(stderr).toContain('read-only mode is on (ORGCTL_READ_ONLY), nothing was sent');
    expect(stderr).not.toContain('[y/N]');
    expect((await service.run([...words.split(' '), ...argv, '--dry-run'], options)).code).toBe(0);
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test.each(Object.entries(READING))('allows %s', async (words, argv) => {
    const service = await startService();
    const as = words.startsWith('audit-trail') ? 'org-token' : 'owner';
    const { code, stderr } = await service.run([...words.split(' '), ...argv], { env: { ORGCTL_READ_ONLY: '1' }, as });
    expect([0, 13], stderr).toContain(code);
    expect(service.requests.length).toBeGreaterThan(0);
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

  test.each(['0', 'false', 'no', 'off', ''])('is off with %j', async (value) => {
    const service = await startService();
    const { code } = await service.run(['providers', 'create', 'hashicorp/null'], { env: { ORGCTL_READ_ONLY: value } });
    expect(code).toBe(0);
  });
});
