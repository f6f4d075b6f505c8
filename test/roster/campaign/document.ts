import { createJudge } from '../../campaign/judge.ts';
import { createRandom } from '../../campaign/random.ts';
import type { DisturbedReport } from './disturb.ts';
import { type Drawn, draw } from './draw.ts';
import { countLeavers, want } from './oracle.ts';
import { type Bench, countDeeds, createRun, isRefused, judgeDeeds, readShown, told, toTeamId } from './trial.ts';

/** A service with the routes of the document alone: all but the teams is done, and each row of those says so. */

export async function runDocument(bench: Bench, seed: number): Promise<DisturbedReport> {
  const drawn = drawDocument(seed);
  const { world } = drawn;
  const wanted = want(drawn);
  const judge = createJudge(`roster -- document --faults 1 --seed ${seed}`);
  const { say } = judge;
  const most = countLeavers(wanted);
  const run = createRun(bench, drawn, false);
  const plan = await run('plan');
  const code = wanted.invites.length + wanted.removals.length + wanted.joins.length === 0 ? 0 : 13;
  if (plan.code !== code) say(`plan ended ${told(plan)}, not ${code}`);
  const shown = readShown(plan.stdout);

  const refused = await run('apply', { most, more: ['--prune-teams'] });
  if (!isRefused(refused)) say(`--prune-teams ended ${told(refused)}`);

  if (drawn.options.prune) {
    const unseen = createRun(bench, { ...drawn, options: { ...drawn.options, allowOwners: false } }, false);
    const ended = await unseen('apply', { most });
    if (!isRefused(ended)) say(`--prune, without owners, ended ${told(ended)}`);
  }
  const applied = await run('apply', { most });
  const deeds = countDeeds(world.deeds);
  judgeDeeds(world, shown).forEach(say);
  const { invite, remove, join } = deeds;
  if (invite !== wanted.invites.length) say(`${invite} of ${wanted.invites.length} were invited`);
  if (remove !== wanted.removals.length) say(`${remove} of ${wanted.removals.length} were removed`);
  if (join > 0) say(`${join} were put into teams where no route does that`);
  const ids = new Set(wanted.joins.map(({ id }) => id));
  const rows = (applied.stdout.trim() === '' ? [] : JSON.parse(applied.stdout)) as readonly Row[];
  const failed = new Set(
    rows.filter(({ result }) => result === 'failed' || result === 'not-attempted').map(({ id }) => id),
  );
  const silent = [...ids].filter((id) => !failed.has(id));
  if (silent.length > 0) say(`no row says of ${silent.slice(0, 3).join(', ')} that it failed`);
  if (failed.size > ids.size) say(`${failed.size} rows failed, of ${ids.size}: ${told(applied)}`);
  if ((applied.code === 0) !== (ids.size === 0)) say(`apply ended ${told(applied)}`);
  const last = await run('plan');
  if (last.code !== (ids.size === 0 ? 0 : 13)) say(`plan after apply ended ${told(last)}`);
  const all = wanted.invites.length + wanted.removals.length + wanted.joins.length;
  return { faults: judge.faults(), disturbed: [], code: applied.code, shown: all, undone: wanted.joins.length, deeds };
}

interface Row {
  readonly id: string | null;
  readonly result?: string;
}

/** Teams by their ids; a person asks, and none of the teams is filled by others, which nobody could see. */
function drawDocument(seed: number): Drawn {
  const random = createRandom(seed);
  for (;;) {
    const drawn = draw(random, {
      most: 60,
      fewest: 4,
      manners: { documentOnly: true },
      options: { pruneTeams: false, includeManaged: false, allowOwners: false },
    });
    const { world } = drawn;
    if (world.caller === undefined) continue;
    for (const team of world.teams.values()) {
      team.ssoTeamId = null;
      team.scimLinked = false;
    }
    const rows = drawn.rows.map((row) =>
      row.teams === undefined ? row : { ...row, teams: row.teams.map((asked) => toTeamId(world, asked)) },
    );
    // Owners can't be seen there, so that people are only removed where owners may be too.
    const { prune } = drawn.options;
    const options = { ...drawn.options, allowOwners: prune };
    if (want({ world, rows, options }).isOwnerless) continue;
    return { ...drawn, rows, options };
  }
}
