import { foldEmail } from '../email.ts';
import { OrgctlError } from '../errors.ts';
import { findEach } from '../organizations/find-each.ts';
import { findOrganizations } from '../organizations/find-organizations.ts';
import type { Service } from '../service/service.ts';
import { findMembers, refuseAbsent, type Sought } from './find-members.ts';
import { type Member, refuseOtherOrganization, refuseSeveral, toMember, toMembers } from './member.ts';
import type { MemberReference } from './reference.ts';
import { findSelf, guardRemovals, refuseProtected, toSelf } from './removal-guard.ts';

/** Memberships to remove: looked for, and nothing removed. */

/** Without `member` no one is there, or `refusal` says why no one could be looked for. */
export interface Removal {
  readonly organization: string;
  /** How the person was named; left out where `member` says it better. */
  readonly reference?: MemberReference;
  readonly member?: Member;
  readonly refusal?: OrgctlError;
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
  references: readonly MemberReference[],
  { rules, note }: { readonly rules: RemovalRules; note(text: string): void },
): Promise<readonly Removal[]> {
  const sought = await findMembers({ memberships: service.memberships, note }, organization, references);
  const removals = toRemovals(sought, organization);
  if (!rules.ignoreMissing) refuseAbsent(sought, organization);
  const people = removals.flatMap(({ member }) => member ?? []);
  if (rules.guarded && people.length > 0) {
    await guardRemovals(service, organization, people, await findSelf(service, organization), rules.allowOwners);
  }
  return removals;
}

function toRemovals(sought: readonly Sought[], organization: string): readonly Removal[] {
  const removals = new Map<string, Removal>();
  for (const [index, { reference, member }] of sought.entries()) {
    if (member instanceof OrgctlError) {
      removals.set(`absent ${index}`, { organization, reference });
      continue;
    }
    refuseOtherOrganization(member, organization);
    if (!removals.has(member.id)) removals.set(member.id, { organization, member });
  }
  return [...removals.values()];
}

/** People in several organizations: a removal for each person in each. `emails`: each person once. */
export async function findRemovalsEverywhere(
  service: Service,
  several: readonly string[] | 'all',
  emails: readonly string[],
  { guarded, allowOwners }: Pick<RemovalRules, 'guarded' | 'allowOwners'>,
): Promise<{ readonly removals: readonly Removal[]; readonly organizations: readonly string[] }> {
  const { organizations, own } = await findOrganizations(service, several);
  const found = await findEach(organizations, (organization) => service.memberships.findByEmail(organization, emails));
  // What keeps one organization from being read is said in its rows.
  const removals = found.flatMap(({ organization, value, error }) =>
    emails.map((email): Removal => {
      const reference = { kind: 'email', email } as const;
      return error === undefined
        ? toRemoval(organization, email, (value.get(foldEmail(email)) ?? []).map(toMember))
        : { organization, reference, refusal: error };
    }),
  );
  const self = toSelf(own.flatMap(toMembers));
  for (const organization of guarded ? organizations : []) {
    const people = removals.flatMap((removal) => (removal.organization === organization ? (removal.member ?? []) : []));
    if (people.length > 0) await guardRemovals(service, organization, people, self, allowOwners);
  }
  refuseProtected(
    removals.flatMap(({ member }) => member ?? []),
    (member) => (self.is(member) ? 'self' : undefined),
    { rule: `${several === 'all' ? '--all-orgs' : '--orgs'} never removes you`, advice: 'Leave yourself out.' },
  );
  return { removals, organizations };
}

function toRemoval(organization: string, email: string, found: readonly Member[]): Removal {
  const [member] = found;
  if (found.length > 1) refuseSeveral(found, email, organization);
  return { organization, reference: { kind: 'email', email }, ...(member === undefined ? {} : { member }) };
}

/** Throws `not-found` for people who are in none of the organizations, and may be misspelt. `where`: these, in words. */
export function refuseUnknown(
  emails: readonly string[],
  removals: readonly Pick<Removal, 'reference' | 'member'>[],
  where: string,
  hint = 'Check the email, or add --ignore-missing.',
): void {
  const known = new Set(
    removals.flatMap(({ reference, member }) =>
      member !== undefined && reference?.kind === 'email' ? [reference.email] : [],
    ),
  );
  const unknown = emails.filter((email) => !known.has(email));
  if (unknown.length === 0) return;
  const [only] = unknown.length === 1 ? unknown : [];
  throw new OrgctlError(
    'not-found',
    only === undefined
      ? `${unknown.length} of ${emails.length} people are in none of ${where}`
      : `${only} is in none of ${where}`,
    { reasons: only === undefined ? unknown : [], hint },
  );
}
