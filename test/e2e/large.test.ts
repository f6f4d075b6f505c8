import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseJsonLines } from '../support/formats.ts';
import { serve } from '../support/served.ts';
import { createPlace, ORGCTL, orgctl, start } from '../support/shipped.ts';

const COUNT = 20_000;
/** Olive, Milo, Tara, Rex, Ada and Ivan. */
const DEMO_PEOPLE = 6;

/** A service that says it takes more requests a second is asked more often: so this need not last half a minute. */
const QUICK = ['--rate-limit', '100000'];

const PEAK_HEAP = fileURLToPath(new URL('peak-heap.cjs', import.meta.url));
/** In bytes. Read page by page it is 20 to 55 MB, the more the busier the machine; all rows at once are 78. */
const MOST_HEAP = 65_000_000;

test(`${COUNT} members come as ${COUNT} lines, each of them once, in little memory`, async () => {
  const served = await serve(['--seed', `members=${COUNT}`, ...QUICK]);
  const peakFile = join(createPlace().home, 'peak');
  const list = ['--require', PEAK_HEAP, ORGCTL, 'members', 'list', '-o', 'ndjson'];
  const env = { ...served.as('owner'), PEAK_HEAP_FILE: peakFile };
  const { code, stdout, stderr } = await start(process.execPath, list, { env }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const members = parseJsonLines(stdout);
  expect(members).toHaveLength(COUNT + DEMO_PEOPLE);
  expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
  const names = members.flatMap(({ email }) => /^member-(\d{6})@/.exec(String(email))?.[1] ?? []);
  expect(new Set(names).size).toBe(COUNT);
  expect(Number(readFileSync(peakFile, 'utf8'))).toBeLessThan(MOST_HEAP);
});

test('a service that takes thirty requests a second is waited for', async () => {
  const served = await serve(['--seed', 'members=5000', '--rate-limit', '30']);
  const { code, stdout, stderr } = await orgctl(['members', 'list', '-o', 'ndjson'], { env: served.as('owner') });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(parseJsonLines(stdout)).toHaveLength(5_000 + DEMO_PEOPLE);
});
