import { createTeam } from '../../api/teams.ts';
import { runBatch, tell } from '../../cli/batch.ts';
import { findUnmet, pickUnmet } from '../../cli/changes.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { formatInOneLine, OrgctlError } from '../../lib/errors.ts';
import { TEAM_RESULT_COLUMNS } from './columns.ts';
import { formatTeamName, type NamedTeam, readNamedTeams, TEAM_BATCH } from './named.ts';
import { type Asked, createAttributes, findChanges, readSettings, SETTING_OPTIONS } from './settings.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TEAM_RESULT_COLUMNS,
  arguments: [argument('<names...>', 'of the new teams')],
  options: SETTING_OPTIONS,
  examples: ['teams create reviewers --visibility organization', 'teams create helpdesk --access manage-membership'],
  async run(session, { visibility, access }, names) {
    const references = names.map((name) => `name:${name}`);
    const { values, failures } = await readEachOrg(session, (org) => readNamedTeams(session.client, org, references));
    await runBatch(session, values.flat(), {
      label: 'Creating',
      ...TEAM_BATCH,
      failures,
      act: (named) => createOne(session, named, { visibility, access }),
      sentence: (named, { result }) => {
        const [name, { org }] = [formatTeamName(named), named];
        const texts = { would: `create ${name} in ${org}`, done: `Created ${name} in ${org}` };
        return tell(result, { same: `${name} is already in ${org}`, ...texts });
      },
    });
  },
});

/** A new team has no access. */
const NEW_TEAM = { 'organization-access': {} };

async function createOne({ client }: Session, named: NamedTeam, asked: Asked) {
  const { org, team, attributes = {} } = named;
  const name = formatTeamName(named);
  if (team) {
    const failure = findUnmet(`${name} is already in ${org}`, findChanges(asked, attributes), readSettings(attributes));
    return { result: 'unchanged', failure };
  }
  const sent = findChanges({ ...asked, name }, NEW_TEAM);
  const created = await createTeam(client, org, { ...createAttributes(sent), name });
  if (!created) return undefined;
  const { id = null, attributes: shown = {} } = created.team ?? {};
  const settings = readSettings(shown);
  const done = `${name} was created in ${org}`;
  if (created.refusal) {
    const reasons = [formatInOneLine(created.refusal)];
    return { id, result: 'created', failure: new OrgctlError('attention', `${done}, but not as asked`, { reasons }) };
  }
  // What a new team has beside what was asked comes with it.
  const unmet = asked.access?.includes('none') ? findChanges({ ...asked, name }, shown) : pickUnmet(sent, settings);
  return { id, result: 'created', failure: findUnmet(done, unmet, settings) };
}
