// Follows a scripted audit trail, in runs that are killed and disturbed, and looks at what is in the archive.
// `npm run bench:follow -- --runs 200 --seed 1`; `-- --help` tells the rest.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';
import { benchEnvironment, median, scratch, startScript } from './measure.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const MODES = ['kills', 'network', 'clock', 'exec'];
const parts = {
  ...Object.fromEntries(MODES.map((mode) => [mode, () => runKills(mode)])),
  points: runPoints,
  disks: runDisks,
  scenes: runScenes,
  rotations: runRotations,
  log: runLog,
  foreign: runForeign,
  speed: runSpeed,
};
const { values, words } = readOptions(
  'Follows a scripted audit trail while runs are killed and disturbed, and looks for events that are missing.',
  {
    runs: { about: 'how many kills, in each part that kills', kind: 'number', default: '200' },
    seed: { about: 'the first one', kind: 'number', default: '1' },
    events: { about: 'events that are there at the start', kind: 'number', default: '200000' },
    each: { about: 'kills of one archive, whose seed is the next number', kind: 'number', default: '20' },
    pairs: { about: 'pairs of runs behind each median', kind: 'number', default: '5' },
    node: { about: 'the Node that runs orgctl', default: process.execPath },
    orgctl: { about: 'another one, such as the one npm installed', default: here('../../bin/orgctl.cjs') },
  },
  { name: 'part', known: Object.keys(parts) },
);
const program = {
  node: values.node,
  door: values.orgctl,
  points: here('file-points.cjs'),
  clock: here('clock.cjs'),
};
const follow = await loadTypeScript(here('../follow/index.ts'));
const started = Date.now();
let faults = 0;

