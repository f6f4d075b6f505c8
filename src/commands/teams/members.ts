import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { createTeamFinder } from '../../people/find-team.ts';
import { listTeamMembers } from '../../people/team-members.ts';
import { type Include, WITH_USER } from '../../service/include.ts';
import type { PageOptions } from '../../service/page.ts';
import { toInclude } from '../include.ts';
import { addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { TEAM_MEMBER_COLUMNS } from './columns.ts';

export function registerMembers(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('members')
    .description('List who is in a team, with those who are invited')
    .argument('<team>', 'Name or id');
  addDocumentation(addPageOptions(verb), {
    examples: ['orgctl teams members platform', 'orgctl teams members owners --fields email,user.two-factor.enabled'],
    columns: TEAM_MEMBER_COLUMNS,
  }).action(async (team: string, flags: PageFlags) => {
    const context = open(verb);
    const page = toPageOptions(flags);
    const { fields } = context.screen.requested;
    await listMembers(context, { team, page, include: fields === undefined ? WITH_USER : toInclude({}, fields) });
  });
}

interface Input {
  readonly team: string;
  readonly page: PageOptions;
  readonly include: Include;
}

async function listMembers({ identity, screen, services }: Context, { team, page, include }: Input): Promise<void> {
  const organization = identity.organization();
  (await screen.output()).checkFields(TEAM_MEMBER_COLUMNS);
  const service = await services.current();
  const { id, name } = await createTeamFinder(service.teams, organization).require(team);
  const found = { id, name, organization };
  await screen.list(TEAM_MEMBER_COLUMNS, listTeamMembers(service, found, include, page, screen.warn));
}
