import type { Context } from '../../context.ts';
import { ServiceError, UsageError } from '../../errors.ts';
import { NO_INCLUDE } from '../../service/include.ts';
import type { FoundMembership, Memberships } from '../../service/memberships.ts';
import type { Membership } from '../../wire/resources.ts';
import { describeMember, teamIdsOf } from './find-members.ts';

/** Whom a list of people does not remove: whoever calls, and owners. */

const OWNERS = 'owners';

/** Throws UsageError that names them all, before anything is sent. */
export async function refuseProtected(
  context: Context,
  organization: string,
  people: readonly FoundMembership[],
): Promise<void> {
  if (people.length === 0) return;
  const { memberships } = await context.service();
  const own = new Set((await listOwn(memberships)).map(({ id }) => id));
  const owners = await findOwnersTeam(context, organization);
  refuse(
    people.flatMap((person) => {
      if (own.has(person.membership.id)) return [`${describeMember(person)}: this is you`];
      return owners !== undefined && teamIdsOf(person.membership)?.includes(owners) === true
        ? [`${describeMember(person)}: an owner of ${organization}`]
        : [];
    }),
  );
}

/** Throws UsageError when one of these is the caller's own membership. */
export function refuseOneself(own: readonly Membership[], people: readonly FoundMembership[]): void {
  const ids = new Set(own.map(({ id }) => id));
  refuse(
    people.filter(({ membership }) => ids.has(membership.id)).map((person) => `${describeMember(person)}: this is you`),
  );
}

/** The caller's own memberships; none for a token that is nobody's own. */
async function listOwn(memberships: Memberships): Promise<readonly Membership[]> {
  try {
    const pages = await memberships.mine(NO_INCLUDE, {}).collect();
    return pages.flatMap((page) => page.items as readonly Membership[]);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return [];
    throw error;
  }
}

/** The id of the owners team; undefined, with a warning, where the teams cannot be looked up. */
async function findOwnersTeam(context: Context, organization: string): Promise<string | undefined> {
  const { teams } = await context.service();
  try {
    for (const page of await teams.list(organization, {}).collect()) {
      for (const { id = '', attributes } of page.items as readonly Membership[]) {
        if (attributes?.['name'] === OWNERS) return id;
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  }
  context.warn(`the owners of ${organization} cannot be told from others: look whom you remove`);
  return undefined;
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  throw new UsageError(
    `${reasons.length === 1 ? 'one of them' : `${reasons.length} of them`} cannot be removed in this way`,
    {
      code: 'protected',
      reasons,
      hint: 'Nothing was removed. Leave them out: whoever is meant all the same is removed by name.',
    },
  );
}
