import type { ReadOptions } from '../../api/pagination.ts';
import { listTeamMembers, listTeams, readTeams } from '../../api/teams.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { argument, LIST_OPTIONS } from '../../cli/options.ts';
import type { JsonObject } from '../../lib/json.ts';
import { createTeamFinder, isTeamId, parseTeam } from '../../members/teams.ts';
import { TEAM_MEMBER_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TEAM_MEMBER_COLUMNS,
  arguments: [argument('<team>', 'name or id', { complete: completeTeams })],
  options: LIST_OPTIONS,
  examples: ['teams members platform', 'teams members owners --all-orgs'],
  async run(session, options, name) {
    const { client } = session;
    async function* read(org: string, pages: ReadOptions): AsyncGenerator<JsonObject[]> {
      // A service without a list of teams may find a team by its id.
      const teams = isTeamId(name) ? await readTeams(client, org) : await listTeams(client, org).all();
      const team = createTeamFinder(org, teams?.map(parseTeam))(name);
      yield* listTeamMembers(client, org, team).records(pages);
    }
    await listEachOrg(session, TEAM_MEMBER_COLUMNS, read, options);
  },
});
