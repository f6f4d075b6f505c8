// Runs programs side by side and compares them: wall time pair by pair, and peak memory.

import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'orgctl-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const PEAK = fileURLToPath(new URL('./peak.cjs', import.meta.url));

/** A path of a file that goes nowhere else. */
export function scratch(name) {
  return join(folder, name);
}

/** The environment of every run. NODE_EXTRA_CA_CERTS makes Node 20 parse certificates at each start. */
export function benchEnvironment(more = {}) {
  const { NODE_EXTRA_CA_CERTS: _extra, NODE_OPTIONS: _options, ...env } = process.env;
  return {
    ...env,
    ORGCTL_CONFIG_DIR: join(folder, 'config'),
    ORGCTL_STATE_DIR: join(folder, 'state'),
    ORGCTL_ORG: 'acme',
    ORGCTL_TOKEN: 'bench',
    ...more,
  };
}

/** Milliseconds of one whole process, its output thrown away. */
export function timeRun([command, ...args], env) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${status}: ${stderr}`);
  return milliseconds;
}

/** Both run alternately, so that whatever else the machine does meets both. */
export function comparePairs(subject, floor, { pairs, env, floorEnv = env }) {
  // Long runs need no rehearsal.
  if (pairs > 3) {
    timeRun(floor, floorEnv);
    timeRun(subject, env);
  }
  const runs = Array.from({ length: pairs }, () => {
    const floorTime = timeRun(floor, floorEnv);
    const time = timeRun(subject, env);
    return { time, floorTime, ratio: time / floorTime };
  });
  return {
    ratio: median(runs.map(({ ratio }) => ratio)),
    from: Math.min(...runs.map(({ ratio }) => ratio)),
    to: Math.max(...runs.map(({ ratio }) => ratio)),
    time: median(runs.map(({ time }) => time)),
    floorTime: median(runs.map(({ floorTime }) => floorTime)),
  };
}

/** Peak memory of one Node process, in MiB. */
export function peakMemory([command, ...args], env) {
  const file = join(folder, 'peak');
  const { status, stderr } = spawnSync(command, ['--require', PEAK, ...args], {
    env: { ...env, BENCH_PEAK_FILE: file },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return Number(readFileSync(file, 'utf8')) / 1024;
}

/** One whole process with its output in a file: how long it took, its peak memory in MiB, how it ended and what it said. */
export function runToFile([command, ...args], env, file) {
  const peak = join(folder, 'peak');
  const output = openSync(file, 'w');
  const start = process.hrtime.bigint();
  // Begun by a shell: what is begun here has our own peak from the start.
  const { status, stderr } = spawnSync('sh', ['-c', '"$@"; exit "$?"', 'sh', command, '--require', PEAK, ...args], {
    env: { ...env, BENCH_PEAK_FILE: peak },
    stdio: ['ignore', output, 'pipe'],
    encoding: 'utf8',
  });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  closeSync(output);
  return { time, peak: Number(readFileSync(peak, 'utf8')) / 1024, status, lines: stderr.trimEnd().split('\n') };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Starts a script of this folder that prints a first line, and gives that line and a way to end it. */
export async function startScript(name, ...args) {
  return await startProgram([process.execPath, fileURLToPath(new URL(name, import.meta.url)), ...args.map(String)]);
}

/** Starts a program that prints a first line once it is ready. */
export async function startProgram([command, ...args], env = process.env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
  return { line, stop: () => child.kill() };
}
