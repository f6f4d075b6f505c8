import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseJsonLines } from '../support/formats.ts';
import { serve, startService } from '../support/service.ts';
import { createPlace, type Environment, ORGCTL, orgctl, start } from '../support/shipped.ts';
import { readStored } from '../support/stored.ts';

/** All at once: what they share is not there yet, so that each may be the one that makes it. */
const runAll = (lines: string[][], env: Environment) => Promise.all(lines.map((argv) => orgctl(argv, { env })));

test('commands at once on one sandbox: each is done, and none is lost', async () => {
  const { env } = createPlace();
  const emails = Array.from({ length: 8 }, (_, index) => `person-${index}@example.com`);
  const invite = (email: string) => ['--sandbox', 'members', 'invite', email, '--team', 'platform', '-q'];
  const ended = await runAll(emails.map(invite), env);
  expect(ended.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  const argv = ['--sandbox', 'members', 'list', '--status', 'invited', '--fields', 'email'];
  const { stdout } = await orgctl(argv, { env });
  expect(stdout.split('\n').filter((email) => email.startsWith('person-'))).toEqual(expect.arrayContaining(emails));
});

test('settings and logins at once: none is lost', async () => {
  const served = await serve();
  const { env, home } = createPlace();
  const settings = { org: 'acme', timeout: '10s', output: 'csv', expires: '90d', 'max-retries': 7, debug: false };
  const profiles = ['a', 'b', 'c', 'd'];
  const script = 'echo "$ORGCTL_TOKEN" | orgctl auth login --org acme --profile "$1"';
  const login = (name: string) =>
    start('sh', ['-c', script, 'sh', name], { env: { ...served.as('owner'), ...env } }).ended;
  const ended = await Promise.all([
    ...Object.entries(settings).map(([name, value]) => orgctl(['settings', 'set', name, `${value}`], { env })),
    ...profiles.map(login),
  ]);
  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  const read = (name: string) => readStored(join(home, '.config', 'orgctl', name));
  const stored = { 'base-url': served.url, org: 'acme' };
  expect(read('config.json')).toEqual({
    ...settings,
    profiles: Object.fromEntries(profiles.map((name) => [name, stored])),
  });
  expect(Object.keys(Object(read('credentials.json')).profiles).sort()).toEqual(profiles);
});

test('one log of writes has whole lines, two for each write', async () => {
  const service = await serve();
  const log = join(service.home, 'writes.ndjson');
  const names = ['a', 'b', 'c', 'd'];
  const create = (name: string) => ['providers', 'create', ...names.map((each) => `${name}/${each}`)];
  const ended = await runAll(names.map(create), { ...service.as('owner'), ORGCTL_LOG_FILE: log });
  expect(ended.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(names.map(() => '0 '));
  const lines = parseJsonLines(readFileSync(log, 'utf8'));
  const ids = [...new Set(lines.map(({ id }) => id))];
  expect(ids).toHaveLength(16);
  expect(ids.map((id) => lines.filter((line) => line['id'] === id).map(({ event }) => event))).toEqual(
    ids.map(() => ['sent', 'answered']),
  );
});

/** What a matrix of CI jobs does. */
test.each([
  [[0, 14], []],
  [[0], ['--lock-wait', '60s']],
])('rotations at once end with nothing but %j', async (codes, more) => {
  const service = await startService();
  const { home, env } = createPlace();
  const token = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const rotate = ['audit-token', 'rotate', '--yes', '--expires', '30d', '--to', `file:${join(home, 'token')}`, ...more];
  const state = { ORGCTL_STATE_DIR: join(home, 'not', 'there', 'yet'), ORGCTL_TOKEN: token };
  const own = { ...env, ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ...state };
  const ended = await runAll(Array(5).fill(rotate), own);
  for (const { code, stderr } of ended) expect(codes, stderr).toContain(code);
  expect(ended.some(({ code }) => code === 0)).toBe(true);
  expect(readFileSync(join(home, 'token'), 'utf8')).toBe(service.secretOf());
});

const COUNT = 20_000;
/** Olive, Milo, Tara, Rex, Ada and Ivan. */
const DEMO_PEOPLE = 6;
const PEAK_HEAP = fileURLToPath(new URL('peak-heap.cjs', import.meta.url));
/** In bytes. Read page by page it is 20 to 55 MB, the more the busier the machine; all rows at once are 78. */
const MOST_HEAP = 65_000_000;

test(`${COUNT} members come as ${COUNT} lines, each of them once, in little memory`, async () => {
  // A service that says it takes more requests a second is asked more often: so this need not last half a minute.
  const served = await serve({ seed: `members=${COUNT}`, rateLimit: 100_000 });
  const peakFile = join(served.home, 'peak');
  const list = ['--require', PEAK_HEAP, ORGCTL, 'members', 'list', '-o', 'ndjson'];
  const env = { ...served.as('owner'), PEAK_HEAP_FILE: peakFile };
  const { code, stdout, stderr } = await start(process.execPath, list, { env }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const members = parseJsonLines(stdout);
  expect(members).toHaveLength(COUNT + DEMO_PEOPLE);
  expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
  expect(Number(readFileSync(peakFile, 'utf8'))).toBeLessThan(MOST_HEAP);
});
