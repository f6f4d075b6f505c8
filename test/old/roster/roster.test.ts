import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { refuseProblems } from '../../../src/old/people-files/person-rows.ts';
import { describeRoster, parseRoster } from '../../../src/old/roster/roster.ts';
import { renderRoster } from '../../../src/old/roster/roster-text.ts';

const ANA = { email: 'ana@example.com', teams: ['platform', 'security'] };
const BEN = { email: 'Ben@example.com' };

async function refusalOf(text: string, name = 'stdin'): Promise<UsageError> {
  const error: unknown = await parseRoster(text, name).then(
    (roster) => thrownBy(() => refuseProblems(roster, roster.problems, describeRoster(roster))),
    (refusal: unknown) => refusal,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

function thrownBy(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the same people', () => {
  test.each<[what: string, text: string, name: string, lines: readonly number[]]>([
    [
      'YAML in blocks',
      'members:\n  - email: ana@example.com\n    teams:\n      - platform\n      - security\n  - email: Ben@example.com\n',
      'stdin',
      [2, 6],
    ],
    [
      'YAML in flow, with comments and a document mark',
      '# people\n---\nmembers:\n- {email: ana@example.com, teams: [platform, security]} # her\n\n- email: Ben@example.com\n  teams:\n',
      'stdin',
      [4, 6],
    ],
    [
      'YAML that is a list',
      '- email: ana@example.com\n  teams: [platform, security]\n- Ben@example.com\n',
      'stdin',
      [1, 3],
    ],
    [
      'YAML that begins like JSON, by its name',
      '{members: [{email: ana@example.com, teams: [platform, security]}, {email: Ben@example.com}]}',
      'people.YML',
      [1, 1],
    ],
    [
      'YAML with teams that are written once',
      'members:\n- email: ana@example.com\n  teams: &core [platform, security, platform]\n- email: Ben@example.com\n- email: ANA@example.com\n  teams: *core\n',
      'roster.yaml',
      [2, 4],
    ],
    [
      'YAML in Windows lines',
      'members:\r\n- email: ana@example.com\r\n  teams: [platform, security]\r\n- email: Ben@example.com\r\n',
      'stdin',
      [2, 4],
    ],
    [
      'JSON',
      '{"$schema": "roster.json", "members": [{"email": "ana@example.com", "teams": ["platform", "security"]}, {"email": "Ben@example.com", "teams": null}]}',
      'stdin',
      [1, 2],
    ],
    [
      'JSON that is a list',
      '[{"email": "ana@example.com", "teams": ["platform", "security"]}, "Ben@example.com"]',
      'r.json',
      [1, 2],
    ],
    ['CSV', '# people\nemail,teams\nana@example.com,platform;security\nBen@example.com,\n', 'stdin', [3, 4]],
    [
      'CSV with its columns the other way round',
      'teams,email\nplatform;security,ana@example.com\n,Ben@example.com\n',
      'r.CSV',
      [2, 3],
    ],
  ])('%s', async (_, text, name, lines) => {
    const { rows } = await parseRoster(text, name);
    expect(rows).toEqual([ANA, BEN].map((person, index) => ({ ...person, line: lines[index] })));
  });

  test.each([
    ['members:\n- {email: ana@example.com, teams: [platform]}\n- {email: ANA@Example.com, teams: [audit]}\n', 'line'],
    ['[{"id": "ou-1"}, {"id": "ou-1"}]', 'entry'],
    ['user\nada\nAda\n', 'line'],
  ])('twice are refused: %j', async (text, place) => {
    const { reasons } = await refusalOf(text);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(new RegExp(`^${place} \\d: .* is in ${place} \\d already$`));
  });

  test('can be named by user or id, and without teams, or with none', async () => {
    const text = 'members:\n- user: ada\n  teams: []\n- id: ou-1\n- {id: user-2, email: eve@example.com, teams: [a]}\n';
    expect(await parseRoster(text, 'stdin')).toMatchObject({
      rows: [
        { user: 'ada', teams: [], line: 2 },
        { id: 'ou-1', line: 4 },
        { id: 'user-2', email: 'eve@example.com', teams: ['a'], line: 5 },
      ],
      folded: 0,
      ignored: [],
      kind: 'yaml',
      problems: [],
    });
  });
});

describe('is no roster', () => {
  test.each<[what: string, text: string, name: string, message: string]>([
    ['nothing', '', 'r.yaml', 'r.yaml is empty'],
    ['blanks', ' \n\t\n', 'r.yaml', 'r.yaml is empty'],
    ['comments alone', '# nobody yet\n', 'r.yaml', 'r.yaml is not a roster'],
    ['an empty members', 'members:\n', 'r.yaml', 'r.yaml: members is not a list'],
    ['members that are one person', 'members: {email: ana@example.com}\n', 'r.yaml', 'r.yaml: members is not a list'],
    ['an object of something else', '{"people": []}', 'stdin', "stdin has keys that a roster doesn't have: people"],
    [
      'members misspelt beside members',
      'members: []\nmember: []\n',
      'r.yml',
      "r.yml has keys that a roster doesn't have: member",
    ],
    ['no members', '{}', 'r.json', 'r.json has no members'],
    ['a word', 'ana', 'r.yaml', 'r.yaml is not a roster'],
    ['two documents', '--- {members: []}\n--- {members: []}\n', 'r.yaml', 'r.yaml is not YAML: line 2: '],
    ['a key twice', 'members: []\nmembers: []\n', 'r.yaml', 'r.yaml is not YAML: line 2: '],
    [
      'a list that is not closed',
      'members:\n- email: a@b.example\n  teams: [x\n',
      'r.yaml',
      'r.yaml is not YAML: line ',
    ],
    ['YAML by another name', 'members: []', 'r.json', 'r.json is not JSON: '],
    ['what refers to nothing', 'members: [*ana]\n', 'r.yaml', 'r.yaml '],
  ])('%s', async (_, text, name, message) => {
    const { message: told } = await refusalOf(text, name);
    expect(told.slice(0, message.length)).toBe(message);
    expect(told).not.toContain('\n');
  });

  test('YAML that would grow beyond all bounds', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level <= 9; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    expect((await refusalOf(`${lines.join('\n')}\n`, 'r.yaml')).message).toContain(
      'has a reference (*name) to nothing, or too many',
    );
  });

  test('every row that cannot be used is told by its line, in one go', async () => {
    const text = [
      'members:',
      '- email: ana',
      '  teams: [platform]',
      '- teams: [platform]',
      '- email: ben@example.com',
      '  teams: platform',
      '- email: cy@example.com',
      '  teams: [2024]',
      '- 17',
      '- email: dee@example.com',
      '',
    ].join('\n');
    const { message, reasons, code } = await refusalOf(text, 'r.yaml');
    expect({ message, reasons, code }).toEqual({
      message: "r.yaml: 5 lines can't be used",
      reasons: [
        "line 2: 'ana' is not an email address",
        'line 4: has no email, user or id',
        'line 5: teams is not a list of names or ids',
        'line 7: teams is not a list of names or ids',
        'line 9: is neither an object nor an address',
      ],
      code: 'invalid-rows',
    });
  });
});