for (const name of words.length === 0 ? Object.keys(parts) : words) await parts[name]();
say(`${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

/** Archives one after the other, so many kills each. */
async function runKills(mode) {
  const where = new Map();
  const ends = new Map();
  const sums = { runs: 0, killed: 0, expected: 0, missing: 0, repeated: 0, torn: 0, most: 0 };
  for (let seed = values.seed, left = values.runs; left > 0; seed += 1, left -= values.each) {
    const kills = Math.min(values.each, left);
    const report = await follow.runTrial(program, { seed, mode, kills, events: values.events });
    for (const text of report.faults) {
      fault(
        `${mode}, seed ${seed}: ${text}\n  npm run bench:follow -- ${mode} --seed ${seed} --runs ${kills} --each ${kills} --events ${values.events}`,
      );
    }
    for (const name of report.killed) count(where, name);
    for (const name of report.ends) count(ends, name);
    sums.runs += report.runs;
    sums.killed += report.killed.length;
    for (const name of ['expected', 'missing', 'repeated', 'torn']) sums[name] += report[name];
    sums.most = Math.max(sums.most, report.mostRepeated);
    part(
      `${mode}, seed ${seed}: ${report.runs} runs, ${report.killed.length} killed, ${report.expected} events, ${report.missing} missing, ${report.repeated} repeated, ${report.torn} torn lines`,
    );
  }
  say(
    `${mode}: ${sums.runs} runs, ${sums.killed} of them killed; of ${sums.expected} events ${sums.missing} are missing and ${sums.repeated} repeated (at most ${sums.most} by one run); ${sums.torn} torn lines`,
  );
  for (const counts of [where, ends]) {
    for (const [name, number] of [...counts].sort(([, one], [, other]) => other - one))
      say(`${String(number).padStart(7)}  ${name}`);
  }
}

async function runPoints() {
  for (const isFirst of [true, false]) {
    const { points, writes, repeated, torn, faults: found } = await follow.killAtEveryPoint(program, isFirst);
    for (const text of found) fault(text);
    part(
      `${isFirst ? 'a first run' : 'a later run'}: killed at each of ${points} points and within each of ${writes} writes; ${repeated} events repeated, ${torn} torn lines`,
    );
  }
}

async function runDisks() {
  if (!follow.canMount()) return part('disks: left out, since only root can mount small ones, on Linux');
  for (const disk of follow.DISKS) {
    const times = Math.ceil(values.runs / 10);
    const report = await follow.fillDisk(program, {
      disk,
      seed: values.seed,
      times,
      events: Math.min(values.events, 5_000),
    });
    for (const text of report.faults) fault(text);
    const ends = [...report.ends].map(([name, number]) => `${name} ${number} times`).join(', ');
    part(
      `the disk of ${disk} is full: ${report.full} times, ${report.missing} missing, ${report.repeated} repeated, ${report.torn} torn lines; ${ends}`,
    );
  }
}

async function runScenes() {
  const { scenes, faults: found } = await follow.playScenes(program);
  for (const text of found) fault(text);
  for (const text of scenes) part(text);
}

async function runRotations() {
  const rotations = Math.ceil(values.runs / 10);
  const report = await follow.rotateWhileFollowing(program, { seed: values.seed, rotations });
  for (const text of report.faults) fault(`rotations, seed ${values.seed}: ${text}`);
  part(
    `${rotations} rotations under 2 followers: ${report.events} events, ${report.missing} missing, ${report.repeated} repeated`,
  );
}

async function runLog() {
  const report = await follow.killWrites(program, { seed: values.seed, kills: values.runs });
  for (const text of report.faults) fault(`log, seed ${values.seed}: ${text}`);
  part(
    `${report.runs} writes with a log file, ${report.killed} killed: ${report.reached} reached the service, ${report.sent} sent, ${report.answered} answered, ${report.unknown} unknown, ${report.torn} torn lines`,
  );
}

async function runForeign() {
  const options = { script: here('../follow/foreign.py'), seed: values.seed };
  const report = await follow.followForeign(program, {
    ...options,
    kills: Math.ceil(values.runs / 10),
    events: Math.min(values.events, 20_000),
  });
  if (report === undefined) return part('a service in Python: left out, since python3 is missing');
  for (const text of report.faults) fault(`foreign, seed ${values.seed}: ${text}`);
  part(
    `a service in Python: ${report.killed} runs killed, ${report.events} events, ${report.missing} missing, ${report.repeated} repeated, ${report.torn} torn lines`,
  );
}

/** The first reading of all events, against a bare loop that reads and prints them; memory against a tenth of them. */
async function runSpeed() {
  const few = Math.ceil(values.events / 10);
  const [large, small] = [
    await startScript('trail-service.mjs', values.events),
    await startScript('trail-service.mjs', few),
  ];
  try {
    const loop = [values.node, '--require', here('peak.cjs'), here('raw-trail.cjs'), large.line];
    const [times, memory] = [[], []];
    for (let pair = 0; pair <= values.pairs; pair += 1) {
      const floor = measure(loop, large.line);
      const whole = measure(followCommand(), large.line);
      const tenth = measure(followCommand(), small.line);
      // The first pair warms the service's answers up.
      if (pair === 0) continue;
      times.push({ ratio: whole.milliseconds / floor.milliseconds, perSecond: values.events / whole.milliseconds });
      memory.push({ ratio: whole.peak / tenth.peak, whole: whole.peak, part: tenth.peak, floor: floor.peak });
    }
    const of = (rows, name) => median(rows.map((row) => row[name]));
    part(
      `${values.events} events: ${of(times, 'ratio').toFixed(2)} times as long as a bare loop, ${of(times, 'perSecond').toFixed(0)} events a millisecond`,
    );
    const ratio = of(memory, 'ratio');
    part(
      `peak memory of ${values.events} against ${few} events: ${ratio.toFixed(2)} (${of(memory, 'whole').toFixed(0)} against ${of(memory, 'part').toFixed(0)} MiB; the loop ${of(memory, 'floor').toFixed(0)} MiB)`,
    );
    if (ratio > 1.3) fault(`peak memory grows to ${ratio.toFixed(2)}`);
  } finally {
    large.stop();
    small.stop();
  }
}

function followCommand() {
  const cursor = scratch('cursor');
  rmSync(cursor, { force: true });
  return [
    values.node,
    '--require',
    here('peak.cjs'),
    program.door,
    'audit-trail',
    'follow',
    '--cursor',
    cursor,
    '--once',
    '-o',
    'ndjson',
  ];
}

/** A whole process that appends to a file. */
function measure([command, ...argv], url) {
  const [archive, peak] = [scratch('archive'), scratch('peak')];
  rmSync(archive, { force: true });
  const file = openSync(archive, 'a');
  const env = benchEnvironment({ ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 'audit-0', BENCH_PEAK_FILE: peak });
  const begin = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, argv, { env, stdio: ['ignore', file, 'pipe'], encoding: 'utf8' });
  const milliseconds = Number(process.hrtime.bigint() - begin) / 1e6;
  closeSync(file);
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds, peak: Number(readFileSync(peak, 'utf8')) / 1_024 };
}

function count(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function fault(text) {
  faults += 1;
  say(`FAULT ${text}`);
}

function part(text) {
  say(`${((Date.now() - started) / 1_000).toFixed(0)} s: ${text}`);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
