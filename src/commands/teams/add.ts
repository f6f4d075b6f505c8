import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { addOrganizationsOptions } from '../organizations.ts';
import { addFileOption, toNamedPeople } from '../people.ts';
import { type ChangeFlags, changeTeams, refuseEmptyTeam } from './change.ts';
import { ADDITION_COLUMNS } from './columns.ts';

interface Flags extends ChangeFlags {
  readonly from?: string;
}

export function registerAdd(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('add')
    .description('Add people to a team')
    .argument('<team>', 'Name or id')
    .argument('[member...]', 'Emails, user names, membership ids or user ids')
    .option('--from <team>', 'Move them: take them out of this team once they are in the other')
    .option('--allow-self', 'With --from owners: take you out of the team, too');
  addDocumentation(addFileOption(addOrganizationsOptions(verb), 'a column email, user or id'), {
    examples: [
      'orgctl teams add platform ada.auditor@example.com',
      'orgctl teams add platform ada.auditor@example.com --from audit --yes',
      'orgctl teams add security --file movers.csv --dry-run',
      'orgctl teams add platform milo.member@example.com --orgs acme,globex',
    ],
    columns: ADDITION_COLUMNS.inOne,
  }).action(async (team: string, members: readonly string[], flags: Flags) => {
    const context = open(verb);
    const { from, allowSelf = false } = flags;
    const people = toNamedPeople(members, flags, verb);
    refuseEmptyTeam(team, '<team>');
    if (from !== undefined) refuseEmptyTeam(from, '--from');
    if (allowSelf && from === undefined) {
      throw new UsageError('--allow-self works only with --from', { hint: 'Without --from no one leaves a team.' });
    }
    await changeTeams(context, {
      people,
      asked: { into: team, outOf: from },
      rules: {
        allowSelf,
        adviseAbsent: (emails) => ({
          hint: `Nothing was changed. To invite them into the team:`,
          next: [['orgctl', 'members', 'invite', ...emails, '--team', team]],
        }),
      },
      columns: ADDITION_COLUMNS,
      doing: from === undefined ? 'Adding' : 'Moving',
      again: 'Run the same command again: it skips people who are in the team.',
    });
  });
}
