import { type Bench, count, defineCampaign, toTable } from '../campaign/judge.ts';
import { canMount, DISKS, fillDisk } from '../follow/disks.ts';
import { followForeign } from '../follow/foreign.ts';
import { playScenes } from '../follow/gaps.ts';
import { runTrial } from '../follow/kills.ts';
import { killWrites } from '../follow/log.ts';
import { killAtEveryPoint } from '../follow/points.ts';
import { rotateWhileFollowing } from '../follow/rotations.ts';

type FollowBench = Bench<'runs' | 'events' | 'each'>;

export default defineCampaign({
  about: 'Follows a scripted audit trail while runs are killed and disturbed, and looks for events that are missing.',
  options: {
    runs: { about: 'how many kills, in each part that kills', default: '200' },
    events: { about: 'events that are there at the start', default: '200000' },
    each: { about: 'kills of one archive, whose seed is the next number', default: '20' },
    pairs: { about: 'pairs of runs behind each median of speed', default: '5' },
  },
  parts: {
    kills: (bench) => runKills(bench, 'kills'),
    network: (bench) => runKills(bench, 'network'),
    clock: (bench) => runKills(bench, 'clock'),
    exec: (bench) => runKills(bench, 'exec'),
    async points({ program, tell, say }) {
      for (const isFirst of [true, false]) {
        const { points, writes, repeated, torn, faults } = await killAtEveryPoint(program, isFirst);
        tell(faults);
        say(
          `${isFirst ? 'a first run' : 'a later run'}: killed at each of ${points} points and within each of ${writes} writes; ${repeated} events repeated, ${torn} torn lines`,
        );
      }
    },
    async disks({ program, values: { seed, runs, events }, tell, say }) {
      if (!canMount()) return say('disks: left out, since only root can mount small ones, on Linux');
      for (const disk of DISKS) {
        const plan = { disk, seed, times: Math.ceil(runs / 10), events: Math.min(events, 5_000) };
        const report = await fillDisk(program, plan);
        tell(report.faults);
        say(`the disk of ${disk} is full: ${report.full} times, ${describe(report)}${toTable(report.ends)}`);
      }
    },
    async scenes({ program, tell, say }) {
      const { scenes, faults } = await playScenes(program);
      tell(faults);
      for (const text of scenes) say(text);
    },
    async rotations({ program, values: { seed, runs }, tell, say }) {
      const report = await rotateWhileFollowing(program, { seed, rotations: Math.ceil(runs / 10) });
      tell(report.faults);
      say(`${report.rotations} rotations under 2 followers: ${describe(report)}`);
    },
    async log({ program, values: { seed, runs: kills }, tell, say }) {
      const report = await killWrites(program, { seed, kills });
      const { runs, killed, reached, sent, answered, unknown, torn } = report;
      tell(report.faults);
      say(
        `${runs} writes with a log file, ${killed} killed: ${reached} reached the service, ${sent} sent, ${answered} answered, ${unknown} unknown, ${torn} torn lines`,
      );
    },
    async foreign({ program, values: { seed, runs, events }, tell, say }) {
      const plan = { seed, kills: Math.ceil(runs / 10), events: Math.min(events, 20_000) };
      const report = await followForeign(program, plan);
      if (report === undefined) return say('a service in Python: left out, since python3 is missing');
      tell(report.faults);
      say(`a service in Python: ${report.killed} runs killed, ${describe(report)}`);
    },
  },
});

/** Archives one after the other, so many kills each. */
async function runKills({ program, values, tell, say }: FollowBench, mode: Parameters<typeof runTrial>[1]['mode']) {
  const [where, ends] = [new Map<string, number>(), new Map<string, number>()];
  const sums = { runs: 0, killed: 0, expected: 0, missing: 0, repeated: 0, torn: 0, most: 0 };
  for (let { seed, runs: left } = values; left > 0; seed += 1, left -= values.each) {
    const kills = Math.min(values.each, left);
    const report = await runTrial(program, { seed, mode, kills, events: values.events });
    tell(report.faults);
    count(where, ...report.killed);
    count(ends, ...report.ends);
    sums.runs += report.runs;
    sums.killed += report.killed.length;
    for (const name of ['expected', 'missing', 'repeated', 'torn'] as const) sums[name] += report[name];
    sums.most = Math.max(sums.most, report.mostRepeated);
    say(`${mode}, seed ${seed}: ${report.runs} runs, ${report.killed.length} killed, ${describe(report)}`);
  }
  const { runs, killed, most } = sums;
  say(`${mode}: ${runs} runs, ${killed} of them killed; ${describe(sums)}; one run repeated ${most} at most`);
  say(`killed${toTable(where)}\nended${toTable(ends)}`);
}

interface Found {
  readonly expected: number;
  readonly missing: number;
  readonly repeated: number;
  readonly torn: number;
}

function describe({ expected, missing, repeated, torn }: Found): string {
  return `${expected} events, ${missing} missing, ${repeated} repeated, ${torn} torn lines`;
}
