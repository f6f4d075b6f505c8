import { defineVerb } from '../../cli/command.ts';
import { completeTeams, MEMBER_ARGUMENTS } from '../../cli/completers.ts';
import { argument, FILE_OPTION, option } from '../../cli/options.ts';
import { MEMBER_RESULT_COLUMNS } from '../../members/columns.ts';
import { changeTeams } from './change.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: MEMBER_RESULT_COLUMNS,
  arguments: [argument('<team>', 'name or id', { complete: completeTeams }), ...MEMBER_ARGUMENTS],
  options: [FILE_OPTION, option('--allow-self', 'remove yourself from owners too')],
  examples: ['teams remove platform ada.auditor@example.com --dry-run', 'teams remove audit --file leavers.csv --yes'],
  run: (session, { file, allowSelf = false }, team, members) =>
    changeTeams(session, members, file, { outOf: team, allowSelf }),
});
