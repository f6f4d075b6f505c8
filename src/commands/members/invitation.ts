import { OrgctlError } from '../../errors.ts';
import { type NamedTeam, toResources } from '../../people/find-teams.ts';
import { listTeamNames, type Member, nameMember } from '../../people/member.ts';
import type { Memberships } from '../../service/memberships.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { countThings } from '../../text/count.ts';
import { addOrganization } from './columns.ts';

/** Inviting people, which `invite`, `resend` and `apply` do, and what no invitation can do. */

const MOST_SHOWN = 20;

/** The row of a person who was invited; it begins with `first`. Undefined in a dry run. */
export async function inviteInto(
  memberships: Memberships,
  organization: string,
  { email, teams }: { readonly email: string; readonly teams: readonly NamedTeam[] },
  result: 'invited' | 'resent',
  first: object = {},
): Promise<WriteResult | undefined> {
  const document = await memberships.invite(organization, {
    email,
    teamIds: teams.map(({ id }) => id),
    effect: `invite ${email} to ${organization}${result === 'resent' ? ' again' : ''} (${listTeamNames(teams)})`,
  });
  if (document === undefined) return undefined;
  const { data: resource, included = [] } = document;
  const extra = { ...first, ...addOrganization(resource, organization), changed: true, result };
  return { resource, included, known: toResources(teams), document, extra };
}

/** A member, and the teams that were asked for and are not theirs. */
export interface Lacking {
  readonly member: Member;
  readonly missing: readonly string[];
}

/** Throws when people lack teams, which have an API of their own. `isShown`: each stands on the terminal already. */
export function refuseTeamsMissing(lacking: readonly Lacking[], { isShown }: { readonly isShown: boolean }): void {
  const [first] = lacking;
  if (first === undefined) return;
  const rest = lacking.length - MOST_SHOWN;
  const isSaid = isShown || lacking.length === 1;
  throw new OrgctlError(
    'attention',
    lacking.length === 1 && !isShown
      ? describeLacking(first)
      : `${countThings(lacking.length, 'person needs', 'people need')} a team change`,
    {
      code: 'teams-missing',
      reasons: isSaid
        ? []
        : [
            ...lacking.slice(0, MOST_SHOWN).map(describeLacking),
            ...(rest > 0 ? [`and ${rest} more; all rows: -o csv`] : []),
          ],
      hint: `${isShown ? '' : "An invitation can't change teams. "}Change teams in the service.`,
    },
  );
}

/** `ana@example.com is already invited, but is not in audit` */
function describeLacking({ member, missing }: Lacking): string {
  const state = member.status === 'invited' ? 'invited' : 'a member';
  return `${nameMember(member)} is already ${state}, but is not in ${missing.join(', ')}`;
}
