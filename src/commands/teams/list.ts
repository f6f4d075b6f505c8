import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { PageOptions } from '../../service/page.ts';
import { addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { TEAM_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun.command('list').alias('ls').description('List teams, with their sizes and ids');
  addDocumentation(addPageOptions(verb), {
    examples: ['orgctl teams list', 'orgctl teams list --fields name,users-count -o csv'],
    columns: TEAM_COLUMNS,
  }).action(async (flags: PageFlags) => {
    await listTeams(open(verb), toPageOptions(flags));
  });
}

async function listTeams({ identity, screen, services }: Context, page: PageOptions): Promise<void> {
  const organization = identity.organization();
  const { teams } = await services.current();
  await screen.list(TEAM_COLUMNS, teams.list(organization, page));
}
