import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { parsePeople } from '../../../src/old/people-files/parse-people-file.ts';
import { ALL_KEYS } from '../../../src/old/people-files/people-columns.ts';
import { type PersonRow, refuseProblems } from '../../../src/old/people-files/person-rows.ts';
import { markFormulas } from '../../../src/old/text/formulas.ts';

interface Row {
  readonly email: string;
  readonly teams: readonly string[];
  readonly line: number;
  readonly organization?: string;
}

interface PeopleFile {
  readonly rows: readonly Row[];
  readonly folded: number;
  readonly kind: string;
  readonly ignored: readonly string[];
}

/** Rows that say nothing of teams have none here. */
function read(text: string, teams = false): PeopleFile {
  const file = parsePeople(text, 'people', { teams });
  refuseProblems(file, file.problems);
  const { rows, folded, kind, ignored } = file;
  return { rows: rows.map(({ claims: _, ...row }) => ({ teams: [], email: '', ...row })), folded, kind, ignored };
}

function refusal(text: string, teams = false): UsageError {
  try {
    read(text, teams);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const ANA = { email: 'ana@example.com', teams: ['platform', 'security'], line: 2 };

const ANA_BELOW = { ...ANA, line: 3 };
const BEN = { email: 'ben@example.com', teams: [], line: 2 };
const FORMULA = { email: '+ana@example.com', teams: ['-x'], line: 2 };

describe('CSV', () => {
  test.each<[name: string, text: string, rows: PeopleFile['rows'], ignored?: readonly string[]]>([
    ['a header and a row', 'email,teams\nana@example.com,platform;security\n', [ANA]],
    ['without a newline at the end', 'email,teams\nana@example.com,platform;security', [ANA]],
    ['CR LF', 'email,teams\r\nana@example.com,platform;security\r\n', [ANA]],
    ['CR alone', 'email,teams\rana@example.com,platform;security\r', [ANA]],
    [
      'line ends of all kinds',
      'email,teams\r\nana@example.com,platform;security\nben@example.com,a\r',
      [ANA, { email: 'ben@example.com', teams: ['a'], line: 3 }],
    ],
    ['columns in another order and case', 'Teams, E-Mail \nplatform;security,ana@example.com\n', [ANA]],
    ['what others call an email', 'Email address,Team\nana@example.com,platform;security\n', [ANA]],
    ['Mail, before semicolons', 'Mail;Teams\nana@example.com;platform,security\n', [ANA]],
    ['a note in brackets', 'Email Address [Required],Teams\nana@example.com,platform;security\n', [ANA]],
    ['an email before what others call so', 'mail,email\nx@example.com,ben@example.com\n', [BEN], ['mail']],
    ['quotes and blanks', 'email,teams\n "ana@example.com" , "platform; security" \n', [ANA]],
    ['teams as orgctl prints them', 'email,teams\nana@example.com,"platform,security"\n', [ANA]],
    ['a team named twice', 'email,teams\nana@example.com,platform;security;platform;\n', [ANA]],
    ['a column team', 'email,team\nana@example.com,platform;security\n', [ANA]],
    ['an address that begins with #', 'email\n"#1@example.com"\n', [{ email: '#1@example.com', teams: [], line: 2 }]],
    ['a # within', 'email,teams\na#b@example.com,c#\n', [{ email: 'a#b@example.com', teams: ['c#'], line: 2 }]],
    [
      'comments and blank lines are counted as lines',
      '# who joins, "as of" May\n\nemail,teams\n# the first\n\n  \n,\nana@example.com,platform;security\n',
      [{ ...ANA, line: 8 }],
    ],
    ['nothing below the header', 'email,teams\n', []],
    [
      'semicolons, as spreadsheets save it',
      '# May\nEmail;Teams\r\nana@example.com;"platform;security"\r\n',
      [ANA_BELOW],
    ],
    ['tabs', 'email\tphone\tteams\nana@example.com\t\tplatform;security\n', [ANA], ['phone']],
    [
      'an address a line',
      '# who leaves\nana@example.com\n\n "ben@example.com"\n',
      [
        { email: 'ana@example.com', teams: [], line: 2 },
        { email: 'ben@example.com', teams: [], line: 4 },
      ],
    ],
    [
      'members list as it is piped',
      'ou-1\tana@example.com\tactive\t"ana\tplatform,security\nou-2\tben@example.com\tinvited\t\t\n',
      [{ ...ANA, line: 1 }, BEN],
    ],
    [
      'the same of invitations and several organizations',
      'acme\tou-1\tana@example.com\tinvited\t\tplatform,security\t2026-09-28T10:00:00Z\nacme\tou-2\tben@example.com\tinvited\t\t\t\n',
      [
        { ...ANA, line: 1, organization: 'acme' },
        { ...BEN, organization: 'acme' },
      ],
    ],
    [
      'teams members as it is piped',
      'ou-1\tana@example.com\tactive\tana\nou-2\tben@example.com\tinvited\t\n',
      [{ ...ANA, teams: [], line: 1 }, BEN],
    ],
    ['a mark before what a spreadsheet would run', "email,teams.name\n'+ana@example.com,'-x\n", [FORMULA]],
    [
      'a value of two lines',
      'email,teams\nana@example.com,"platform;\nsecurity"\nben@example.com,a\n',
      [ANA, { email: 'ben@example.com', teams: ['a'], line: 4 }],
    ],
  ])('%s', (_name, text, rows, ignored: readonly string[] = []) => {
    expect(read(text)).toEqual({ rows, folded: 0, kind: 'csv', ignored });
  });

  test('other columns are left alone and named', () => {
    const { rows, ignored } = read('name,email,cost center,teams,\nAna,ana@example.com,42,platform;security,\n');
    expect({ rows, ignored }).toEqual({ rows: [ANA], ignored: ['name', 'cost center'] });
  });

  test('people named again are folded, whatever the case, and get all the teams', () => {
    const text = 'email,teams\nAna@example.com,a;b\nben@example.com,a\nana@EXAMPLE.com,b;c\nANA@example.com,\n';
    expect(read(text, true)).toEqual({
      rows: [
        { email: 'Ana@example.com', teams: ['a', 'b', 'c'], line: 2 },
        { email: 'ben@example.com', teams: ['a'], line: 3 },
      ],
      folded: 2,
      kind: 'csv',
      ignored: [],
    });
  });

  test('every row that cannot be used is told at once, with its line', () => {
    const error = refusal(
      [
        'email,teams',
        'ana@example.com,platform',
        '# fine so far',
        'nonsense,platform',
        ',platform',
        'ben@example.com,',
        'cy@example.com,platform,security',
        'dee "d" @example.com,a',
        `${'x'.repeat(300)}@example.com,a`,
        'ana@example.com,\u0000',
        '"eve@example.com"x,a',
        'fay@example.com,a',
      ].join('\n'),
      true,
    );
    expect({ message: error.message, code: error.code, reasons: error.reasons }).toEqual({
      message: "people: 7 lines can't be used",
      code: 'invalid-rows',
      reasons: [
        "line 4: 'nonsense' is not an email address",
        'line 5: has no email',
        'line 6: ben@example.com has no team',
        'line 7: 3 values where the header names 2: separate teams by semicolons',
        `line 8: 'dee "d" @example.com' is not an email address`,
        `line 9: '${'x'.repeat(100)}…' is not an email address`,
        'line 11: a quoted value goes on after its closing quotation mark; the rest was not read',
      ],
    });
    expect(error.hint).toContain('Nothing was sent.');
  });

  test.each([
    ['', 'people is empty'],
    [' \n\uFEFF \n', 'people is empty'],
    ['# nobody\n', 'people has no header'],
    ['ana@example.com,platform\nben@example.com,audit\n', 'people has no column email'],
    ['ana@example.com\tplatform\n', 'people has no column email'],
    ['email,teams,E-mail\n', 'people has two columns for email'],
    ['email,team,teams\n', 'people has two columns for teams'],
    ['__proto__,constructor\n', 'people has no column email'],
    ['Mail,Email address\nana@example.com,ben@example.com\n', 'people has two columns for email'],
  ])('%j: %s', (text, message) => {
    expect(refusal(text).message).toBe(message);
  });

  test('a quotation mark that is never closed', () => {
    const text = 'email,teams\nana@example.com,a\n# next\n\nben@example.com,"b\ncy@example.com,c\n';
    expect(refusal(text).reasons).toEqual(['line 5: a quotation mark is never closed; the rest was not read']);
  });

  test('teams are not needed where they come from elsewhere', () => {
    expect(read('email\nana@example.com\n').rows).toEqual([{ email: 'ana@example.com', teams: [], line: 2 }]);
    expect(refusal('email\nana@example.com\n', true).reasons).toEqual(['line 2: ana@example.com has no team']);
  });
});

describe('JSON', () => {
  test.each<[name: string, value: unknown, rows: PeopleFile['rows']]>([
    ['objects', [{ email: ' ana@example.com ', teams: ['platform', ' security '] }], [{ ...ANA, line: 1 }]],
    ['addresses alone', ['ana@example.com'], [{ email: 'ana@example.com', teams: [], line: 1 }]],
    ['no teams', [{ email: 'ana@example.com', teams: null }], [{ email: 'ana@example.com', teams: [], line: 1 }]],
    ['nobody', [], []],
    ['one person alone', { email: 'ana@example.com', teams: ['platform', 'security'] }, [{ ...ANA, line: 1 }]],
    [
      'where they act',
      ['acme', { id: 'acme', type: 'organizations' }, null, ' '].map((organization, index) => ({
        email: `${index}@example.com`,
        organization,
      })),
      ['acme', 'acme', undefined, undefined].map((organization, index) => ({
        email: `${index}@example.com`,
        teams: [],
        line: index + 1,
        ...(organization === undefined ? {} : { organization }),
      })),
    ],
    [
      'memberships as orgctl prints them',
      [{ id: 'ou-1', email: 'ana@example.com', teams: [{ id: 'team-1', type: 'teams' }] }],
      [{ email: 'ana@example.com', teams: ['team-1'], line: 1 }],
    ],
  ])('%s', (_name, value, rows) => {
    const file = read(`\n ${JSON.stringify(value, undefined, 2)}`);
    expect({ rows: file.rows, kind: file.kind }).toEqual({ rows, kind: 'json' });
  });

  test('ndjson, with the numbers of its lines', () => {
    const text = '{"email":"ana@example.com","teams":["platform","security"]}\n\n{"email":"ben@example.com"}\n';
    expect(read(text)).toMatchObject({
      rows: [
        { ...ANA, line: 1 },
        { ...BEN, line: 3 },
      ],
      kind: 'ndjson',
    });
    expect(refusal(`${text}{"email":7}\n`).reasons).toEqual(['line 4: email is not a text']);
    expect(refusal(`${text}{"email":\n`).message).toMatch(/^people is not JSON: line 4: /);
  });

  test('every entry that cannot be used is told at once, with its number', () => {
    const value = [
      { email: 'ana@example.com', teams: ['a'] },
      { email: 'ben@example.com' },
      { teams: ['a'] },
      { email: 7, teams: ['a'] },
      { email: 'cy@example.com', teams: 'a;b' },
      { email: 'dee@example.com', teams: [7] },
      null,
      [],
      'nonsense',
      { email: 'eve@example.com', teams: ['a'], organization: 7 },
      { email: 'eve@example.com', teams: ['a'], organization: 'acme', 'organization.id': 'globex' },
    ];
    expect(refusal(JSON.stringify(value), true)).toMatchObject({
      message: "people: 10 entries can't be used",
      reasons: [
        'entry 2: ben@example.com has no team',
        'entry 3: has no email',
        'entry 4: email is not a text',
        'entry 5: teams is not a list of names or ids (also entry 6)',
        'entry 7: is neither an object nor an address (also entry 8)',
        "entry 9: 'nonsense' is not an email address",
        'entry 10: organization is not a name',
        'entry 11: has two values for organization',
      ],
    });
  });

  test('what is no array', () => {
    expect(refusal('{"members":[]}').message).toBe('people is a JSON object, where an array is expected');
    expect(refusal('[{"email":').message).toMatch(/^people is not JSON: /);
  });

  test('names that belong to every object are only names', () => {
    const { rows, ignored } = read(
      '[{"__proto__":{"email":"evil@example.com"},"email":"ana@example.com","toString":1}]',
    );
    expect(rows).toEqual([{ email: 'ana@example.com', teams: [], line: 1 }]);
    expect(ignored).toEqual(['__proto__', 'toString']);
    expect(refusal('[{"__proto__":{"email":"evil@example.com"}}]').reasons).toEqual(['entry 1: has no email']);
    expect(({} as Record<string, unknown>)['email']).toBeUndefined();
  });

  test('depth is no danger', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const text of [`[{"email":${deep}}]`, `[{"email":"ana@example.com","more":${deep}}]`]) {
      expect(refusal(text).message).toBe('people is not JSON: it is nested more than 500 levels deep');
    }
  });
});

