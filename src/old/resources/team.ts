import { getMember, toText } from '../json-object.ts';
import { TEAMS, type Team } from '../wire/resources.ts';

/** What an answer says of a team. Outside the document, so Assumed throughout. Pure. */

/** The name of the team whose members own the organization. */
export const OWNERS_TEAM = 'owners';

/** A service may hide secret teams. Completes `they are …`. */
export const NO_OTHER_TEAM = 'in no other team that you can see';

export function teamName({ attributes }: Team): string {
  return toText(attributes?.['name']) ?? '';
}

/** Which team something is about, as rows say it: without the name where the service does not say. */
export interface TeamIdentity {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

export function toTeamIdentity({
  id,
  name,
}: {
  readonly id: string;
  readonly name?: string | undefined;
}): TeamIdentity {
  return { id, type: TEAMS, ...(name === undefined ? {} : { name }) };
}

/** Who fills a team: a group in HCP, the identity provider by SCIM, or by what it says at each single sign-on. */
export type TeamManager = 'hcp' | 'scim' | 'sso';

/** Undefined for a team that is filled by hand, and where the service does not say. */
export function findTeamManager({ attributes }: Team): TeamManager | undefined {
  if (getMember(attributes, 'is-unified') === true) return 'hcp';
  if (getMember(attributes, 'scim-linked') === true) return 'scim';
  const sso = getMember(attributes, 'sso-team-id');
  return typeof sso === 'string' && sso !== '' ? 'sso' : undefined;
}
