import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, ROOT, start } from '../support/shipped.ts';

test('the demo shows each step, and leaves nothing behind', async () => {
  const { home, env } = createPlace();
  const temporary = join(home, '..', 'temporary');
  mkdirSync(temporary);
  const { code, stdout, stderr } = await start(process.execPath, [join(ROOT, 'test', 'demo', 'demo.mjs')], { env })
    .ended;
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect([readdirSync(home), readdirSync(temporary)]).toEqual([[], []]);

  const lines = stdout.split('\n');
  for (const shown of [
    /^\$ orgctl feature-sets list --eligible -o table$/,
    /^│ fs-\w+ +│ /,
    /^\$ orgctl members invite ana@example\.com --team platform$/,
    /^invited\tana@example\.com\tacme\tou-\w+\tplatform\t\t\t$/,
    /^ {4}"changed": false$/,
    /^\$ orgctl providers create hashicorp\/google$/,
    /^created\tpublic\/hashicorp\/google\tprov-\w+\t\t$/,
    /^\$ orgctl audit-token generate --expires 90d --yes > audit-token$/,
    /^warning: the secret is shown this once; the service never gives it again$/,
    /^\(\d+ bytes in the file, and the secret nowhere else\)$/,
    /^\$ ORGCTL_TOKEN=\$\(cat audit-token\) orgctl audit-trail list /,
    /^│ .* │ organization_user +│ create +│ /,
    /^\(exit 5\)$/,
    /^\(exit 6\)$/,
    /^Your turn:$/,
  ]) {
    expect(
      lines.some((line) => shown.test(line)),
      `${shown} in:\n${stdout}`,
    ).toBe(true);
  }
  expect(stdout).not.toContain('did not go as they should');
  // The secret that is made on the way went into the file; the tokens that are shown are the sandbox's ready ones.
  expect(stdout).not.toMatch(/sandbox\.[a-z-]*\w{20}/i);
});
