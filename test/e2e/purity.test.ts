import { expect, test } from 'vitest';
import { serve, startService } from '../support/service.ts';
import { orgctl } from '../support/shipped.ts';
import { READING, WRITING } from '../support/verbs.ts';

const CALLS = Object.entries({ ...READING, ...WRITING }).filter(([words]) => words !== 'api');
const formatLine = (words: string, argv: string[]) => [
  ...words.split(' '),
  ...argv,
  '--yes',
  '-o',
  words === 'audit-trail follow' ? 'ndjson' : 'json',
];

function expectResult({ code, stdout, stderr }: Awaited<ReturnType<typeof orgctl>>): void {
  expect([0, 13], stderr).toContain(code);
  for (const text of stdout.startsWith('{"') ? stdout.trim().split('\n') : [stdout]) JSON.parse(text);
}

test.each(CALLS)('%s -o json prints JSON alone, and an error as a line of JSON on stderr', async (words, argv) => {
  const service = await startService();
  const line = formatLine(words, argv);
  const env = { PATH: process.env.PATH };
  expectResult(await service.run(line, { as: words.startsWith('audit-trail') ? 'org-token' : 'owner', env }));
  const { code, stderr } = await service.run(line, { env: { ...env, ORGCTL_TOKEN: 'unknown' } });
  expect(code, stderr).toBe(4);
  expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 4, message: expect.any(String) } });
});

test.each(['members list', 'audit-trail follow', 'audit-token rotate'])('%s in a process too', async (words) => {
  const served = await serve();
  const env = served.as(words.startsWith('audit-trail') ? 'org-token' : 'owner');
  expectResult(await orgctl(formatLine(words, { ...READING, ...WRITING }[words] ?? []), { env, cwd: served.home }));
});
