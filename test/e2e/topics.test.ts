import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBlocks } from '../support/documents.ts';
import { findFreePort } from '../support/ports.ts';
import { serve } from '../support/served.ts';
import { start } from '../support/shipped.ts';

const blocks = ['jobs', 'sandbox']
  .flatMap((topic) => readBlocks(`src/help/${topic}.md`).map((block) => ({ topic, ...block })))
  .filter(({ language }) => language === 'sh');

test.each(blocks)('$topic: the commands of "$heading" work as printed', async ({ text }) => {
  const served = await serve();
  const folder = mkdtempSync(join(served.home, 'work-'));
  copyFileSync(new URL('../fixtures/lock-files/listed.hcl', import.meta.url), join(folder, '.terraform.lock.hcl'));
  // A failure would leave its server behind.
  const line = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${text.replaceAll('8480', String(await findFreePort()))}`;
  const ended = await start('bash', ['-euo', 'pipefail', '-c', line], { env: served.as('owner'), cwd: folder }).ended;
  expect(ended.code, ended.stderr).toBe(0);
});
