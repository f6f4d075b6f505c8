import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../support/served.ts';
import { ORGCTL, start } from '../support/shipped.ts';

/** Modules of Node that take long to load, and that a list of members does without. */
const COSTLY = ['child_process', 'crypto', 'http2', 'https', 'readline', 'sqlite', 'tls', 'worker_threads', 'zlib'];

test('a list waits for no module that it does without', async () => {
  const served = await serve();
  const hook = join(served.home, 'hook.cjs');
  writeFileSync(hook, `process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')));\n`);
  const argv = ['--require', hook, ORGCTL, 'members', 'list', '-o', 'json'];
  const { code, stderr } = await start(process.execPath, argv, { env: served.as('owner'), cwd: served.home }).ended;
  expect(code, stderr).toBe(0);
  const loaded = stderr.split('\n').flatMap((line) => /^NativeModule (\w+)$/.exec(line)?.[1] ?? []);
  expect(loaded).toContain('http');
  expect(loaded.filter((name) => COSTLY.includes(name))).toEqual([]);
});