describe('other keys than the email', () => {
  const all = (text: string, once = false) => parsePeople(text, 'people', { teams: false, keys: ALL_KEYS, once });

  test.each<[text: string, rows: readonly Omit<PersonRow, 'line'>[]]>([
    ['user,teams\nada,platform\n', [{ user: 'ada', teams: ['platform'] }]],
    ['id\nou-1\nuser-2\n', [{ id: 'ou-1' }, { id: 'user-2' }]],
    [
      'id,email,status,user.username,teams.name\nou-1,ada@example.com,active,ada,"a,b"\nou-2,eve@example.com,invited,,\n',
      [
        { id: 'ou-1', email: 'ada@example.com', user: 'ada', teams: ['a', 'b'] },
        { id: 'ou-2', email: 'eve@example.com' },
      ],
    ],
    ['[{"user": " ada ", "teams": []}, {"id": "ou-1", "teams": null}]', [{ user: 'ada', teams: [] }, { id: 'ou-1' }]],
    [
      '[{"type": "organization-memberships", "id": "ou-1", "user": {"id": "user-1", "username": "ada"}, "email": null}]',
      [{ id: 'ou-1', user: 'ada' }],
    ],
    ['user,teams\nada,a\nADA,b\n', [{ user: 'ada', teams: ['a', 'b'] }]],
  ])('%j', (text, rows) => {
    const file = all(text);
    expect({ problems: file.problems, rows: file.rows.map(({ line: _, claims: __, ...row }) => row) }).toEqual({
      problems: [],
      rows,
    });
  });

  test('that can be none are wrong, all at once', () => {
    const text = JSON.stringify([{ id: 'team-1' }, { user: 7 }, { user: ' ' }, { teams: ['a'] }, { user: 'a\u0007' }]);
    expect(all(text).problems.map(({ advice: _, ...problem }) => problem)).toEqual([
      { line: 1, text: "'team-1' is not a membership id or user id" },
      { line: 2, text: 'user is not a text' },
      { line: 3, text: "' ' is not a user name" },
      { line: 4, text: 'has no email, user or id' },
      { line: 5, text: "'a\u0007' is not a user name" },
    ]);
  });

  test('name no one where the email alone counts: an id and a status are then what the file says of them', () => {
    const file = (text: string, uses: readonly 'status'[]) => parsePeople(text, 'people', { teams: false, uses });
    const text =
      'ID,email,status,teams\nou-1,ana@example.com,Invited,a\n4711,ben@example.com,gone,b\n,c@example.com,,\n';
    const { rows, ignored } = file(text, ['status']);
    expect(rows.map(({ claims = [] }) => claims.map(({ line, id, status }) => [line, id, status]))).toEqual([
      [[2, 'ou-1', 'invited']],
      [],
      [],
    ]);
    expect(ignored).toEqual(['teams', 'id (4711)', 'status (gone)']);
    const many = file(`email,id\n${[1, 2, 3, 4, 5].map((id) => `p${id}@example.com,${id}\n`).join('')}`, []);
    expect(many.ignored).toEqual(['id (1, 2, 3, …)']);
    expect(refusal('[{"id": "ou-1"}]').reasons).toEqual(['entry 1: has no email']);
    expect(() => all('name\nAna\n')).toThrow('people has no column email, user or id');
  });

  test('and where each person may stand there once, the second row is wrong', () => {
    expect(all('email,user\nana@example.com,\n,ben\nANA@example.com,\n,Ben\n', true).problems).toEqual([
      { line: 4, text: 'ANA@example.com is in line 2 already' },
      { line: 5, text: 'Ben is in line 3 already' },
    ]);
  });
});

