// How long campaigns' commands take, and how much memory, against bare loops: the part `speed` of `campaign.mjs`.

import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { benchEnvironment, median, runToFile, scratch, startScript } from './measure.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The first reading of all events, against a bare loop that reads and prints them; memory against a tenth of them. */
export async function follow({ program, values: { events, pairs }, tell, say }) {
  const few = Math.ceil(events / 10);
  const [large, small] = [await startScript('trail-service.mjs', events), await startScript('trail-service.mjs', few)];
  const measure = (argv, url) => {
    for (const name of ['cursor', 'archive']) rmSync(scratch(name), { force: true });
    const env = benchEnvironment({ ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 'audit-0' });
    return check(argv, runToFile([program.node, ...argv], env, scratch('archive')));
  };
  const argv = [program.door, 'audit-trail', 'follow', '--cursor', scratch('cursor'), '--once', '-o', 'ndjson'];
  const runs = [];
  try {
    for (let pair = 0; pair <= pairs; pair += 1) {
      const floor = measure([here('raw-trail.cjs'), large.line], large.line);
      const [whole, part] = [measure(argv, large.line), measure(argv, small.line)];
      // The first pair warms the service's answers up.
      if (pair > 0) runs.push({ floor, whole, part });
    }
  } finally {
    large.stop();
    small.stop();
  }
  const of = (toNumber) => median(runs.map(toNumber));
  const times = of(({ whole, floor }) => whole.time / floor.time).toFixed(2);
  say(
    `${events} events: ${times} times as long as a bare loop, ${of(({ whole }) => events / whole.time).toFixed(0)} events a millisecond`,
  );
  const ratio = of(({ whole, part }) => whole.peak / part.peak);
  const [whole, part, floor] = ['whole', 'part', 'floor'].map((name) => of((run) => run[name].peak).toFixed(0));
  say(
    `peak memory of ${events} against ${few} events: ${ratio.toFixed(2)} (${whole} against ${part} MiB; the loop ${floor} MiB)`,
  );
  if (ratio > 1.3) tell([`peak memory grows to ${ratio.toFixed(2)}`]);
}

function check(argv, run) {
  if (run.status !== 0) throw new Error(`${argv.join(' ')} ended with ${run.status}: ${run.lines.join('\n')}`);
  return run;
}
