import { UsageError } from '../../errors.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { flag } from '../param.ts';
import { checkNamed, MEMBERS, peopleFile, team } from '../people.ts';
import { verb } from '../verb.ts';
import { changeTeams } from './change.ts';
import { ADDITION_COLUMNS } from './columns.ts';

export const add = verb({
  name: 'teams add',
  help: 'Add people to a team',
  effect: 'writes',
  args: { team: team('<team>', 'Name or id'), ...MEMBERS },
  options: {
    from: team('--from <team>', 'Move people: take them out of this team after they were added'),
    allowSelf: flag('--allow-self', 'With --from owners: take yourself out of owners too'),
    ...ORGANIZATIONS,
    ...peopleFile('a column email, user or id'),
  },
  examples: [
    'orgctl teams add platform ada.auditor@example.com',
    'orgctl teams add platform ada.auditor@example.com --from audit --yes',
    'orgctl teams add security --file movers.csv --dry-run',
    'orgctl teams add platform milo.member@example.com --orgs acme,globex',
  ],
  columns: ADDITION_COLUMNS.inOne,
  async run(context, { team: into, from, allowSelf, members, file }) {
    checkNamed('member', members, file);
    if (allowSelf && from === undefined) {
      throw new UsageError('--allow-self works only with --from', { hint: 'Without --from no one leaves a team.' });
    }
    await changeTeams(context, {
      people: { members, file },
      asked: { into, outOf: from },
      rules: {
        allowSelf,
        adviseAbsent: (emails) => ({
          hint: `Nothing was changed. To invite them into the team:`,
          next: [['orgctl', 'members', 'invite', ...emails, '--team', into]],
        }),
      },
      columns: ADDITION_COLUMNS,
      doing: from === undefined ? 'Adding' : 'Moving',
      again: 'Run the same command again: it skips people who are in the team.',
    });
  },
});
