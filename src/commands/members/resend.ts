import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { findMembers, refuseAbsent, type Sought } from '../../people/find-members.ts';
import {
  countPeople,
  describeMember,
  type Member,
  type MemberTeam,
  refuseOtherOrganization,
} from '../../people/member.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { addExamples } from '../options.ts';
import { INVITATION_COLUMNS, toOrganization } from './columns.ts';
import { inviteInto } from './invitation.ts';
import { addFileOption, type FileFlags, type NamedPeople, readReferences, toNamedPeople } from './options.ts';

interface Invitation {
  readonly member: Member;
  readonly email: string;
  readonly teams: readonly MemberTeam[];
}

export function registerResend(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('resend')
    .description('invite again whoever has not accepted yet: the invitation is taken back and made anew')
    .argument('[member...]', 'membership ids, user ids, emails or user names');
  addExamples(addFileOption(verb), {
    'orgctl members resend ivan.invitee@example.com --org acme --dry-run': 'what would be sent',
    'orgctl members list --pending-older-than 30d --org acme -o json | orgctl members resend --file - --org acme --yes':
      'everybody who was invited more than 30 days ago',
  }).action((members: readonly string[], flags: FileFlags) =>
    resendInvitations(open(verb), toNamedPeople(members, flags)),
  );
}

async function resendInvitations(context: Context, input: NamedPeople): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(INVITATION_COLUMNS);
  const named = await readReferences(context, input);
  const { memberships } = await services.current();
  const sought = await findMembers({ memberships, note: screen.note }, organization, named);
  refuseAbsent(sought, organization);
  const invitations = toInvitations(sought, organization);
  const only = invitations.length === 1 ? invitations[0] : undefined;
  if (invitations.length > 0) {
    await screen.confirm({
      question:
        only === undefined
          ? `Invite these ${invitations.length} people to ${organization} again?`
          : `Invite ${describeInvitation(only)} to ${organization} again?`,
      consequences: [
        ...(only === undefined ? shortenList(invitations.map(describeInvitation)) : []),
        `The current ${only === undefined ? 'invitations are' : 'invitation is'} revoked and ${only === undefined ? 'new ones are' : 'a new one is'} sent.`,
      ],
    });
  }
  await doJob(context, {
    items: invitations,
    columns: INVITATION_COLUMNS,
    // Another invitation is not put at stake while one is gone.
    singly: true,
    ...(input.file === undefined ? {} : { summary: countPeople(invitations.length) }),
    name: ({ email }) => email,
    act: (invitation) => resend(context, organization, invitation),
    toRow: ({ member, email }, undone) => ({
      resource: { type: ORGANIZATION_MEMBERSHIPS, id: undone.error?.next === undefined ? member.id : null },
      extra: { email, organization: toOrganization(organization), ...undone },
    }),
  });
}

/** `ivan@example.com (platform)` */
function describeInvitation({ email, teams }: Invitation): string {
  return `${email} (${teams.map(({ id, name }) => name ?? id).join(', ')})`;
}

/** Each invitation once. Throws UsageError when any of them cannot be made again as it was. */
function toInvitations(sought: readonly Sought[], organization: string): readonly Invitation[] {
  const invitations = new Map<string, Invitation>();
  const unfit: string[] = [];
  for (const { member } of sought) {
    if (member instanceof OrgctlError) continue;
    refuseOtherOrganization(member, organization);
    const { id, email, status, teams } = member;
    if (status !== 'invited') unfit.push(`${describeMember(member)} is not waiting for an answer`);
    else if (email === undefined) unfit.push(`${id} has no email`);
    else if (teams === undefined) unfit.push(`${describeMember(member)}: the service does not tell the teams`);
    else if (teams.length === 0) unfit.push(`${describeMember(member)} is in no team, and an invitation needs one`);
    else invitations.set(id, { member, email, teams });
  }
  if (unfit.length === 0) return [...invitations.values()];
  throw new UsageError(
    `${unfit.length === 1 ? 'one invitation' : `${unfit.length} invitations`} cannot be sent again`,
    { reasons: unfit, hint: 'Nothing was sent. Leave them out, and run the command again.' },
  );
}

/** Signals wait until the person is invited again. Undefined in a dry run. */
async function resend(
  { identity, screen, services, places }: Context,
  organization: string,
  invitation: Invitation,
): Promise<WriteResult | undefined> {
  const { member, email } = invitation;
  const { memberships } = await services.current();
  let result: { readonly row: WriteResult | undefined } | undefined;
  const act = async (): Promise<void> => {
    const next = ['orgctl', 'members', 'invite', email, '--team', invitation.teams.map(({ id }) => id).join(',')];
    // Whatever ends this process from here on, the way back stands on the terminal.
    if (!services.dryRun)
      screen.note(`taking back ${describeMember(member)}; should it end here: ${identity.nextCommand(next)}`);
    await memberships.remove(member.id, `${describeMember(member)} from ${organization}`);
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
  const state = unclear ? 'may be gone' : 'is gone';
  return new OrgctlError(
    error.exit,
    `the invitation of ${email} to ${organization} ${state}: it was taken back, and inviting again failed`,
    {
      code: 'invitation-gone',
      reasons: [error.message, ...error.reasons],
      hint: `Invite ${email} again as soon as that is mended:`,
      next: [next],
      cause: error,
    },
  );
}
