import { foldEmail } from '../email.ts';
import { ServiceError } from '../errors.ts';
import type { Include } from '../service/include.ts';
import { describeLess } from '../service/include.ts';
import type { PageOptions } from '../service/page.ts';
import { type ListReading, mapPages } from '../service/pages.ts';
import type { Service } from '../service/service.ts';
import type { Resource } from '../wire/json-api.ts';
import { type Membership, USERS } from '../wire/resources.ts';
import { toMember } from './member.ts';

type Services = Pick<Service, 'memberships' | 'teams'>;

export interface TeamOf {
  readonly id: string;
  readonly name: string;
  readonly organization: string;
}

/**
 * Who is in a team. Its list need not send users along: where they are wanted, they are then read with the team, and who is still
 * missing in the list of members. `warn` is called where a user stays unknown.
 */
export function listTeamMembers(
  services: Services,
  team: TeamOf,
  include: Include,
  page: PageOptions,
  warn: (text: string) => void,
): ListReading<Membership> {
  const reading = services.teams.listMembers(team, { ...include, isNeeded: false }, page);
  if (!include.own.includes('user')) return reading;
  let known: ReadonlyMap<string, Resource> | undefined;
  let hasWarned = false;
  return mapPages(reading, async (one) => {
    const absent = findWithoutUser(one.items, toUsers(one.included));
    if (absent.length === 0) return one;
    known ??= toUsers(await services.teams.listUsers(team.id));
    const others = findWithoutUser(absent, known);
    const more = others.length === 0 ? known : new Map([...known, ...(await findUsers(services, team, others))]);
    if (!hasWarned && findWithoutUser(others, more).length > 0) {
      hasWarned = true;
      warn(describeLess(['user']));
    }
    return { ...one, included: [...one.included, ...absent.flatMap((member) => more.get(toUserId(member)) ?? [])] };
  });
}

/** Who has only been invited need not have an account yet. */
function findWithoutUser(members: readonly Membership[], users: ReadonlyMap<string, Resource>): readonly Membership[] {
  return members.filter((member) => member.attributes?.status !== 'invited' && !users.has(toUserId(member)));
}

async function findUsers(
  { memberships }: Services,
  { organization }: TeamOf,
  members: readonly Membership[],
): Promise<ReadonlyMap<string, Resource>> {
  const emails = members.flatMap((membership) => toMember({ membership, included: [] }).email ?? []);
  try {
    const found = await memberships.findByEmail(organization, [...new Set(emails.map((email) => foldEmail(email)))]);
    return toUsers([...found.values()].flat().flatMap(({ included }) => included));
  } catch (error) {
    if (error instanceof ServiceError) return new Map();
    throw error;
  }
}

function toUsers(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.flatMap((one) => (one.type === USERS ? [[one.id, one]] : [])));
}

function toUserId(membership: Membership): string {
  return toMember({ membership, included: [] }).userId ?? '';
}
