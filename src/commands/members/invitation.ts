import { OrgctlError } from '../../errors.ts';
import { type NamedTeam, toResources } from '../../people/find-teams.ts';
import type { Memberships } from '../../service/memberships.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { addOrganization } from './columns.ts';

/** Inviting somebody, which `invite`, `resend` and `apply` do, and what no invitation can do. */

const MOST_SHOWN = 20;

/** The row of who was invited; it begins with `first`. Undefined in a dry run. */
export async function inviteInto(
  memberships: Memberships,
  organization: string,
  { email, teams }: { readonly email: string; readonly teams: readonly NamedTeam[] },
  result: 'invited' | 'resent',
  first: object = {},
): Promise<WriteResult | undefined> {
  const document = await memberships.invite(organization, { email, teamIds: teams.map(({ id }) => id) });
  if (document === undefined) return undefined;
  const { data: resource, included = [] } = document;
  const extra = { ...first, ...addOrganization(resource, organization), changed: true, result };
  return { resource, included, known: toResources(teams), document, extra };
}

/** Throws when somebody lacks teams. Teams have an API of their own. */
export function refuseTeamsMissing(message: string, lacking: readonly string[]): void {
  if (lacking.length === 0) return;
  const rest = lacking.length - MOST_SHOWN;
  throw new OrgctlError('attention', message, {
    code: 'teams-missing',
    reasons: [
      ...lacking.slice(0, MOST_SHOWN),
      ...(rest > 0 ? [`and ${rest} more: see the rows with teams-missing`] : []),
    ],
    hint: 'An invitation does not change the teams of somebody who is there: add them to the team in the service.',
  });
}
