import type { ErrorCode } from '../../error-codes.ts';
import { ServiceError } from '../../errors.ts';
import { getMember, toText } from '../../json-object.ts';
import { findTeamManager, OWNERS_TEAM } from '../../resources/team.ts';
import type { Resource } from '../../wire/json-api.ts';

/** Why a service that knows what a change is about refuses it: it is managed elsewhere, or would leave no owner. */

/** Undefined where it can't be read. */
type Read = () => Promise<Resource | undefined>;

interface RefusedTeamChange {
  readonly change: 'add' | 'remove';
  readonly names: { readonly team: string; readonly organization: string };
  readonly readTeam: Read;
  readonly readOrganization: Read;
}

/**
 * A 403 with what was proved of it in place of what it could have been. Assumed: a team with sso-team-id, scim-linked
 * or is-unified is filled elsewhere: by SSO, by SCIM or by HCP.
 */
export async function explainTeamRefusal(error: ServiceError, refused: RefusedTeamChange): Promise<ServiceError> {
  const { change, names, readTeam, readOrganization } = refused;
  const team = await readTeam();
  const manager = team === undefined ? undefined : findTeamManager(team);
  if (manager === 'hcp') return toManagedInHcp(error, names.organization);
  if (manager === 'scim') {
    const group = toText(team?.attributes?.['scim-group-name']);
    return toFound(error, {
      code: 'managed-by-identity-provider',
      finding: `the identity provider of ${names.organization} fills ${names.team} (SCIM)`,
      reasons: group === undefined ? [] : [`Its members are those of the group ${group}.`],
      hint: 'Change the group in the identity provider.',
    });
  }
  const isPermitted = getMember(team?.attributes, 'permissions', 'can-update-membership') !== false;
  if (change === 'remove' && isPermitted && toText(team?.attributes?.['name']) === OWNERS_TEAM) {
    return toFound(error, {
      code: 'last-owner',
      finding: `that would leave ${names.organization} without an owner`,
      reasons: [`The team ${OWNERS_TEAM} keeps at least one active member.`],
      hint: 'Add another owner first.',
    });
  }
  const isUnified = getMember((await readOrganization())?.attributes, 'is-unified') === true;
  return isUnified ? toManagedInHcp(error, names.organization) : error;
}

/** The document names one reason for a 403: owners who remove themselves. */
export async function explainMemberRefusal(
  error: ServiceError,
  { person, organization, readMembership }: RefusedRemoval,
): Promise<ServiceError> {
  const identity = (await readMembership())?.relationships?.['scim-identity']?.data;
  if (identity === undefined || identity === null) return error;
  return toFound(error, {
    code: 'managed-by-identity-provider',
    finding: `the identity provider of ${organization} manages ${person} (SCIM)`,
    reasons: [],
    hint: 'Remove them in the identity provider.',
  });
}

interface RefusedRemoval {
  readonly person: string;
  readonly organization: string;
  readonly readMembership: Read;
}

function toManagedInHcp(error: ServiceError, organization: string): ServiceError {
  return toFound(error, {
    code: 'managed-in-hcp',
    finding: `the teams of ${organization} are managed in HCP`,
    reasons: [],
    hint: 'Change the groups of the HCP organization.',
  });
}

interface Found {
  readonly code: ErrorCode;
  readonly finding: string;
  readonly reasons: readonly string[];
  readonly hint: string;
}

function toFound(error: ServiceError, { finding, ...details }: Found): ServiceError {
  return new ServiceError(error.exit, finding, { ...error, isClear: true }, details);
}
