import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import type { PageOptions } from '../../service/page.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { TEAM_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun.command('list').alias('ls').description('list the teams with their ids');
  addExamples(addPageOptions(verb), [{ command: 'orgctl teams list --org acme', shows: 'the teams of acme' }]).action(
    async function (this: Command, flags: PageFlags) {
      await listTeams(open(this), toPageOptions(flags));
    },
  );
}

async function listTeams(context: Context, page: PageOptions): Promise<void> {
  const organization = context.organization();
  const { teams } = await context.service();
  await context.list(TEAM_COLUMNS, teams.list(organization, page));
}
