import { ORGANIZATIONS } from '../organizations.ts';
import { flag } from '../param.ts';
import { checkNamed, MEMBERS, peopleFile, team } from '../people.ts';
import { verb } from '../verb.ts';
import { changeTeams } from './change.ts';
import { TEAM_REMOVAL_COLUMNS } from './columns.ts';

export const remove = verb({
  name: 'teams remove',
  aliases: ['rm'],
  help: 'Take people out of a team; they stay in the organization',
  effect: 'writes',
  args: { team: team('<team>', 'Name or id'), ...MEMBERS },
  options: {
    allowSelf: flag('--allow-self', 'Take yourself out of owners too (never the last owner)'),
    ...ORGANIZATIONS,
    ...peopleFile('a column email, user or id'),
  },
  examples: [
    'orgctl teams remove audit ada.auditor@example.com --yes',
    'orgctl teams remove platform --file movers.csv --yes',
    'orgctl teams remove platform milo.member@example.com --orgs acme,globex --yes',
  ],
  columns: TEAM_REMOVAL_COLUMNS.inOne,
  async run(context, { team: outOf, allowSelf, members, file }) {
    checkNamed('member', members, file);
    await changeTeams(context, {
      people: { members, file },
      asked: { outOf },
      rules: { allowSelf },
      columns: TEAM_REMOVAL_COLUMNS,
      doing: 'Removing',
      again: 'Run the same command again: it skips people who are not in the team.',
    });
  },
});
