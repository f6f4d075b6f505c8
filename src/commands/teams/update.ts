import { showTeam, updateTeam } from '../../api/teams.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { applyChange, formatChanges, pickShown } from '../../cli/changes.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { findManager, isTeamId, readAccess, readTeams } from '../../members/teams.ts';
import { TEAM_RESULT_COLUMNS } from './columns.ts';
import { assertChangeable, type NamedTeam, readNamedTeams, TEAM_BATCH } from './named.ts';
import { type Asked, createAttributes, findChanges, readSettings, SETTING_OPTIONS } from './settings.ts';

type Change = ReturnType<typeof createChange>;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: TEAM_RESULT_COLUMNS,
  arguments: [argument('<team>', 'name or id', { complete: completeTeams })],
  options: [option('--name <name>', 'the new name'), ...SETTING_OPTIONS],
  examples: ['teams update audit --name auditors', 'teams update audit --access read-workspaces --dry-run'],
  async run(session, { name, visibility, access }, text) {
    const asked = { name, visibility, access };
    if (Object.values(asked).every((value) => value === undefined)) {
      throw new UsageError('nothing to change', { hint: 'Use --name, --visibility or --access.' });
    }
    const { values, failures } = await readEachOrg(session, async (org) => {
      const known = await readTeams(session.client, org, { needsList: !isTeamId(text) });
      const teams = await readNamedTeams(session.client, known, [text], true);
      return teams.map((named) => createChange(named, asked));
    });
    const items = values.flat();
    const risky = items.filter(({ changes }) => createAttributes(changes)['organization-access']);
    await ask(session, risky, describe, (what) => `Change ${what}?`, 'teams');
    await runBatch<Change>(session, items, {
      label: 'Changing',
      ...TEAM_BATCH,
      isOne: !session.hasSeveralOrgs,
      failures,
      row: (item) => ({ ...TEAM_BATCH.row(item), before: item.before, after: session.isDryRun ? item.changes : null }),
      act: (change) => changeOne(session, change),
      sentence: (change, { result }) => {
        const what = describe(change);
        const same = `${change.team.name} in ${change.org} has this already`;
        return tell(result, { same, would: `change ${what}`, done: `Changed ${what}` });
      },
    });
  },
});

function createChange(named: NamedTeam, asked: Asked) {
  assertChangeable(named, 'changed');
  const { org, team, attributes } = named;
  const manager = findManager(attributes);
  if (manager !== undefined) {
    throw new UsageError(`${team.name} of ${org} can't be changed: ${manager} manages it`, { code: 'protected' });
  }
  if (asked.access && !readAccess(attributes)) {
    throw new UsageError(`can't change the access of ${team.name} in ${org}: it isn't shown`);
  }
  const changes = findChanges(asked, attributes);
  return { ...named, before: pickShown(readSettings(attributes), changes), changes };
}

async function changeOne({ client }: Session, { org, team, before, changes }: Change) {
  if (Object.keys(changes).length === 0) return { result: 'unchanged', after: before };
  const read = async () => readSettings((await showTeam(client, org, team)).attributes ?? {});
  const done = await applyChange(changes, `${team.name} was changed in ${org}`, read, (isDone) =>
    updateTeam(client, org, team, createAttributes(changes), isDone),
  );
  if (!done) return undefined;
  const { shown, failure } = done;
  const after = shown ? pickShown(shown, changes) : null;
  return { name: shown?.name ?? team.name, after, result: 'updated', failure };
}

/** `audit in acme: visibility secret → organization` */
function describe({ org, team, before, changes }: Change): string {
  return `${team.name} in ${org}: ${formatChanges(changes, before)}`;
}
