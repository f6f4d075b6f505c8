import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { PageOptions } from '../../service/page.ts';
import { addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { FEATURE_SET_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('List plans: all of them, or those an organization can have')
    .option('--eligible', 'Only those for the current organization (--org means the same)');
  addDocumentation(addPageOptions(verb), {
    examples: ['orgctl feature-sets list', 'orgctl feature-sets list --org acme -o json'],
    columns: FEATURE_SET_COLUMNS,
  }).action(async (flags: PageFlags & { readonly eligible?: boolean }) => {
    const context = open(verb);
    const eligible = flags.eligible === true || context.identity.optionGiven('org');
    await listFeatureSets(context, eligible, toPageOptions(flags));
  });
}

async function listFeatureSets(context: Context, eligible: boolean, page: PageOptions): Promise<void> {
  const organization = eligible ? context.identity.organization() : undefined;
  const { listFeatureSets } = await context.services.current();
  await context.screen.list(FEATURE_SET_COLUMNS, listFeatureSets(organization, page));
}
