import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { createPlace, orgctl } from '../support/shipped.ts';

/** What a matrix of CI jobs does: the first runs of all at the same moment, on a state folder that is not there yet. */
test.each([
  ['rotate', [0, 14], []],
  ['rotate that waits', [0], ['--lock-wait', '60s']],
  ['generate', [0, 14], []],
] as const)('six at once: %s ends with nothing but %j', async (name, codes, more) => {
  const service = await startService();
  const { home, env } = createPlace();
  const token = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const argv =
    name === 'generate'
      ? ['audit-token', 'generate', '--yes']
      : ['audit-token', 'rotate', '--yes', '--expires', '30d', '--to', `file:${join(home, 'token')}`, ...more];
  const state = { ORGCTL_STATE_DIR: join(home, 'not', 'there', 'yet'), ORGCTL_TOKEN: token };
  const own = { ...env, ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ...state };
  const ended = await Promise.all(Array.from({ length: 6 }, () => orgctl(argv, { env: own })));
  for (const { code, stderr } of ended) expect(codes, stderr).toContain(code);
  expect(ended.some(({ code }) => code === 0)).toBe(true);
});
