import { OrgctlError, ServiceError } from '../errors.ts';
import { once } from '../once.ts';
import { OWNERS_TEAM } from '../resources/team.ts';
import type { AskedIn } from './asked.ts';
import type { Directories } from './directory.ts';
import { findMembers, findNowhere, refuseNowhere, type Sought, takeOnce } from './find-members.ts';
import type { Member } from './member.ts';
import { findSelf, guardNamedRemovals, guardRemovals, refuseProtected, type Self } from './removal-guard.ts';

/** Memberships to remove: looked for, and nothing removed. */

/** Without `member` no one is there, and without `organization` in none of several. */
export type Removal = Omit<Sought, 'organization'> & Partial<Pick<Sought, 'organization'>>;

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
  directories: Directories,
  askedIn: AskedIn,
  rules: RemovalRules,
): Promise<readonly Removal[]> {
  const { isOne } = directories.organizations;
  const sought = await findMembers(directories, askedIn, { guesses: !rules.ignoreMissing, intent: 'remove' });
  const removals = takeOnce(sought).filter(({ absence }) => isOne || absence === undefined);
  if (rules.ignoreMissing) refuseForeign(sought);
  else refuseNowhere(sought, isOne, { skip: '--ignore-missing', advice: 'Check the email, or add --ignore-missing.' });
  const guarded = await guard(directories, removals, rules);
  if (isOne) return guarded;
  return [...guarded, ...findNowhere(sought).map(([{ reference }]): Removal => ({ reference }))];
}

/** What a service without the route answers says of no one that they are absent. */
function refuseForeign(sought: readonly Sought[]): void {
  const foreign = sought.find(({ absence }) => absence instanceof ServiceError && absence.errors.length === 0);
  if (foreign?.absence !== undefined) throw foreign.absence;
}

/** The same, where these may be removed. */
async function guard(
  directories: Directories,
  removals: readonly Sought[],
  { guarded, allowOwners }: RemovalRules,
): Promise<readonly Removal[]> {
  const { organizations, of } = directories;
  const names = await organizations.names();
  const place = names.length === 1 ? `${names[0]}` : 'these organizations';
  const findCaller = once((): Promise<Self> => {
    return findSelf(directories, place, guarded || !organizations.isOne ? undefined : LEAVE_OWNERS);
  });
  const own = new Set<Member>();
  for (const organization of names) {
    const people = removals.flatMap((removal) => (removal.organization === organization ? (removal.member ?? []) : []));
    if (people.length === 0) continue;
    if (guarded) await guardRemovals(of(organization), people, await findCaller(), allowOwners);
    else {
      const isSelf = await guardNamedRemovals(of(organization), people, findCaller);
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
      ? { ...removal, refusal: toOwnRefusal(removal.organization) }
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
