import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Include } from '../../service/include.ts';
import type { MembershipFilter } from '../../service/memberships.ts';
import type { PageOptions } from '../../service/pages.ts';
import { addExamples, addPageOptions, collectNames, type PageFlags, toPageOptions, toSearch } from '../options.ts';
import { MEMBERSHIP_VIEW } from '../views/memberships.ts';
import { parseEmail } from './email.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from './include.ts';

interface Flags extends PageFlags, IncludeFlags {
  readonly status?: string;
  readonly email?: readonly string[];
  readonly search?: string;
}

interface Input {
  readonly filter: MembershipFilter;
  readonly include: Include;
  readonly page: PageOptions;
}

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('list members and invitations')
    .option('--status <status>', 'only these: invited or active')
    .option('--email <emails>', 'only these addresses; repeat it or separate with commas', collectNames)
    .option('-s, --search <text>', 'only whose user name or email holds this text');
  addExamples(addPageOptions(addIncludeOption(verb)), [
    { command: 'orgctl members list --org acme', shows: 'everybody, and everybody invited' },
    {
      command: 'orgctl members list --org acme --status invited --fields email,created-at -o csv',
      shows: 'who has not accepted yet, for a spreadsheet',
    },
  ]).action(async function (this: Command, flags: Flags) {
    await listMembers(open(this), toListInput(flags));
  });
}

function toListInput(flags: Flags): Input {
  if (flags.status?.trim() === '') throw new UsageError('--status is empty', { hint: 'Give invited or active.' });
  const search = toSearch('--search', flags.search);
  return {
    filter: {
      ...(flags.status === undefined ? {} : { status: flags.status }),
      ...(flags.email === undefined ? {} : { emails: toEmails(flags.email) }),
      ...(search === undefined ? {} : { search }),
    },
    include: toInclude(flags),
    page: toPageOptions(flags),
  };
}

function toEmails(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) throw new UsageError('--email is empty', { hint: 'Give at least one address.' });
  return texts.map(parseEmail);
}

async function listMembers(context: Context, input: Input): Promise<void> {
  const organization = context.organization();
  const { memberships } = await context.service();
  await context.list(MEMBERSHIP_VIEW, memberships.list(organization, input.filter, input.include, input.page));
}
