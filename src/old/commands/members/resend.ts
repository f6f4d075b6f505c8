import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import type { Asked } from '../../input/confirmations.ts';
import { describeReference } from '../../input/member-reference.ts';
import { nameOrganization } from '../../input/next-command.ts';
import { findMembers, refuseNowhere, type Sought, takeOnce } from '../../people/find-members.ts';
import { listTeamNames, type Member, type MemberTeam, nameMember, toRemoval } from '../../people/member.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toTeamIdentity } from '../../resources/team.ts';
import { countThings, describeThese, formatCount } from '../../text/count.ts';
import { shortenAsked } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJobInEach, type JobResult } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import {
  checkNamed,
  countAsked,
  type NamedPeople,
  openDirectories,
  people,
  peopleFile,
  readAsked,
  refuseOthers,
} from '../people.ts';
import { verb } from '../verb.ts';
import { INVITATION_COLUMNS, type InvitationRow } from './columns.ts';
import { inviteInto } from './invitation.ts';

interface Invitation {
  readonly organization: string;
  readonly email: string;
  /** Left out where the organization could not be read. */
  readonly member?: Member;
  readonly teams: readonly MemberTeam[];
  /** Why it is not sent again. */
  readonly refusal?: OrgctlError;
}

type Open = Invitation & { readonly member: Member };

function isOpen({ member, refusal }: Invitation): boolean {
  return member !== undefined && refusal === undefined;
}

export const resend = verb({
  name: 'members resend',
  help: 'Send an invitation again (the old one is revoked)',
  effect: 'writes',
  args: { members: people('invited people') },
  options: { ...ORGANIZATIONS, ...peopleFile('a column email') },
  examples: [
    'orgctl members resend ivan.invitee@example.com --dry-run',
    'orgctl members list --pending-older-than 30d -o json | orgctl members resend --file - --yes',
    'orgctl members list --all-orgs --pending-older-than 30d -o csv > waiting.csv; orgctl members resend --file waiting.csv --all-orgs --yes',
  ],
  columns: INVITATION_COLUMNS,
  async run(context, { members, file }) {
    checkNamed('member', members, file);
    refuseOthers(members, context.organizations);
    await resendInvitations(context, { members, file });
  },
});

async function resendInvitations(context: Context, input: NamedPeople): Promise<void> {
  const { organizations, screen } = context;
  const { isOne } = organizations;
  const askedIn = await readAsked(context, input, { columns: INVITATION_COLUMNS, uses: ['status'], isNamed: true });
  const sought = await findMembers(await openDirectories(context), askedIn, { intent: 'remove' });
  refuseNowhere(sought, isOne, { advice: 'Check the email.' });
  const invitations = toInvitations(sought, isOne);
  // A dry run says what it would do of each.
  const open = invitations.filter(isOpen);
  if (open.length > 0) await screen.confirm('resend', toQuestion(open, isOne));
  await doJobInEach(context, {
    items: invitations,
    columns: INVITATION_COLUMNS,
    // Another invitation is not put at stake while one is gone.
    singly: true,
    things: await countAsked(context, askedIn, invitations.length),
    isCounted: input.file !== undefined || !isOne,
    again: 'Run the command again for the people who are left.',
    name: ({ email }) => email,
    async act(invitation) {
      const { member } = invitation;
      return member === undefined ? undefined : await resendOne(context, { ...invitation, member });
    },
    toRow: ({ organization, member, email, teams }, undone) => ({
      resource: {
        type: ORGANIZATION_MEMBERSHIPS,
        // A new invitation has an id of its own.
        id: undone.error?.next === undefined && undone.result !== 'planned' ? (member?.id ?? null) : null,
      },
      extra: {
        email,
        organization: toOrganization(organization),
        ...(undone.result === 'planned' ? { teams: teams.map(toTeamIdentity) } : {}),
        ...undone,
      },
    }),
  });
}

