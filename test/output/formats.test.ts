import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { createRedactor } from '../../src/lib/redact.ts';
import type { Columns } from '../../src/output/columns.ts';
import { FORMAT_NAMES, type FormatName } from '../../src/output/formats.ts';
import type { Messages } from '../../src/output/messages.ts';
import { Output, type OutputOptions } from '../../src/output/output.ts';
import { parsePage } from '../support/html.ts';

const COLUMNS: Columns = {
  table: [
    { header: 'EMAIL', field: 'email' },
    { header: 'STATUS', field: 'status', isState: true },
    { header: 'TEAMS', field: 'teams.name' },
    { header: 'COUNT', field: 'count', align: 'right', format: (value) => `#${value}` },
  ],
  lines: [
    { header: 'Email', field: 'email' },
    { header: 'Teams', field: 'teams.name' },
  ],
  fields: 'id',
  hasOtherFields: true,
};

const ANA = {
  id: 'ou-1',
  type: 'organization-memberships',
  email: 'ana@example.com',
  status: 'active',
  count: 7,
  teams: [
    { id: 'team-1', type: 'teams', name: 'a|b', permissions: { x: true } },
    { id: 'team-2', type: 'teams', name: 'c' },
  ],
};
const BEN = {
  id: 'ou-2',
  type: 'organization-memberships',
  email: '=cmd()\u001b[31m\tx',
  status: 'invited',
  count: null,
  teams: [],
};

const FACTS = {
  title: 'Members list',
  command: 'orgctl members list',
  service: 'sandbox',
  orgs: ['acme'],
  now: 0,
  version: 'orgctl 1',
  part: '',
  more: {},
  isOfWrite: false,
  problems: [],
};

async function print(
  format: FormatName | undefined,
  records: JsonObject[] | JsonObject,
  options: Partial<OutputOptions> & { columns?: number; times?: number } = {},
) {
  const notes: string[] = [];
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8', highWaterMark: 64_000_000 }), {
    isTTY: options.columns !== undefined,
    columns: options.columns,
  });
  const messages = { note: (note: string) => notes.push(note) } as unknown as Messages;
  const output = new Output({
    runtime: { stdout, now: () => 0 },
    format,
    fields: undefined,
    query: undefined,
    isWhole: false,
    isAccessible: false,
    hasColor: false,
    signal: new AbortController().signal,
    messages,
    redactor: createRedactor(),
    beforeWrite: () => undefined,
    ...options,
  });
  await output.check(COLUMNS);
  for (let time = 0; time < (options.times ?? 1); time += 1) {
    if (Array.isArray(records)) await output.list(COLUMNS, [records]);
    else await output.one(COLUMNS, records);
  }
  await output.end(async () => FACTS);
  return { text: String(stdout.read() ?? ''), notes };
}

test.each<[format: FormatName, list: string, one: string]>([
  ['tsv', 'ana@example.com\tactive\ta|b,c\t7\n=cmd() x\tinvited\t\t\n', 'ana@example.com\ta|b,c\n'],
  [
    'csv',
    'email,status,teams.name,count\nana@example.com,active,"a|b,c",7\n\'=cmd() x,invited,,\n',
    'email,teams.name\nana@example.com,"a|b,c"\n',
  ],
  [
    'markdown',
    '| EMAIL | STATUS | TEAMS | COUNT |\n| --- | --- | --- | ---: |\n| ana@example.com | active | a\\|b, c | #7 |\n| =cmd() x | invited |  | #null |\n',
    '| Email | Teams |\n| --- | --- |\n| ana@example.com | a\\|b, c |\n',
  ],
  [
    'table',
    'EMAIL            STATUS   TEAMS   COUNT\nana@example.com  active   a|b, c     #7\n=cmd() x         invited          #null\n',
    'Email:  ana@example.com\nTeams:  a|b, c\n',
  ],
])('%s', async (format, list, one) => {
  expect((await print(format, [ANA, BEN])).text).toBe(list);
  expect((await print(format, ANA)).text).toBe(one);
});

test('html has the cells of csv, without marks and with a sign where control characters stood', async () => {
  const page = parsePage((await print('html', [ANA, { ...BEN, status: 'a\u202eb\u0000\u2066c' }])).text);
  expect(page.header).toEqual(['Email', 'Status', 'Teams', 'Count']);
  expect(page.rows).toEqual([
    ['ana@example.com', 'active', 'a|b,c', '7'],
    ['=cmd()\ufffd[31m x', 'a\ufffdb\ufffd\ufffdc', '', ''],
  ]);
});

