import pLimit from 'p-limit';
import type { Client } from '../api/client.ts';
import { findMember, listMembers, QUIETLY, readByEmail, USER_AND_TEAMS } from '../api/memberships.ts';
import { type Page, readPages } from '../api/pagination.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isSameName } from '../lib/text.ts';
import { describeMember, formatMember, type Member, parseMember } from './member.ts';
import { formatQuery, indexMembers, type MemberQuery } from './member-query.ts';

const CONCURRENCY = 8;
/** More people than this who are not named by email cost more requests than the whole list. */
const MAX_SINGLE_LOOKUPS = 20;

/**
 * The member that each query means, in order; undefined if nobody matches. Throws UsageError if several match, or if what
 * a query says is true of different people.
 */
export async function findMembers(
  client: Client,
  org: string,
  queries: MemberQuery[],
): Promise<(Member | undefined)[]> {
  const find = indexMembers((await readCandidates(client, org, queries)).values());
  return queries.map((query) => choose(org, query, find(query)));
}

/** Throws `not-found` if nobody matches. */
export async function getMember(client: Client, org: string, query: MemberQuery): Promise<Member> {
  const [member] = await findMembers(client, org, [query]);
  if (member) return member;
  throw createNotFound(org, [query]);
}

export function createNotFound(org: string, queries: MemberQuery[]): OrgctlError {
  return new OrgctlError('not-found', `${org} has no member or invitation ${queries.map(formatQuery).join(', ')}`, {
    hint: '`orgctl members list` shows who is there.',
  });
}

/** Everyone whom a query could mean. */
async function readCandidates(client: Client, org: string, queries: MemberQuery[]): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  const add = (member: Member): void => void members.set(member.id, member);
  const addPages = async (pages: AsyncIterable<Page>): Promise<void> => {
    for await (const page of pages) for (const item of page.items) add(parseMember(item, page.included));
  };
  const search = (text?: string): Promise<void> =>
    addPages(readPages(listMembers(client, org, { search: text }, USER_AND_TEAMS, QUIETLY)));

  const others = queries.filter(({ email }) => email === undefined);
  if (others.length > MAX_SINGLE_LOOKUPS || others.some(({ userId }) => userId !== undefined)) {
    await search();
    return members;
  }
  const limit = pLimit(CONCURRENCY);
  const emails = [...new Set(queries.flatMap(({ email }) => email ?? []))];
  const lookUp = async ({ id, username }: MemberQuery): Promise<void> => {
    if (username !== undefined) return search(username);
    const found = id === undefined ? undefined : await findMember(client, id);
    if (found) add(parseMember(found.data, found.included));
  };
  await Promise.all([addPages(readByEmail(client, org, emails)), ...others.map((query) => limit(lookUp, query))]);
  // The filter may mind the case of letters, the search does not (facts).
  const isFound = (email: string): boolean => [...members.values()].some((one) => isSameName(one.email ?? '', email));
  const missing = emails.filter((email) => email !== email.toLowerCase() && !isFound(email));
  await Promise.all(missing.map((email) => limit(search, email)));
  return members;
}

function choose(
  org: string,
  query: MemberQuery,
  { named, matches }: { named: Member[]; matches: Member[] },
): Member | undefined {
  const [member, other] = matches;
  if (other) {
    throw new UsageError(`${matches.length} members of ${org} match ${formatQuery(query)}`, {
      reasons: matches.map((one) => `${one.id}: ${describeMember(one)}`),
      hint: 'Name one by its id (ou-…).',
    });
  }
  if (!member && named[0]) {
    const words = Object.values(query).filter((value) => value !== undefined);
    throw new UsageError(`${words.join(' and ')} are not the same person in ${org}`);
  }
  if (member?.org !== undefined && !isSameName(member.org, org)) {
    throw new UsageError(`${formatMember(member)} is a member of ${member.org}, not of ${org}`, {
      hint: `Add --org ${member.org}.`,
    });
  }
  return member;
}
