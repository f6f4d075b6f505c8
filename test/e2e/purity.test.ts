import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { serve } from '../support/served.ts';
import { orgctl } from '../support/shipped.ts';
import { READING, WRITING } from '../support/verbs.ts';

const shared = await serve(['--rate-limit', '0'], afterAll);
const CALLS = Object.entries({ ...READING, ...WRITING }).filter(([words]) => words !== 'api');

describe.each(CALLS)('%s -o json', (words, argv) => {
  const line = [...words.split(' '), ...argv, '--yes', '-o', words === 'audit-trail follow' ? 'ndjson' : 'json'];

  test('prints its result on stdout and nothing else there', async () => {
    const served = words in READING ? shared : await serve();
    const as = words.startsWith('audit-trail') ? 'org-token' : 'owner';
    const { code, stdout, stderr } = await orgctl(line, { env: served.as(as), cwd: served.home });
    expect([0, 13], stderr).toContain(code);
    for (const text of line.includes('ndjson') ? stdout.trim().split('\n') : [stdout]) JSON.parse(text);
  });

  test('with a token that the service rejects: one line of JSON on stderr, 4', async () => {
    const env = { ...shared.as('owner'), ORGCTL_TOKEN: 'unknown', PATH: process.env.PATH };
    const { code, stderr } = await run(line, { env });
    expect(code, stderr).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 4, message: expect.any(String) } });
  });
});