test('a list may be referred to by every row', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `- email: p${index}@example.com\n  teams: *core\n`);
  const text = `members:\n- email: ana@example.com\n  teams: &core [platform]\n${rows.join('')}`;
  const { rows: read } = await parseRoster(text, 'r.yaml');
  expect(read.length).toBe(2_001);
  expect(read.at(-1)).toEqual({ email: 'p1999@example.com', teams: ['platform'], line: 4_002 });
});

const anyTeam = fc
  .oneof(
    fc.constantFrom(
      'yes',
      'NO',
      'null',
      '~',
      '1',
      '0x1f',
      '1e3',
      '2024-01-01',
      'a: b',
      '- a',
      '#a',
      '&a',
      '*a',
      '"',
      "'",
      '{}',
      '[a]',
      '%',
      '@x',
      'a #b',
      '.inf',
      'y',
      'on',
      '<<',
      '!!str a',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  .map((team) => team.trim())
  .filter((team) => team !== '');
const anyEntries = fc.uniqueArray(
  fc.record({
    email: fc.stringMatching(/^[a-z0-9+_.=!#$%&'*/?^`{|}~-]{1,12}@[a-z0-9-]{1,8}\.(example|no)$/),
    teams: fc.uniqueArray(anyTeam, { maxLength: 4 }),
  }),
  { selector: ({ email }) => email, maxLength: 8 },
);

test.each(['yaml', 'json'] as const)('what is written as %s reads back as the same people', async (kind) => {
  await fc.assert(
    fc.asyncProperty(anyEntries, async (entries) => {
      const text = renderRoster([{ organization: 'acme', entries }], { isSeveral: false, kind });
      const { rows, kind: found, organization } = await parseRoster(text, 'stdin');
      expect([found, organization]).toEqual([kind, 'acme']);
      expect(rows.map(({ email, teams }) => ({ email, teams }))).toEqual(entries);
    }),
  );
});

test.each(['yaml', 'json'] as const)('what is written of several as %s reads back as each', async (kind) => {
  const anyName = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
  const anyRosters = fc.uniqueArray(fc.record({ organization: anyName, entries: anyEntries }), {
    selector: ({ organization }) => organization.toLowerCase(),
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(anyRosters, async (rosters) => {
      const text = renderRoster(rosters, { isSeveral: true, kind });
      const { rows, organizations, problems } = await parseRoster(text, `rosters.${kind}`);
      expect(problems).toEqual([]);
      expect([...(organizations ?? [])].sort()).toEqual(rosters.map(({ organization }) => organization).sort());
      for (const { organization, entries } of rosters) {
        const own = rows.filter((row) => row.organization === organization);
        expect(own.map(({ email, teams }) => ({ email, teams }))).toEqual(entries);
      }
    }),
  );
});

test.each([
  ['lists', `members: ${'['.repeat(20_000)}`],
  ['objects', '{a: '.repeat(20_000)],
  ['dashes before a bracket', `members:\n${'- '.repeat(20_000)}}`],
  ['dashes', `members:\n${'- '.repeat(20_000)}x`],
])('nesting beyond use is refused in words: %s', async (_name, text) => {
  expect((await refusalOf(text, 'r.yaml')).message).toMatch(/^r\.yaml /);
});

test('references that would take long to look up are refused', async () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => `  - {email: p${index}@example.com, teams: *t}`);
  const text = `members:\n  - {email: ana@example.com, teams: &t [platform]}\n${rows.join('\n')}\n`;
  expect((await refusalOf(text, 'r.yaml')).message).toBe('r.yaml has more than 2,000 references (*name)');
});

test('a long list that every row refers to is not written out', async () => {
  const teams = Array.from({ length: 5_001 }, (_, index) => `team-with-a-name-of-some-length-${index}`);
  const rows = Array.from({ length: 2_000 }, (_, index) => `  - {email: p${index}@example.com, teams: *t}`);
  const text = `members:\n  - {email: ana@example.com, teams: &t [${teams.join(', ')}]}\n${rows.join('\n')}\n`;
  expect((await refusalOf(text, 'r.yaml')).message).toBe('r.yaml names more than 10,000,000 teams in all');
});
