import { inviteMember } from '../../api/memberships.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { MEMBER_ARGUMENTS } from '../../cli/completers.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { FILE_OPTION } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { mapAll } from '../../lib/problems.ts';
import { quoteWord } from '../../lib/text.ts';
import { createMemberRow, MEMBER_RESULT_COLUMNS } from '../../members/columns.ts';
import { findMembers, selectMatches } from '../../members/find-members.ts';
import { formatMember, formatTeams, type Member } from '../../members/member.ts';
import { removeIfUnchanged } from '../../members/removals.ts';
import { readTargets } from '../../members/targets.ts';

type Invitation = ReturnType<typeof parseInvitation>;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: MEMBER_RESULT_COLUMNS,
  arguments: MEMBER_ARGUMENTS,
  options: [FILE_OPTION],
  examples: [
    'members resend ivan.invitee@example.com --dry-run',
    'members list --pending-older-than 30d -o csv | orgctl members resend --file - --yes',
  ],
  async run(session, { file }, named) {
    const targets = await readTargets(session, named, file, { needsOrg: true });
    const { values, failures } = await readEachOrg(session, (org) =>
      findMembers(session.client, org, targets(org), session.hasSeveralOrgs),
    );
    const found = selectMatches(values.flat(), failures.length > 0);
    const present = found.flatMap(({ org, member }) => (member ? [{ org, member }] : []));
    const items = mapAll(present, parseInvitation);
    const line = (item: Invitation): string => `${formatInvitation(item)} to ${item.org}`;
    await ask(session, items, line, (what) => `Invite ${what} again, and revoke what was sent before?`, 'people');
    await runBatch<Invitation>(session, items, {
      label: 'Sending again',
      columns: MEMBER_RESULT_COLUMNS,
      things: ['invitation', 'invitations'],
      failures,
      // An interruption can lose one invitation at most.
      concurrency: 1,
      name: ({ email }) => email,
      row: ({ org, member }) => createMemberRow(member, org),
      act: (item) => session.signals.defer(() => resendOne(session, item)),
      sentence: ({ email, org, teams }, { result }) => {
        const again = `${email} to ${org} again (${formatTeams(teams)})`;
        return tell(result, { would: `invite ${again}`, done: `Invited ${again}` });
      },
    });
  },
});

function parseInvitation({ org, member }: { org: string; member: Member }) {
  const { email, status, teams = [] } = member;
  const name = formatMember(member);
  if (status !== 'invited') throw new UsageError(`${name} is ${status ?? 'of unknown status'} in ${org}, not invited`);
  if (email === undefined) throw new UsageError(`the service doesn't show the email of ${name}`);
  if (teams.length === 0) throw new UsageError(`${name} is in no team that you can see, and an invitation needs one`);
  return { org, member, email, teams };
}

/** `ivan@example.com (platform)` */
function formatInvitation({ email, teams }: Invitation): string {
  return `${email} (${formatTeams(teams)})`;
}

async function resendOne({ client }: Session, item: Invitation) {
  const { org, member, email, teams } = item;
  const removed = await removeIfUnchanged(client, org, member);
  if (removed === 'absent') throw new OrgctlError('incomplete', `${email} is no longer invited to ${org}`);
  if (removed === undefined) return undefined;
  try {
    const created = await inviteMember(client, org, email, teams);
    return created && { result: 'resent', id: created.id };
  } catch (error) {
    throw createGoneError(error, item);
  }
}

/** The error has the whole invitation, which is stored nowhere else. */
function createGoneError(error: unknown, item: Invitation): unknown {
  if (!(error instanceof OrgctlError)) return error;
  const ids = item.teams.map(({ id }) => id).join(',');
  const state = error.exit === 'outcome-unknown' ? 'it is unknown whether a new one was sent' : 'the new one failed';
  const message = `the invitation of ${formatInvitation(item)} to ${item.org} was revoked, and ${state}`;
  return new OrgctlError(error.exit, message, {
    code: 'invitation-gone',
    reasons: [error.message, ...error.reasons],
    hint: `Run: \`orgctl members invite ${quoteWord(item.email)} --org ${item.org} --team ${ids}\``,
    cause: error,
  });
}
