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
import { parseDuration } from '../../when.ts';
import { addPageOptions, type PageFlags, toPageOptions, toSearch } from '../options.ts';
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
  addDocumentation(addPageOptions(addIncludeOption(verb)), {
    examples: [
      'orgctl members list --status invited',
      'orgctl members list --pending-older-than 30d -o csv > waiting.csv',
      'orgctl members list --search ana --fields email,teams.name',
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

async function listMembers({ identity, screen, services, places }: Context, input: Input): Promise<void> {
  const organization = identity.organization();
  const { memberships } = await services.current();
  const reading = memberships.list(organization, input.filter, input.include, input.page);
  if (input.pendingFor === undefined) {
    await screen.list(input.filter.status === INVITED ? INVITED_COLUMNS : MEMBERSHIP_COLUMNS, reading);
    return;
  }
  const pending = selectPending(reading, places.host.now() - input.pendingFor);
  await screen.list(INVITED_COLUMNS, pending.reading);
  if (pending.undated() > 0) {
    screen.warn(
      `${countPeople(pending.undated())} left out: the service doesn't say when they were invited to ${organization}`,
    );
  }
}
