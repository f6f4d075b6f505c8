import type { ReadOptions } from '../../api/pagination.ts';
import { listTeamMembers } from '../../api/teams.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { argument, LIST_OPTIONS } from '../../cli/options.ts';
import type { JsonObject } from '../../lib/json.ts';
import { TEAM_MEMBER_COLUMNS } from '../../members/columns.ts';
import { isTeamId, readTeams } from '../../members/teams.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TEAM_MEMBER_COLUMNS,
  arguments: [argument('<team>', 'name or id', { complete: completeTeams })],
  options: LIST_OPTIONS,
  examples: ['teams members platform', 'teams members owners --all-orgs'],
  async run(session, options, name) {
    const { client } = session;
    async function* read(org: string, pages: ReadOptions): AsyncGenerator<JsonObject[]> {
      const team = (await readTeams(client, org, { needsList: !isTeamId(name) })).get(name);
      yield* listTeamMembers(client, org, team).records(pages);
    }
    await listEachOrg(session, TEAM_MEMBER_COLUMNS, read, options);
  },
});
