import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyColumns, ScreenColumn } from '../../../src/old/stdout/columns.ts';
import type { FlatRecord } from '../../../src/old/stdout/flatten.ts';
import { FORMATS } from '../../../src/old/stdout/formats/index.ts';
import { layOut, type Measured } from '../../../src/old/stdout/layout.ts';
import { type OutputOptions, openOutput } from '../../../src/old/stdout/output.ts';
import { captureStream } from '../../support/streams.ts';

const PEOPLE: AnyColumns = {
  name: 'people',
  shape: 'record',
  shown: ['id', 'email', 'status'],
  screen: [
    { head: 'EMAIL', field: 'email', priority: 0 },
    { head: 'STATUS', field: 'status', priority: 1, tone: true },
    { head: 'TEAMS', field: 'teams', priority: 2, wraps: true },
    { head: 'ROLES', field: 'roles', priority: 3, align: 'right' },
    { head: 'USER', field: 'user', priority: 4 },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  lines: [
    { label: 'Email', field: 'email' },
    { label: 'Status', field: 'status', tone: true },
    { label: 'Teams', field: 'teams' },
  ],
};
const ANA = {
  id: 'ou-1',
  email: 'ana@example.com',
  status: 'active',
  teams: 'platform, security',
  roles: 12,
  user: 'ana',
};
const BO = { id: 'ou-2', email: 'bo@example.com', status: 'invited', teams: 'a/long/path', roles: 3, user: null };

interface Screen extends Partial<OutputOptions> {
  readonly width?: number;
  readonly columns?: AnyColumns;
  readonly env?: Readonly<Record<string, string>>;
}

/** What stands on a terminal of that width, and which columns it is said not to show. */
async function show(
  items: readonly FlatRecord[],
  { width, columns = PEOPLE, env = {}, ...options }: Screen = {},
): Promise<{ readonly text: string; readonly hidden: readonly string[] }> {
  const stdout = Object.assign(captureStream(), width === undefined ? {} : { isTTY: true, columns: width });
  const hidden: string[] = [];
  const host = { env, now: () => Date.parse('2026-11-22T12:00:00Z') };
  const noteHidden = (heads: readonly string[]) => void hidden.push(...heads);
  const output = await openOutput({
    host,
    stdout,
    format: FORMATS.table,
    fields: undefined,
    noColor: true,
    noteHidden,
    ...options,
  });
  const page = { items, included: [], document: {} };
  await output.list(columns, {
    async *read(_way, keep) {
      yield await keep(page);
    },
  });
  return { text: stdout.text(), hidden };
}

const WHOLE = `EMAIL            STATUS   TEAMS               ROLES  USER  ID
ana@example.com  active   platform, security     12  ana   ou-1
bo@example.com   invited  a/long/path             3        ou-2
`;

describe('a table', () => {
  it.each<[string, Screen, string, readonly string[]]>([
    ['has no lines, and numbers to the right', {}, WHOLE, []],
    ['fits the terminal it just fits', { width: 63 }, WHOLE, []],
    [
      'is as wide as COLUMNS says elsewhere',
      { env: { COLUMNS: '62' } },
      WHOLE.replace(/ {2}(ID|ou-.)/g, '').replace(/ +$/gm, ''),
      [],
    ],
    [
      'gives up what matters least first, and says so, and wraps what is left',
      { width: 49 },
      `EMAIL            STATUS   TEAMS             ROLES
ana@example.com  active   platform,            12
                          security
bo@example.com   invited  a/long/path           3
`,
      ['user'],
    ],
    [
      'becomes paragraphs where not even what identifies has room, and nothing is cut',
      { width: 14 },
      `EMAIL: ana@example.com
STATUS: active
TEAMS: platform, security
ROLES: 12
USER: ana
ID: ou-1

EMAIL: bo@example.com
STATUS: invited
TEAMS: a/long/path
ROLES: 3
ID: ou-2
`,
      [],
    ],
  ])('%s', async (_title, screen, text, hidden) => {
    expect(await show([ANA, BO], screen)).toEqual({ text, hidden });
  });

  it('for screen readers is paragraphs', async () => {
    const { text } = await show([BO], { accessible: true, width: 200 });
    expect(text).toBe('EMAIL: bo@example.com\nSTATUS: invited\nTEAMS: a/long/path\nROLES: 3\nID: ou-2\n');
  });

  it('has the fields that are asked for, each, however narrow the terminal is', async () => {
    expect(await show([ANA], { fields: ['status', 'id'], width: 80 })).toEqual({
      text: 'STATUS  ID\nactive  ou-1\n',
      hidden: [],
    });
    expect(await show([ANA], { fields: ['email', 'id'], width: 16 })).toEqual({
      text: 'EMAIL: ana@example.com\nID: ou-1\n',
      hidden: [],
    });
  });

  it('cuts a cell that is to take one line, and says of which fields', async () => {
    const screen = PEOPLE.screen?.map(
      (column): ScreenColumn => (column.field === 'teams' ? { ...column, cuts: ['teams'] } : column),
    );
    const columns: AnyColumns = { ...PEOPLE, ...(screen === undefined ? {} : { screen }) };
    expect(await show([ANA, BO], { columns, width: 49 })).toEqual({
      text: `EMAIL            STATUS   TEAMS             ROLES
ana@example.com  active   …security            12
bo@example.com   invited  a/long/path           3
`,
      hidden: ['user', 'teams'],
    });
    const asked = await show([ANA], { columns, fields: ['email', 'teams'], width: 34 });
    expect(asked).toEqual({ text: expect.stringContaining('\n                 security\n'), hidden: [] });
  });

  it('heads fields that are asked for as usual, and others by what is shortest and clear', async () => {
    const columns: AnyColumns = {
      ...PEOPLE,
      screen: [
        { head: 'TEAMS', field: 'teams', fields: ['teams.name'], priority: 0 },
        { head: 'PERSON', field: 'first', fields: ['first', 'last'], priority: 0 },
        { head: 'PAID', field: 'cents', priority: 0, align: 'right', show: (cents) => `$${Number(cents) / 100}` },
        { head: 'USER', field: 'user.name', priority: 0 },
      ],
      fields: [
        'first',
        'teams.name',
        'cents',
        'type',
        'user.id',
        'user.type',
        'login.method',
        'place.id',
        'two-factor.enabled',
        'a.x',
        'b.x',
      ],
    };
    const fields = ['teams.name', 'first', 'cents', ...(columns.fields ?? []).slice(4)];
    const { text } = await show([{ first: 'Ana', cents: 250, teams: 'a' }], { columns, fields });
    expect(text).toBe(
      'TEAMS  FIRST  PAID  USER.ID  USER.TYPE  METHOD  PLACE  TWO-FACTOR  A.X  B.X\na      Ana    $2.5\n',
    );
  });

  it('colours words and its head, never the blanks between', async () => {
    const { text } = await show([BO], { noColor: false, env: { FORCE_COLOR: '1' } });
    const [head = '', row] = text.split('\n');
    expect(head.replaceAll(/\u001b\[\d+m/g, '')).toBe('EMAIL           STATUS   TEAMS        ROLES  ID');
    expect(head).toMatch(/^\u001b\[1mEMAIL\u001b\[22m {11}\u001b\[1mSTATUS\u001b\[22m/);
    expect(row).toBe('bo@example.com  \u001b[33minvited\u001b[39m  a/long/path      3  ou-2');
  });

  it('keeps a column that identifies, though it is empty', async () => {
    expect((await show([{ status: 'active' }])).text).toBe('EMAIL  STATUS\n       active\n');
  });

  it('takes the widths of wide characters', async () => {
    const { text } = await show([ANA, { email: '漢字', status: 'x', id: '1' }]);
    expect(text).toBe(`EMAIL            STATUS  TEAMS               ROLES  USER  ID
ana@example.com  active  platform, security     12  ana   ou-1
漢字             x                                        1
`);
  });

  it('shows nothing that a terminal would obey', async () => {
    const { text } = await show([{ email: 'a\u001b[2Jb\nc\u202e', status: '' }]);
    expect(text).toBe('EMAIL\nab c\n');
  });
});

describe('a single thing', () => {
  it.each([
    [80, 'Email:   ana@example.com\nStatus:  active\nTeams:   platform, security\n'],
    [26, 'Email:   ana@example.com\nStatus:  active\nTeams:   platform,\n         security\n'],
    [10, 'Email:   ana@example.com\nStatus:  active\nTeams:   platform, security\n'],
  ])('is labelled lines at %i columns', async (width, text) => {
    const stdout = Object.assign(captureStream(), { isTTY: true, columns: width });
    const host = { env: {}, now: () => 0 };
    const output = await openOutput({
      host,
      stdout,
      format: FORMATS.table,
      noColor: true,
    });
    await output.one(PEOPLE, ANA);
    expect(stdout.text()).toBe(text);
  });
});

const measured = fc.record<Measured>({
  width: fc.integer({ min: 1, max: 60 }),
  word: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }) as fc.Arbitrary<number>,
  priority: fc.constantFrom(0, 1, 2, 3, Number.POSITIVE_INFINITY),
});

describe('layOut', () => {
  it('never exceeds the room, leaves out only what matters less, and widens none beyond its need', () => {
    fc.assert(
      fc.property(
        fc.array(measured, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 200 }),
        (columns, room) => {
          const layout = layOut(columns, room);
          if (layout === undefined) return;
          const { shown, widths } = layout;
          expect(widths.reduce((sum, width) => sum + width + 2, -2)).toBeLessThanOrEqual(room);
          widths.forEach((width, place) => {
            expect(width).toBeLessThanOrEqual(columns[shown[place] ?? 0]?.width ?? 0);
          });
          const left = [...columns.keys()].filter((index) => !shown.includes(index));
          const most = Math.max(0, ...shown.map((index) => columns[index]?.priority ?? 0));
          for (const index of left) expect(columns[index]?.priority).toBeGreaterThanOrEqual(Math.max(1, most));
        },
      ),
    );
  });
});
