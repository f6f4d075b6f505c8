import { type ErrorDetails, OrgctlError, reword, ServiceError, UsageError } from '../errors.ts';
import { type Group, groupBy } from '../groups.ts';
import { describeReference, type MemberReference } from '../input/member-reference.ts';
import { findInEach } from '../organizations/organizations.ts';
import type { FoundEach } from '../organizations/side-by-side.ts';
import type { Problem } from '../people-files/person-rows.ts';
import { countOrganizations, countPeople } from '../text/count.ts';
import {
  type Asked,
  type AskedIn,
  findChange,
  findFalseIds,
  hasId,
  listEmails,
  refuseFalseIds,
  toKey,
} from './asked.ts';
import { type Directories, type Directory, LIST, type Looked, type Looking } from './directory.ts';
import { distinguishMember, type Member, refuseOtherOrganization } from './member.ts';

/** The memberships that a command is about: looked for in each organization, and what is said where they are not there. */

/** A person who is asked for in an organization. */
export interface Sought {
  readonly organization: string;
  readonly reference: MemberReference;
  readonly member?: Member;
  /** Why no one is there. */
  readonly absence?: OrgctlError;
  /** Why nothing is done: the organization could not be read, or the member is no longer what a file says. */
  readonly refusal?: OrgctlError | undefined;
}

/** The membership a reference means. Throws `not-found`, and UsageError when several match it. */
export async function findMember(directory: Directory, reference: MemberReference): Promise<Member> {
  const [looked] = await directory.look([{ reference }]);
  const { found = [], absence } = looked ?? {};
  const [member, other] = found;
  if (member === undefined) throw absence;
  if (other !== undefined) throw toUnclear(reference, directory.organization, found);
  return member;
}

/**
 * Who is asked for in each organization, in their order. Throws UsageError where several match one, and for ids of a file that are
 * another's. `looking`: as in `look`.
 */
export async function findMembers(
  { organizations, of }: Directories,
  askedIn: AskedIn,
  looking: Looking,
): Promise<readonly Sought[]> {
  return settle(await findInEach(organizations, (name) => of(name).look(askedIn(name), looking)), askedIn);
}

/** What was looked for, once all organizations were read. Throws UsageError as `findMembers` does. */
export function settle(places: readonly FoundEach<readonly Looked[]>[], askedIn: AskedIn): readonly Sought[] {
  for (const { organization, value = [] } of places) {
    const unclear = findUnclear(value, organization);
    if (unclear === undefined) continue;
    throw places.length === 1
      ? unclear
      : reword(unclear, { hint: `Nothing was changed. Name one by its id (ou-…), with --org ${organization}.` });
  }
  refuseFalseIds(
    places.flatMap(({ organization, value = [] }) => value.flatMap((looked) => listFalseIds(looked, organization))),
  );
  return places.flatMap(({ organization, value, error }): readonly Sought[] =>
    error === undefined
      ? value.map((looked) => toSought(looked, organization))
      : askedIn(organization).map(({ reference }) => ({ organization, reference, refusal: error })),
  );
}

function toSought(looked: Looked, organization: string): Sought {
  const { reference, found, absence } = looked;
  const [member] = found;
  return member === undefined
    ? { organization, reference, ...(absence === undefined ? {} : { absence }) }
    : { organization, reference, member, refusal: findChange(looked, member) };
}

/** Rows of a file whose id is another's. */
export async function findFalseRows(directory: Directory, asked: readonly Asked[]): Promise<readonly Problem[]> {
  const { organization } = directory;
  const looked = await directory.look(asked.filter(hasId));
  const unclear = findUnclear(looked, organization);
  if (unclear !== undefined) throw unclear;
  return looked.flatMap((one) => listFalseIds(one, organization));
}

/** Who is not there is said where they are missed. */
function listFalseIds(looked: Looked, organization: string) {
  return looked.found.length === 0 ? [] : findFalseIds(looked, looked.found, organization);
}

function findUnclear(looked: readonly Looked[], organization: string): UsageError | undefined {
  const unclear = looked.find(({ found }) => found.length > 1);
  return unclear && toUnclear(unclear.reference, organization, unclear.found);
}

