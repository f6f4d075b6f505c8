import { actOnEach } from '../../act-on-each.ts';
import type { Context } from '../../context/context.ts';
import { foldEmail } from '../../email.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { describeMember, type Member, toMember, toMembers } from '../../people/member.ts';
import { guardRemovals, refuseProtected, toSelf } from '../../people/removal-guard.ts';
import { NO_INCLUDE } from '../../service/include.ts';
import type { Service } from '../../service/service.ts';
import { tellPeople } from '../bulk.ts';
import { MEMBER_REMOVAL_COLUMNS } from './columns.ts';
import { doRemovals, type Removal } from './removal.ts';

interface EverywhereOptions {
  readonly ignoreMissing: boolean;
  /** Whether a list names the people: owners are then protected as well. */
  readonly guarded: boolean;
  readonly allowOwners: boolean;
}

/** Offboarding: people removed from every organization the caller is in, with one result for each of them there. */
export async function removeEverywhere(
  context: Pick<Context, 'screen' | 'services' | 'places'>,
  emails: readonly string[],
  { ignoreMissing, guarded, allowOwners }: EverywhereOptions,
): Promise<void> {
  const { screen, services } = context;
  const output = await screen.output();
  output.checkFields(MEMBER_REMOVAL_COLUMNS);
  const people = [...new Map(emails.map((email) => [foldEmail(email), email])).values()];
  const service = await services.current();
  const { memberships } = service;
  const own = (await memberships.listOwn(NO_INCLUDE, {}).collect()).flatMap(toMembers);
  const organizations = own.length > 0 ? toOrganizations(own) : await findOrganization(service);

  const removals: Removal[] = [];
  const looked = actOnEach(organizations, (organization) => memberships.findByEmail(organization, people));
  let refusal: OrgctlError | undefined;
  for await (const { item: organization, outcome } of looked) {
    // What keeps one organization from being looked at is told in its rows; what keeps all of them is the end.
    if (outcome.kind === 'not-attempted') throw outcome.reason ?? refusal;
    if (outcome.kind === 'failed') refusal = outcome.error;
    for (const email of people) {
      removals.push(
        outcome.kind === 'done'
          ? toRemoval(organization, email, (outcome.value.get(foldEmail(email)) ?? []).map(toMember))
          : { organization, email, refusal: outcome.error },
      );
    }
  }
  const self = toSelf(own);
  for (const organization of guarded ? organizations : []) {
    const people = removals.flatMap((removal) => (removal.organization === organization ? (removal.member ?? []) : []));
    if (people.length > 0) await guardRemovals(service, organization, { people, self, allowOwners });
  }
  refuseProtected(
    removals.flatMap(({ member }) => member ?? []),
    (member) => (self.is(member) ? 'self' : undefined),
  );
  const [only, ...others] = new Set(removals.flatMap((removal) => (removal.member ? [removal.organization] : [])));
  await doRemovals(context, {
    removals,
    from: only !== undefined && others.length === 0 ? only : tellOrganizations(others.length + 1),
    noted: false,
    counted: `${tellPeople(people.length)} in ${tellOrganizations(organizations.length)}`,
  });
  if (!ignoreMissing) refuseUnknown(people, removals);
}

/** That of an organization token, which has no membership of its own. */
async function findOrganization({ identifyCaller }: Pick<Service, 'identifyCaller'>): Promise<readonly string[]> {
  const { kind, organization } = await identifyCaller();
  if (organization !== undefined) return [organization];
  if (kind === 'user') throw toNowhere();
  throw new UsageError('it is unknown in which organizations this token is', {
    hint: 'Use a user token, or name one organization with --org instead of --all-orgs.',
  });
}

function toNowhere(): UsageError {
  return new UsageError('you are in no organization', { hint: 'See:', next: [['orgctl', 'members', 'mine']] });
}

/** Where an invitation waits for the caller, nobody can be looked for. */
function toOrganizations(own: readonly Member[]): readonly string[] {
  const active = own.filter(({ status }) => status !== 'invited');
  const names = active.flatMap(({ organization }) => organization ?? []);
  if (names.length < active.length) {
    throw new UsageError('this service does not tell in which organizations you are', {
      hint: 'Remove people from one organization at a time, with --org.',
    });
  }
  if (names.length === 0) throw toNowhere();
  return [...new Set(names)];
}

function toRemoval(organization: string, email: string, found: readonly Member[]): Removal {
  const [member] = found;
  if (found.length > 1) {
    throw new UsageError(`${email} could mean ${found.length} memberships of ${organization}`, {
      reasons: found.map(describeMember),
      hint: `Nothing was removed. Name one by its id (ou-…), with --org ${organization}.`,
    });
  }
  return { organization, email, ...(member === undefined ? {} : { member }) };
}

/** Whoever was found nowhere may be misspelt. */
function refuseUnknown(people: readonly string[], removals: readonly Removal[]): void {
  const known = new Set(removals.filter(({ member }) => member !== undefined).map(({ email }) => email));
  const unknown = people.filter((email) => !known.has(email));
  if (unknown.length === 0) return;
  throw new OrgctlError('not-found', `${unknown.join(', ')}: in none of your organizations`, {
    hint: 'Check the address. Add --ignore-missing where nobody need be found.',
  });
}

function tellOrganizations(count: number): string {
  return count === 1 ? 'one organization' : `${count} organizations`;
}
