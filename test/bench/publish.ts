import { type Bench, count, defineCampaign, toTable } from '../campaign/judge.ts';
import { runTrial } from '../publish/campaign/trial.ts';
import { createSigningKey } from '../support/release.ts';

export default defineCampaign({
  about:
    'Publishes releases while runs are killed and disturbed, and compares what the service then has with the disk.',
  options: {
    runs: { about: 'how many runs are killed, and how many disturbed', default: '200' },
    each: { about: 'of one release at most, whose seed is the next number', default: '10' },
    pairs: { about: 'pairs of runs behind each median of speed', default: '5' },
    megabytes: { about: 'of the release whose upload is measured', default: '300' },
    megabits: { about: 'a second, of the line that it goes through', default: '200' },
  },
  parts: {
    kills: (bench) => runTrials(bench, 'kills'),
    faults: (bench) => runTrials(bench, 'faults'),
  },
});

/** Releases one after the other, until so many runs were killed or disturbed. */
async function runTrials({ program, values, tell, say }: Bench<'runs' | 'each'>, mode: 'kills' | 'faults') {
  const key = await createSigningKey();
  const counts = new Map<string, number>();
  const sums = { releases: 0, runs: 0, done: 0, size: 0, received: 0, uploads: 0 };
  for (let { seed } = values; sums.done < values.runs; seed += 1) {
    const most = Math.min(values.each, values.runs - sums.done);
    const report = await runTrial({ program, key, seed, mode, runs: most });
    tell(report.faults);
    sums.releases += 1;
    sums.done += mode === 'kills' ? report.killed.length : Math.max(1, report.runs - 1);
    for (const name of ['runs', 'size', 'received', 'uploads'] as const) sums[name] += report[name];
    count(counts, ...report.killed, ...report.disturbed);
  }
  const again = ((sums.received / sums.size - 1) * 100).toFixed(0);
  say(
    `${mode}: ${sums.releases} releases in ${sums.runs} runs, ${sums.done} of them ${mode === 'kills' ? 'killed' : 'disturbed'}; ` +
      `${sums.uploads} uploads, ${sums.received} bytes for ${sums.size} (${again} % more)${toTable(counts)}`,
  );
}
