import pMap from 'p-map';
import type { Client } from '../api/client.ts';
import {
  countEmailRequests,
  countMembers,
  findMember,
  listMembers,
  readByEmail,
  USER_AND_TEAMS,
} from '../api/memberships.ts';
import { PAGE_SIZE, type Page } from '../api/pagination.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isSameName, joinNames } from '../lib/text.ts';
import { describeMember, formatMember, type Member, parseMember, parseMembers } from './member.ts';
import { formatQuery, indexMembers, type MemberQuery } from './member-query.ts';
import { mapPeople } from './problems.ts';

const CONCURRENCY = { concurrency: 8 };
/** More lookups than this cost more requests than the whole list. */
export const MAX_SINGLE_LOOKUPS = 20;

/**
 * Returns the member that each query means, undefined if nobody matches. Throws UsageError if several members match, or if
 * the fields of a query belong to different people.
 */
export async function findMembers(
  client: Client,
  org: string,
  queries: MemberQuery[],
  hasSeveralOrgs = false,
): Promise<(Member | undefined)[]> {
  const candidates = [...(await readCandidates(client, org, queries)).values()];
  // The service finds an id also if the membership belongs to another organization.
  const isHere = (member: Member): boolean => isSameName(member.org ?? org, org);
  const find = indexMembers(hasSeveralOrgs ? candidates.filter(isHere) : candidates);
  return mapPeople(queries, (query) => chooseMember(org, query, find(query)));
}

/** Throws `not-found` if nobody matches. */
export async function getMember(client: Client, org: string, query: MemberQuery): Promise<Member> {
  const [member] = await findMembers(client, org, [query]);
  if (member) return member;
  throw createNotFoundError([org], [query]);
}

function createNotFoundError(orgs: string[], queries: MemberQuery[]): OrgctlError {
  const names = queries.map(formatQuery).join(', ');
  const message = `${joinNames(orgs)} ${orgs.length === 1 ? 'has' : 'have'} no member or invitation ${names}`;
  return new OrgctlError('not-found', message, { hint: '`orgctl members list` shows who is there.' });
}

export interface MemberMatch {
  org: string;
  query: MemberQuery;
  member: Member | undefined;
  /** The row of a file names this organization. */
  hasOrg: boolean;
}

export async function findMatches(
  client: Client,
  org: string,
  targets: { query: MemberQuery; org?: string | undefined }[],
  hasSeveralOrgs: boolean,
): Promise<MemberMatch[]> {
  const queries = targets.map(({ query }) => query);
  const members = await findMembers(client, org, queries, hasSeveralOrgs);
  return targets.map(({ query, org: own }, at) => ({ org, query, member: members[at], hasOrg: own !== undefined }));
}

/** Returns each membership once. Throws `not-found` for people in none of the organizations, unless `keepsMissing` is set. */
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

export function readMembers(client: Client, org: string): Promise<Member[]> {
  return parseMembers(listMembers(client, org, {}, USER_AND_TEAMS).pages());
}

/** Whether the whole list takes fewer requests. */
async function isListShorter(client: Client, org: string, requests: number): Promise<boolean> {
  // Asking how long the list is takes a request too.
  if (requests <= 2) return false;
  const total = await countMembers(client, org);
  return total !== undefined && Math.ceil(total / PAGE_SIZE) < requests;
}

async function readCandidates(client: Client, org: string, queries: MemberQuery[]): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  const add = (member: Member): void => void members.set(member.id, member);
  const addPages = async (pages: AsyncIterable<Page>): Promise<void> => (await parseMembers(pages)).forEach(add);
  const search = (text: string): Promise<void> =>
    addPages(listMembers(client, org, { search: text }, USER_AND_TEAMS).pages());

  const listMissing = (emails: string[]): Set<string> => {
    const found = new Set([...members.values()].map(({ email }) => email?.toLowerCase()));
    return new Set(emails.filter((email) => !found.has(email.toLowerCase())));
  };
  const readAll = async (): Promise<Map<string, Member>> => {
    (await readMembers(client, org)).forEach(add);
    return members;
  };
  const emails = [...new Set(queries.flatMap(({ email }) => email ?? []))];
  if (await isListShorter(client, org, countEmailRequests(emails))) return readAll();
  await addPages(readByEmail(client, org, emails));
  // The filter may respect case, the search does not (facts).
  const capitals = [...listMissing(emails)].filter((email) => email !== email.toLowerCase());
  if (capitals.length > MAX_SINGLE_LOOKUPS && (await isListShorter(client, org, capitals.length))) return readAll();
  await pMap(capitals, (email) => search(email), CONCURRENCY);
  // The other fields of a row may belong to somebody else.
  const missing = listMissing(emails);
  const others = queries.filter(
    ({ email, id, username, userId }) =>
      (email === undefined || missing.has(email)) && (id ?? username ?? userId) !== undefined,
  );
  if (others.length > MAX_SINGLE_LOOKUPS || others.some(({ userId }) => userId !== undefined)) {
    return readAll();
  }
  const lookUp = async ({ id, username }: MemberQuery): Promise<void> => {
    if (username !== undefined) await search(username);
    const found = id === undefined ? undefined : await findMember(client, id);
    if (found) add(parseMember(found.data, found.included));
  };
  await pMap(others, lookUp, CONCURRENCY);
  return members;
}

function chooseMember(
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
