import pMap from 'p-map';
import type { Client } from '../api/client.ts';
import {
  countMembers,
  findMember,
  listMembers,
  MAX_EMAILS,
  type MemberFilter,
  USER_AND_TEAMS,
} from '../api/memberships.ts';
import { PAGE_SIZE } from '../api/pagination.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isSameName, joinNames } from '../lib/text.ts';
import { describeMember, formatMember, type Member, parseMember, parseMembers } from './member.ts';
import { formatQuery, indexMembers, type MemberQuery } from './member-query.ts';
import { mapPeople } from './problems.ts';

const CONCURRENCY = { concurrency: 8 };
/** More lookups than this cost more requests than the whole list. */
const MAX_SINGLE_LOOKUPS = 20;

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
  const candidates = await readCandidates(client, org, queries);
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

/** Finds by email first, and whoever that does not find by what else the query has, or all in the whole list. */
async function readCandidates(client: Client, org: string, queries: MemberQuery[]): Promise<Member[]> {
  const emails = unique(queries.map(({ email }) => email));
  if (await isListShorter(client, org, Math.ceil(emails.length / MAX_EMAILS))) return readMembers(client, org);
  const search = (filter: MemberFilter): Promise<Member[]> =>
    parseMembers(listMembers(client, org, filter, USER_AND_TEAMS).pages());
  const found = emails.length > 0 ? await search({ emails }) : [];
  const seen = new Set(found.map(({ email }) => email?.toLowerCase()));
  // The other fields of a row may belong to somebody else.
  const missing = queries.filter(({ email }) => email === undefined || !seen.has(email.toLowerCase()));
  if (missing.some(({ userId }) => userId !== undefined)) return readMembers(client, org);
  // The filter may respect case, the search does not (facts).
  const capitals = missing.map(({ email }) => (email === email?.toLowerCase() ? undefined : email));
  const words = unique([...capitals, ...missing.map(({ username }) => username)]);
  const ids = unique(missing.map(({ id }) => id));
  const requests = words.length + ids.length;
  if (requests > MAX_SINGLE_LOOKUPS && (await isListShorter(client, org, requests))) return readMembers(client, org);
  const searched = await pMap(words, (word) => search({ search: word }), CONCURRENCY);
  const shown = await pMap(ids, (id) => findMember(client, id), CONCURRENCY);
  const others = shown.flatMap((one) => (one ? [parseMember(one.data, one.included)] : []));
  return [...new Map([...found, ...searched.flat(), ...others].map((member) => [member.id, member])).values()];
}

function unique(texts: (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))];
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
