import { OWNERS_TEAM } from '../service/team.ts';
import type { Member } from './member.ts';

/**
 * Whether a member is in the team of owners: by its id, else by the name that came along. Undefined where the service does not
 * say which teams, or leaves a name out.
 */
export function isOwner({ teams }: Pick<Member, 'teams'>, ownersTeam?: string): boolean | undefined {
  if (teams === undefined) return undefined;
  if (ownersTeam !== undefined) return teams.some(({ id }) => id === ownersTeam);
  if (teams.some(({ name }) => name === OWNERS_TEAM)) return true;
  return teams.every(({ name }) => name !== undefined) ? false : undefined;
}
