import pLimit from 'p-limit';
import type { Client } from '../api/client.ts';
import { findMember, listMembers, readByEmail, USER_AND_TEAMS } from '../api/memberships.ts';
import { type Page, readPages } from '../api/pagination.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isSameName, joinNames } from '../lib/text.ts';
import { describeMember, formatMember, type Member, parseMember } from './member.ts';
import { formatQuery, indexMembers, type MemberQuery } from './member-query.ts';
import { mapPeople } from './problems.ts';

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
  isOneOfSeveral = false,
): Promise<(Member | undefined)[]> {
  const candidates = [...(await readCandidates(client, org, queries)).values()];
  // An id is that of a membership of one organization, whichever is asked.
  const isHere = (member: Member): boolean => isSameName(member.org ?? org, org);
  const find = indexMembers(isOneOfSeveral ? candidates.filter(isHere) : candidates);
  return mapPeople(queries, (query) => choose(org, query, find(query)));
}

/** Throws `not-found` if nobody matches. */
export async function getMember(client: Client, org: string, query: MemberQuery): Promise<Member> {
  const [member] = await findMembers(client, org, [query]);
  if (member) return member;
  throw createNotFoundError(org, [query]);
}

function createNotFoundError(org: string | string[], queries: MemberQuery[]): OrgctlError {
  const orgs = [org].flat();
  const names = queries.map(formatQuery).join(', ');
  const message = `${joinNames(orgs)} ${orgs.length === 1 ? 'has' : 'have'} no member or invitation ${names}`;
  return new OrgctlError('not-found', message, { hint: '`orgctl members list` shows who is there.' });
}

/** Whom a query means in an organization. */
export interface MemberMatch {
  org: string;
  query: MemberQuery;
  member: Member | undefined;
  /** A row of a file says that the person is here. */
  hasOrg: boolean;
}

export async function findMatches(
  client: Client,
  org: string,
  targets: { query: MemberQuery; org?: string | undefined }[],
  isOneOfSeveral: boolean,
): Promise<MemberMatch[]> {
  const queries = targets.map(({ query }) => query);
  const members = await findMembers(client, org, queries, isOneOfSeveral);
  return targets.map(({ query, org: own }, at) => ({ org, query, member: members[at], hasOrg: own !== undefined }));
}

/**
 * Each membership once. People have to be in one of the organizations, or where their row says. Throws `not-found`, unless
 * those who are missing are wanted too.
 */
export function selectMatches<T extends MemberMatch>(found: T[], { keepsMissing }: { keepsMissing: boolean }): T[] {
  const present = new Set(found.filter(({ member }) => member).map(({ query }) => formatQuery(query)));
  const seen = new Set<string>();
  const selected = found.filter(({ query, member, hasOrg }) => {
    if (!member) return hasOrg || !present.has(formatQuery(query));
    return !seen.has(member.id) && seen.add(member.id);
  });
  const missing = selected.filter(({ member }) => !member);
  if (missing.length === 0 || keepsMissing) return selected;
  const orgs = [...new Set(missing.map(({ org }) => org))];
  const queries = new Map(missing.map(({ query }) => [formatQuery(query), query]));
  throw createNotFoundError(orgs, [...queries.values()]);
}

/** Everyone whom a query could mean. */
async function readCandidates(client: Client, org: string, queries: MemberQuery[]): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  const add = (member: Member): void => void members.set(member.id, member);
  const addPages = async (pages: AsyncIterable<Page>): Promise<void> => {
    for await (const page of pages) for (const item of page.items) add(parseMember(item, page.included));
  };
  const search = (text?: string): Promise<void> =>
    addPages(readPages(listMembers(client, org, { search: text }, USER_AND_TEAMS)));

  const limit = pLimit(CONCURRENCY);
  const listMissing = (emails: string[]): Set<string> => {
    const found = new Set([...members.values()].map(({ email }) => email?.toLowerCase()));
    return new Set(emails.filter((email) => !found.has(email.toLowerCase())));
  };
  const emails = [...new Set(queries.flatMap(({ email }) => email ?? []))];
  await addPages(readByEmail(client, org, emails));
  // The filter may mind the case of letters, the search does not (facts).
  const capitals = [...listMissing(emails)].filter((email) => email !== email.toLowerCase());
  await Promise.all(capitals.map((email) => limit(search, email)));
  // What else a row says may be of somebody else.
  const missing = listMissing(emails);
  const others = queries.filter(
    ({ email, id, username, userId }) =>
      (email === undefined || missing.has(email)) && (id ?? username ?? userId) !== undefined,
  );
  if (others.length > MAX_SINGLE_LOOKUPS || others.some(({ userId }) => userId !== undefined)) {
    await search();
    return members;
  }
  const lookUp = async ({ id, username }: MemberQuery): Promise<void> => {
    if (username !== undefined) await search(username);
    const found = id === undefined ? undefined : await findMember(client, id);
    if (found) add(parseMember(found.data, found.included));
  };
  await Promise.all(others.map((query) => limit(lookUp, query)));
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
