import { actOnEach } from '../act-on-each.ts';
import { type ByEmail, foldEmail } from '../email.ts';
import { type ErrorDetails, OrgctlError, orAbsence, reword, ServiceError, UsageError } from '../errors.ts';
import { describeReference, type MemberReference } from '../input/member-reference.ts';
import { isSameName } from '../names.ts';
import { type About, findInEach, type Organizations } from '../organizations/organizations.ts';
import type { FoundEach } from '../organizations/side-by-side.ts';
import type { Problem } from '../people-files/person-rows.ts';
import { collect } from '../reading.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import { EMAILS_AT_ONCE, type FoundMembership, type Memberships, type ReadingIntent } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import { LARGEST_PAGE } from '../service/pages.ts';
import { countOrganizations, countPeople, countThings } from '../text/count.ts';
import { askMeant, findNear } from '../text/near.ts';
import { type Membership, USERS } from '../wire/resources.ts';
import {
  type Asked,
  type AskedIn,
  type FalseId,
  findChange,
  findFalseIds,
  listEmails,
  listPeople,
  refuseFalseIds,
  toKey,
} from './asked.ts';
import { distinguishMember, type Member, toMember, toMembers } from './member.ts';

/** A reference that is looked up in an organization's list. A membership id is read by itself. */
type ListedReference = Exclude<MemberReference, { kind: 'membership' }>;

/** The membership a reference means. Throws `not-found`, and UsageError when several match it. */
export async function findMember(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<Member> {
  const { found, near } = await findAll(memberships, organization, reference);
  const [member] = found;
  if (member === undefined) {
    throw toNotFound(reference, organization, near ?? (await readNear(memberships, organization, reference)));
  }
  if (found.length > 1) throw toUnclear(reference, organization, found);
  return member;
}

export interface Sought {
  readonly reference: MemberReference;
  readonly member: Member | OrgctlError;
  /** Why nothing is done about the member, who is no longer what a file says. */
  readonly refusal?: OrgctlError | undefined;
}

/**
 * In each organization the memberships that are asked for there, in their order; addresses are looked up together. Throws UsageError
 * where several match one, and for ids of a file that are another's.
 */
export async function findMembers(
  people: People,
  organizations: Organizations,
  askedIn: AskedIn,
): Promise<readonly FoundEach<readonly Sought[]>[]> {
  const find = async (name: string) => await lookFor(people, organizations, name, askedIn(name));
  return settle(await findInEach(organizations, find));
}

/** What was looked for, once all organizations were read. Throws UsageError as `findMembers` does. */
export function settle(found: readonly FoundEach<readonly Looked[]>[]): readonly FoundEach<readonly Sought[]>[] {
  for (const { organization, value = [] } of found) {
    const unclear = value.flatMap(({ member }) => (member instanceof UsageError ? [member] : []));
    const [first] = unclear;
    if (first === undefined) continue;
    throw found.length === 1
      ? first
      : reword(first, { hint: `Nothing was changed. Name one by its id (ou-…), with --org ${organization}.` });
  }
  refuseFalseIds(
    found.flatMap(({ organization, value = [] }) => value.flatMap((each) => listFalseIds(each, organization))),
  );
  return found.map(({ organization, value, error }) =>
    error === undefined ? { organization, value: value.map(toSought) } : { organization, error },
  );
}

function toSought({ reference, member, ...asked }: Looked): Sought {
  const refusal = member instanceof OrgctlError ? undefined : findChange({ reference, ...asked }, member);
  return { reference, member, refusal };
}

/** Rows of a file whose id is another's. */
export async function findFalseRows(
  people: People,
  about: About,
  organization: string,
  asked: readonly Asked[],
): Promise<readonly Problem[]> {
  const named = asked.filter(({ claims = [] }) => claims.some(({ id }) => id !== undefined));
  const looked = await lookFor(people, about, organization, named);
  for (const { member } of looked) if (member instanceof UsageError) throw member;
  return looked.flatMap((each) => listFalseIds(each, organization));
}

/** Who is asked for, and who that is. UsageError where several are. */
export type Looked = Asked & Pick<Sought, 'member'>;

/** Who is not there is said where they are missed. */
function listFalseIds({ member, ...asked }: Looked, organization: string): readonly FalseId[] {
  return member instanceof OrgctlError ? [] : findFalseIds(asked, [member], organization);
}

/** The memberships that are asked for in an organization, before anything is said of them. */
export async function lookFor(
  { memberships, note }: People,
  { isOne }: About,
  organization: string,
  asked: readonly Asked[],
): Promise<readonly Looked[]> {
  // With several organizations it would be a line for each.
  const people = { memberships, note: isOne ? note : () => undefined };
  const emails = listEmails(asked);
  const present = await findPresent(people, organization, emails, 'list');
  const all: Looked[] = [];
  const looked = actOnEach(asked, async ({ reference }) => {
    if (reference.kind === 'membership') return await readMember(memberships, reference.id);
    const { found, near }: Found =
      reference.kind === 'email'
        ? { found: (present.get(reference.email) ?? []).map(toMember) }
        : await findAll(memberships, organization, reference);
    if (found.length > 1) return toUnclear(reference, organization, found);
    if (found[0] !== undefined) return found[0];
    const isOnly = isOne && asked.length === 1;
    const meant = near ?? (isOnly ? await readNear(memberships, organization, reference) : []);
    return toNotFound(reference, organization, meant);
  });
  for await (const { item, outcome } of looked) {
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'not-attempted') throw outcome.reason;
    all.push({ ...item, member: outcome.value });
  }
  return all;
}

