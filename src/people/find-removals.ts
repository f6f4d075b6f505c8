import { OrgctlError } from '../errors.ts';
import type { MemberReference } from '../input/member-reference.ts';
import { once } from '../once.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { OWNERS_TEAM } from '../resources/team.ts';
import type { Service } from '../service/service.ts';
import type { AskedIn } from './asked.ts';
import { findMembers, findNowhere, refuseNowhere, type Sought } from './find-members.ts';
import { type Member, refuseOtherOrganization } from './member.ts';
import { findSelf, guardNamedRemovals, guardRemovals, refuseProtected, type Self } from './removal-guard.ts';

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

/**
 * A removal for each person in each organization where they are, each membership once. Throws what `rules` do not allow, `not-found`
 * for people who are nowhere, and UsageError for members of other organizations.
 */
export async function findRemovals(
  service: Service,
  organizations: Organizations,
  askedIn: AskedIn,
  { rules, note }: { readonly rules: RemovalRules; note(text: string): void },
): Promise<readonly Removal[]> {
  const places = await findMembers({ memberships: service.memberships, note }, organizations, askedIn);
  // What keeps one of several from being read is said in its rows.
  const removals = places.flatMap(({ organization, value, error }) =>
    error === undefined
      ? toRemovals(organization, value, organizations.isOne)
      : askedIn(organization).map(({ reference }): Removal => ({ organization, reference, refusal: error })),
  );
  const advice = 'Check the email, or add --ignore-missing.';
  if (!rules.ignoreMissing) refuseNowhere(organizations, places, askedIn, { advice });
  const guarded = await guard(service, organizations, removals, rules);
  if (organizations.isOne) return guarded;
  return [...guarded, ...findNowhere(places, askedIn).map((reference): Removal => ({ reference }))];
}

/** Each membership once. `isOne`: who is not there has a removal, too. */
function toRemovals(organization: string, sought: readonly Sought[], isOne: boolean): readonly Removal[] {
  const removals = new Map<string, Removal>();
  for (const [index, { reference, member, refusal }] of sought.entries()) {
    if (member instanceof OrgctlError) {
      if (isOne) removals.set(`absent ${index}`, { organization, reference });
      continue;
    }
    refuseOtherOrganization(member, organization);
    const named = reference.kind === 'email' ? { reference } : {};
    removals.set(member.id, { organization, ...named, member, refusal: removals.get(member.id)?.refusal ?? refusal });
  }
  return [...removals.values()];
}

/** The same, where these may be removed. */
async function guard(
  service: Service,
  organizations: Organizations,
  removals: readonly Removal[],
  { guarded, allowOwners }: RemovalRules,
): Promise<readonly Removal[]> {
  const names = await organizations.names();
  const place = names.length === 1 ? `${names[0]}` : 'these organizations';
  const findCaller = once(async (): Promise<Self> => {
    const advice = guarded || !organizations.isOne ? {} : { hint: LEAVE_OWNERS };
    return await findSelf(service, place, { ...advice, own: await organizations.own() });
  });
  const own = new Set<Member>();
  for (const organization of names) {
    const people = removals.flatMap((removal) => (removal.organization === organization ? (removal.member ?? []) : []));
    if (people.length === 0) continue;
    if (guarded) await guardRemovals(service, organization, people, await findCaller(), allowOwners);
    else {
      const isSelf = await guardNamedRemovals(service, organization, people, findCaller);
      for (const member of people) if (isSelf(member)) own.add(member);
    }
  }
  if (!organizations.isOne) {
    const present = removals.flatMap(({ member }) => member ?? []);
    const self = present.length === 0 ? undefined : await findCaller();
    refuseProtected(present, (member) => (self?.is(member) === true ? 'self' : undefined), {
      rule: `${organizations.option} never removes you`,
      advice: 'Leave yourself out.',
    });
  }
  return removals.map((removal) =>
    removal.member !== undefined && own.has(removal.member)
      ? { ...removal, refusal: toOwnRefusal(`${removal.organization}`) }
      : removal,
  );
}

const LEAVE_OWNERS = `Take them out of ${OWNERS_TEAM} first, with teams remove --allow-self.`;

/** The service says the same, where it keeps to its document. */
function toOwnRefusal(organization: string): OrgctlError {
  return new OrgctlError('forbidden', `owners can't remove themselves, and you own ${organization}`, {
    hint: 'Ask another owner to remove you.',
  });
}
