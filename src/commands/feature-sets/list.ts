import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import type { PageOptions } from '../../service/page.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { FEATURE_SET_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('list all feature sets, or those an organization may have')
    .option(
      '--eligible',
      'only those the organization in force is eligible for; --org on the command line means the same',
    );
  addExamples(addPageOptions(verb), {
    'orgctl feature-sets list': 'every feature set of the service',
    'orgctl feature-sets list --org acme -o json': 'what acme is eligible for, as JSON',
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
