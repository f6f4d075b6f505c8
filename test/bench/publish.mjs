// Publishes releases of a provider to a service that breaks off and refuses, in runs that are killed and disturbed, and
// looks at what is there in the end. `npm run bench:publish -- --runs 200 --seed 1`; `-- --help` tells the rest.

import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';
import { benchEnvironment, median, runToFile, scratch, startScript, timeRun } from './measure.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const parts = { kills: () => runTrials('kills'), faults: () => runTrials('faults'), speed: measureSpeed };
const { values, words } = readOptions(
  'Publishes releases while runs are killed and disturbed, and compares what the service then has with the disk.',
  {
    runs: { about: 'how many runs are killed, and how many disturbed', kind: 'number', default: '200' },
    seed: { about: 'the first one', kind: 'number', default: '1' },
    each: { about: 'of one release at most, whose seed is the next number', kind: 'number', default: '10' },
    pairs: { about: 'pairs of runs behind each median', kind: 'number', default: '5' },
    megabytes: { about: 'of the release whose upload is measured', kind: 'number', default: '300' },
    megabits: { about: 'a second, of the line that it goes through', kind: 'number', default: '200' },
    node: { about: 'the Node that runs orgctl', default: process.execPath },
    orgctl: { about: 'another one, such as the one npm installed', default: here('../../bin/orgctl.cjs') },
  },
  { name: 'part', known: Object.keys(parts) },
);
const program = { node: values.node, orgctl: values.orgctl };
const campaign = await loadTypeScript(here('../publish/campaign/index.ts'));
const key = await campaign.createSigningKey();
/** Of the time of sha256sum and curl. */
const LONGEST = 1.15;
/** MiB: no file is held whole, however large. */
const HIGHEST = 200;
const started = Date.now();
let faults = 0;

for (const name of words.length === 0 ? Object.keys(parts) : words) await parts[name]();
say(`${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

/** Releases one after the other, until so many runs were killed or disturbed. */
async function runTrials(mode) {
  const counts = new Map();
  const sums = { releases: 0, runs: 0, done: 0, size: 0, received: 0, uploads: 0 };
  for (let seed = values.seed; sums.done < values.runs; seed += 1) {
    const most = Math.min(values.each, values.runs - sums.done);
    const report = await campaign.runTrial({ program, key, seed, mode, runs: most });
    for (const text of report.faults) {
      faults += 1;
      say(
        `FAULT ${mode}, seed ${seed}: ${text}\n  npm run bench:publish -- ${mode} --seed ${seed} --runs 1 --each ${most}`,
      );
    }
    sums.releases += 1;
    sums.runs += report.runs;
    sums.done += mode === 'kills' ? report.killed.length : Math.max(1, report.runs - 1);
    for (const name of ['size', 'received', 'uploads']) sums[name] += report[name];
    for (const name of [...report.killed, ...report.disturbed]) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const again = ((sums.received / sums.size - 1) * 100).toFixed(0);
  say(
    `${mode}: ${sums.releases} releases in ${sums.runs} runs, ${sums.done} of them ${mode === 'kills' ? 'killed' : 'disturbed'}; ` +
      `${sums.uploads} uploads, ${sums.received} bytes for ${sums.size} (${again} % more)`,
  );
  for (const [name, number] of [...counts].sort(([, one], [, other]) => other - one)) {
    say(`${String(number).padStart(7)}  ${name}`);
  }
}

/**
 * A release of 12 platforms over a slow line, against sha256sum and then curl with the same files. Whole runs in turn; the
 * service throws away what it gets.
 */
async function measureSpeed() {
  const PLATFORMS = ['darwin', 'freebsd', 'linux', 'windows'].flatMap((os) =>
    ['386', 'amd64', 'arm64'].map((arch) => `${os}_${arch}`),
  );
  const dir = scratch('dist');
  const size = Math.floor((values.megabytes * 1e6) / PLATFORMS.length);
  const release = await campaign.createRelease({ dir, key, platforms: PLATFORMS, size });
  const service = await startScript('publish-service.mjs', 'bench', key.id);
  const [api, uploads] = service.line.split(' ');
  const line = await startScript('line.mjs', new URL(uploads).port, values.megabits, scratch('carried'));
  const files = [release.sums, release.signature, ...PLATFORMS.map((platform) => release.zip(platform))];
  const there = `http://127.0.0.1:${line.line}`;
  const curl = files.map((file) => `-T ${file} ${there}/v1/object/${basename(file)}`).join(' ');
  const floor = `cd ${dir} && sha256sum *.zip > /dev/null && curl -fsSZ ${curl}`;
  const argv = ['providers', 'publish', 'billing', '1.2.0', '--dir', dir, '--public-key', join(dir, 'key.asc'), '-q'];
  const env = benchEnvironment({ ORGCTL_BASE_URL: `${api}/api/v2` });
  try {
    const runs = [];
    for (let pair = 0; pair < values.pairs; pair += 1) {
      await fetch(`${api}/bench/reset?uploads=${there}`, { headers: { connection: 'close' } });
      const floorTime = timeRun(['sh', '-c', floor], env);
      const { time, peak, status, lines } = runToFile([program.node, program.orgctl, ...argv], env, scratch('stdout'));
      if (status !== 0) throw new Error(`orgctl ended with ${status}: ${lines.join('\n')}`);
      runs.push({ floorTime, time, peak, ratio: time / floorTime });
    }
    const [ratio, time, floorTime, peak] = ['ratio', 'time', 'floorTime', 'peak'].map((name) =>
      median(runs.map((run) => run[name])),
    );
    const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1)} s`;
    say(
      `${values.megabytes} MB in ${PLATFORMS.length} files over ${values.megabits} Mbit/s: ${seconds(time)} against ` +
        `${seconds(floorTime)} of sha256sum and curl, ${ratio.toFixed(2)}x (${LONGEST.toFixed(2)}), peak ${peak.toFixed(0)} MiB (${HIGHEST})`,
    );
    if (ratio > LONGEST || peak > HIGHEST) {
      faults += 1;
      say('FAULT speed: slower or larger than wanted');
    }
  } finally {
    line.stop();
    service.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function say(text) {
  const seconds = String(Math.round((Date.now() - started) / 1_000)).padStart(5);
  process.stdout.write(`${seconds} s  ${text}\n`);
}
