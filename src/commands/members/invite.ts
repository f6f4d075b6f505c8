import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import type { WriteResult } from '../../output/output.ts';
import { type FoundMembership, foldEmail } from '../../service/memberships.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import type { Membership } from '../../wire/resources.ts';
import { forEachItem, throwFailures } from '../many.ts';
import { addExamples, collectNames } from '../options.ts';
import { toChangeView } from '../views/changes.ts';
import { MEMBERSHIP_VIEW } from '../views/memberships.ts';
import { parseEmail } from './email.ts';
import { describeMember } from './find-members.ts';
import { type FoundTeam, findTeams } from './find-teams.ts';

interface Flags {
  readonly team?: readonly string[];
  readonly failIfExists?: boolean;
}

interface Input {
  readonly emails: readonly string[];
  readonly teams: readonly string[];
  readonly failIfExists: boolean;
}

const CHANGE_VIEW = toChangeView(MEMBERSHIP_VIEW);
const VIEW = { ...CHANGE_VIEW, columns: [...CHANGE_VIEW.columns, 'teams-missing'] };

export function registerInvite(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('invite')
    .description('invite people by email; whoever is there already is left as they are')
    .argument('<email...>', 'one address or several')
    .option('--team <teams>', 'team id or name, at least one; repeat it or separate with commas', collectNames)
    .option('--fail-if-exists', 'send nothing and exit 7 when somebody is invited or a member already');
  addExamples(verb, [
    { command: 'orgctl members invite ana@example.com --team platform --org acme', shows: 'one person into one team' },
    {
      command: 'orgctl members invite ana@example.com ben@example.com --team platform,security --org acme --dry-run',
      shows: 'two people into two teams: what would be sent',
    },
  ]).action(async function (this: Command, emails: readonly string[], flags: Flags) {
    await inviteMembers(open(this), toInviteInput(emails, flags));
  });
}

function toInviteInput(texts: readonly string[], flags: Flags): Input {
  if (flags.team === undefined || flags.team.length === 0) {
    throw new UsageError('no team is named: everybody invited must be added to at least one', {
      hint: 'Add --team with the name or id of a team.',
    });
  }
  const emails = new Map<string, string>();
  for (const email of texts.map(parseEmail)) if (!emails.has(foldEmail(email))) emails.set(foldEmail(email), email);
  return { emails: [...emails.values()], teams: flags.team, failIfExists: flags.failIfExists === true };
}

async function inviteMembers(context: Context, input: Input): Promise<void> {
  const organization = context.organization();
  const output = await context.output();
  output.checkFields(VIEW);
  const { memberships, teams } = await context.service();
  const wanted = await findTeams(teams, organization, input.teams);
  const present = await memberships.findByEmail(organization, input.emails, 'invite');
  if (input.failIfExists) refuseExisting(organization, [...present.values()].flat());

  const results: WriteResult[] = [];
  const lacking: string[] = [];
  const outcome = await forEachItem(
    input.emails,
    (email) => email,
    async (email) => {
      const [existing] = present.get(foldEmail(email)) ?? [];
      if (existing !== undefined) {
        const missing = teamsMissing(existing.membership, wanted);
        if (missing.length > 0) lacking.push(`${describeMember(existing)} is not in ${missing.join(', ')}`);
        results.push(toUnchanged(existing, missing));
        return;
      }
      const document = await memberships.invite(organization, { email, teamIds: wanted.map((team) => team.id) });
      if (document === undefined) return;
      results.push({ resource: document.data, included: document.included ?? [], document, extra: { changed: true } });
    },
  );
  await output.changedMany(VIEW, results);
  throwFailures(input.emails.length, outcome);
  if (lacking.length > 0) {
    throw new OrgctlError('attention', 'some were there already, but not in every team asked for', {
      code: 'teams-missing',
      reasons: lacking,
      hint: 'An invitation does not change the teams of somebody who is there: add them to the team in the service.',
    });
  }
}

function refuseExisting(organization: string, present: readonly FoundMembership[]): void {
  if (present.length === 0) return;
  throw new OrgctlError(
    'rejected',
    `${organization} has ${present.length === 1 ? 'one of them' : `${present.length} of them`} already`,
    {
      code: 'exists',
      reasons: present.map(describeMember),
      hint: 'Nothing was sent. Leave out --fail-if-exists to invite the others.',
    },
  );
}

function toUnchanged(existing: FoundMembership, missing: readonly string[]): WriteResult {
  return {
    resource: existing.membership,
    included: existing.included,
    document: { data: existing.membership, included: existing.included },
    extra: { changed: false, ...(missing.length === 0 ? {} : { 'teams-missing': missing }) },
  };
}

/** The asked teams somebody is not in, by the names they were asked by. */
function teamsMissing(membership: Membership, wanted: readonly FoundTeam[]): readonly string[] {
  const data = (membership.relationships?.['teams']?.data ?? []) as readonly ResourceIdentifier[];
  const ids = new Set(data.map((team) => team.id));
  return wanted.filter((team) => !ids.has(team.id)).map((team) => team.asked);
}
