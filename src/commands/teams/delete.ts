import { deleteTeam } from '../../api/teams.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument, option } from '../../cli/options.ts';
import { OrgctlError } from '../../lib/errors.ts';
import { joinNames, plural } from '../../lib/text.ts';
import { isTeamId, readTeams } from '../../members/teams.ts';
import { countTeamTokens } from '../../tokens/read-tokens.ts';
import { TEAM_RESULT_COLUMNS } from './columns.ts';
import { assertChangeable, formatTeamName, type NamedTeam, readNamedTeams, TEAM_BATCH } from './named.ts';

type Deletion = NamedTeam & { tokens?: number | undefined };

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TEAM_RESULT_COLUMNS,
  arguments: [argument('<teams...>', 'names or ids', { complete: completeTeams })],
  options: [option('--ignore-missing', "skip teams that don't exist")],
  examples: ['teams delete security --dry-run', 'teams delete security audit --ignore-missing --yes'],
  async run(session, { ignoreMissing = false }, texts) {
    const { client, hasSeveralOrgs } = session;
    const { values, failures } = await readEachOrg(session, async (org) => {
      const known = await readTeams(client, org, { needsList: !texts.every(isTeamId) });
      const teams = await readNamedTeams(client, known, texts, hasSeveralOrgs && !ignoreMissing);
      const missing = teams.filter(({ team }) => !team).map(({ text }) => text);
      if (missing.length > 0 && !ignoreMissing) {
        const hint = '`orgctl teams list` shows them.';
        throw new OrgctlError('not-found', `${org} has no team ${joinNames(missing)}`, { hint });
      }
      const addTokens = async (named: NamedTeam): Promise<Deletion> => {
        if (!named.team) return named;
        assertChangeable(named, 'deleted');
        return { ...named, tokens: await countTeamTokens(client, org, named.team, named.attributes) };
      };
      return Promise.all(teams.map(addTokens));
    });
    const items = values.flat();
    const present = items.filter(({ team }) => team);
    await ask(session, present, describe, (what) => `Delete ${what}?`, 'teams');
    await runBatch<Deletion>(session, items, {
      label: 'Deleting',
      ...TEAM_BATCH,
      failures,
      async act({ org, team }) {
        const isDeleted = team ? await deleteTeam(client, org, team) : false;
        return isDeleted === undefined ? undefined : { result: isDeleted ? 'deleted' : 'unchanged' };
      },
      sentence: (deletion, { result }) => {
        const [name, { org }] = [formatTeamName(deletion), deletion];
        const texts = { would: `delete ${describe(deletion)}`, done: `Deleted ${name} from ${org}` };
        return tell(result, { same: `${name} is not in ${org}`, ...texts });
      },
    });
  },
});

/** `audit (2 members, 1 token) from acme` */
function describe({ org, team, attributes, tokens, text }: Deletion): string {
  const members = attributes?.['users-count'];
  const count = (value: unknown, one: string): string =>
    typeof value === 'number' ? plural(value, one) : `${one}s unknown`;
  return `${team?.name ?? text} (${count(members, 'member')}, ${count(tokens, 'token')}) from ${org}`;
}
