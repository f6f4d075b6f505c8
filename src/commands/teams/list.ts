import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import type { PageOptions } from '../../service/page.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { TEAM_COLUMNS } from './columns.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun.command('list').alias('ls').description('list the teams with their ids');
  addExamples(addPageOptions(verb), {
    'orgctl teams list --org acme': 'the teams of acme',
  }).action(async (flags: PageFlags) => {
    await listTeams(open(verb), toPageOptions(flags));
  });
}

async function listTeams({ identity, screen, services }: Context, page: PageOptions): Promise<void> {
  const organization = identity.organization();
  const { teams } = await services.current();
  await screen.list(TEAM_COLUMNS, teams.list(organization, page));
}
