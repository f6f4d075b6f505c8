import { actOnEach } from '../act-on-each.ts';
import { foldEmail } from '../email.ts';
import { type ErrorDetails, OrgctlError, orAbsence, reword, ServiceError, UsageError } from '../errors.ts';
import { describeReference, type MemberReference } from '../input/member-reference.ts';
import { isSameName } from '../names.ts';
import type { Problem } from '../people-files/person-rows.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import { EMAILS_AT_ONCE, type FoundMembership, type Memberships, type ReadingIntent } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import { LARGEST_PAGE } from '../service/pages.ts';
import { countThings } from '../text/count.ts';
import { askMeant, findNear } from '../text/near.ts';
import { type Membership, USERS } from '../wire/resources.ts';
import { type Asked, type FalseId, findChange, findFalseIds, listEmails, refuseFalseIds } from './asked.ts';
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
  const member = chooseOnly(reference, organization, found);
  if (member === undefined) throw toNotFound(reference, organization, near);
  return member;
}

export interface Sought {
  readonly reference: MemberReference;
  readonly member: Member | OrgctlError;
  /** Why nothing is done about the member, who is no longer what a file says. */
  readonly refusal?: OrgctlError | undefined;
}

/**
 * The memberships that are asked for, in their order; addresses are looked up together. Throws UsageError when several match one, and
 * for ids of a file that are another's.
 */
export async function findMembers(
  people: People,
  organization: string,
  asked: readonly Asked[],
): Promise<readonly Sought[]> {
  const found = await lookFor(people, organization, asked);
  refuseFalseIds(found.flatMap((each) => listFalseIds(each, organization)));
  return found.map(({ member, ...one }) => ({
    reference: one.reference,
    member,
    refusal: member instanceof OrgctlError ? undefined : findChange(one, member),
  }));
}

/** Rows of a file whose id is another's. */
export async function findFalseRows(
  people: People,
  organization: string,
  asked: readonly Asked[],
): Promise<readonly Problem[]> {
  const named = asked.filter(({ claims = [] }) => claims.some(({ id }) => id !== undefined));
  return (await lookFor(people, organization, named)).flatMap((each) => listFalseIds(each, organization));
}

type Looked = Asked & Pick<Sought, 'member'>;

/** Who is not there is said where they are missed. */
function listFalseIds({ member, ...asked }: Looked, organization: string): readonly FalseId[] {
  return member instanceof OrgctlError ? [] : findFalseIds(asked, [member], organization);
}

async function lookFor(people: People, organization: string, asked: readonly Asked[]): Promise<readonly Looked[]> {
  const { memberships } = people;
  const emails = listEmails(asked);
  const present = await findPresent(people, organization, emails, 'list');
  const all: Looked[] = [];
  const looked = actOnEach(asked, async ({ reference }) => {
    if (reference.kind === 'membership') return await readMember(memberships, reference.id);
    const { found, near } =
      reference.kind === 'email'
        ? toFound((present.get(foldEmail(reference.email)) ?? []).map(toMember))
        : await findAll(memberships, organization, reference);
    return chooseOnly(reference, organization, found) ?? toNotFound(reference, organization, near);
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

function chooseOnly(reference: ListedReference, organization: string, found: readonly Member[]): Member | undefined {
  if (found.length > 1) {
    throw new UsageError(`${found.length} members of ${organization} match ${describeReference(reference)}`, {
      reasons: found.map(distinguishMember),
      hint: 'Name one by its id (ou-…).',
    });
  }
  return found[0];
}

/** What to do about people who are not there, all of them named by email. */
export type AdviseAbsent = (emails: readonly string[]) => Pick<ErrorDetails, 'hint' | 'next'>;

/** Throws `not-found` when someone is not there, and names all who are not. */
export function refuseAbsent(sought: readonly Sought[], organization: string, advise?: AdviseAbsent): void {
  const absent = sought.flatMap(({ reference, member }) =>
    member instanceof OrgctlError ? [{ reference, error: member }] : [],
  );
  const [first] = absent;
  if (first === undefined) return;
  const emails = listEmails(absent);
  const advice = emails.length === absent.length && emails.length <= MOST_IN_COMMAND ? advise?.(emails) : undefined;
  if (absent.length === 1) throw advice === undefined ? first.error : reword(first.error, advice);
  throw new OrgctlError(
    'not-found',
    `no member or invitation in ${organization} for ${absent.length} of ${sought.length} people`,
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

/** The members that a reference matches, and names that are near it among what was read for that. */
interface Found {
  readonly found: readonly Member[];
  readonly near: readonly string[];
}

function toFound(found: readonly Member[], near: readonly string[] = []): Found {
  return { found, near };
}

async function findAll(memberships: Memberships, organization: string, reference: ListedReference): Promise<Found> {
  switch (reference.kind) {
    case 'email': {
      const found = await memberships.findByEmail(organization, [reference.email]);
      return toFound((found.get(foldEmail(reference.email)) ?? []).map(toMember));
    }
    case 'name': {
      const pages = await memberships
        .list(organization, { search: reference.name }, USUAL_INCLUDE, {})
        .collect((page) => page);
      const members = refuseHiddenNames(pages, organization).flatMap(toMembers);
      const names = members.flatMap(({ username }) => username ?? []);
      return toFound(
        members.filter(({ username }) => isSameName(username, reference.name)),
        findNear(reference.name, names),
      );
    }
    case 'user': {
      // The service has no filter for user ids.
      const pages = await memberships.list(organization, {}, USUAL_INCLUDE, {}).collect(toMembers);
      return toFound(pages.flat().filter(({ userId }) => userId === reference.id));
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
 * The memberships with these addresses, by folded address, found with the fewer requests: by asking for the addresses or
 * by reading the whole list, which throws `incomplete` when it kept changing.
 */
export async function findPresent(
  { memberships, note }: People,
  organization: string,
  emails: readonly string[],
  intent: ReadingIntent,
): Promise<ReadonlyMap<string, readonly FoundMembership[]>> {
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
