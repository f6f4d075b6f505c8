import { expect, test } from 'vitest';
import { assertNoProblems } from '../../src/lib/problems.ts';
import { parsePeopleFile } from '../../src/members/people-file.ts';

function read(text: string) {
  const { problems, ...file } = parsePeopleFile(text, 'people');
  assertNoProblems(problems, 'people');
  return file;
}

const MEMBER = {
  id: 'ou-1',
  type: 'organization-memberships',
  status: 'active',
  email: 'ana@example.com',
  'created-at': '2026-09-26T09:00:00.000Z',
  teams: [
    { id: 'team-1', type: 'teams', name: 'a' },
    { id: 'team-2', type: 'teams' },
  ],
  user: { id: 'user-1', type: 'users', username: 'ana', email: 'ana@example.com' },
  organization: { id: 'acme', type: 'organizations' },
};
const ROW = { query: { email: 'ana@example.com', username: 'ana', id: 'ou-1' }, teams: ['a', 'team-2'], org: 'acme' };
const FROM_JSON = { ...ROW, query: { ...ROW.query, userId: 'user-1' } };

test.each<[name: string, text: string, row: object]>([
  [
    'what orgctl prints as csv',
    'organization.id,email,status,teams.name,user.username,id\nacme,ana@example.com,active,"a,team-2",ana,ou-1\n',
    ROW,
  ],
  ['what orgctl prints as json', JSON.stringify([MEMBER]), FROM_JSON],
  [
    'what --fields prints as ndjson',
    '{"email":"ana@example.com","teams.name":["a"]}',
    { query: { email: 'ana@example.com' }, teams: ['a'] },
  ],
  [
    'names of columns in any case',
    'Email;Teams;Organization\nana@example.com;a, b;acme\n',
    { query: { email: 'ana@example.com' }, teams: ['a', 'b'], org: 'acme' },
  ],
  ['a user name', 'user\nana\n', { query: { username: 'ana' } }],
  ['the id of a user', 'id,teams\nuser-1,\n', { query: { userId: 'user-1' } }],
])('reads %s', (_name, text, row) => {
  const { rows, unknown } = read(text);
  expect({ rows, unknown }).toEqual({ rows: [{ location: expect.any(String), ...row }], unknown: [] });
});

test('names the columns that mean nothing', () => {
  const { unknown } = read('email,phone,status,floor\nana@example.com,1,active,2\n');
  expect(unknown).toEqual(['phone', 'floor']);
});

test('names every wrong row', () => {
  const text = 'email,id\nana@example.com,ou-1\nana,\n,user-1 user-2\n,at-1\n';
  expect(() => read(text)).toThrow(
    expect.objectContaining({
      exit: 'usage',
      message: 'people: 3 problems, nothing was sent',
      reasons: [
        "line 3: 'ana' is not an email address",
        "line 4: 'user-1 user-2' is not a membership or user id",
        "line 5: 'at-1' is not a membership or user id",
      ],
    }),
  );
});

const ANA = 'ana@example.com';
const json = (record: object): string => JSON.stringify({ email: ANA, ...record });

test.each([
  ['name,email,manager,email\nAna,ana@example.com,Ben,b@c.d\n', 'the columns email and email mean the same'],
  ['email;E-Mail\nana@example.com;ben@example.com\n', 'the columns email and E-Mail mean the same'],
  ['email,teams,teams.name\nana@example.com,a,b\n', 'the columns teams and teams.name mean the same'],
  ['user,user.username\nana,ben\n', 'the columns user and user.username mean the same'],
  ['id,organization,organization.id\nou-1,,a\n', 'the columns organization and organization.id mean the same'],
  [json({ 'E-mail': 'ben@example.com' }), 'entry 1: the columns email and E-mail mean the same'],
  [json({ organization: { id: 'a', name: 'b' } }), 'entry 1: it names two organizations: a, b'],
  [json({ organization: { slug: 'a' } }), 'entry 1: organization has no name'],
  [json({ organization: ['a'] }), 'entry 1: organization must be text'],
  [JSON.stringify({ id: 'user-1', user: { id: 'user-2' } }), 'entry 1: user-1 and user-2 are two people'],
  ['email\nana\u200b@example.com\n', "line 2: 'ana<U+200B>@example.com' has invisible characters: U+200B"],
  ['user\n"""ana"""\n', `line 2: '"ana"' has quotes around it`],
  ['email\nmailto:ana@example.com\n', "line 2: 'mailto:ana@example.com' is not an email address"],
  ['email,teams\nana@example.com,"a,b\u00ad"\n', "line 2: 'b<U+00AD>' has invisible characters: U+00AD"],
  ['email,organization\nana@example.com,acme\u00a0\n', "line 2: 'acme<U+00A0>' has invisible characters: U+00A0"],
])('%j names nobody for sure', (text, message) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ message: `people: ${message}` }));
});

test.each([
  ['email,organization.name\nana@example.com,globex\n', 'globex'],
  ['email,organization\u200b\nana@example.com,globex\n', 'globex'],
  [json({ organization: { name: 'globex' } }), 'globex'],
  [json({ organization: { id: 'acme', name: 'ACME' } }), 'acme'],
])('%j acts in %s', (text, org) => expect(read(text).rows).toMatchObject([{ org }]));
