// Applies seeded rosters to seeded organizations: undisturbed, killed, while others write, and while the service fails.
// `npm run bench:roster -- --trials 1000 --seed 1`; `-- --help` tells the rest.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const parts = {
  trials: runTrials,
  kills: runKills,
  foreign: runForeign,
  faults: runFaults,
  document: runDocument,
  moves: runMoves,
};
const { values, words } = readOptions(
  'Applies rosters to organizations and judges from outside what was done, in how many requests, and what was said.',
  {
    trials: { about: 'how many rosters that nobody disturbs', kind: 'number', default: '1000' },
    most: { about: 'people in the largest of them', kind: 'number', default: '2000' },
    children: { about: 'how many of them in processes of their own', kind: 'number', default: '60' },
    kills: { about: 'how many runs are killed', kind: 'number', default: '200' },
    each: { about: 'kills of one organization at most', kind: 'number', default: '3' },
    foreign: { about: 'how many runs others write into', kind: 'number', default: '300' },
    faults: { about: 'how many runs each trouble of the service meets', kind: 'number', default: '30' },
    seed: { about: 'the first one', kind: 'number', default: '1' },
    node: { about: 'the Node that runs orgctl', default: process.execPath },
    orgctl: { about: 'another one, such as the one npm installed', default: here('../../bin/orgctl.cjs') },
  },
  { name: 'part', known: Object.keys(parts) },
);
const campaign = await loadTypeScript(here('../roster/campaign/index.ts'));
const service = await campaign.startTrialService();
const started = Date.now();
const MOST_TOLD = 40;
const STEP = 100;
let faults = 0;

await campaign.withHome(async (home) => {
  const bench = { service, home, program: { node: values.node, door: values.orgctl } };
  for (const name of words.length === 0 ? Object.keys(parts) : words) await parts[name](bench);
});
await service.stop();
say(`${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

async function runTrials(bench) {
  const sums = { people: 0, rows: 0, requests: 0, allowed: 0, ownerless: 0, removals: 0 };
  const deeds = { invite: 0, remove: 0, join: 0, leave: 0 };
  const every = Math.max(1, Math.floor(values.trials / values.children));
  let [children, largest, exact] = [0, 0, 0];
  for (let count = 1; count <= values.trials; count += 1) {
    const seed = values.seed + count - 1;
    const inChild = count % every === 0;
    const report = await campaign.runTrial(bench, seed, { most: values.most, inChild });
    tell(report, `trials --trials 1 --most ${values.most} --seed ${seed}`);
    children += inChild ? 1 : 0;
    largest = Math.max(largest, report.rows);
    exact += report.requests === report.allowed ? 1 : 0;
    for (const name of ['people', 'rows', 'requests', 'allowed']) sums[name] += report[name];
    if (report.refused !== undefined) sums[report.refused] += 1;
    add(deeds, report.deeds);
    if (count % STEP === 0) part(`${count} trials`);
  }
  part(
    `${values.trials} rosters (${children} in processes of their own) of ${sums.rows} people, ${largest} at most, against ${sums.people} who were there: ${describe(deeds)}; ` +
      `apply made ${sums.requests} requests of ${sums.allowed} at most (${exact} times as many); refused ${sums.removals} times for --max-removals, ${sums.ownerless} for want of an owner`,
  );
}

async function runKills(bench) {
  const where = new Map();
  const deeds = { invite: 0, remove: 0, join: 0, leave: 0 };
  let [killed, trials] = [0, 0];
  for (let seed = values.seed; killed < values.kills; seed += 1) {
    const most = Math.min(values.each, values.kills - killed);
    const report = await campaign.runKills(bench, seed, most);
    tell(report, `kills --kills ${most} --each ${most} --seed ${seed}`);
    killed += report.killed.length;
    trials += 1;
    for (const name of report.killed) where.set(name, (where.get(name) ?? 0) + 1);
    add(deeds, report.deeds);
    if (trials % 20 === 0) part(`${killed} killed`);
  }
  part(`${killed} runs killed, in ${trials} organizations: ${describe(deeds)}, each once`);
  list(where);
}

async function runForeign(bench) {
  await runDisturbed('foreign', values.foreign, (seed) => campaign.runForeign(bench, seed));
}

async function runFaults(bench) {
  for (const name of campaign.TROUBLES) {
    await runDisturbed(`faults ${name}`, values.faults, (seed) => campaign.runFaults(bench, seed, name));
  }
}

async function runDocument(bench) {
  await runDisturbed('document', values.faults, (seed) => campaign.runDocument(bench, seed));
}

async function runMoves(bench) {
  for (const way of ['quiet', 'foreign', 'killed', ...campaign.TROUBLES]) {
    const times = { quiet: values.foreign, foreign: values.foreign }[way] ?? values.faults;
    await runDisturbed(`moves ${way}`, times, (seed) => campaign.runMove(bench, seed, way));
  }
}

async function runDisturbed(title, times, run) {
  const [codes, kinds] = [new Map(), new Map()];
  const deeds = { invite: 0, remove: 0, join: 0, leave: 0 };
  let [shown, undone] = [0, 0];
  for (let count = 0; count < times; count += 1) {
    const report = await run(values.seed + count);
    tell(report, `${title.split(' ')[0]} --foreign 1 --faults 1 --seed ${values.seed + count}`);
    bump(codes, `ended ${report.code}`);
    for (const name of report.disturbed) bump(kinds, name);
    shown += report.shown;
    undone += report.undone;
    add(deeds, report.deeds);
  }
  part(`${title}: ${times} runs, ${shown} changes planned, ${undone} left undone and said so: ${describe(deeds)}`);
  list(codes);
  list(kinds);
}

function tell({ seed, faults: found, disturbed = [] }, again) {
  for (const text of found) {
    faults += 1;
    if (faults <= MOST_TOLD)
      say(`FAULT seed ${seed}: ${text}${disturbed.length === 0 ? '' : ` (${disturbed.join(', ')})`}`);
  }
  if (found.length > 0 && faults <= MOST_TOLD) say(`  npm run bench:roster -- ${again}`);
}

function describe({ invite, remove, join, leave }) {
  return `${invite} invited, ${remove} removed, ${join} put into teams, ${leave} taken out of teams`;
}

function add(sums, more) {
  for (const name of Object.keys(sums)) sums[name] += more[name];
}

function bump(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function list(counts) {
  for (const [name, number] of [...counts].sort(([, one], [, other]) => other - one)) {
    say(`${String(number).padStart(7)}  ${name}`);
  }
}

function part(text) {
  say(`${((Date.now() - started) / 1_000).toFixed(0)} s: ${text}`);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
