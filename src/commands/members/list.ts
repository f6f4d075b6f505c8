import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { parseKnownEmail } from '../../email.ts';
import { type OrgctlError, UsageError } from '../../errors.ts';
import { addToGroup, type Group } from '../../groups.ts';
import { collectNames } from '../../input/repeatable.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { isSameName } from '../../names.ts';
import { findEach } from '../../organizations/find-each.ts';
import { describeWithout, findListedTeam, refuseTeamIds, toNoTeam } from '../../people/find-team.ts';
import { isCertainId } from '../../people/find-teams.ts';
import {
  isInNamedTeam,
  isInTeam,
  isPendingSince,
  isWithoutTwoFactor,
  type Judge,
  selectMembers,
} from '../../people/select-members.ts';
import type { Include } from '../../service/include.ts';
import type { MembershipFilter } from '../../service/memberships.ts';
import type { PageOptions } from '../../service/page.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import { countPeople } from '../../text/count.ts';
import { askMeant, findNear } from '../../text/near.ts';
import { parseDuration } from '../../when.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from '../include.ts';
import { addPageOptions, type PageFlags, toPageOptions, toSearch } from '../options.ts';
import { addOrganizationsOptions, chooseSeveral, listSeveral } from '../organizations.ts';
import { INVITED_COLUMNS, MEMBERSHIP_COLUMNS } from './columns.ts';

interface Flags extends PageFlags, IncludeFlags {
  readonly status?: string;
  readonly email?: readonly string[];
  readonly search?: string;
  readonly pendingOlderThan?: string;
  readonly team?: string;
  /** False where `--no-2fa` is given. */
  readonly '2fa': boolean;
}

const INVITED = 'invited';

interface Input {
  readonly filter: MembershipFilter;
  readonly include: Include;
  readonly page: PageOptions;
  /** Milliseconds; undefined for everyone. */
  readonly pendingFor: number | undefined;
  /** Its name or id; undefined for everyone. */
  readonly team: string | undefined;
  readonly withoutTwoFactor: boolean;
}

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('List members and invitations')
    .option('--status <status>', 'Only these: invited, active or inactive')
    .option('--email <emails>', 'Only these, separated by commas', collectNames)
    .option('-s, --search <text>', 'Only emails and user names that contain this')
    .option('--pending-older-than <duration>', 'Only invitations older than this, such as 30d')
    .option('--team <team>', 'Only people in this team')
    .option('--no-2fa', 'Only people without two-factor authentication');
  addDocumentation(addPageOptions(addIncludeOption(addOrganizationsOptions(verb))), {
    examples: [
      'orgctl members list --status invited',
      'orgctl members list --pending-older-than 30d -o csv > waiting.csv',
      'orgctl members list --search ana --fields email,teams.name',
      'orgctl members list --team owners --no-2fa',
      'orgctl members list --all-orgs -o csv > members.csv',
    ],
    columns: MEMBERSHIP_COLUMNS,
  }).action(async (flags: Flags) => {
    const context = open(verb);
    await listMembers(context, toListInput(flags, context.places.host.now(), context.screen.requested.fields));
  });
}

function toListInput(flags: Flags, now: number, fields: readonly string[] | undefined): Input {
  if (flags.status?.trim() === '')
    throw new UsageError('--status is empty', { hint: 'Use invited, active or inactive.' });
  const search = toSearch('--search', flags.search);
  const page = toPageOptions(flags);
  const pendingFor = toPendingFor(flags, now);
  const status = pendingFor === undefined ? flags.status : INVITED;
  if (flags.email?.length === 0) throw new UsageError('--email is empty', { hint: 'Give at least one email.' });
  const filter = { status, emails: flags.email?.map(parseKnownEmail), search };
  const team = toSearch('--team', flags.team)?.trim();
  const withoutTwoFactor = !flags['2fa'];
  refusePart(flags, page);
  const needed = [...(withoutTwoFactor ? ['user'] : []), ...(team === undefined ? [] : ['teams'])];
  return { filter, include: toInclude(flags, fields, needed), page, pendingFor, team, withoutTwoFactor };
}

function toPendingFor(flags: Flags, now: number): number | undefined {
  if (flags.pendingOlderThan === undefined) return undefined;
  const age = parseDuration(flags.pendingOlderThan, '--pending-older-than', now, -1);
  if (flags.status !== undefined && flags.status !== INVITED) {
    throw new UsageError(`--pending-older-than lists invitations, and --status is '${flags.status}'`, {
      hint: 'Leave --status out.',
    });
  }
  return age;
}

