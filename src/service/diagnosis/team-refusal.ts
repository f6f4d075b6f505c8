import { ServiceError } from '../../errors.ts';
import { getMember, toText } from '../../json-object.ts';
import type { Resource } from '../../wire/json-api.ts';
import { findTeamManager, OWNERS_TEAM } from '../team.ts';

/** Why a service that knows a team does not let its members be changed. Pure. */

interface RefusedTeamChange {
  readonly change: 'add' | 'remove';
  /** As they were read after the refusal; undefined where they could not be. */
  readonly team: Resource | undefined;
  readonly organization: Resource | undefined;
  readonly names: { readonly team: string; readonly organization: string };
}

/** A 403 with what was proved of it in place of what it could have been. Assumed: what the attributes mean. */
export function explainTeamRefusal(error: ServiceError, refused: RefusedTeamChange): ServiceError {
  const found = findReason(refused);
  if (found === undefined) return error;
  const { finding, ...details } = found;
  return new ServiceError(error.exit, finding, error, details);
}

function findReason({ change, team, organization, names }: RefusedTeamChange) {
  const manager = team === undefined ? undefined : findTeamManager(team);
  if (manager === 'hcp' || getMember(organization?.attributes, 'is-unified') === true) {
    return {
      code: 'managed-in-hcp',
      finding: `the teams of ${names.organization} are managed in HCP`,
      reasons: ['Groups of the HCP organization say who is in which team.'],
      hint: 'Change the group in HCP.',
    };
  }
  if (manager === 'scim') {
    const group = toText(team?.attributes?.['scim-group-name']);
    return {
      code: 'managed-by-identity-provider',
      finding: `the identity provider of ${names.organization} fills ${names.team} (SCIM)`,
      reasons: [`The team has the members of ${group === undefined ? 'a group there' : `the group ${group} there`}.`],
      hint: 'Change the group in the identity provider.',
    };
  }
  const isPermitted = getMember(team?.attributes, 'permissions', 'can-update-membership') !== false;
  if (change === 'remove' && isPermitted && toText(team?.attributes?.['name']) === OWNERS_TEAM) {
    return {
      code: 'last-owner',
      finding: `that would leave ${names.organization} without an owner`,
      reasons: [`The team ${OWNERS_TEAM} keeps at least one active member.`],
      hint: 'Add another owner first.',
    };
  }
  return undefined;
}
