import type { Verb } from '../../cli/command.ts';
import { argument, option } from '../../cli/options.ts';
import { FILE_OPTION, MEMBER_ARGUMENTS } from '../../cli/people.ts';
import { RESULT_COLUMNS } from '../../members/columns.ts';
import { changeTeams } from './change.ts';

export const add: Verb<{ file?: string; from?: string; allowSelf?: boolean }, [team: string, members: string[]]> = {
  summary: 'Add people to a team',
  takesSeveralOrgs: true,
  columns: RESULT_COLUMNS,
  arguments: [argument('<team>', 'name or id'), ...MEMBER_ARGUMENTS],
  options: [
    FILE_OPTION,
    option('--from <team>', 'move people: remove them from this team after adding them'),
    option('--allow-self', 'with --from owners: remove yourself from owners too'),
  ],
  examples: ['teams add platform ada.auditor@example.com', 'teams add security --file movers.csv --from audit --yes'],
  run: (session, { file, from, allowSelf = false }, team, members) =>
    changeTeams(session, members, file, { into: team, outOf: from, allowSelf }),
};