/** What the service has no filter for is looked for in the whole list. */
function refusePart({ pendingOlderThan, team, '2fa': any }: Flags, page: PageOptions): void {
  const filter =
    pendingOlderThan !== undefined
      ? '--pending-older-than'
      : team !== undefined
        ? '--team'
        : any
          ? undefined
          : '--no-2fa';
  const part = page.page !== undefined ? '--page' : page.limit !== undefined ? '--limit' : undefined;
  if (filter === undefined || part === undefined) return;
  throw new UsageError(`use ${filter} or ${part}, not both`, {
    hint:
      pendingOlderThan !== undefined
        ? 'Ages are compared after the whole list was read.'
        : 'The service has no such filter: the whole list is read.',
  });
}

interface Filter {
  readonly judge: Judge;
  /** Completes the sentence "the service doesn't say …". */
  readonly unsaid: string;
}

async function listMembers(context: Context, input: Input): Promise<void> {
  const { identity, screen, services, places } = context;
  const { filter, include, page, pendingFor, team, withoutTwoFactor } = input;
  const columns = pendingFor !== undefined || filter.status === INVITED ? INVITED_COLUMNS : MEMBERSHIP_COLUMNS;
  const one = identity.several === undefined ? identity.organization() : undefined;
  await screen.output();
  const inTeam = team === undefined ? undefined : await findTeam(context, team, one);
  const toFilters = (organization: string): readonly Filter[] => [
    ...(pendingFor === undefined
      ? []
      : [
          {
            judge: isPendingSince(places.host.now() - pendingFor),
            unsaid: `when they were invited${one === undefined ? '' : ` to ${one}`}`,
          },
        ]),
    ...(inTeam === undefined ? [] : [{ judge: inTeam.toJudge(organization), unsaid: 'in which teams they are' }]),
    ...(withoutTwoFactor ? [{ judge: isWithoutTwoFactor, unsaid: 'whether they use two-factor authentication' }] : []),
  ];
  const unknown = new Map<string, Group<() => number>>();
  const read = ({ memberships }: Service, organization: string): ListReading =>
    toFilters(organization).reduce(
      (reading, { judge, unsaid }) => {
        const selection = selectMembers(reading, judge);
        addToGroup(unknown, unsaid, selection.unknown);
        return selection.reading;
      },
      memberships.list(organization, filter, include, page),
    );
  if (one === undefined) await listSeveral(context, columns, read, page, inTeam?.organizations);
  else await screen.list(columns, read(await services.current(), one));
  for (const [unsaid, counts] of unknown) {
    const count = counts.reduce((sum, each) => sum + each(), 0);
    if (count > 0) screen.warn(`${countPeople(count)} left out: the service doesn't say ${unsaid}`);
  }
  inTeam?.warnOfUnseen();
}

interface TeamFilter {
  /** Of several those that have it, as far as can be seen. */
  readonly organizations?: readonly string[];
  /** Throws what keeps its teams from being read. */
  toJudge(organization: string): Judge;
  /** After reading. */
  warnOfUnseen(): void;
}

/** Throws UsageError for a team that does not exist. `one`: the organization, where there are not several. */
async function findTeam(context: Context, team: string, one: string | undefined): Promise<TeamFilter> {
  const { identity, screen, services } = context;
  const { several } = identity;
  if (several !== undefined) refuseTeamIds(several, [team]);
  const organizations = one === undefined ? await chooseSeveral(context) : [one];
  const { teams } = await services.current();
  const found =
    one === undefined
      ? await findEach(organizations, async (organization) => ({
          team: await findListedTeam(teams, organization, team),
        }))
      : [{ organization: one, value: { team: await findListedTeam(teams, one, team, 'require') } }];
  const seen = new Set<string>();
  const judges = new Map<string, Judge | OrgctlError>();
  for (const { organization, value, error } of found) {
    if (value === undefined) judges.set(organization, error);
    else if (value.team === 'unlisted')
      judges.set(
        organization,
        isInNamedTeam(team, (name) => seen.add(name)),
      );
    else if (value.team !== undefined) judges.set(organization, isInTeam(value.team));
  }
  const without = organizations.filter((organization) => !judges.has(organization));
  if (judges.size === 0) throw toNoTeam([team], organizations);
  if (without.length > 0) screen.note(describeWithout([team], without));
  return {
    organizations: [...judges.keys()],
    toJudge(organization) {
      const judge = judges.get(organization);
      if (typeof judge === 'function') return judge;
      throw judge;
    },
    warnOfUnseen() {
      if (found.every(({ value }) => value?.team === 'unlisted')) warnOfUnseen(screen, team, seen);
    },
  };
}

/** A name that was mistyped looks like a team without people. */
function warnOfUnseen({ warn }: Context['screen'], team: string, seen: ReadonlySet<string>): void {
  if (isCertainId(team) || [...seen].some((name) => isSameName(name, team))) return;
  const meant = askMeant(findNear(team, seen));
  warn(`none of them is in a team ${team}${meant === undefined ? '' : `. ${meant}`}`);
}
