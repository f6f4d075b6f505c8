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

  const steps = stdout.split('\n\n');
  const find = (line: string): string => steps.find((step) => step.includes(`\n$ ${line}\n`)) ?? '';
  expect(find('orgctl --sandbox members list')).toMatch(
    /\nEMAIL +STATUS +TEAMS +USER +ID\nolive\.owner@example\.com +active +owners +olive-owner +ou-/,
  );
  expect(find('orgctl --sandbox members invite ana@example.com --team platform')).toMatch(
    /\ninvited +ana@example\.com +acme +platform/,
  );
  expect(find('orgctl --sandbox members remove ada.auditor@example.com --all-orgs --dry-run')).toMatch(
    /\nacme +planned +ada\.auditor@example\.com +audit/,
  );
  expect(find('orgctl --sandbox audit-token rotate --expires 90d --to file:./audit-token --yes')).toMatch(
    /\nRESULT: +rotated\nEXPIRES: +in 90 days\nVERIFIED: +true\nTO: +file:\.\/audit-token\n/,
  );
  expect(find('orgctl --sandbox --as member members invite ben@example.com --team platform')).toMatch(/\n\(exit 5\)$/);
  expect(find('orgctl --sandbox --org initech providers create hashicorp/aws')).toMatch(/\n\(exit 6\)$/);
  expect(stdout).toContain('\nYour turn:\n');
  // The secret that is created on the way went into a file, and nowhere else.
  expect(stdout).not.toMatch(/sandbox\.[a-z-]*\w{20}/i);
});
