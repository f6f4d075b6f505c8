import { expect, test } from 'vitest';
import { type MemberQuery, parseMemberQuery } from '../../src/members/member-query.ts';

test.each<[text: string, query: MemberQuery]>([
  ['ou-1aB', { id: 'ou-1aB' }],
  ['user-1aB', { userId: 'user-1aB' }],
  ['ana@example.com', { email: 'ana@example.com' }],
  ['ana', { username: 'ana' }],
  ['ou-ana-b', { username: 'ou-ana-b' }],
  ['id:user-1', { userId: 'user-1' }],
  ['email:ana@example.com', { email: 'ana@example.com' }],
  ['name:ou-1', { username: 'ou-1' }],
  ['name: a@b ', { username: 'a@b' }],
])('%s', (text, query) => expect(parseMemberQuery(text)).toEqual(query));

test.each(['', 'name:', 'id:ana', 'email:ana', 'a@', 'a b@example.com,c@example.com', 'ana\u0007'])(
  '%j is refused',
  (text) => expect(() => parseMemberQuery(text)).toThrow(expect.objectContaining({ exit: 'usage' })),
);
