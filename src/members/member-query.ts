import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import type { Member } from './member.ts';

/** An argument sets one field, a row of a file may set several. */
export interface MemberQuery {
  email?: string;
  username?: string;
  /** The id of the membership: `ou-…`. */
  id?: string;
  /** `user-…` */
  userId?: string;
}

const FORMS = 'Name a member by email, user name, ou-… or user-…; email:, name: or id: in front decides.';

// Commas, colons and brackets would change the request or come from a link; the service checks the rest.
const EMAIL = /^[^\s@,:;<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;<>()[\]"\\\p{Cc}]+$/u;

export function parseEmail(text: string): string {
  assertVisible(text);
  const email = text.trim();
  if (email.length <= 254 && EMAIL.test(email)) return email;
  throw new UsageError(`'${text.slice(0, 100)}' is not an email address`, {
    hint: 'It must look like name@example.com.',
  });
}

export function parseMemberQuery(text: string): MemberQuery {
  assertVisible(text);
  const [, prefix, rest = ''] = /^(?:(id|email|name):)?(.*)$/s.exec(text) ?? [];
  const value = rest.trim();
  if (value === '') throw new UsageError(`'${text}' names no member`, { hint: FORMS });
  if (prefix === 'email') return { email: parseEmail(value) };
  if (prefix === 'name') return { username: value };
  if (/^ou-\w+$/.test(value)) return { id: value };
  if (/^user-\w+$/.test(value)) return { userId: value };
  if (prefix === 'id') throw new UsageError(`'${value}' is not a membership or user id`);
  return value.includes('@') ? { email: parseEmail(value) } : { username: value };
}

export function formatQuery({ email, username, id, userId }: MemberQuery): string {
  return email ?? username ?? id ?? userId ?? '';
}

/** One key for each field that identifies a person; the service ignores the case of emails and user names. */
export function listKeys({ email, username, id, userId }: MemberQuery | Member): string[] {
  const keys = { email: email?.toLowerCase(), name: username?.toLowerCase(), id, user: userId };
  return Object.entries(keys).flatMap(([kind, value]) => (value === undefined ? [] : [`${kind} ${value}`]));
}

export type Found = ReturnType<ReturnType<typeof indexMembers>>;

/**
 * Finds members: `named` are those whom any field of the query names, `matches` those whom all fields name, and `likely` those
 * whom all fields name, apart from fields that name nobody.
 */
export function indexMembers(members: Iterable<Member>) {
  const index = new Map<string, Member[]>();
  for (const member of members) {
    for (const key of listKeys(member)) index.set(key, [...(index.get(key) ?? []), member]);
  }
  return (query: MemberQuery) => {
    const lists = listKeys(query).map((key) => index.get(key) ?? []);
    const named = [...new Set(lists.flat())];
    const select = (some: Member[][]): Member[] =>
      named.filter((member) => some.every((list) => list.includes(member)));
    return { named, matches: select(lists), likely: select(lists.filter((list) => list.length > 0)) };
  };
}
