// Runs the tests on every Node that orgctl supports, one after the other: `matrix.mjs [version…] [-- vitest's arguments]`.
// Plain JavaScript with Node's own modules only.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { provideNode, Refusal } from './nodes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

try {
  const { versions, vitestArgs } = parseArguments(process.argv.slice(2));
  // All of them first: a missing one is better known before the long part.
  const binaries = versions.map((version) => ({ version, path: provideNode(version) }));
  for (const { version, path } of binaries) {
    const { passed, failed, skipped } = await test(path, vitestArgs);
    process.stdout.write(`Node ${nameOf(version, path)}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    if (failed > 0) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
}

function parseArguments(words) {
  const end = words.indexOf('--');
  const versions = end < 0 ? words : words.slice(0, end);
  const odd = versions.find((word) => !/^\d+(\.\d+){0,2}$/.test(word));
  if (odd !== undefined) {
    throw new Refusal(`${odd} is no version of Node. What is meant for vitest comes after a second --`);
  }
  return {
    versions: versions.length > 0 ? versions : [readOldest(), '20', '22', '24', '26'],
    vitestArgs: end < 0 ? [] : words.slice(end + 1),
  };
}

/** The oldest version that package.json admits. */
function readOldest() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return engines.node.replace('>=', '');
}

/** With its full version, where only a part of it was asked for. */
function nameOf(version, path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return stdout?.trim().replace(/^v/, '') || version;
}

/** The output of vitest is shown only where something failed. */
async function test(path, vitestArgs) {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-matrix-'));
  const results = join(folder, 'results.json');
  try {
    const config = ['--config', join('.config', 'vitest.config.ts')];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
    const { status, output } = await run(path, [VITEST, 'run', ...config, ...reporters, ...vitestArgs]);
    const counts = count(readResults(results), status);
    if (counts.failed > 0) process.stderr.write(output);
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Scripts that begin with `#!/usr/bin/env node` find the same Node. */
function run(path, args) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const env = { ...process.env, [name]: [dirname(path), process.env[name] ?? ''].join(delimiter) };
  const child = spawn(path, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const pieces = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  child.stderr.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, output: `${error.message}\n` }));
    child.once('close', (status) => resolve({ status, output: Buffer.concat(pieces).toString('utf8') }));
  });
}

function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  }
}

/** A file that cannot be loaded holds no test that could fail, and an error outside every test belongs to none. */
function count({ numPassedTests, numFailedTests, numPendingTests, testResults }, status) {
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const failed = numFailedTests + unloaded;
  const isStray = failed === 0 && (status !== 0 || numPassedTests === 0);
  return { passed: numPassedTests, failed: failed + (isStray ? 1 : 0), skipped: numPendingTests };
}

function say(text) {
  process.stderr.write(`orgctl: ${text}\n`);
}
