// Measures orgctl against floors in paired runs and prints ratios, each with its target.
// `npm run bench` runs all; `npm run bench -- startup lists` some; `-- --help` tells the rest.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import {
  benchEnvironment,
  comparePairs,
  median,
  peakMemory,
  runToFile,
  scratch,
  startProgram,
  startScript,
  timeRun,
} from './measure.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const suites = { startup, lists, paced, line, memory, tables, rotation, organizations };
const { values, words } = readOptions(
  'Measures orgctl against floors in paired runs, and prints ratios.',
  {
    pairs: { about: 'pairs of runs behind each median', kind: 'number', default: '15' },
    node: { about: 'the Node that runs both', default: process.execPath },
    orgctl: { about: 'another one, such as the one npm installed', default: here('../../bin/orgctl.cjs') },
  },
  { name: 'suite', known: Object.keys(suites) },
);
const { pairs, node } = values;
const orgctl = [node, values.orgctl];
const LIST = ['members', 'list'];
// A limit that never holds anybody back.
const UNLIMITED = 999_999;
const USUAL_LIMIT = 30;
const ORGANIZATIONS = 300;
const FEWEST = 50;
const MOST = 5_000;

const wanted = words.length === 0 ? Object.keys(suites) : words;
process.stdout.write(
  `Node ${process.version === undefined || node !== process.execPath ? node : process.version}, medians of pairs; NODE_EXTRA_CA_CERTS unset\n`,
);
for (const name of wanted) {
  await suites[name]();
}

/** How long a command takes beyond the start of Node itself. */
async function startup() {
  heading('Start-up, against `node -e 0`');
  const service = await startScript('service.mjs', 20, 0, UNLIMITED);
  try {
    const env = forService(service);
    const floor = [node, '-e', '0'];
    compare('--version', [...orgctl, '--version'], floor, 1.1, { env });
    compare('--help', [...orgctl, '--help'], floor, 1.4, { env });
    compare('settings get timeout', [...orgctl, 'settings', 'get', 'timeout'], floor, 1.85, { env });
    compare('one list, json', [...orgctl, ...LIST, '-o', 'json'], floor, 2.3, { env });
    compare('one list, table', [...orgctl, ...LIST, '-o', 'table'], floor, 2.7, { env });
    heading('One list, against a bare node:http request');
    const raw = [node, here('raw-get.cjs'), service.line];
    compare('json', [...orgctl, ...LIST, '-o', 'json'], raw, 1.65, { env });
    compare('table', [...orgctl, ...LIST, '-o', 'table'], raw, 1.9, { env });
  } finally {
    service.stop();
  }
}

/** 100,000 memberships as ndjson, against one request after the other. */
async function lists() {
  heading('100,000 memberships as ndjson, against a sequential loop that parses nothing');
  for (const [latency, target, runs] of [
    [0, 2.5, Math.min(pairs, 5)],
    [20, 0.2, Math.min(pairs, 2)],
    [100, 0.2, 1],
  ]) {
    const service = await startScript('service.mjs', 100_000, latency, UNLIMITED);
    try {
      const options = { env: forService(service), pairs: runs };
      compare(
        `${latency} ms latency`,
        [...orgctl, ...LIST, '-o', 'ndjson'],
        [node, here('raw-list.cjs'), service.line],
        target,
        options,
      );
    } finally {
      service.stop();
    }
  }
}

/** A list under the service's usual limit, against what the limit allows at best: the first burst free, then so many a second. */
async function paced() {
  heading('100,000 memberships at 30 requests a second, against that limit itself');
  const service = await startScript('service.mjs', 100_000, 0, USUAL_LIMIT);
  try {
    const best = ((1_000 - USUAL_LIMIT) / USUAL_LIMIT) * 1_000;
    const time = timeRun([...orgctl, ...LIST, '-o', 'ndjson'], forService(service));
    row('ndjson', time / best, 1.05, `${(time / 1_000).toFixed(1)} s against ${(best / 1_000).toFixed(1)} s`);
  } finally {
    service.stop();
  }
}

