import pMap from 'p-map';
import type { Client } from '../api/client.ts';
import { listMembers, type MemberFilter, showMember, USER_AND_TEAMS } from '../api/memberships.ts';
import { catchNotFound } from '../api/not-found.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { mapAll } from '../lib/problems.ts';
import { isSameName, joinNames } from '../lib/text.ts';
import { describeMember, formatMember, type Member, parseMember, parseMemberRecord } from './member.ts';
import { type Found, formatQuery, indexMembers, type MemberQuery } from './member-query.ts';
import type { Target } from './targets.ts';

const CONCURRENCY = { concurrency: 8 };
/** More lookups than this mostly cost more requests than the whole list. */
const MAX_SINGLE_LOOKUPS = 20;

export interface MemberMatch {
  org: string;
  query: MemberQuery;
  /** Undefined if nobody matches. */
  member: Member | undefined;
  /** The row of a file names this organization. */
  hasOrg: boolean;
}

/** Throws UsageError if several members match one query, or if its fields belong to different people. */
export async function findMembers(client: Client, org: string, targets: Target[], hasSeveralOrgs = false) {
  const queries = targets.map(({ query }) => query);
  const candidates = await readCandidates(client, org, queries);
  // The service finds an id also if the membership belongs to another organization.
  const isHere = (member: Member): boolean => isSameName(member.org ?? org, org);
  const find = indexMembers(hasSeveralOrgs ? candidates.filter(isHere) : candidates);
  const match = ({ query, org: own }: Target): MemberMatch => {
    return { org, query, member: chooseMember(org, query, find(query)), hasOrg: own !== undefined };
  };
  return mapAll(targets, match, targets[0]?.file);
}

/**
 * Returns each membership once. Throws `not-found` for people in none of the organizations, unless `keepsMissing` is set,
 * since they may be in one that could not be read.
 */
export function selectMatches<T extends MemberMatch>(found: T[], keepsMissing: boolean): T[] {
  const present = new Set(found.filter(({ member }) => member).map(({ query }) => formatQuery(query)));
  const seen = new Set<string>();
  const selected = found.filter(({ query, member, hasOrg }) => {
    if (!member) return hasOrg || !present.has(formatQuery(query));
    return !seen.has(member.id) && seen.add(member.id);
  });
  const missing = selected.filter(({ member }) => !member);
  if (missing.length === 0 || keepsMissing) return selected;
  const orgs = [...new Set(missing.map(({ org }) => org))];
  const names = [...new Set(missing.map(({ query }) => formatQuery(query)))];
  const message = `${joinNames(orgs)} ${orgs.length === 1 ? 'has' : 'have'} no member or invitation ${names.join(', ')}`;
  throw new OrgctlError('not-found', message, { hint: '`orgctl members list` shows who is there.' });
}

export async function readMembers(client: Client, org: string, filter: MemberFilter = {}): Promise<Member[]> {
  return (await listMembers(client, org, filter, USER_AND_TEAMS).allRecords()).map(parseMemberRecord);
}

/** Finds by email first, and whoever that does not find by what else the query has, or all in the whole list. */
async function readCandidates(client: Client, org: string, queries: MemberQuery[]): Promise<Member[]> {
  const emails = unique(queries.map(({ email }) => email));
  const found = emails.length > 0 ? await readMembers(client, org, { emails }) : [];
  const seen = new Set(found.map(({ email }) => email?.toLowerCase()));
  // The other fields of a row may belong to somebody else.
  const missing = queries.filter(({ email }) => email === undefined || !seen.has(email.toLowerCase()));
  if (missing.some(({ userId }) => userId !== undefined)) return readMembers(client, org);
  // The filter may respect case, the search does not (facts).
  const capitals = missing.map(({ email }) => (email === email?.toLowerCase() ? undefined : email));
  const words = unique([...capitals, ...missing.map(({ username }) => username)]);
  const ids = unique(missing.map(({ id }) => id));
  if (words.length + ids.length > MAX_SINGLE_LOOKUPS) return readMembers(client, org);
  const searched = await pMap(words, (search) => readMembers(client, org, { search }), CONCURRENCY);
  const shown = await pMap(ids, (id) => catchNotFound(showMember(client, id, USER_AND_TEAMS)), CONCURRENCY);
  const others = shown.flatMap((one) => (one ? [parseMember(one.data, one.included)] : []));
  return [...new Map([...found, ...searched.flat(), ...others].map((member) => [member.id, member])).values()];
}

function unique(texts: (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))];
}

function chooseMember(org: string, query: MemberQuery, { named, matches }: Found): Member | undefined {
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
