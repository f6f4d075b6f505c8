import { describe, expect, test } from 'vitest';
import { assertNoProblems } from '../../src/lib/problems.ts';
import { parseMemberRecord } from '../../src/members/member.ts';
import { createRoster, parseRoster } from '../../src/members/roster.ts';

function read(text: string) {
  const { problems, ...roster } = parseRoster(text, 'r');
  assertNoProblems(problems, 'r');
  return roster;
}

/** `acme: ana@example.com in platform, audit` */
function readRows(text: string): string[] {
  return read(text).rows.map(({ org, query, teams }) => {
    const who = Object.values(query).filter((value) => value !== undefined);
    return `${org ?? 'any'}: ${who.join(' and ')} in ${teams?.join(', ') ?? '?'}`;
  });
}

describe('parseRoster', () => {
  test.each<[text: string, rows: string[], orgs?: string[]]>([
    ['members:\n- email: ana@example.com\n  teams: [platform, audit]', ['any: ana@example.com in platform, audit']],
    ['{"members": [{"user": "ana", "teams": []}]}', ['any: ana in ']],
    ['- {id: ou-1}\n- {id: user-1, teams: }', ['any: ou-1 in ?', 'any: user-1 in ?']],
    [
      'email;teams\nana@example.com;a,b\nben@example.com;\n',
      ['any: ana@example.com in a, b', 'any: ben@example.com in ?'],
    ],
    ["id,email,user.username\nou-1,'+a@b.example,ana\n", ['any: +a@b.example and ana and ou-1 in ?']],
    ['"Why\nnot",email\nx,a@b.c\n', ['any: a@b.c in ?']],
    [
      '- &a {user: a, teams: [x]}\n- {<<: *a, user: b}\n- {teams: [], <<: [*a]}\n- &c {<<: {id: ou-1}}\n- {<<: *c}',
      ['any: a in x', 'any: b in x', 'any: a in ', 'any: ou-1 in ?', 'any: ou-1 in ?'],
    ],
    ['organization: acme\nmembers: []', [], ['acme']],
    ['sep=;\r\norganization.id;E-Mail\r\nacme;a@b.c\r\n', ['acme: a@b.c in ?'], ['acme']],
    ['organizations: {b: {members: [{id: ou-1}]}, a: {members: []}}', ['b: ou-1 in ?'], ['a', 'b']],
    ['organization,id\nB,ou-1\nb,ou-2\n,ou-3\n', ['B: ou-1 in ?', 'b: ou-2 in ?', 'any: ou-3 in ?'], ['b']],
    [
      '[{id: ou-1, teams: [{id: team-1, name: a}], user: {id: user-1, username: }, organization: {id: acme}}]',
      ['acme: ou-1 and user-1 in a'],
      ['acme'],
    ],
  ])('%j', (text, rows, orgs = []) => {
    expect(readRows(text)).toEqual(rows);
    expect(read(text).orgs).toEqual(orgs);
  });

  test.each<[text: string, message: string, ...reasons: string[]]>([
    ['text', 'r is not a roster'],
    ['member: []', 'r has unknown keys: member'],
    ['{organizations: {acme: {members: []}}, members: []}', 'r has unknown keys: members'],
    ['[{<<: x, id: ou-1}]', 'r is not valid YAML: Merge sources must be maps or map aliases'],
    ['[{id: ou-1, id: ou-2}]', 'r is not valid YAML: Map keys must be unique at line 1, column 13'],
    ['[{user: ana, user.username: ben}]', 'r: entry 1: the columns user and user.username mean the same'],
    ['organizations: {"acme\\u200b": {members: []}}', "'acme<U+200B>' has invisible characters: U+200B"],
    ['organization: \'"acme"\'\nmembers: []', `'"acme"' has quotes around it`],
    ['organizations: {acme: }', 'r: acme is not a roster'],
    ['organizations: {a: {members: [{id: ou-1, organization: b}]}}', 'r: a, entry 1: it names b, but is under a'],
    [`- ${'['.repeat(5_000)}`, 'r is not valid YAML: it is nested too deeply'],
    [`{"members":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'r is not valid YAML: it is nested too deeply'],
    ['a: &a [*a, *a]\nb: *b', 'r is not valid YAML: Unresolved alias (the anchor must be set before the alias): b'],
    [
      '[{email: ana}, x, {}, {id: x}, {user: 7, teams: [a]}, {id: ou-1, teams: 1}, {id: ou-1, teams: [1]}]',
      'r: 7 problems, nothing was sent',
      "entry 1: 'ana' is not an email address",
      'entry 2: it is not an object',
      'entry 3: it names nobody: email, user and id are empty',
      "entry 4: 'x' is not a membership or user id",
      'entry 5: user must be text',
      'entry 6: teams must be a list',
      'entry 7: a team must be text',
    ],
  ])('%#: refuses what is not a roster, and names every wrong row', (text, message, ...reasons) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message, reasons }));
  });

  test('names keys that mean nothing', () => {
    expect(read('[{id: ou-1, team: [a]}, {id: ou-2, team: [a], status: x}]').unknown).toEqual(['team']);
    expect(read('email,tems\nana@example.com,a\n').unknown).toEqual(['tems']);
  });
});

test('a roster of who is there calls people by email, name or id, and teams by names that mean no other', () => {
  const teams = ['a', 'b', 'B'].map((name) => ({ id: `team-${name}`, name, isOwners: false, isManaged: false }));
  const members = [
    { id: 'ou-1', email: 'ana@example.com', teams: teams.slice(0, 2) },
    { id: 'ou-2', user: { username: 'twin' }, teams: [] },
    { id: 'ou-3' },
  ].map(parseMemberRecord);
  const written = [{ email: 'ana@example.com', teams: ['a', 'team-b'] }, { user: 'twin', teams: [] }, { id: 'ou-3' }];
  expect(createRoster([{ org: 'acme', members, teams }])).toEqual({ organization: 'acme', members: written });
  const several = ['acme', 'globex'].map((org) => ({ org, members: [], teams: undefined }));
  expect(createRoster(several)).toEqual({ organizations: { acme: { members: [] }, globex: { members: [] } } });
});
