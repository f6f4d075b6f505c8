import { inviteMember } from '../../api/memberships.ts';
import { runBatch } from '../../cli/batch.ts';
import type { Verb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { FILE_OPTION, MEMBER_ARGUMENTS, readTargets } from '../../cli/people.ts';
import type { Session } from '../../cli/session.ts';
import { isSignal, OrgctlError, UsageError } from '../../lib/errors.ts';
import { plural } from '../../lib/text.ts';
import { createMemberRow, RESULT_COLUMNS } from '../../members/columns.ts';
import { createNotFound, findMembers } from '../../members/find-members.ts';
import { formatMember, formatTeam, type Member, type MemberTeam } from '../../members/member.ts';
import { removeAsShown } from '../../members/removals.ts';

/** An invitation that can be sent again as it is. */
interface Invitation {
  org: string;
  member: Member;
  email: string;
  teams: MemberTeam[];
}

export const resend: Verb<{ file?: string }, [members: string[]]> = {
  summary: 'Send invitations again; the old ones are revoked',
  takesSeveralOrgs: true,
  columns: RESULT_COLUMNS,
  arguments: MEMBER_ARGUMENTS,
  options: [FILE_OPTION],
  examples: [
    'members resend ivan.invitee@example.com --dry-run',
    'members list --pending-older-than 30d -o csv | orgctl members resend --file - --yes',
  ],
  async run(session, { file }, named) {
    const targets = await readTargets(session, named, file, { namesOrg: true });
    const { values, failures } = await readEachOrg(session, async (org) => {
      const queries = targets(org).map(({ query }) => query);
      const members = await findMembers(session.client, org, queries);
      return queries.map((query, at) => ({ org, query, member: members[at] }));
    });
    const found = values.flat();
    const isThere = (text: string): boolean => found.some((one) => one.member && JSON.stringify(one.query) === text);
    const missing = found.filter(({ query }) => !isThere(JSON.stringify(query)));
    if (missing[0])
      throw createNotFound(
        missing[0].org,
        missing.map(({ query }) => query),
      );
    const members = found.flatMap(({ org, member }) => (member ? [{ org, member }] : []));
    const items = [...new Map(members.map((one) => [one.member.id, one])).values()].map(parseInvitation);
    await session.confirm(createQuestion(items));
    await runBatch<Invitation>(session, items, {
      label: 'Sending again',
      columns: RESULT_COLUMNS,
      failures,
      // No other invitation is at stake while one is revoked.
      concurrency: 1,
      name: ({ email }) => email,
      row: ({ org, member, teams }) => ({
        ...createMemberRow(member, org),
        teams: teams.map((team) => ({ ...team, type: 'teams' })),
      }),
      act: (item) => resendOne(session, item),
      sentence: ({ email, org, teams }, { result }) => {
        const names = teams.map(formatTeam).join(', ');
        if (result === 'planned') return `Would invite ${email} to ${org} again (${names})`;
        return `✓ Invited ${email} to ${org} again (${names})`;
      },
    });
  },
};

/** Throws UsageError. */
function parseInvitation({ org, member }: { org: string; member: Member }): Invitation {
  const { email, status, teams = [] } = member;
  const name = formatMember(member);
  if (status !== 'invited')
    throw new UsageError(`${name} is no invitation of ${org}, but ${status ?? 'of unknown status'}`);
  if (email === undefined) throw new UsageError(`the service doesn't show the email of ${name}`);
  if (teams.length === 0) throw new UsageError(`${name} is in no team that you can see, and an invitation needs one`);
  return { org, member, email, teams };
}

function createQuestion(items: Invitation[]): string {
  const [first] = items;
  const who = first && items.length === 1 ? formatInvitation(first) : plural(items.length, 'person', 'people');
  return `Revoke the ${items.length === 1 ? 'invitation' : 'invitations'} of ${who}, and invite again?`;
}

/** `ivan@example.com (platform)` */
function formatInvitation({ email, teams }: Invitation): string {
  return `${email} (${teams.map(formatTeam).join(', ')})`;
}

async function resendOne({ client, signals, messages, isDryRun }: Session, item: Invitation) {
  const { org, member, email, teams } = item;
  const ids = teams.map(({ id }) => id);
  const again = `orgctl members invite ${email} --org ${org} --team ${ids.join(',')}`;
  // The way back is on the screen, whatever ends this process from here on.
  if (!isDryRun) messages.note(`Revoking the invitation of ${formatInvitation(item)}. If this stops: ${again}`);
  let done: { result: string; id?: string } | undefined;
  try {
    await signals.defer(async () => {
      const removed = await removeAsShown(client, org, member);
      if (removed === 'absent') throw new OrgctlError('incomplete', `${email} is no longer invited to ${org}`);
      if (removed === undefined) return;
      const created = await inviteMember(client, org, { email, teamIds: ids }).catch((error: unknown) => {
        throw createGoneError(error, item, again);
      });
      done = created && { result: 'resent', id: created.id };
    });
  } catch (error) {
    // A signal that waited ends the run after this invitation, which is sent.
    if (!isSignal(error) || !done) throw error;
  }
  return done;
}

/** Nothing else remembers the invitation. */
function createGoneError(error: unknown, item: Invitation, again: string): unknown {
  if (!(error instanceof OrgctlError)) return error;
  const state = error.exit === 'outcome-unknown' ? 'it is unknown whether a new one was sent' : 'the new one failed';
  return new OrgctlError(
    error.exit,
    `the invitation of ${formatInvitation(item)} to ${item.org} was revoked, and ${state}`,
    {
      code: 'invitation-gone',
      reasons: [error.message, ...error.reasons],
      hint: `Run: ${again}`,
      cause: error,
    },
  );
}