function toUnclear(reference: MemberReference, organization: string, found: readonly Member[]): UsageError {
  return new UsageError(`${found.length} members of ${organization} match ${describeReference(reference)}`, {
    reasons: found.map(distinguishMember),
    hint: 'Name one by its id (ou-…).',
  });
}

/** Each membership once, and everyone without one. Throws UsageError for members of other organizations. */
export function takeOnce(sought: readonly Sought[]): readonly Sought[] {
  const all = new Map<unknown, Sought>();
  for (const one of sought) {
    const { organization, member } = one;
    if (member !== undefined) refuseOtherOrganization(member, organization);
    const key = member?.id ?? one;
    const before = all.get(key) ?? one;
    all.set(key, { ...before, refusal: before.refusal ?? one.refusal });
  }
  return [...all.values()];
}

/** Who is in none of the organizations where they are asked for, as far as those could be read: each person in all of them. */
export function findNowhere(sought: readonly Sought[]): readonly Group<Sought>[] {
  return groupPeople(sought).filter((places) => places.every(({ absence }) => absence !== undefined));
}

function groupPeople(sought: readonly Sought[]): readonly Group<Sought>[] {
  return [...groupBy(sought, ({ reference }) => toKey(reference)).values()];
}

/** What to do about people who are not there, all of them named by email. */
export type AdviseAbsent = (emails: readonly string[]) => Pick<ErrorDetails, 'hint' | 'next'>;

interface Advice {
  /** For those of one organization. */
  readonly advise?: AdviseAbsent | undefined;
  /** The option that leaves them out. */
  readonly skip?: string;
  readonly advice: string;
}

/** Throws `not-found` when someone is in none of the organizations, and names all who are not: then nothing is changed. */
export function refuseNowhere(sought: readonly Sought[], isOne: boolean, { advise, skip, advice }: Advice): void {
  if (isOne) refuseAbsent(sought, advise, skip);
  const nowhere = findNowhere(sought);
  if (nowhere.length === 0) return;
  const names = nowhere.map(([{ reference }]) => describeReference(reference));
  const organizations = [...new Set(nowhere.flat().map(({ organization }) => organization))];
  const where =
    organizations.length === 1
      ? `not in ${organizations[0]}`
      : `in none of ${countOrganizations(organizations.length)}`;
  const [only] = names.length === 1 ? names : [];
  const who = only ?? `${names.length} of ${countPeople(groupPeople(sought).length)}`;
  throw new OrgctlError('not-found', `${who} ${only === undefined ? 'are' : 'is'} ${where}`, {
    reasons: only === undefined ? names : [],
    hint: `Nothing was changed. ${advice}`,
  });
}

function refuseAbsent(sought: readonly Sought[], advise: AdviseAbsent | undefined, skip: string | undefined): void {
  const absent = sought.flatMap(({ reference, absence }) => (absence === undefined ? [] : { reference, absence }));
  const [first] = absent;
  if (first === undefined) return;
  const emails = listEmails(absent);
  const advice = emails.length === absent.length && emails.length <= MOST_IN_COMMAND ? advise?.(emails) : undefined;
  if (absent.length === 1) {
    const unchanged = sought.length > 1 ? 'Nothing was changed. ' : '';
    // A misspelt person is not to be invited: then the absence says who is meant, and has no command.
    const { absence } = first;
    if (skip !== undefined && !(absence instanceof ServiceError))
      throw reword(absence, { hint: `${unchanged}${addSkip(absence, skip)}` });
    const said = advice === undefined || absence.next.length === 0 ? {} : advice;
    throw reword(absence, { hint: `${unchanged}${absence.hint ?? ''}`.trim() || undefined, ...said });
  }
  throw new OrgctlError(
    'not-found',
    `no member or invitation in ${sought[0]?.organization} for ${absent.length} of ${sought.length} people`,
    {
      reasons: absent.map(({ reference }) => describeReference(reference)),
      hint: `Nothing was changed. ${skip === undefined ? 'Check' : `Add ${skip}, or check`} them against the list:`,
      next: LIST,
      ...advice,
    },
  );
}

function addSkip({ hint, next }: OrgctlError, skip: string): string {
  return next.length === 0 ? `${hint} Or add ${skip}.` : `Add ${skip}, or see who is there:`;
}

/** Emails in a command to paste. */
const MOST_IN_COMMAND = 20;
