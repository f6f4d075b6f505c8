import { OrgctlError, orAbsence, orUndefined, ServiceError, UsageError } from '../errors.ts';
import { foldName, listDistinct, sortNames } from '../names.ts';
import { collect } from '../reading.ts';
import { findOrganization } from '../resources/organization.ts';
import type { Caller } from '../service/caller.ts';
import { NO_INCLUDE } from '../service/include.ts';
import type { Page } from '../service/page.ts';
import type { Service } from '../service/service.ts';
import { joinNames, listNames } from '../text/join.ts';
import { askMeant, findNear } from '../text/near.ts';
import type { Membership } from '../wire/resources.ts';

type Services = Pick<Service, 'memberships' | 'teams' | 'identifyCaller'>;

export interface Reached {
  /** Each once, by name. */
  readonly organizations: readonly string[];
  /** The caller's own memberships; none where the token is no person's. */
  readonly own: readonly Page<Membership>[];
}

/** Of a command about several organizations: their names as given, or all that the token reaches. */
export type Several = readonly string[] | 'all';

/**
 * All organizations that the token reaches, by name, and the caller's memberships: those that a person is in, and of a team or
 * an organization its own. Throws UsageError where there is none, or where the service does not show which.
 */
export async function findOrganizations(service: Services): Promise<Reached> {
  const listed = await listOwn(service);
  const own = listed instanceof ServiceError ? [] : listed;
  const memberships = own.flatMap(({ items }) => items);
  if (memberships.length > 0) return { organizations: sortNames(toOrganizations(memberships)), own };
  const { kind, ...caller } = await service.identifyCaller();
  const organization = await findOwn(service, caller);
  if (organization !== undefined) return { organizations: [organization], own };
  if (listed instanceof ServiceError) throw listed;
  if (kind === 'user') throw toNowhere();
  throw new UsageError("this service doesn't show which organization your token belongs to", {
    hint: 'Name it with --org, or several with --orgs.',
  });
}

/** The caller's memberships; none where the service does not show them. */
export async function readOwn(service: Pick<Services, 'memberships'>): Promise<readonly Page<Membership>[]> {
  const listed = await listOwn(service);
  return listed instanceof ServiceError ? [] : listed;
}

/** As far as is known, the service need not answer tokens other than a person's. */
async function listOwn({
  memberships,
}: Pick<Services, 'memberships'>): Promise<readonly Page<Membership>[] | ServiceError> {
  return await orAbsence(collect(memberships.listOwn(NO_INCLUDE, {}), (page) => page));
}

/** By name without case, as the service spells it. */
export type Reach = ReadonlyMap<string, string>;

/** The organizations that the token reaches; undefined where the service does not show which. */
export async function findReach(service: Services): Promise<Reach | undefined> {
  try {
    const { organizations } = await findOrganizations(service);
    return new Map(organizations.map((name) => [foldName(name), name]));
  } catch (error) {
    if (error instanceof UsageError) return error.code === NOWHERE ? new Map() : undefined;
    if (error instanceof ServiceError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/**
 * Throws where the token is known not to reach one of them: it may be a typing error, and the others would be changed. That it
 * reaches nothing proves nothing: some services list no memberships. `isShown`: whether the service shows one that is not listed.
 */
export async function refuseUnreached(
  names: readonly string[],
  reach: Reach | undefined,
  isShown: (organization: string) => Promise<boolean>,
): Promise<void> {
  const known = [...(reach?.values() ?? [])];
  const unlisted = known.length === 0 ? [] : sortNames(names.filter((name) => reach?.has(foldName(name)) !== true));
  const shown = await Promise.all(unlisted.map(isShown));
  const unreached = unlisted.filter((_, index) => shown[index] !== true);
  if (unreached.length === 0) return;
  const near = listDistinct(unreached.flatMap((name) => findNear(name, known)));
  throw new OrgctlError('not-found', `your token doesn't reach ${joinNames(unreached, 'or')}`, {
    code: 'organization-not-reached',
    reasons: [`It reaches ${listNames(known)}.`],
    hint: `${askMeant(near) ?? 'Leave it out, or use another token.'} Nothing was changed.`,
  });
}

/** The one organization of a token that belongs to no person. */
async function findOwn(
  { teams }: Services,
  { organization, team }: Pick<Caller, 'organization' | 'team'>,
): Promise<string | undefined> {
  return organization ?? (team === undefined ? undefined : await orUndefined(teams.findOrganization(team)));
}

/** Where the caller is only invited, nothing can be read. */
function toOrganizations(memberships: readonly Membership[]): readonly string[] {
  const active = memberships.filter(({ attributes }) => attributes?.status !== 'invited');
  const names = active.flatMap((membership) => findOrganization(membership) ?? []);
  if (names.length < active.length) {
    throw new UsageError("this service doesn't show which organizations you are in", {
      hint: 'Name them with --orgs, or one with --org.',
    });
  }
  if (names.length === 0) throw toNowhere();
  return [...new Set(names)];
}

const NOWHERE = 'no-organization';

function toNowhere(): UsageError {
  return new UsageError('you are not a member of any organization', {
    code: NOWHERE,
    hint: 'See:',
    next: [['orgctl', 'members', 'mine']],
  });
}