/** What compressing answers saves on a slow line, and what it costs. */
async function line() {
  heading('100,000 memberships over a line of 20 Mbit/s, compressed against as they are');
  const [plain, compressed] = [await carry(), await carry('gzip')];
  const mebibytes = ({ bytes }) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const compareBy = (key, target, show) =>
    row(key, compressed[key] / plain[key], target, `${show(compressed)} against ${show(plain)}`);
  compareBy('bytes', 0.3, mebibytes);
  compareBy('time', 0.4, ({ time }) => `${(time / 1_000).toFixed(1)} s`);
  compareBy('peak', 1.1, ({ peak }) => `${peak.toFixed(0)} MiB of memory`);
}

async function carry(...encoding) {
  const file = scratch('bytes');
  const service = await startScript('service.mjs', 100_000, 0, UNLIMITED, ...encoding);
  const slow = await startScript('line.mjs', service.line, 20, file);
  try {
    const list = [...orgctl, ...LIST, '-o', 'ndjson'];
    const time = timeRun(list, forService(slow));
    const bytes = Number(readFileSync(file, 'utf8'));
    // Without the line in between: what waits for it needs no room.
    return { time, bytes, peak: median([1, 2, 3].map(() => peakMemory(list, forService(service)))) };
  } finally {
    slow.stop();
    service.stop();
  }
}

/** Memory must not grow with the list. */
async function memory() {
  heading('Peak memory of ndjson, 100,000 rows against 1,000');
  const peaks = await Promise.all(
    [1_000, 100_000].map(async (rows) => {
      const service = await startScript('service.mjs', rows, 0, UNLIMITED);
      try {
        return median([1, 2, 3].map(() => peakMemory([...orgctl, ...LIST, '-o', 'ndjson'], forService(service))));
      } finally {
        service.stop();
      }
    }),
  );
  row('ndjson', peaks[1] / peaks[0], 1.3, `${peaks[1].toFixed(0)} MiB against ${peaks[0].toFixed(0)} MiB`);
  heading('A million rows against 100,000');
  const service = await startScript('service.mjs', 1_000_000, 0, UNLIMITED);
  try {
    const peak = peakMemory([...orgctl, ...LIST, '-o', 'ndjson'], forService(service));
    row('ndjson', peak / peaks[1], 2, `${peak.toFixed(0)} MiB against ${peaks[1].toFixed(0)} MiB`);
  } finally {
    service.stop();
  }
}

/** A large table must not cost much more than the same rows without one. */
async function tables() {
  heading('100,000 rows as table, against ndjson');
  const service = await startScript('service.mjs', 100_000, 0, UNLIMITED);
  try {
    const env = forService(service);
    compare('table', [...orgctl, ...LIST, '-o', 'table'], [...orgctl, ...LIST, '-o', 'ndjson'], 1.3, {
      env,
      pairs: Math.min(pairs, 5),
    });
    const seconds = timeRun([...orgctl, ...LIST, '-o', 'table'], env) / 1000;
    process.stdout.write(`  ${seconds.toFixed(2)} s for the table\n`);
  } finally {
    service.stop();
  }
}

/** What the care of a rotation costs: two looks before the request, one look and one trial at once after it. */
async function rotation() {
  heading('A new audit trail token at 50 ms latency, against a bare node:http request for one');
  const flags = ['--state', ':memory:', '--port', '0', '--latency', '50ms', '--rate-limit', '0', '-q'];
  const service = await startProgram([...orgctl, 'sandbox', 'serve', ...flags], benchEnvironment());
  try {
    const baseUrl = service.line.slice('ORGCTL_BASE_URL='.length);
    const env = benchEnvironment({ ORGCTL_BASE_URL: baseUrl, ORGCTL_TOKEN: 'sandbox.owner' });
    const raw = [node, here('raw-post.cjs'), new URL(baseUrl).port];
    const rotate = ['audit-token', 'rotate', '--expires', '90d', '--to', `file:${scratch('audit-token')}`];
    compare('rotate', [...orgctl, ...rotate], raw, 4, { env });
  } finally {
    service.stop();
  }
}