describe('laws', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9#'+-][A-Za-z0-9#'+.-]{0,8}$/);
  const email = fc.tuple(name, fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/)).map(([local, host]) => `${local}@${host}.com`);
  const person = fc.record({
    email,
    teams: fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/), { maxLength: 4 }),
  });
  const people = fc.array(person, { maxLength: 12 });
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const withoutLines = ({ rows, folded }: PeopleFile) => ({
    rows: rows.map((row) => ({ email: row.email, teams: row.teams })),
    folded,
  });

  test('the same people are read from CSV, however it is quoted and ended, and from JSON', () => {
    fc.assert(
      fc.property(people, end, fc.boolean(), (list, newline, quoted) => {
        const quote = (text: string) => {
          const marked = markFormulas(text);
          return quoted || marked.startsWith('#') ? `"${marked}"` : marked;
        };
        const csv = ['email,teams', ...list.map(({ email, teams }) => `${quote(email)},${quote(teams.join(';'))}`)];
        expect(withoutLines(read(csv.join(newline)))).toEqual(withoutLines(read(JSON.stringify(list))));
      }),
    );
  });

  test('nobody is lost and nobody stands twice', () => {
    fc.assert(
      fc.property(people, (list) => {
        const { rows, folded } = read(JSON.stringify(list));
        const asked = new Set(list.map(({ email }) => email.toLowerCase()));
        expect(new Set(rows.map(({ email }) => email.toLowerCase()))).toEqual(asked);
        expect(rows).toHaveLength(asked.size);
        expect(rows.length + folded).toBe(list.length);
        for (const { email, teams } of rows) {
          const theirs = list.filter((other) => other.email.toLowerCase() === email.toLowerCase());
          expect(new Set(teams)).toEqual(new Set(theirs.flatMap((other) => other.teams)));
        }
      }),
    );
  });

  test('any text is read or refused, and nothing else is thrown', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'email,;"#\n\r[{:@.') })),
        (text) => {
          for (const shown of [text, `email,teams\n${text}`]) {
            try {
              read(shown, true);
            } catch (error) {
              expect(error).toBeInstanceOf(UsageError);
            }
          }
        },
      ),
    );
  });
});

test('a hundred thousand people', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `person-${index}@example.com,platform;security`);
  const { rows } = read(['email,teams', ...lines].join('\n'));
  expect(rows).toHaveLength(100_000);
  expect(rows.at(-1)).toEqual({ email: 'person-99999@example.com', teams: ['platform', 'security'], line: 100_001 });
});

test('rows have a limit, whoever they name', () => {
  const json = JSON.stringify(Array(500_001).fill('ana@example.com'));
  expect(() => parsePeople(json, 'people', { teams: false })).toThrow(
    expect.objectContaining({ message: 'people has more than 500,000 rows', exit: 'usage' }),
  );
});