function toQuestion(open: readonly Invitation[], isOne: boolean): Asked<'resend'> {
  const [first, ...others] = open;
  const place = describeThese(open.map(({ organization }) => organization));
  if (first !== undefined && others.length === 0) {
    return {
      invite: 'Invite',
      people: first.email,
      place: `${place} (${listTeamNames(first.teams)})`,
      consequences: ['The current invitation is revoked and a new one is sent.'],
    };
  }
  const describe = (one: Invitation): string =>
    isOne ? describeInvitation(one) : `${one.email} to ${one.organization} (${listTeamNames(one.teams)})`;
  const what = isOne ? `${formatCount(open.length)} people` : countThings(open.length, 'invitation', 'invitations');
  return {
    invite: isOne ? 'Invite' : 'Send',
    people: `these ${what}`,
    place,
    consequences: [...shortenAsked(open.map(describe)), 'The current invitations are revoked and new ones are sent.'],
  };
}

/** `ivan@example.com (platform)` */
function describeInvitation({ email, teams }: Invitation): string {
  return `${email} (${listTeamNames(teams)})`;
}

/** Each invitation once. Throws UsageError when any of them can't be sent again as it was. */
function toInvitations(sought: readonly Sought[], isOne: boolean): readonly Invitation[] {
  const invitations: Invitation[] = [];
  const unfit: string[] = [];
  for (const { organization, reference, member, refusal } of takeOnce(sought)) {
    const why = member === undefined || refusal !== undefined ? undefined : findUnfit(member);
    if (why !== undefined) unfit.push(isOne ? why : `${why} (${organization})`);
    else if (member === undefined) {
      // Who is in others of several has nothing to be sent again here.
      if (refusal === undefined) continue;
      invitations.push({ organization, email: describeReference(reference), teams: [], refusal });
    } else if (refusal !== undefined) {
      invitations.push({ organization, member, email: nameMember(member), teams: [], refusal });
    } else invitations.push({ organization, member, email: `${member.email}`, teams: member.teams ?? [] });
  }
  if (unfit.length === 0) return invitations;
  const [only] = unfit.length === 1 ? unfit : [];
  throw new UsageError(only ?? `${formatCount(unfit.length)} invitations can't be sent again`, {
    reasons: only === undefined ? unfit : [],
    hint: `Nothing was sent.${invitations.length > 0 ? ' Leave them out, and run the command again.' : ''}`,
  });
}

/** Why there is no invitation that could be sent again as it was. */
function findUnfit(member: Member): string | undefined {
  const { email, status, teams, isServiceAccount } = member;
  const name = nameMember(member);
  if (isServiceAccount === true) return `${name} is a service account`;
  if (status === 'inactive') return `${name} is an inactive member`;
  if (status !== 'invited') return `${name} has already accepted`;
  if (email === undefined) return `${name} has no email`;
  if (teams === undefined) return `the service doesn't show the teams of ${name}`;
  return teams.length === 0 ? `${name} is in no team, and an invitation needs one` : undefined;
}

/** Signals wait until the person is invited again. Undefined in a dry run. */
async function resendOne(
  { organizations, screen, services, places }: Context,
  invitation: Open,
): Promise<JobResult<InvitationRow> | undefined> {
  const { organization, member, email } = invitation;
  const { memberships } = await services.current();
  let result: { readonly row: JobResult<InvitationRow> | undefined } | undefined;
  const act = async (): Promise<void> => {
    // By ids, which every service knows: names only where it lists its teams.
    const words = ['orgctl', 'members', 'invite', email, '--team', invitation.teams.map(({ id }) => id).join(',')];
    const next = organizations.isOne ? words : nameOrganization(words, organization);
    // Whatever ends this process from here on, the way back stands on the terminal.
    if (!services.dryRun) {
      screen.note(`Revoking the invitation of ${describeInvitation(invitation)}. If this stops now, run:`, next);
    }
    const effect = `revoke the invitation of ${email} to ${organization}`;
    await memberships.remove({ ...toRemoval(member, organization), effect });
    const row = await inviteInto(memberships, organization, invitation, 'resent').catch((error: unknown) => {
      throw toGone(email, organization, next, error);
    });
    result = { row };
  };
  try {
    const unfinished = {
      doing: `${email} is being invited again`,
      atStake: [
        `If you end it now (kill -9 ${places.host.pid}), ${email} has perhaps no invitation. The command above invites them again; this one, run again, doesn't.`,
      ],
    };
    await places.interrupts.defer(act, { unfinished });
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
