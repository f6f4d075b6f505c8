import { expect, test } from 'vitest';
import { parsePeopleFile } from '../../src/members/people-file.ts';

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
  const { rows, unknown } = parsePeopleFile(text, 'people');
  expect({ rows, unknown }).toEqual({ rows: [{ location: expect.any(String), ...row }], unknown: [] });
});

test('names the columns that mean nothing', () => {
  const { unknown } = parsePeopleFile('email,phone,status,floor\nana@example.com,1,active,2\n', 'people');
  expect(unknown).toEqual(['phone', 'floor']);
});

test('names every wrong row', () => {
  const text = 'email,id\nana@example.com,ou-1\nana,\n,user-1 user-2\n,at-1\n';
  expect(() => parsePeopleFile(text, 'people')).toThrow(
    expect.objectContaining({
      exit: 'usage',
      message: 'people has 3 wrong rows, nothing was sent',
      reasons: [
        "line 3: 'ana' is not an email address",
        "line 4: 'user-1 user-2' is not a membership or user id",
        "line 5: 'at-1' is not a membership or user id",
      ],
    }),
  );
  expect(() => parsePeopleFile('user\nana\n', 'people', { needsEmail: true })).toThrow(
    'people: line 2: it has no email',
  );
});
