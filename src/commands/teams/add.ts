import { defineVerb } from '../../cli/command.ts';
import { completeTeams, MEMBER_ARGUMENTS } from '../../cli/completers.ts';
import { argument, FILE_OPTION, option } from '../../cli/options.ts';
import { MEMBER_RESULT_COLUMNS } from '../../members/columns.ts';
import { changeTeams } from './change.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: MEMBER_RESULT_COLUMNS,
  arguments: [argument('<team>', 'name or id', { complete: completeTeams }), ...MEMBER_ARGUMENTS],
  options: [
    FILE_OPTION,
    option('--from <team>', 'move people: remove them from this team after adding them', { complete: completeTeams }),
    option('--allow-self', 'with --from owners: remove yourself from owners too'),
  ],
  examples: ['teams add platform ada.auditor@example.com', 'teams add security --file movers.csv --from audit --yes'],
  run: (session, { file, from, allowSelf = false }, team, members) =>
    changeTeams(session, members, file, { into: team, outOf: from, allowSelf }),
});
