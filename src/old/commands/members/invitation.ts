import { OrgctlError } from '../../errors.ts';
import { listTeamNames, type Member, nameMember } from '../../people/member.ts';
import { type FoundTeam, type NamedTeam, toResources } from '../../people/teams.ts';
import { addOrganization } from '../../resources/organization.ts';
import type { Memberships } from '../../service/memberships.ts';
import { countThings } from '../../text/count.ts';
import { shortenList } from '../../text/shorten.ts';
import type { MembershipRow } from '../../wire/flat.ts';
import type { JobResult } from '../bulk.ts';
import type { ResultRow } from '../row-error.ts';

/** Inviting people, which `invite`, `resend` and `apply` do, and what no invitation can do. */

const MOST_SHOWN = 20;

/** The row of a person who was invited. Undefined in a dry run. */
export async function inviteInto<Result extends 'invited' | 'resent'>(
  memberships: Memberships,
  organization: string,
  { email, teams }: { readonly email: string; readonly teams: readonly NamedTeam[] },
  result: Result,
): Promise<JobResult<MembershipRow & ResultRow<Result>> | undefined> {
  const document = await memberships.invite(organization, {
    email,
    teamIds: teams.map(({ id }) => id),
    effect: `invite ${email} to ${organization}${result === 'resent' ? ' again' : ''} (${listTeamNames(teams)})`,
  });
  if (document === undefined) return undefined;
  const { data: resource, included = [] } = document;
  const extra = { ...addOrganization(resource, organization), changed: true, result };
  return { resource, included, known: toResources(teams), extra };
}

/** A member, and the teams that were asked for and are not theirs. */
export interface Lacking {
  readonly member: Member;
  readonly missing: readonly FoundTeam[];
  /** Where the command is about several. */
  readonly organization?: string;
}

/** Throws when people lack teams, which no invitation changes. `isShown`: each stands on the terminal already. */
export function refuseTeamsMissing(lacking: readonly Lacking[], { isShown }: { readonly isShown: boolean }): void {
  const [first] = lacking;
  if (first === undefined) return;
  const isSaid = isShown || lacking.length === 1;
  throw new OrgctlError(
    'attention',
    lacking.length === 1 && !isShown
      ? describeLacking(first)
      : `${countThings(lacking.length, 'person needs', 'people need')} a team change`,
    {
      code: 'teams-missing',
      reasons: isSaid ? [] : shortenList(lacking.map(describeLacking), MOST_SHOWN, '; all rows: -o csv'),
      hint: `${isShown ? '' : "An invitation can't change teams. "}Use teams add.`,
    },
  );
}

/** `ana@example.com is already invited, but is not in audit` */
function describeLacking({ member, missing, organization }: Lacking): string {
  const state = member.status === 'invited' ? 'invited' : 'a member';
  const where = organization === undefined ? '' : `${member.status === 'invited' ? ' to' : ' of'} ${organization}`;
  return `${nameMember(member)} is already ${state}${where}, but is not in ${missing.map(({ asked }) => asked).join(', ')}`;
}
