import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { addOrganizationsOptions } from '../organizations.ts';
import { addFileOption, toNamedPeople } from '../people.ts';
import { type ChangeFlags, changeTeams, refuseEmptyTeam } from './change.ts';
import { TEAM_REMOVAL_COLUMNS } from './columns.ts';

export function registerRemove(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('remove')
    .alias('rm')
    .description('Take people out of a team; they stay in the organization')
    .argument('<team>', 'Name or id')
    .argument('[member...]', 'Emails, user names, membership ids or user ids')
    .option('--allow-self', 'Take you out of owners, too (never the last owner)');
  addDocumentation(addFileOption(addOrganizationsOptions(verb), 'a column email, user or id'), {
    examples: [
      'orgctl teams remove audit ada.auditor@example.com --yes',
      'orgctl teams remove platform --file movers.csv --yes',
      'orgctl teams remove platform milo.member@example.com --orgs acme,globex --yes',
    ],
    columns: TEAM_REMOVAL_COLUMNS.inOne,
  }).action(async (team: string, members: readonly string[], flags: ChangeFlags) => {
    const context = open(verb);
    const people = toNamedPeople(members, flags, verb);
    refuseEmptyTeam(team, '<team>');
    await changeTeams(context, {
      people,
      asked: { outOf: team },
      rules: { allowSelf: flags.allowSelf ?? false },
      columns: TEAM_REMOVAL_COLUMNS,
      doing: 'Removing',
      again: 'Run the same command again: it skips people who are not in the team.',
    });
  });
}
