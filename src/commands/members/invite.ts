import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { foldEmail, parseEmail } from '../../email.ts';
import { OrgctlError, ServiceError, UsageError } from '../../errors.ts';
import { collectNames } from '../../input/repeatable.ts';
import { findPresent } from '../../people/find-present.ts';
import { chooseTeams, type FoundTeam, findTeamsMissing, resolveTeams } from '../../people/find-teams.ts';
import { countPeople, describeMember, toMember } from '../../people/member.ts';
import { readPeopleFile } from '../../people/read-people-file.ts';
import type { FoundMembership } from '../../service/memberships.ts';
import { listFields } from '../../stdout/columns.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { addExamples } from '../options.ts';
import { addOrganization, INVITATION_COLUMNS, toOrganization } from './columns.ts';
import { inviteInto, refuseTeamsMissing } from './invitation.ts';
import { addFileOption, checkWhere, type FileFlags, toFileReader } from './options.ts';

interface Flags extends FileFlags {
  readonly team?: readonly string[];
  readonly failIfExists?: boolean;
}

type Input = ReturnType<typeof toInviteInput>;

interface Invitee {
  readonly email: string;
  readonly teams: readonly string[];
}

export function registerInvite(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('invite')
    .description('invite people by email; whoever is there already is left as they are')
    .argument('[email...]', 'one address or several')
    .option(
      '--team <teams>',
      'team id or name, at least one unless a file names them; repeat it or separate with commas',
      collectNames,
    )
    .option('--fail-if-exists', 'send nothing and exit 7 when somebody is invited or a member already');
  addExamples(addFileOption(verb), {
    'orgctl members invite ana@example.com --team platform --org acme': 'one person into one team',
    'orgctl members invite ana@example.com ben@example.com --team platform,security --org acme --dry-run':
      'two people into two teams: what would be sent',
    'orgctl members list --org globex --status invited --fields email -o json | orgctl members invite --file - --team audit --org acme':
      'many people from a file or from stdin; run it again, and it does what is left',
  }).action((emails: readonly string[], flags: Flags) => inviteMembers(open(verb), toInviteInput(emails, flags)));
}

function toInviteInput(texts: readonly string[], flags: Flags) {
  checkWhere('addresses', texts, flags);
  const { file, team: teams = [], failIfExists = false } = flags;
  if (teams.length === 0 && (file === undefined || flags.team !== undefined)) {
    throw new UsageError('no team is named: everybody invited must be added to at least one', {
      hint: 'Add --team with the name or id of a team.',
    });
  }
  return { file, emails: texts.map(parseEmail), teams, failIfExists };
}

async function inviteMembers(context: Context, input: Input): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(INVITATION_COLUMNS);
  const invitees = await readInvitees(context, input);
  const { memberships, teams } = await services.current();
  const named = await resolveTeams(
    teams,
    organization,
    invitees.flatMap((invitee) => invitee.teams),
  );
  const present = await findPresent(
    { memberships, note: screen.note },
    organization,
    invitees.map(({ email }) => email),
    'invite',
  );
  if (input.failIfExists) refuseExisting(organization, [...present.values()].flat());

  const lacking: string[] = [];
  const leave = (existing: FoundMembership, wanted: readonly FoundTeam[]): WriteResult => {
    const member = toMember(existing);
    const missing = findTeamsMissing(wanted, member);
    if (missing.length > 0) lacking.push(`${describeMember(member)} is not in ${missing.join(', ')}`);
    return toUnchanged(existing, organization, missing);
  };
  await doJob(context, {
    items: invitees,
    columns: INVITATION_COLUMNS,
    doing: 'Inviting',
    name: ({ email }) => email,
    known(invitee) {
      const [existing] = present.get(foldEmail(invitee.email)) ?? [];
      return existing === undefined ? undefined : leave(existing, chooseTeams(named, invitee.teams));
    },
    async act({ email, teams: asked }) {
      const wanted = chooseTeams(named, asked);
      try {
        return await inviteInto(memberships, organization, { email, teams: wanted }, 'invited');
      } catch (error) {
        // Somebody else may have invited the person since.
        if (input.failIfExists || !(error instanceof ServiceError && error.status === 422)) throw error;
        const [existing] = (await memberships.findByEmail(organization, [email], 'invite')).get(foldEmail(email)) ?? [];
        if (existing === undefined) throw error;
        return leave(existing, wanted);
      }
    },
    toRow: ({ email }, undone) => ({
      resource: { type: ORGANIZATION_MEMBERSHIPS, id: null },
      extra: { email, organization: toOrganization(organization), ...undone },
    }),
    ...(input.file === undefined ? {} : { summary: countPeople(invitees.length) }),
  });
  refuseTeamsMissing('some were there already, but not in every team asked for', lacking);
}

/** Each person once. Throws UsageError before anything is sent when a row cannot be used. */
async function readInvitees(context: Context, { file, emails, teams }: Input): Promise<readonly Invitee[]> {
  if (file !== undefined) {
    const { rows } = await readPeopleFile(toFileReader(context), file, {
      teams: teams.length === 0,
      known: listFields(INVITATION_COLUMNS),
    });
    return rows.map((row) => ({ email: row.email, teams: row.teams.length === 0 ? teams : row.teams }));
  }
  const people = new Map<string, Invitee>();
  for (const email of emails) if (!people.has(foldEmail(email))) people.set(foldEmail(email), { email, teams });
  return [...people.values()];
}

function refuseExisting(organization: string, present: readonly FoundMembership[]): void {
  if (present.length === 0) return;
  throw new OrgctlError(
    'rejected',
    `${organization} has ${present.length === 1 ? 'one of them' : `${present.length} of them`} already`,
    {
      code: 'exists',
      reasons: present.map((found) => describeMember(toMember(found))),
      hint: 'Nothing was sent. Leave out --fail-if-exists to invite the others.',
    },
  );
}

function toUnchanged(existing: FoundMembership, organization: string, missing: readonly string[]): WriteResult {
  return {
    resource: existing.membership,
    included: existing.included,
    document: { data: existing.membership, included: existing.included },
    extra: {
      ...addOrganization(existing.membership, organization),
      changed: false,
      ...(missing.length === 0 ? {} : { 'teams-missing': missing }),
      result: 'unchanged',
    },
  };
}
