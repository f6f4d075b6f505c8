import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { findMembers, refuseAbsent, type Sought } from '../../people/find-members.ts';
import {
  listTeamNames,
  type Member,
  type MemberTeam,
  nameMember,
  refuseOtherOrganization,
  toRemoval,
} from '../../people/member.ts';
import { toOrganization } from '../../resources/organization.ts';
import { countPeople, formatCount } from '../../text/count.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJob, type JobResult } from '../bulk.ts';
import { checkNamed, member, type NamedPeople, peopleFile, readAsked } from '../people.ts';
import { verb } from '../verb.ts';
import { INVITATION_COLUMNS, type InvitationRow } from './columns.ts';
import { inviteInto } from './invitation.ts';

interface Invitation {
  readonly member: Member;
  readonly email: string;
  readonly teams: readonly MemberTeam[];
  /** Why it is not sent again. */
  readonly refusal?: OrgctlError;
}

export const resend = verb({
  name: 'members resend',
  help: 'Send an invitation again (the old one is revoked)',
  effect: 'writes',
  args: { members: member('[member...]', 'Emails, user names, membership ids or user ids', 'invited people') },
  options: peopleFile(),
  examples: [
    'orgctl members resend ivan.invitee@example.com --dry-run',
    'orgctl members list --pending-older-than 30d -o json | orgctl members resend --file - --yes',
  ],
  columns: INVITATION_COLUMNS,
  async run(context, { members, file }, line) {
    checkNamed('member', members, file, line);
    await resendInvitations(context, { members, file });
  },
});

async function resendInvitations(context: Context, input: NamedPeople): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(INVITATION_COLUMNS);
  const askedIn = await readAsked(context, input, {
    columns: INVITATION_COLUMNS,
    uses: ['status'],
    organizations: async () => [organization],
  });
  const { memberships } = await services.current();
  const sought = await findMembers({ memberships, note: screen.note }, organization, askedIn(organization));
  refuseAbsent(sought, organization);
  const invitations = toInvitations(sought, organization);
  const open = invitations.filter(({ refusal }) => refusal === undefined);
  const only = open.length === 1 ? open[0] : undefined;
  // A dry run says what it would do of each.
  if (!services.dryRun && open.length > 0) {
    await screen.confirm({
      question:
        only === undefined
          ? `Invite these ${formatCount(open.length)} people to ${organization} again?`
          : `Invite ${only.email} to ${organization} (${listTeamNames(only.teams)}) again?`,
      consequences: [
        ...(only === undefined ? shortenList(open.map(describeInvitation)) : []),
        `The current ${only === undefined ? 'invitations are' : 'invitation is'} revoked and ${only === undefined ? 'new ones are' : 'a new one is'} sent.`,
      ],
    });
  }
  await doJob(context, {
    items: invitations,
    columns: INVITATION_COLUMNS,
    // Another invitation is not put at stake while one is gone.
    singly: true,
    things: countPeople(invitations.length),
    isCounted: input.file !== undefined,
    again: 'Run the command again for the people who are left.',
    name: ({ email }) => email,
    refusal: ({ refusal }) => refusal,
    act: (invitation) => resendOne(context, organization, invitation),
    toRow: ({ member, email }, undone) => ({
      resource: { type: ORGANIZATION_MEMBERSHIPS, id: undone.error?.next === undefined ? member.id : null },
      extra: { email, organization: toOrganization(organization), ...undone },
    }),
  });
}

/** `ivan@example.com (platform)` */
function describeInvitation({ email, teams }: Invitation): string {
  return `${email} (${listTeamNames(teams)})`;
}

/** Each invitation once. Throws UsageError when any of them can't be sent again as it was. */
function toInvitations(sought: readonly Sought[], organization: string): readonly Invitation[] {
  const invitations = new Map<string, Invitation>();
  const unfit: string[] = [];
  for (const { member, refusal } of sought) {
    if (member instanceof OrgctlError) continue;
    refuseOtherOrganization(member, organization);
    const { id, email, status, teams, isServiceAccount } = member;
    const name = nameMember(member);
    if (refusal !== undefined) invitations.set(id, { member, email: name, teams: [], refusal });
    else if (isServiceAccount === true) unfit.push(`${name} is a service account`);
    else if (status === 'inactive') unfit.push(`${name} is an inactive member`);
    else if (status !== 'invited') unfit.push(`${name} has already accepted`);
    else if (email === undefined) unfit.push(`${name} has no email`);
    else if (teams === undefined) unfit.push(`the service doesn't show the teams of ${name}`);
    else if (teams.length === 0) unfit.push(`${name} is in no team, and an invitation needs one`);
    else invitations.set(id, { member, email, teams });
  }
  if (unfit.length === 0) return [...invitations.values()];
  const [only] = unfit.length === 1 ? unfit : [];
  throw new UsageError(only ?? `${formatCount(unfit.length)} invitations can't be sent again`, {
    reasons: only === undefined ? unfit : [],
    hint: `Nothing was sent.${sought.length > unfit.length ? ' Leave them out, and run the command again.' : ''}`,
  });
}

/** Signals wait until the person is invited again. Undefined in a dry run. */
async function resendOne(
  { screen, services, places }: Context,
  organization: string,
  invitation: Invitation,
): Promise<JobResult<InvitationRow> | undefined> {
  const { member, email } = invitation;
  const { memberships } = await services.current();
  let result: { readonly row: JobResult<InvitationRow> | undefined } | undefined;
  const act = async (): Promise<void> => {
    const next = ['orgctl', 'members', 'invite', email, '--team', invitation.teams.map(({ id }) => id).join(',')];
    // Whatever ends this process from here on, the way back stands on the terminal.
    if (!services.dryRun) screen.note(`Revoking the invitation of ${email}. If this stops now, run:`, next);
    const effect = `revoke the invitation of ${email} to ${organization}`;
    await memberships.remove({ ...toRemoval(member, organization), effect });
    const row = await inviteInto(memberships, organization, invitation, 'resent').catch((error: unknown) => {
      throw toGone(email, organization, next, error);
    });
    result = { row };
  };
  try {
    await places.interrupts.defer(act);
  } catch (error) {
    // A signal that waited is thrown at the end; this one is done all the same, and the next one is not begun.
    if (result === undefined) throw error;
  }
  return result?.row;
}

/** Names the invitation, since nothing else remembers it. */
function toGone(email: string, organization: string, next: readonly string[], error: unknown): unknown {
  if (!(error instanceof OrgctlError)) return error;
  const unclear = error.exit === 'outcome-unknown';
  const state = unclear ? 'and it is unknown whether a new one was sent' : 'and the new one failed';
  return new OrgctlError(error.exit, `the invitation of ${email} to ${organization} was revoked, ${state}`, {
    code: 'invitation-gone',
    reasons: [error.message, ...error.reasons],
    hint: unclear ? 'Check members list. If it is missing, run:' : 'Fix the problem, then run:',
    next: [next],
    cause: error,
  });
}
