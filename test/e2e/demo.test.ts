import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, ROOT, start } from '../support/shipped.ts';
import { openTerminal } from '../support/terminal.ts';

const DEMO = join(ROOT, 'test', 'demo');

function openFolders() {
  const { home, env } = createPlace();
  const temporary = join(dirname(home), 'temporary');
  mkdirSync(temporary);
  return { env: { ...env, TMPDIR: temporary }, listLeft: () => [...readdirSync(home), ...readdirSync(temporary)] };
}

test('each step of the demo ends as it says, and shows no secret; nothing is left behind', async () => {
  const { env, listLeft } = openFolders();
  const prepare = `set -- '${process.execPath}' '${join(DEMO, 'demo.mjs')}'`;
  const { code, screen } = await openTerminal([], { env: { ...env, NO_COLOR: '1' }, prepare }).ended;
  expect({ code, left: listLeft() }, screen).toEqual({ code: 0, left: [] });
  expect(screen).toMatch(/\nEMAIL +STATUS .*\n✓ Invited ana@example\.com to acme \(platform\).*\nYour turn:\r\n/s);
  // The secret that is created on the way went into a file, and nowhere else.
  expect(screen).not.toMatch(/sandbox\.[a-z-]*\w{20}/i);
});

const isInstalled = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
if (!isInstalled)
  process.stderr.write(
    '\n*** script OF util-linux IS NOT INSTALLED: NO TEST LOOKS AT THE PICTURE IN README.md ***\n\n',
  );

test.skipIf(!isInstalled)('the picture in README.md shows what orgctl prints now', async () => {
  const { env, listLeft } = openFolders();
  const ended = await start(process.execPath, [join(DEMO, 'record.mjs'), '--check'], { env }).ended;
  expect({ ...ended, left: listLeft() }).toEqual({ code: 0, stdout: '', stderr: '', left: [] });
});
