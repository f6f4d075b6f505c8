import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { parseEmail } from '../../email.ts';
import { UsageError } from '../../errors.ts';
import { collectNames } from '../../input/repeatable.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { countPeople } from '../../people/member.ts';
import { selectPending } from '../../people/select-pending.ts';
import type { Include } from '../../service/include.ts';
import type { MembershipFilter } from '../../service/memberships.ts';
import type { PageOptions } from '../../service/page.ts';
import type { ListReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import { parseDuration } from '../../when.ts';
import { addPageOptions, type PageFlags, toPageOptions, toSearch } from '../options.ts';
import { addOrganizationsOptions, listSeveral } from '../organizations.ts';
import { INVITED_COLUMNS, MEMBERSHIP_COLUMNS } from './columns.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from './options.ts';

interface Flags extends PageFlags, IncludeFlags {
  readonly status?: string;
  readonly email?: readonly string[];
  readonly search?: string;
  readonly pendingOlderThan?: string;
}

const INVITED = 'invited';

interface Input {
  readonly filter: MembershipFilter;
  readonly include: Include;
  readonly page: PageOptions;
  /** Milliseconds; undefined for everyone. */
  readonly pendingFor: number | undefined;
}

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('List members and invitations')
    .option('--status <invited|active>', 'Only these')
    .option('--email <emails>', 'Only these, separated by commas', collectNames)
    .option('-s, --search <text>', 'Only emails and user names that contain this')
    .option('--pending-older-than <duration>', 'Only invitations older than this, such as 30d');
  addDocumentation(addPageOptions(addIncludeOption(addOrganizationsOptions(verb))), {
    examples: [
      'orgctl members list --status invited',
      'orgctl members list --pending-older-than 30d -o csv > waiting.csv',
      'orgctl members list --search ana --fields email,teams.name',
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
  const pendingFor = toPendingFor(flags, page, now);
  const status = pendingFor === undefined ? flags.status : INVITED;
  if (flags.email?.length === 0) throw new UsageError('--email is empty', { hint: 'Give at least one email.' });
  const filter = { status, emails: flags.email?.map(parseEmail), search };
  return { filter, include: toInclude(flags, fields), page, pendingFor };
}

function toPendingFor(flags: Flags, page: PageOptions, now: number): number | undefined {
  if (flags.pendingOlderThan === undefined) return undefined;
  const age = parseDuration(flags.pendingOlderThan, '--pending-older-than', now, -1);
  if (flags.status !== undefined && flags.status !== INVITED) {
    throw new UsageError(`--pending-older-than lists invitations, and --status is '${flags.status}'`, {
      hint: 'Leave --status out.',
    });
  }
  const part = page.page !== undefined ? '--page' : page.limit !== undefined ? '--limit' : undefined;
  if (part !== undefined) {
    throw new UsageError(`use --pending-older-than or ${part}, not both`, {
      hint: 'Ages are compared after the whole list was read.',
    });
  }
  return age;
}

async function listMembers(context: Context, input: Input): Promise<void> {
  const { identity, screen, services, places } = context;
  const { filter, include, page, pendingFor } = input;
  const columns = pendingFor !== undefined || filter.status === INVITED ? INVITED_COLUMNS : MEMBERSHIP_COLUMNS;
  const before = pendingFor === undefined ? undefined : places.host.now() - pendingFor;
  const undated: (() => number)[] = [];
  const read = ({ memberships }: Service, organization: string): ListReading => {
    const reading = memberships.list(organization, filter, include, page);
    if (before === undefined) return reading;
    const pending = selectPending(reading, before);
    undated.push(pending.undated);
    return pending.reading;
  };
  if (identity.several === undefined) {
    const organization = identity.organization();
    await screen.list(columns, read(await services.current(), organization));
  } else await listSeveral(context, columns, read, page);
  const count = undated.reduce((sum, each) => sum + each(), 0);
  if (count > 0) {
    const where = identity.several === undefined ? ` to ${identity.organization()}` : '';
    screen.warn(`${countPeople(count)} left out: the service doesn't say when they were invited${where}`);
  }
}
