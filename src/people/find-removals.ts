import { foldEmail } from '../email.ts';
import { OrgctlError } from '../errors.ts';
import type { MemberReference } from '../input/member-reference.ts';
import { type Reached, type Several, toOption } from '../organizations/find-organizations.ts';
import { findEach } from '../organizations/side-by-side.ts';
import type { Service } from '../service/service.ts';
import { countOrganizations, countPeople } from '../text/count.ts';
import { type Asked, type AskedIn, listEmails, listPeople, matchEmails, refuseFalseIds } from './asked.ts';
import { findMembers, refuseAbsent, type Sought } from './find-members.ts';
import { type Member, refuseOtherOrganization } from './member.ts';
import { findSelf, guardNamedRemovals, guardRemovals, refuseProtected } from './removal-guard.ts';

/** Memberships to remove: looked for, and nothing removed. */

/** Without `member` no one is there. */
export interface Removal {
  /** Left out where no one is there in any of several. */
  readonly organization?: string;
  /** How the person was named; left out where `member` says it better. */
  readonly reference?: MemberReference;
  readonly member?: Member;
  /** Why nothing is attempted: no one could be looked for, they are the caller, or no longer what a file says. */
  readonly refusal?: OrgctlError | undefined;
}

export interface RemovalRules {
  readonly ignoreMissing: boolean;
  /** Whether a list names the people: owners and the caller are then protected. */
  readonly guarded: boolean;
  readonly allowOwners: boolean;
}

/** Each membership of one organization once. Throws what `rules` do not allow, and UsageError for other organizations. */
export async function findRemovals(
  service: Service,
  organization: string,
  asked: readonly Asked[],
  { rules, note }: { readonly rules: RemovalRules; note(text: string): void },
): Promise<readonly Removal[]> {
  const sought = await findMembers({ memberships: service.memberships, note }, organization, asked);
  const removals = toRemovals(sought, organization);
  if (!rules.ignoreMissing) refuseAbsent(sought, organization);
  const people = removals.flatMap(({ member }) => member ?? []);
  if (people.length === 0) return removals;
  if (rules.guarded) {
    await guardRemovals(service, organization, people, await findSelf(service, organization), rules.allowOwners);
    return removals;
  }
  const isSelf = await guardNamedRemovals(service, organization, people);
  return removals.map((removal) =>
    removal.member !== undefined && isSelf(removal.member)
      ? { ...removal, refusal: toOwnRefusal(organization) }
      : removal,
  );
}

/** The service says the same, where it keeps to its document. */
function toOwnRefusal(organization: string): OrgctlError {
  return new OrgctlError('forbidden', `owners can't remove themselves, and you own ${organization}`, {
    hint: 'Ask another owner to remove you.',
  });
}

function toRemovals(sought: readonly Sought[], organization: string): readonly Removal[] {
  const removals = new Map<string, Removal>();
  for (const [index, { reference, member, refusal }] of sought.entries()) {
    if (member instanceof OrgctlError) {
      removals.set(`absent ${index}`, { organization, reference });
      continue;
    }
    refuseOtherOrganization(member, organization);
    removals.set(member.id, { organization, member, refusal: removals.get(member.id)?.refusal ?? refusal });
  }
  return [...removals.values()];
}

/**
 * People in several organizations: a removal for each person in each where they are. Throws `not-found` for people who are in none
 * of them.
 */
export async function findRemovalsEverywhere(
  service: Service,
  several: Several,
  { organizations, own }: Reached,
  askedIn: AskedIn,
  { ignoreMissing, guarded, allowOwners }: RemovalRules,
): Promise<readonly Removal[]> {
  const found = await findEach(organizations, (organization) =>
    service.memberships.findByEmail(organization, listEmails(askedIn(organization))),
  );
  const matched = found.map(({ organization, value, error }) => ({
    organization,
    error,
    people: matchEmails(askedIn(organization), value, organization),
  }));
  refuseFalseIds(matched.flatMap(({ people }) => people.flatMap(({ falseIds }) => falseIds)));
  // What keeps one organization from being read is said in its rows.
  const removals = matched.flatMap(({ organization, error, people }) =>
    people.flatMap(({ email, member, refusal }): readonly Removal[] => {
      const reference = { kind: 'email', email } as const;
      if (error !== undefined) return [{ organization, reference, refusal: error }];
      return member === undefined ? [] : [{ organization, reference, member, refusal }];
    }),
  );
  const absent = findNowhere(askedIn, organizations, removals);
  if (!ignoreMissing) refuseNowhere(absent);
  const present = removals.flatMap(({ member }) => member ?? []);
  if (present.length > 0) {
    const place = organizations.length === 1 ? `${organizations[0]}` : 'these organizations';
    const self = await findSelf(service, place, { own });
    for (const organization of organizations) {
      const people = removals.flatMap((removal) =>
        removal.organization === organization ? (removal.member ?? []) : [],
      );
      if (people.length === 0) continue;
      if (guarded) await guardRemovals(service, organization, people, self, allowOwners);
      else await guardNamedRemovals(service, organization, people, async () => self);
    }
    refuseProtected(present, (member) => (self.is(member) ? 'self' : undefined), {
      rule: `${toOption(several)} never removes you`,
      advice: 'Leave yourself out.',
    });
  }
  return [...removals, ...absent.emails.map((email): Removal => ({ reference: { kind: 'email', email } }))];
}

export interface Nowhere {
  readonly emails: readonly string[];
  /** Where they are asked for. */
  readonly organizations: readonly string[];
  /** How many people are asked for. */
  readonly total: number;
}

/** Who is in none of the organizations where they are asked for, as far as those could be read. */
export function findNowhere(
  askedIn: AskedIn,
  organizations: readonly string[],
  found: readonly Pick<Removal, 'reference' | 'member' | 'refusal'>[],
): Nowhere {
  const known = new Set(
    found.flatMap(({ reference, member, refusal }) =>
      (member ?? refusal) !== undefined && reference?.kind === 'email' ? [foldEmail(reference.email)] : [],
    ),
  );
  const isUnknown = (email: string): boolean => !known.has(foldEmail(email));
  const emails = listPeople(askedIn, organizations);
  return {
    emails: emails.filter(isUnknown),
    organizations: organizations.filter((organization) => listEmails(askedIn(organization)).some(isUnknown)),
    total: emails.length,
  };
}

/** Throws `not-found` for people who may be misspelt: then nothing is changed for the others. */
export function refuseNowhere(
  { emails, organizations, total }: Nowhere,
  advice = 'Check the email, or add --ignore-missing.',
): void {
  if (emails.length === 0) return;
  const [only] = emails.length === 1 ? emails : [];
  const count = organizations.length;
  const where = count === 1 ? `not in ${organizations[0]}` : `in none of ${countOrganizations(count)}`;
  const who = only === undefined ? `${emails.length} of ${countPeople(total)} are` : `${only} is`;
  throw new OrgctlError('not-found', `${who} ${where}`, {
    reasons: only === undefined ? emails : [],
    hint: `Nothing was changed. ${advice}`,
  });
}
