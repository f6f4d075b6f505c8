import type { Context } from '../../context/context.ts';
import { parseKnownEmail } from '../../email.ts';
import { UsageError } from '../../errors.ts';
import { addToGroup, type Group } from '../../groups.ts';
import { findInTeams } from '../../people/directory.ts';
import {
  isInNamedTeam,
  isInTeam,
  isPendingSince,
  isWithoutTwoFactor,
  type Judge,
  selectMembers,
} from '../../people/select-members.ts';
import { describeWithout, refuseTeamIds } from '../../people/teams.ts';
import type { Include } from '../../service/include.ts';
import type { MembershipFilter } from '../../service/memberships.ts';
import type { PageOptions } from '../../service/page.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import { countPeople } from '../../text/count.ts';
import type { Membership } from '../../wire/resources.ts';
import { INCLUDE, toInclude } from '../include.ts';
import { duration, PAGE, search, toPage } from '../options.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { filled, flag, names, type Values, valued } from '../param.ts';
import { openDirectories } from '../people.ts';
import { verb } from '../verb.ts';
import { INVITED_COLUMNS, MEMBERSHIP_COLUMNS } from './columns.ts';

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

const OPTIONS = {
  status: valued(
    '--status <status>',
    'Only people with this status: invited, active or inactive',
    filled(() => 'Use invited, active or inactive.'),
    {
      complete: ['active', 'inactive', 'invited'],
    },
  ),
  emails: names('--email <emails>', 'Only people with these emails, separated by commas', { complete: 'people' }),
  search: search('-s, --search <text>', 'Only emails and user names that contain this'),
  pendingFor: duration('--pending-older-than <duration>', 'Only invitations older than this, such as 30d', 'back'),
  team: search('--team <team>', 'Only people in this team', { complete: 'teams' }),
  withoutTwoFactor: flag(
    '--no-2fa',
    'Only people without two-factor authentication; no invited ones, of whom it is unknown',
  ),
  ...ORGANIZATIONS,
  ...INCLUDE,
  ...PAGE,
};

export const list = verb({
  name: 'members list',
  aliases: ['ls'],
  help: 'List members and invitations',
  effect: 'reads',
  topic: 'output',
  options: OPTIONS,
  examples: [
    'orgctl members list --status invited',
    'orgctl members list --pending-older-than 30d -o csv > waiting.csv',
    'orgctl members list --search ana --fields email,teams.name',
    'orgctl members list --team owners --no-2fa',
    'orgctl members list --all-orgs -o csv > members.csv',
  ],
  columns: MEMBERSHIP_COLUMNS,
  run: (context, input) => listMembers(context, toListInput(input, context.screen.requested.fields)),
});

function toListInput(given: Values<typeof OPTIONS>, fields: readonly string[] | undefined): Input {
  const { status, emails, pendingFor, withoutTwoFactor } = given;
  const page = toPage(given);
  if (pendingFor !== undefined && status !== undefined && status !== INVITED) {
    throw new UsageError(`--pending-older-than lists invitations, and --status is '${status}'`, {
      hint: 'Leave --status out.',
    });
  }
  if (emails?.length === 0) throw new UsageError('--email is empty', { hint: 'Give at least one email.' });
  const filter = {
    status: pendingFor === undefined ? status : INVITED,
    emails: emails?.map(parseKnownEmail),
    search: given.search,
  };
  const team = given.team?.trim();
  refusePart(given, page);
  const needed = [...(withoutTwoFactor ? ['user'] : []), ...(team === undefined ? [] : ['teams'])];
  return { filter, include: toInclude(given.include, fields, needed), page, pendingFor, team, withoutTwoFactor };
}

/** What the service has no filter for is looked for in the whole list. */
function refusePart({ pendingFor, team, withoutTwoFactor }: Values<typeof OPTIONS>, page: PageOptions): void {
  const filter =
    pendingFor !== undefined
      ? '--pending-older-than'
      : team !== undefined
        ? '--team'
        : withoutTwoFactor
          ? '--no-2fa'
          : undefined;
  const part = page.page !== undefined ? '--page' : page.limit !== undefined ? '--limit' : undefined;
  if (filter === undefined || part === undefined) return;
  throw new UsageError(`use ${filter} or ${part}, not both`, {
    hint:
      pendingFor !== undefined
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
  const { identity, screen, places } = context;
  const { filter, include, page, pendingFor, team, withoutTwoFactor } = input;
  const columns = pendingFor !== undefined || filter.status === INVITED ? INVITED_COLUMNS : MEMBERSHIP_COLUMNS;
  const one = context.organizations.isOne ? identity.organization() : undefined;
  await screen.output();
  const inTeam = team === undefined ? undefined : await findTeam(context, team);
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
  const read = ({ memberships }: Service, organization: string): ListReading<Membership> =>
    toFilters(organization).reduce(
      (reading, { judge, unsaid }) => {
        const selection = selectMembers(reading, judge);
        addToGroup(unknown, unsaid, selection.unknown);
        return selection.reading;
      },
      memberships.list(organization, filter, include, page),
    );
  await listEach(context, columns, read, page, inTeam?.organizations);
  for (const [unsaid, counts] of unknown) {
    const count = counts.reduce((sum, each) => sum + each(), 0);
    if (count > 0) screen.warn(`${countPeople(count)} left out: the service doesn't say ${unsaid}`);
  }
}

interface TeamFilter {
  /** The organizations that have such a team, as far as can be seen. Set where there are several. */
  readonly organizations?: readonly string[];
  /** Throws what keeps its teams from being read. */
  toJudge(organization: string): Judge;
}

/** Throws UsageError for a team that does not exist. */
async function findTeam(context: Context, team: string): Promise<TeamFilter> {
  const { organizations, screen } = context;
  refuseTeamIds(organizations, [team]);
  const directories = await openDirectories(context);
  const { there, without } = await findInTeams(directories, [team], ({ findListedTeam }) => findListedTeam(team));
  const known = new Map(there.map((one) => [one.organization, one]));
  if (without.length > 0) screen.note(describeWithout([team], without));
  return {
    organizations: there.map(({ organization }) => organization),
    toJudge(organization) {
      const { value, error } = known.get(organization) ?? {};
      if (value === undefined) throw error;
      return value === 'unlisted' ? isInNamedTeam(team) : isInTeam(value);
    },
  };
}
