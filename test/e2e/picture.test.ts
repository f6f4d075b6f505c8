import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, ROOT, start } from '../support/shipped.ts';

const isInstalled = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
if (!isInstalled) {
  process.stderr.write(
    '\n*** script OF util-linux IS NOT INSTALLED: NO TEST LOOKS AT THE PICTURE IN README.md ***\n\n',
  );
}

test.skipIf(!isInstalled)('the picture in README.md shows what orgctl prints now', async () => {
  const { env } = createPlace();
  const ended = await start(process.execPath, [join(ROOT, 'test', 'demo', 'record.mjs'), '--check'], { env }).ended;
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
});
