import { expect, test } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import { findMembers } from '../../src/members/find-members.ts';
import type { MemberQuery } from '../../src/members/member-query.ts';

type Person = Record<'id' | 'email' | 'username', string> & { org?: string };

const ANA = { id: 'ou-1', email: 'ana@example.com', username: 'ana' };
const BEN = { id: 'ou-2', email: 'ben@example.com', username: 'ben' };

/** Answers as the service does, but its filter minds the case of letters. */
function createClient(people: Person[]) {
  const asked: string[] = [];
  const read = async ({ path, query }: { path: string; query: [string, string][] }) => {
    const { q, 'filter[email]': emails } = Object.fromEntries(query);
    asked.push(q ?? emails ?? path);
    const isMeant = ({ id, email, username }: Person) =>
      (q && `${email} ${username}`.includes(q.toLowerCase())) ||
      emails?.split(',').includes(email) ||
      (!q && !emails && (path.startsWith('/organizations/') || path.endsWith(id)));
    const found = people.filter(isMeant);
    const data = found.map(({ id, email, username, org = 'acme' }) => ({
      id,
      type: 'organization-memberships',
      attributes: { email },
      relationships: {
        user: { data: { id: `user-${username}`, type: 'users' } },
        organization: { data: { id: org, type: 'organizations' } },
      },
    }));
    const included = found.map(({ username }) => ({ id: `user-${username}`, type: 'users', attributes: { username } }));
    const meta = { pagination: { 'total-count': found.length } };
    return { text: JSON.stringify({ data: path.startsWith('/organizations/') ? data : data[0], included, meta }) };
  };
  const find = async (...queries: MemberQuery[]) => {
    const targets = queries.map((query) => ({ query }));
    return (await findMembers({ read } as unknown as Client, 'acme', targets)).map(({ member }) => member?.id);
  };
  return { find, asked };
}

test('finds people in the order in which they are named, also by an email in another case than the service has it', async () => {
  const { find } = createClient([ANA, BEN]);
  const queries = [{ username: 'BEN' }, { email: 'nobody@example.com' }, { email: 'Ana@Example.com' }, { id: 'ou-2' }];
  expect(await find(...queries)).toEqual(['ou-2', undefined, 'ou-1', 'ou-2']);
});

test('reads the whole list once instead of many lookups', async () => {
  const people = Array.from({ length: 30 }, (_, at) => ({ id: `ou-${at}`, email: '', username: `p-${at}` }));
  const { find, asked } = createClient(people);
  expect(await find(...people.map(({ username }) => ({ username })))).toEqual(people.map(({ id }) => id));
  expect(asked).toEqual(['/organizations/acme/organization-memberships']);
});

test.each<[name: string, people: Person[], query: MemberQuery, message: string]>([
  [
    'are true of different people',
    [ANA, BEN],
    { email: 'ana@example.com', id: 'ou-2' },
    'ana@example.com and ou-2 are not the same person in acme',
  ],
  [
    'find two people, and are true of neither',
    [ANA, BEN],
    { username: 'ana', id: 'ou-2' },
    'ana and ou-2 are not the same person in acme',
  ],
  [
    'mean a member of another organization',
    [{ ...ANA, org: 'globex' }],
    { id: 'ou-1' },
    'ana@example.com is a member of globex, not of acme',
  ],
])('refuses values that %s', async (_name, people, query, message) => {
  await expect(createClient(people).find(query)).rejects.toMatchObject({ exit: 'usage', message });
});
