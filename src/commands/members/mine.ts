import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import type { Include } from '../../service/include.ts';
import type { PageOptions } from '../../service/pages.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { MEMBERSHIP_VIEW } from '../views/memberships.ts';
import { addIncludeOption, type IncludeFlags, toInclude } from './include.ts';

export function registerMine(noun: Command, open: OpenContext): void {
  const verb = noun.command('mine').description('list your own memberships, in every organization');
  addExamples(addPageOptions(addIncludeOption(verb)), [
    { command: 'orgctl members mine --fields organization,status', shows: 'which organizations you are in' },
  ]).action(async function (this: Command, flags: PageFlags & IncludeFlags) {
    const context = open(this);
    await listMine(context, toInclude(flags, context.fields), toPageOptions(flags));
  });
}

async function listMine(context: Context, include: Include, page: PageOptions): Promise<void> {
  const { memberships } = await context.service();
  await context.list(MEMBERSHIP_VIEW, memberships.mine(include, page));
}
