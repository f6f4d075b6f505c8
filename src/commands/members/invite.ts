import { inviteMember } from '../../api/memberships.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument, collectList, FILE_OPTION, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { assertNoProblems, tryAll } from '../../lib/problems.ts';
import { joinNames, plural } from '../../lib/text.ts';
import { createMemberRow, MEMBER_RESULT_COLUMNS } from '../../members/columns.ts';
import { findMembers } from '../../members/find-members.ts';
import { formatTeams } from '../../members/member.ts';
import { readTargets, type Target } from '../../members/targets.ts';
import { mayBeOwners, readTeams } from '../../members/teams.ts';
import type { Columns } from '../../output/columns.ts';

type Invitation = Awaited<ReturnType<typeof prepare>>[number];

const COLUMNS: Columns = { ...MEMBER_RESULT_COLUMNS, fields: 'type changed teams.id' };

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: COLUMNS,
  arguments: [argument('[emails...]', 'who is invited')],
  options: [
    option('--team <teams>', 'teams by name or id, separated by commas', {
      parse: collectList,
      complete: completeTeams,
    }),
    FILE_OPTION,
    option('--fail-if-exists', 'invite no one and exit 7 if anyone is already invited or a member'),
  ],
  examples: ['members invite ana@example.com --team platform', 'members invite --file people.csv'],
  async run(session, { team = [], file, failIfExists }, emails) {
    const wrong: UsageError[] = [];
    const targets = await readTargets(session, emails, file, { needsEmail: true, wrong });
    // Every wrong row is named at once, whatever else fails.
    const { values, failures } = await readEachOrg(session, (org) =>
      prepare(session, org, targets(org), team, wrong),
    ).finally(() => assertNoProblems(wrong, file === '-' ? 'stdin' : file));
    const items = values.flat();
    if (failIfExists) assertNobodyExists(items);
    const owners = items.filter(({ existing, teams }) => !existing && teams.some(mayBeOwners));
    const line = ({ email, org }: Invitation): string => `${email} as an owner of ${org}`;
    await ask(session, owners, line, (what) => `Invite ${what}?`, 'people');
    const rows = await runBatch<Invitation>(session, items, {
      label: 'Inviting',
      columns: COLUMNS,
      failures,
      name: ({ email }) => email,
      // Existing members stay in their teams.
      row: ({ org, email, teams, existing }) =>
        createMemberRow({ id: existing?.id, email, teams: existing?.teams ?? teams }, org),
      async act({ org, email, teams, existing }) {
        if (existing) return { result: 'unchanged' };
        const created = await inviteMember(session.client, org, email, teams);
        return created && { result: 'invited', id: created.id };
      },
      sentence: ({ org, email, teams, existing, missing }, { result }) => {
        const where = `${email} to ${org} (${formatTeams(teams)})`;
        const already = `${email} is already ${existing?.status === 'invited' ? 'invited to' : 'in'} ${org}`;
        if (result === 'unchanged' && missing.length > 0) {
          return { sign: '!', text: `${already}, but not in ${joinNames(missing)}` };
        }
        return tell(result, { same: already, would: `invite ${where}`, done: `Invited ${where}` });
      },
    });
    assertInTeams(items, rows);
  },
});

async function prepare({ client }: Session, org: string, targets: Target[], common: string[], wrong: UsageError[]) {
  const matches = await findMembers(client, org, targets);
  const known = await readTeams(client, org);
  const shared = common.map(known.get);
  const { results, problems } = tryAll(targets, ({ query: { email = '' }, teams = [] }, at) => {
    const wanted = new Map([...teams.map(known.get), ...shared].map((team) => [team.id, team]));
    if (wanted.size === 0) throw new UsageError(`no team is named for ${email}`, { hint: 'Name one with --team.' });
    const existing = matches[at]?.member;
    const own = existing?.teams;
    // An existing member is not in these teams, which were asked for.
    const missing = own ? [...wanted.values()].filter(({ id }) => !own.some((team) => team.id === id)) : [];
    return { org, email, teams: [...wanted.values()], existing, missing: missing.map(({ name }) => name) };
  });
  wrong.push(...problems);
  return results;
}

function assertNobodyExists(items: Invitation[]): void {
  const names = items.filter(({ existing }) => existing).map(({ email, org }) => `${email} (${org})`);
  if (names.length === 0) return;
  throw new OrgctlError('rejected', `already invited or a member: ${names.join(', ')}`, {
    code: 'exists',
    hint: 'Nobody was invited.',
  });
}

function assertInTeams(items: Invitation[], rows: { result: string }[]): void {
  const lacking = items.filter(({ missing }, at) => rows[at]?.result === 'unchanged' && missing.length > 0);
  if (lacking.length === 0) return;
  const who = plural(lacking.length, 'person is', 'people are');
  throw new OrgctlError('attention', `${who} not in a team that was asked for`, {
    code: 'teams-missing',
    reasons: lacking.map(({ email, org, missing }) => `${email} is not in ${joinNames(missing)} (${org})`),
    hint: 'Add them with `orgctl teams add`.',
  });
}
