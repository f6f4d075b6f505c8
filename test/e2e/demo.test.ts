import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, ROOT, start } from '../support/shipped.ts';

const runDemo = (file: string, ...argv: string[]) => {
  const { home, env } = createPlace();
  const temporary = join(dirname(home), 'temporary');
  mkdirSync(temporary);
  const path = join(ROOT, 'test', 'demo', file);
  const { ended } = start(process.execPath, [path, ...argv], { env: { ...env, TMPDIR: temporary } });
  return ended.then((end) => ({ ...end, left: [...readdirSync(home), ...readdirSync(temporary)] }));
};

test('each step of the demo ends as it says, and shows no secret; nothing is left behind', async () => {
  const { code, stdout, stderr, left } = await runDemo('demo.mjs');
  expect({ code, stderr, left }, stdout).toEqual({ code: 0, stderr: '', left: [] });
  expect(stdout).toContain('\nYour turn:\n');
  // The secret that is created on the way went into a file, and nowhere else.
  expect(stdout).not.toMatch(/sandbox\.[a-z-]*\w{20}/i);
});

const isInstalled = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
if (!isInstalled)
  process.stderr.write(
    '\n*** script OF util-linux IS NOT INSTALLED: NO TEST LOOKS AT THE PICTURE IN README.md ***\n\n',
  );

test.skipIf(!isInstalled)('the picture in README.md shows what orgctl prints now', async () => {
  expect(await runDemo('record.mjs', '--check')).toEqual({ code: 0, stdout: '', stderr: '', left: [] });
});