async function readMember(memberships: Memberships, id: string): Promise<Member | ServiceError> {
  const read = await orAbsence(memberships.show(id, USUAL_INCLUDE, 'remove'));
  return read instanceof ServiceError ? read : toMember({ membership: read.data, included: read.included ?? [] });
}

function toUnclear(reference: ListedReference, organization: string, found: readonly Member[]): UsageError {
  return new UsageError(`${found.length} members of ${organization} match ${describeReference(reference)}`, {
    reasons: found.map(distinguishMember),
    hint: 'Name one by its id (ou-…).',
  });
}

/** What to do about people who are not there, all of them named by email. */
export type AdviseAbsent = (emails: readonly string[]) => Pick<ErrorDetails, 'hint' | 'next'>;

/** Who is in none of the organizations where they are asked for, as far as those could be read; each once. */
export function findNowhere(
  places: readonly FoundEach<readonly Sought[]>[],
  askedIn: AskedIn,
): readonly MemberReference[] {
  const known = new Set<string>();
  const asked = new Map<string, MemberReference>();
  for (const { organization, value, error } of places) {
    for (const { reference } of askedIn(organization)) {
      asked.set(toKey(reference), reference);
      if (error !== undefined) known.add(toKey(reference));
    }
    for (const { reference, member } of value ?? []) if (!(member instanceof OrgctlError)) known.add(toKey(reference));
  }
  return [...asked].flatMap(([key, reference]) => (known.has(key) ? [] : [reference]));
}

/** Throws `not-found` when someone is in none of the organizations, and names all who are not: then nothing is changed. */
export function refuseNowhere(
  organizations: Organizations,
  places: readonly FoundEach<readonly Sought[]>[],
  askedIn: AskedIn,
  { advise, advice }: { readonly advise?: AdviseAbsent | undefined; readonly advice: string },
): void {
  if (organizations.isOne) refuseAbsent(places, advise);
  const nowhere = findNowhere(places, askedIn);
  const [only] = nowhere.length === 1 ? nowhere : [];
  if (nowhere.length === 0) return;
  const absent = new Set(nowhere.map(toKey));
  const names = places.map(({ organization }) => organization);
  const wanted = names.filter((name) => askedIn(name).some(({ reference }) => absent.has(toKey(reference))));
  const where = wanted.length === 1 ? `not in ${wanted[0]}` : `in none of ${countOrganizations(wanted.length)}`;
  const total = countPeople(listPeople(askedIn, names).length);
  throw new OrgctlError(
    'not-found',
    `${only === undefined ? `${nowhere.length} of ${total} are` : `${describeReference(only)} is`} ${where}`,
    {
      reasons: only === undefined ? nowhere.map(describeReference) : [],
      hint: `Nothing was changed. ${advice}`,
    },
  );
}

function refuseAbsent(places: readonly FoundEach<readonly Sought[]>[], advise: AdviseAbsent | undefined): void {
  const sought = places.flatMap(({ value = [] }) => value);
  const absent = sought.flatMap(({ reference, member }) =>
    member instanceof OrgctlError ? [{ reference, error: member }] : [],
  );
  const [first] = absent;
  if (first === undefined) return;
  const emails = listEmails(absent);
  const advice = emails.length === absent.length && emails.length <= MOST_IN_COMMAND ? advise?.(emails) : undefined;
  if (absent.length === 1) {
    if (advice === undefined) throw first.error;
    const { hint: meant = '', next } = first.error;
    throw reword(first.error, next.length > 0 ? advice : { ...advice, hint: `${meant} ${advice.hint}` });
  }
  throw new OrgctlError(
    'not-found',
    `no member or invitation in ${places[0]?.organization} for ${absent.length} of ${sought.length} people`,
    {
      reasons: absent.map(({ reference }) => describeReference(reference)),
      hint: 'Nothing was changed. Check them against the list:',
      next: LIST,
      ...advice,
    },
  );
}

/** Emails in a command to paste. */
const MOST_IN_COMMAND = 20;

const LIST = [['orgctl', 'members', 'list']];