/** A report of many organizations under the usual limit: against what the limit allows, and in the memory of one large one. */
async function organizations() {
  heading(
    `A report of ${ORGANIZATIONS} organizations of ${FEWEST} to ${MOST} members, at 50 ms latency and 30 requests a second`,
  );
  const one = await startOrganizations(1);
  const alone = await report(one);
  one.stop();
  const all = await startOrganizations(ORGANIZATIONS);
  const { time, peak, rows, counts } = await report(all);
  all.stop();
  // The first burst is free.
  const best = ((counts.requests - USUAL_LIMIT) / USUAL_LIMIT) * 1_000;
  row('time', time / best, 1.1, `${(time / 1_000).toFixed(0)} s against ${(best / 1_000).toFixed(0)} s`);
  row('peak memory', peak / alone.peak, 1.3, `${peak.toFixed(0)} MiB against ${alone.peak.toFixed(0)} MiB`);
  const wanted = Object.values(counts.members).reduce((sum, members) => sum + members, 0);
  verdict(
    'every row there',
    countRows(rows, counts),
    `${wanted.toLocaleString('en')} in ${ORGANIZATIONS} organizations`,
  );
  verdict('too fast for the service', counts.refused === 0, `${counts.refused} of ${counts.requests} requests`);

  heading('The same, where 10 answer 404, 3 answer 503 for ever, and the list of one keeps changing');
  const faulty = await startOrganizations(ORGANIZATIONS, 'faults');
  const { counts: came, rows: left, status, lines } = await report(faulty);
  faulty.stop();
  const failed = ORGANIZATIONS - Object.keys(came.members).length;
  const named = new Set(lines.flatMap((line) => line.match(/org-\d{4}/g) ?? []));
  const isEachNamed = named.size === failed && Object.keys(came.members).every((name) => !named.has(name));
  verdict('the others are whole', countRows(left, came), `${ORGANIZATIONS - failed} organizations`);
  verdict('each that failed is named', isEachNamed, `${named.size} of ${failed}`);
  verdict('exit 10', status === 10, `exit ${status}`);
}

async function startOrganizations(count, ...faults) {
  return await startScript('organizations.mjs', count, FEWEST, MOST, 50, USUAL_LIMIT, ...faults);
}

/** Members are counted as they stand in the file, and what came as the service has seen it. */
async function report(service) {
  const rows = scratch('report.csv');
  const env = { ...forService(service), ORGCTL_ORG: '' };
  const ended = runToFile([...orgctl, 'members', 'report', '--all-orgs', '-o', 'csv'], env, rows);
  const counts = await (await fetch(`http://127.0.0.1:${service.line}/counts`)).json();
  return { ...ended, rows, counts };
}

/** Whether there is exactly one row for each member, by id. */
function countRows(file, { members }) {
  const found = new Map();
  for (const line of readFileSync(file, 'utf8').split('\r\n').slice(1)) {
    const id = /,ou-(org-\d+-\d+)$/.exec(line)?.[1];
    if (line !== '') found.set(id, (found.get(id) ?? 0) + 1);
  }
  const wanted = Object.entries(members).flatMap(([name, size]) =>
    Array.from({ length: size }, (_, index) => `${name}-${index}`),
  );
  return found.size === wanted.length && wanted.every((id) => found.get(id) === 1);
}

function verdict(name, isReached, detail) {
  process.stdout.write(`  ${name.padEnd(28)} ${isReached ? 'reached' : 'MISSED'}  ${detail}\n`);
}

function forService(service) {
  return benchEnvironment({ ORGCTL_BASE_URL: `http://127.0.0.1:${service.line}/api/v2` });
}

function compare(name, subject, floor, target, { env, pairs: count = pairs }) {
  const { ratio, from, to, time, floorTime } = comparePairs(subject, floor, { pairs: count, env });
  row(
    name,
    ratio,
    target,
    `[${from.toFixed(2)}–${to.toFixed(2)}] ${time.toFixed(0)} ms against ${floorTime.toFixed(0)} ms`,
  );
}

function heading(text) {
  process.stdout.write(`\n${text}\n`);
}

function row(name, ratio, target, detail) {
  const reached = ratio <= target ? 'reached' : 'MISSED';
  process.stdout.write(
    `  ${name.padEnd(22)} ${ratio.toFixed(2).padStart(6)}×   target ≤ ${target.toFixed(2)}× ${reached.padEnd(8)} ${detail}\n`,
  );
}
