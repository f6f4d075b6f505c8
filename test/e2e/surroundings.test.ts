import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../support/served.ts';
import { orgctl } from '../support/shipped.ts';

/** What other tools take from the folder they are started in; a cloned repository may bring any of these. */
const FILES: Readonly<Record<string, string>> = {
  '.env': 'ORGCTL_BASE_URL=http://127.0.0.1:1/api/v2\nORGCTL_TOKEN=planted\nORGCTL_ORG=planted\n',
  'config.json': '{"org":"planted","base-url":"http://127.0.0.1:1/api/v2"}',
  'credentials.json': '{"tokens":{}}',
  '.orgctlrc': 'org=planted\n',
  'orgctl.config.js': 'throw new Error("planted");\n',
  '.terraformrc': 'credentials "127.0.0.1" { token = "planted" }\n',
  'credentials.tfrc.json': '{"credentials":{"127.0.0.1":{"token":"planted"}}}',
  '.npmrc': 'node-options=--require=./planted.cjs\n',
  'planted.cjs': 'throw new Error("planted");\n',
  'package.json': '{"type":"module","orgctl":{"org":"planted"}}',
};

test('nothing in the folder that orgctl is started in is read', async () => {
  const served = await serve();
  const empty = join(served.home, 'empty');
  const full = join(served.home, 'full');
  for (const folder of [empty, full]) mkdirSync(folder);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(full, name), text);
  for (const argv of [
    ['settings', 'list'],
    ['auth', 'status'],
    ['members', 'list'],
  ]) {
    const env = argv[0] === 'settings' ? served.env : served.as('owner');
    const there = await orgctl([...argv, '-o', 'json'], { env, cwd: full });
    expect(there.code, there.stderr).toBe(0);
    expect(there).toEqual(await orgctl([...argv, '-o', 'json'], { env, cwd: empty }));
    expect(there.stdout + there.stderr).not.toContain('planted');
  }
});
