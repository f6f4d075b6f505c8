import { type Bench, count, defineCampaign, toTable } from '../campaign/judge.ts';
import { type DisturbedReport, runFaults, runForeign, TROUBLES } from '../roster/campaign/disturb.ts';
import { runDocument } from '../roster/campaign/document.ts';
import { runKills } from '../roster/campaign/kills.ts';
import { runMove } from '../roster/campaign/moves.ts';
import { runTrial, type TrialReport, withBench } from '../roster/campaign/trial.ts';

type RosterBench = Bench<'trials' | 'most' | 'children' | 'kills' | 'each' | 'foreign' | 'faults'>;
type Deeds = TrialReport['deeds'];

const STEP = 100;

export default defineCampaign({
  about:
    'Applies rosters to organizations and judges from outside what was done, in how many requests, and what was said.',
  options: {
    trials: { about: 'how many rosters that nobody disturbs', default: '1000' },
    most: { about: 'people in the largest of them', default: '2000' },
    children: { about: 'how many of them in processes of their own', default: '60' },
    kills: { about: 'how many runs are killed', default: '200' },
    each: { about: 'kills of one organization at most', default: '3' },
    foreign: { about: 'how many runs others write into', default: '300' },
    faults: { about: 'how many runs each trouble of the service meets', default: '30' },
  },
  parts: {
    trials: ({ program, values, tell, say }) =>
      withBench(program, async (bench) => {
        const sums = { people: 0, rows: 0, requests: 0, allowed: 0, ownerless: 0, removals: 0, ...NONE };
        const every = Math.max(1, Math.floor(values.trials / values.children));
        let [children, largest, exact] = [0, 0, 0];
        for (let number = 1; number <= values.trials; number += 1) {
          const inChild = number % every === 0;
          const report = await runTrial(bench, values.seed + number - 1, { most: values.most, inChild });
          tell(report.faults);
          children += inChild ? 1 : 0;
          largest = Math.max(largest, report.rows);
          exact += report.requests === report.allowed ? 1 : 0;
          for (const name of ['people', 'rows', 'requests', 'allowed'] as const) sums[name] += report[name];
          if (report.refused !== undefined) sums[report.refused] += 1;
          add(sums, report.deeds);
          if (number % STEP === 0) say(`${number} trials`);
        }
        say(
          `${values.trials} rosters (${children} in processes of their own) of ${sums.rows} people, ${largest} at most, against ${sums.people} who were there: ${describe(sums)}; ` +
            `apply made ${sums.requests} requests of ${sums.allowed} at most (${exact} times as many); refused ${sums.removals} times for --max-removals, ${sums.ownerless} for want of an owner`,
        );
      }),
    kills: ({ program, values, tell, say }) =>
      withBench(program, async (bench) => {
        const where = new Map<string, number>();
        const deeds = { ...NONE };
        let [killed, trials] = [0, 0];
        for (let { seed } = values; killed < values.kills; seed += 1) {
          const report = await runKills(bench, seed, Math.min(values.each, values.kills - killed));
          tell(report.faults);
          killed += report.killed.length;
          trials += 1;
          count(where, ...report.killed);
          add(deeds, report.deeds);
        }
        say(`${killed} runs killed, in ${trials} organizations: ${describe(deeds)}, each once${toTable(where)}`);
      }),
    foreign: (bench) => runDisturbed(bench, 'foreign', bench.values.foreign, runForeign),
    async faults(bench) {
      for (const name of TROUBLES) {
        const run: Run = (own, seed) => runFaults(own, seed, name);
        await runDisturbed(bench, `faults ${name}`, bench.values.faults, run);
      }
    },
    document: (bench) => runDisturbed(bench, 'document', bench.values.faults, runDocument),
    async moves(bench) {
      for (const way of ['quiet', 'foreign', 'killed', ...TROUBLES] as const) {
        const times = way === 'quiet' || way === 'foreign' ? bench.values.foreign : bench.values.faults;
        await runDisturbed(bench, `moves ${way}`, times, (own, seed) => runMove(own, seed, way));
      }
    },
  },
});

type Run = (...[bench, seed]: Parameters<typeof runForeign>) => Promise<DisturbedReport>;

async function runDisturbed({ program, values, tell, say }: RosterBench, title: string, times: number, run: Run) {
  await withBench(program, async (bench) => {
    const [codes, kinds] = [new Map<string, number>(), new Map<string, number>()];
    const deeds = { ...NONE };
    let [shown, undone] = [0, 0];
    for (let number = 0; number < times; number += 1) {
      const report = await run(bench, values.seed + number);
      tell(report.faults);
      count(codes, `ended ${report.code}`);
      count(kinds, ...report.disturbed);
      shown += report.shown;
      undone += report.undone;
      add(deeds, report.deeds);
    }
    say(
      `${title}: ${times} runs, ${shown} changes planned, ${undone} left undone and said so: ${describe(deeds)}${toTable(codes)}${toTable(kinds)}`,
    );
  });
}

const NONE = { invite: 0, remove: 0, join: 0, leave: 0 };

function add(sums: Record<keyof Deeds, number>, deeds: Deeds): void {
  for (const name of ['invite', 'remove', 'join', 'leave'] as const) sums[name] += deeds[name];
}

function describe({ invite, remove, join, leave }: Deeds): string {
  return `${invite} invited, ${remove} removed, ${join} put into teams, ${leave} taken out of teams`;
}
