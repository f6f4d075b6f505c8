import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/faults.ts';
import { parseJsonLines } from '../support/formats.ts';
import { serve } from '../support/served.ts';
import { startService } from '../support/service.ts';
import { createPlace, ORGCTL, orgctl, start } from '../support/shipped.ts';
import { openDatabase } from '../support/sqlite.ts';
import { openTerminal, withoutStyle } from '../support/terminal.ts';

const PEOPLE = 280;
/** Of these, Ada is a member and Ivan is invited. */
const THERE = ['Ada.Auditor@example.com', 'ivan.invitee@EXAMPLE.com'];
/** Olive, Milo, Tara, Rex, Ada and Ivan. */
const DEMO_PEOPLE = 6;
const KILLED_AT = 90;
const FULL_AT = 180;

const toPerson = (index: number): string => `${index % 3 === 0 ? 'P' : 'p'}erson-${index}@example.com`;

/** 300 rows: 280 new people, 18 of them again in another case, and 2 who are there; with blank lines. */
function toFile(): string {
  const lines = ['email,teams', ''];
  for (let index = 1; index <= PEOPLE; index += 1) {
    lines.push(`${toPerson(index)},${index % 2 === 0 ? 'platform;audit' : 'audit'}`);
    if (index % 40 === 0) lines.push('');
    if (index % 15 === 0 && index <= 270) lines.push(`${toPerson(index).toUpperCase()},audit`);
    if (index === 10) lines.push(`${THERE[0]},audit`);
    if (index === 200) lines.push(`${THERE[1]},platform`);
  }
  return lines.join('\r\n');
}

interface Row {
  readonly email: string;
  readonly result: string;
  readonly error?: { readonly code: string };
}

test('300 rows, 429s on the way, killed at row 90, full at row 180: everybody is invited once', async () => {
  const place = createPlace();
  const state = join(place.home, 'state.sqlite');
  const made = new Map<string, number>();
  const service = await startService({
    state,
    now: Date.now,
    rateLimit: 100,
    faults: [60, 120, 180, 240].map((nth) => parseFault(`POST organization-memberships: nth=${nth} 429`)),
    alter(answer, request, body) {
      if (request.method === 'POST' && answer.status === 201) {
        const { data } = JSON.parse(body) as { data: { attributes: { email: string } } };
        const email = data.attributes.email.toLowerCase();
        made.set(email, (made.get(email) ?? 0) + 1);
      }
      return answer;
    },
  });
  const limitUsers = (limit: number): void => {
    const database = openDatabase(state);
    database.prepare("UPDATE organizations SET user_limit = ? WHERE name = 'acme'").run([limit]);
    database.close();
  };
  const file = join(place.home, 'people.csv');
  writeFileSync(file, toFile());
  const token = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const env = { ...place.env, ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  const argv = ['members', 'invite', '--file', file, '-o', 'ndjson'];
  const everybody = parseRowsOf(toFile());

  const killed = start(process.execPath, [ORGCTL, ...argv], { env });
  await killed.untilStdout((text) => text.split('\n').length > KILLED_AT);
  killed.child.kill('SIGKILL');
  const before = await killed.ended;
  expect(before.code).toBeNull();
  expect(made.size).toBeGreaterThanOrEqual(KILLED_AT - 1);
  expect(made.size).toBeLessThan(PEOPLE);

  limitUsers(DEMO_PEOPLE + FULL_AT);
  const stopped = await orgctl(argv, { env });
  const rows = parseJsonLines(stopped.stdout) as unknown as readonly Row[];
  expect(stopped.code).toBe(10);
  expect(rows.map(({ email }) => email.toLowerCase())).toEqual(everybody);
  expect(made.size).toBe(FULL_AT);
  const count = (result: string): number => rows.filter((row) => row.result === result).length;
  // Ada; Ivan comes after the rest was stopped.
  expect(count('unchanged') + count('invited')).toBe(FULL_AT + 1);
  expect(count('failed')).toBeGreaterThan(0);
  expect(count('failed')).toBeLessThanOrEqual(8);
  expect(rows.every(({ result, error }) => result !== 'failed' || error?.code === 'organization-limit')).toBe(true);
  expect(count('not-attempted')).toBe(PEOPLE + 1 - FULL_AT - count('failed'));

  limitUsers(1_000_000);
  const rest = await orgctl(argv, { env });
  expect({ code: rest.code, lines: parseJsonLines(rest.stdout).length }).toEqual({ code: 0, lines: 282 });
  expect(made.size).toBe(PEOPLE);
  expect([...made.values()].every((times) => times === 1)).toBe(true);

  const posts = service.requests.filter(({ method }) => method === 'POST').length;
  const again = parseJsonLines((await orgctl(argv, { env })).stdout);
  expect(again.filter(({ result }) => result === 'unchanged')).toHaveLength(282);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(posts);
});

/** Each address once, folded, in the order of the file. */
function parseRowsOf(text: string): readonly string[] {
  const addresses = text
    .split('\r\n')
    .filter((line) => line.includes('@'))
    .map((line) => line.slice(0, line.indexOf(',')).toLowerCase());
  return [...new Set(addresses)];
}

test('at a terminal a sentence for each and the number of each result stay', async () => {
  const served = await serve(['--latency', '150ms', '--rate-limit', '100000']);
  const file = join(served.home, 'people.csv');
  const people = Array.from({ length: 120 }, (_, index) => `p-${index}@example.com,audit`);
  writeFileSync(file, ['email,teams', ...people].join('\n'));
  const terminal = openTerminal(['members', 'invite', '--file', file], { env: served.as('owner') });
  const { code, screen } = await terminal.ended;
  expect(code).toBe(0);
  const text = withoutStyle(screen);
  expect(text.match(/✓ Invited p-\d+@example\.com to acme \(audit\)\r\n/g)).toHaveLength(120);
  expect(text).toContain('120 people: 120 invited');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  "%s while it waits for the service's limit: exit %i, and every row is accounted for",
  async (signal, code) => {
    const served = await serve(['--rate-limit', '5']);
    const file = join(served.home, 'people.csv');
    const people = Array.from({ length: 100 }, (_, index) => `p-${index}@example.com`);
    writeFileSync(file, ['email,teams', ...people.map((email) => `${email},audit`)].join('\n'));
    const running = start(process.execPath, [ORGCTL, 'members', 'invite', '--file', file, '-o', 'ndjson'], {
      env: served.as('owner'),
    });
    await running.untilStdout((text) => text.split('\n').length > 12);
    running.child.kill(signal);
    const ended = await running.ended;
    const rows = parseJsonLines(ended.stdout) as unknown as readonly Row[];
    expect(ended.code, ended.stderr).toBe(code);
    expect(rows.map(({ email }) => email)).toEqual(people);
    expect(rows.filter(({ result }) => result === 'not-attempted').length).toBeGreaterThan(60);
    const invited = rows.filter(({ result }) => result === 'invited').length;
    const list = await orgctl(['members', 'list', '--status', 'invited', '-o', 'ndjson'], { env: served.as('owner') });
    // Ivan was invited before; what was on its way may have arrived.
    const unclear = rows.filter(({ result }) => result === 'unknown').length;
    expect(parseJsonLines(list.stdout).length - 1).toBeGreaterThanOrEqual(invited);
    expect(parseJsonLines(list.stdout).length - 1).toBeLessThanOrEqual(invited + unclear);
  },
);
