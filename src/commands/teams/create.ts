import { createTeam } from '../../api/teams.ts';
import { runBatch, tell } from '../../cli/batch.ts';
import { findUnmet, formatChanges, pickShown, pickUnmet } from '../../cli/changes.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { formatInOneLine, OrgctlError } from '../../lib/errors.ts';
import { readTeams } from '../../members/teams.ts';
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
    const asked = { visibility, access };
    const { values, failures } = await readEachOrg(session, async (org) =>
      readNamedTeams(session.client, await readTeams(session.client, org, { needsList: true }), names),
    );
    const items = values.flat().map((named) => prepare(named, asked));
    await runBatch<Creation>(session, items, {
      label: 'Creating',
      ...TEAM_BATCH,
      failures,
      row: (item) => ({ ...TEAM_BATCH.row(item), before: item.before, after: session.isDryRun ? item.changes : null }),
      act: (creation) => createOne(session, creation, asked),
      sentence: (creation, { result }) => {
        const [name, { org, changes }] = [formatTeamName(creation), creation];
        const settings = formatChanges(pickUnmet(changes, { name }));
        const would = `create ${name} in ${org}${settings && `: ${settings}`}`;
        return tell(result, { same: `${name} is already in ${org}`, would, done: `Created ${name} in ${org}` });
      },
    });
  },
});

type Creation = ReturnType<typeof prepare>;

/** A new team has no access. */
const NEW_TEAM = { 'organization-access': {} };

function prepare(named: NamedTeam, asked: Asked) {
  const { team, attributes = {} } = named;
  const changes = findChanges(team ? asked : { ...asked, name: formatTeamName(named) }, team ? attributes : NEW_TEAM);
  return { ...named, changes, before: team ? pickShown(readSettings(attributes), changes) : null };
}

async function createOne({ client }: Session, creation: Creation, asked: Asked) {
  const { org, team, changes, before } = creation;
  const name = formatTeamName(creation);
  if (team) {
    return {
      result: 'unchanged',
      after: before,
      failure: findUnmet(`${name} is already in ${org}`, changes, before ?? {}),
    };
  }
  const created = await createTeam(client, org, { ...createAttributes(changes), name });
  if (!created) return undefined;
  const { id = null, attributes: shown = {} } = created.team ?? {};
  const settings = readSettings(shown);
  const result = { id, after: created.team ? pickShown(settings, changes) : null, result: 'created' };
  const done = `${name} was created in ${org}`;
  if (created.refusal) {
    const reasons = [formatInOneLine(created.refusal)];
    return { ...result, failure: new OrgctlError('attention', `${done}, but not as asked`, { reasons }) };
  }
  // Access that a new team has by itself counts only if none was asked for.
  const unmet = asked.access?.includes('none') ? findChanges({ ...asked, name }, shown) : pickUnmet(changes, settings);
  return { ...result, failure: findUnmet(done, unmet, settings) };
}