test('json and ndjson have what identifies related resources, and with --include all', async () => {
  const teams = [
    { id: 'team-1', type: 'teams', name: 'a|b' },
    { id: 'team-2', type: 'teams', name: 'c' },
  ];
  expect(JSON.parse((await print('json', [ANA])).text)).toEqual([{ ...ANA, teams }]);
  expect(JSON.parse((await print('json', ANA)).text)).toEqual({ ...ANA, teams });
  expect((await print('ndjson', [ANA, BEN])).text.split('\n').map((line) => line && JSON.parse(line).id)).toEqual([
    'ou-1',
    'ou-2',
    '',
  ]);
  expect(JSON.parse((await print('json', ANA, { isWhole: true })).text)).toEqual(ANA);
});

test.each<[format: FormatName, text: string]>([
  ['json', '[]\n'],
  ['ndjson', ''],
  ['csv', 'email,status,teams.name,count\n'],
  ['tsv', ''],
  ['markdown', ''],
  ['table', ''],
])('%s of an empty list', async (format, text) => expect((await print(format, [])).text).toBe(text));

// Each took minutes where the work grew with the square of the length.
test.each([
  ['blanks', `a${' '.repeat(400_000)}b`],
  ['wide letters', '漢'.repeat(200_000)],
  ['emoji', '👩‍👩‍👧'.repeat(40_000)],
  ['escape sequences', `${'\u001b[0 '.repeat(100_000)}b`],
  ['quotes and separators', `;"'=`.repeat(100_000)],
])('ends with a cell of 400 kB of %s', async (_name, email) => {
  for (const format of FORMAT_NAMES) {
    const { text } = await print(format, [{ ...ANA, email }, BEN]);
    expect(text).toContain('invited');
  }
});

test('prints no control characters in any format', async () => {
  for (const format of FORMAT_NAMES)
    expect((await print(format, [{ ...BEN, email: 'a\u009b31m\u202eb' }])).text).not.toMatch(
      /[\u0080-\u009f\u202e\u001b]/,
    );
});

describe('--fields and --query', () => {
  test.each<[format: FormatName, text: string]>([
    ['tsv', 'ou-1\ta|b,c\n'],
    ['csv', 'id,teams.name\nou-1,"a|b,c"\n'],
    ['table', 'ID    TEAMS\nou-1  a|b, c\n'],
    ['ndjson', '{"id":"ou-1","teams.name":["a|b","c"]}\n'],
  ])('%s has these fields, in this order', async (format, text) => {
    expect((await print(format, [ANA], { fields: ['id', 'teams.name'] })).text).toBe(text);
  });

  test.each([
    [['emial'], 'Did you mean email?'],
    [['EMAIL'], 'Did you mean email?'],
    [['zzzzzzzzzzzz'], '--fields help lists them.'],
  ])('%s is unknown', async (fields, hint) => {
    await expect(print('json', [ANA], { fields })).rejects.toMatchObject({
      exit: 'usage',
      code: 'unknown-field',
      hint: expect.stringContaining(hint),
    });
  });

  test('shows a field that only the service knows', async () => {
    expect((await print('tsv', [{ ...ANA, extra: { new: 1 } }], { fields: ['extra.new'] })).text).toBe('1\n');
  });
});

describe('a table at a terminal', () => {
  test.each([
    [100, ['EMAIL', 'STATUS', 'TEAMS', 'COUNT'], []],
    [35, ['EMAIL', 'STATUS', 'TEAMS'], ['not shown: count (use --fields or -o json)']],
    [10, ['EMAIL'], ['not shown: status, teams.name, count (use --fields or -o json)']],
  ])('of %i columns drops what does not fit from the right, and says so', async (columns, headers, notes) => {
    const { text, notes: said } = await print(undefined, [ANA], { columns });
    expect(text.split('\n')[0]?.split(/ {2,}/)).toEqual(headers);
    expect(said).toEqual(notes);
  });

  test('says once what it drops', async () => {
    expect((await print(undefined, [ANA], { columns: 10, times: 3 })).notes).toHaveLength(1);
  });

  test('cuts no name, whatever its script', async () => {
    const { text } = await print(undefined, [{ ...ANA, email: 'ที่นี่' }], { columns: 80 });
    expect(text.split('\n')[1]).toMatch(/^ที่นี่ {2,}active/);
  });

  test('has colours for states alone, and one labelled line per field if it is to be accessible', async () => {
    const { text } = await print('table', [ANA], { hasColor: true });
    expect(text).toContain('\u001b[32mactive\u001b[39m');
    expect(text.match(/\u001b\[3[0-8]m/g)).toHaveLength(1);
    expect((await print('table', [ANA], { isAccessible: true })).text).toBe(
      'Email: ana@example.com\nStatus: active\nTeams: a|b, c\nCount: #7\n',
    );
  });
});
