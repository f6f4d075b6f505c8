import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { parseEmail } from '../../email.ts';
import { UsageError } from '../../errors.ts';
import { collectNames } from '../../input/repeatable.ts';
import { countPeople } from '../../people/member.ts';
import { selectPending } from '../../people/select-pending.ts';
import type { Include } from '../../service/include.ts';
import type { MembershipFilter } from '../../service/memberships.ts';
import type { PageOptions } from '../../service/page.ts';
import { parseDuration } from '../../when.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions, toSearch } from '../options.ts';
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
  /** Milliseconds; undefined for everybody. */
  readonly pendingFor: number | undefined;
}

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('list members and invitations')
    .option('--status <status>', 'only these: invited, active or inactive')
    .option('--email <emails>', 'only these addresses; repeat it or separate with commas', collectNames)
    .option('-s, --search <text>', 'only whose user name or email holds this text')
    .option('--pending-older-than <duration>', 'only who was invited longer ago, and has not accepted yet: 30d, 12h');
  addExamples(addPageOptions(addIncludeOption(verb)), {
    'orgctl members list --org acme': 'everybody, and everybody invited',
    'orgctl members list --org acme --status invited --fields email,created-at -o csv':
      'who has not accepted yet, for a spreadsheet',
    'orgctl members list --org acme --pending-older-than 30d': 'invitations that have waited for more than 30 days',
  }).action(async (flags: Flags) => {
    const context = open(verb);
    await listMembers(context, toListInput(flags, context.places.host.now(), context.screen.requested.fields));
  });
}

function toListInput(flags: Flags, now: number, fields: readonly string[] | undefined): Input {
  if (flags.status?.trim() === '')
    throw new UsageError('--status is empty', { hint: 'Give invited, active or inactive.' });
  const search = toSearch('--search', flags.search);
  const page = toPageOptions(flags);
  const pendingFor = toPendingFor(flags, page, now);
  const status = pendingFor === undefined ? flags.status : INVITED;
  if (flags.email?.length === 0) throw new UsageError('--email is empty', { hint: 'Give at least one address.' });
  const filter = { status, emails: flags.email?.map(parseEmail), search };
  return { filter, include: toInclude(flags, fields), page, pendingFor };
}

function toPendingFor(flags: Flags, page: PageOptions, now: number): number | undefined {
  if (flags.pendingOlderThan === undefined) return undefined;
  const age = parseDuration(flags.pendingOlderThan, '--pending-older-than', now, -1);
  if (flags.status !== undefined && flags.status !== INVITED) {
    throw new UsageError(`--pending-older-than is about invitations, and --status is '${flags.status}'`, {
      hint: 'Leave --status out.',
    });
  }
  const part = page.page !== undefined ? '--page' : page.limit !== undefined ? '--limit' : undefined;
  if (part !== undefined) {
    throw new UsageError(`--pending-older-than and ${part} exclude each other`, {
      hint: 'Ages are compared here, after the whole list was read.',
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
      `${countPeople(pending.undated())} left out: the service does not tell when they were invited to ${organization}`,
    );
  }
}
