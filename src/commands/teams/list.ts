import { listTeams } from '../../api/teams.ts';
import { defineVerb } from '../../cli/command.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { LIST_OPTIONS } from '../../cli/options.ts';
import { TEAM_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TEAM_COLUMNS,
  options: LIST_OPTIONS,
  examples: ['teams list', 'teams list --all-orgs -o csv'],
  async run(session, options) {
    const { client } = session;
    await listEachOrg(session, TEAM_COLUMNS, (org, pages) => listTeams(client, org).records(pages), options);
  },
});