function toNotFound(reference: ListedReference, organization: string, near: readonly string[]): OrgctlError {
  const meant = askMeant(near);
  return new OrgctlError(
    'not-found',
    `no member or invitation in ${organization} for ${describeReference(reference)}`,
    {
      ...(meant === undefined
        ? { reasons: ['The list has only the people that your token can see.'], hint: 'See who is there:', next: LIST }
        : { hint: meant }),
    },
  );
}

/** The members that a reference matches, and names that are near it, where what was read for that has some. */
interface Found {
  readonly found: readonly Member[];
  readonly near?: readonly string[];
}

/** Looked for by what stands before the @, and by the longest part of that: people forget the rest, or mistype it. */
async function readNear(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<readonly string[]> {
  if (reference.kind === 'user') return [];
  const text = reference.kind === 'email' ? reference.email : reference.name;
  const [before = ''] = text.split('@');
  const [longest = ''] = before.split(/[._+-]/).sort((one, other) => other.length - one.length);
  for (const search of new Set([before, longest])) {
    if (search.length < SHORTEST_SEARCH) continue;
    const reading = memberships.list(organization, { search }, USUAL_INCLUDE, { page: 1 });
    // Without a guess the answer is the same.
    const pages = await collect(reading, toMembers).catch(() => []);
    const near = findNearPeople(text, pages.flat());
    if (near.length > 0) return near;
  }
  return [];
}

const SHORTEST_SEARCH = 3;

/** Who is called so but for the host or the marks between words, else whose email or user name is like it. */
function findNearPeople(text: string, members: readonly Member[]): readonly string[] {
  const shown = members.flatMap(({ username, email }) => (text.includes('@') ? email : (username ?? email)) ?? []);
  const same = members.flatMap(({ username, email }) =>
    [username, email].some((name) => name !== undefined && toLetters(name) === toLetters(text))
      ? (email ?? username ?? [])
      : [],
  );
  return same.length > 0 ? same.slice(0, MOST_SAME) : findNear(text, shown);
}

const MOST_SAME = 3;

function toLetters(name: string): string {
  return foldEmail(name)
    .replace(/@.*$/, '')
    .replace(/[._+-]/g, '');
}

async function findAll(memberships: Memberships, organization: string, reference: ListedReference): Promise<Found> {
  switch (reference.kind) {
    case 'email': {
      const found = await memberships.findByEmail(organization, [reference.email]);
      return { found: (found.get(reference.email) ?? []).map(toMember) };
    }
    case 'name': {
      const pages = await collect(
        memberships.list(organization, { search: reference.name }, USUAL_INCLUDE, {}),
        (page) => page,
      );
      const members = refuseHiddenNames(pages, organization).flatMap(toMembers);
      const found = members.filter(({ username }) => isSameName(username, reference.name));
      const near = findNearPeople(reference.name, members);
      return near.length === 0 ? { found } : { found, near };
    }
    case 'user': {
      // The service has no filter for user ids.
      const pages = await collect(memberships.list(organization, {}, USUAL_INCLUDE, {}), toMembers);
      return { found: pages.flat().filter(({ userId }) => userId === reference.id) };
    }
  }
}

/** Where no user comes along, no name can be seen, and everyone would seem to be absent. */
function refuseHiddenNames(pages: readonly Page<Membership>[], organization: string): readonly Page<Membership>[] {
  const hidden = pages.some(({ items, included }) => items.length > 0 && !included.some(({ type }) => type === USERS));
  if (!hidden) return pages;
  throw new UsageError(`this service doesn't show the user names of ${organization}'s members`, {
    hint: 'Name people by email or by membership id (ou-…).',
  });
}

export interface People {
  readonly memberships: Memberships;
  note(text: string): void;
}

const FEW = 20;

/**
 * The memberships with these addresses, by address, found with the fewer requests: by asking for the addresses or
 * by reading the whole list, which throws `incomplete` when it kept changing.
 */
export async function findPresent(
  { memberships, note }: People,
  organization: string,
  emails: readonly string[],
  intent: ReadingIntent,
): Promise<ByEmail<readonly FoundMembership[]>> {
  if (emails.length <= FEW) return await memberships.findByEmail(organization, emails, intent);
  const total = await memberships.count(organization, intent);
  // One request for so many addresses, and one more for each that is not in small letters.
  const asking =
    Math.ceil(emails.length / EMAILS_AT_ONCE) + emails.filter((email) => email !== foldEmail(email)).length;
  const reading = total === undefined ? undefined : Math.ceil(total / LARGEST_PAGE);
  const all = reading !== undefined && reading <= asking;
  note(
    all
      ? `Reading all ${total} members of ${organization} (${countRequests(reading)}) instead of asking for ${emails.length} emails (up to ${asking}).`
      : `Asking ${organization} for ${emails.length} emails (up to ${countRequests(asking)})${reading === undefined ? '' : ` instead of reading all ${total} members (${reading})`}.`,
  );
  return await memberships.findByEmail(organization, emails, intent, all ? 'read-all' : 'ask');
}

function countRequests(count: number): string {
  return countThings(count, 'request', 'requests');
}
