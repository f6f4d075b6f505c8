// Mutation testing: `npm run test:mutation -- retry pages` changes these modules in one place after the other, and counts
// how many changes a test notices. What is left is printed with the reason why it may stay; without one, it fails.
// `npm run test:mutation` alone lists the modules, `all` runs them all; `-- --help` tells the rest.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { fetchPackages } from '../support/fetched.mjs';
import { readOptions } from '../support/options.mjs';
import { MODULES } from './modules.mjs';
import { explain } from './survivors.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The newest that runs on Node 20: 65 MB in 167 packages.
const STRYKER = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1'];
const COPIED = ['src', 'test', 'bin', '.config', 'package.json', 'tsconfig.json', 'README.md'];

const { words: asked, values } = readOptions(
  'Changes modules in one place after the other, and counts what no test notices.',
  {
    sample: { about: 'one line of so many', kind: 'number', default: '1' },
    seed: { about: 'which of them', kind: 'number', default: '1' },
  },
  { name: 'module', known: [...Object.keys(MODULES), 'all'] },
);
const names = asked.includes('all') ? Object.keys(MODULES) : asked;
if (names.length === 0) {
  say(`the modules are ${Object.keys(MODULES).join(', ')}; all means every one of them`);
  process.exitCode = 2;
} else {
  const stryker = join(fetchPackages(...STRYKER), '@stryker-mutator', 'core', 'bin', 'stryker.js');
  for (const name of names) {
    const mutants = mutate(stryker, MODULES[name]);
    if (mutants === undefined) say(`${name}: Stryker did not get to its end`);
    if (mutants === undefined || !report(name, mutants)) process.exitCode = 1;
  }
}

/** The mutants and what became of each; undefined where Stryker failed. In a copy: whatever ends this, the sources are whole. */
function mutate(stryker, { mutate: files, tests }) {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-mutation-'));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const file of files) unfreeze(join(folder, file));
    const args = ['run', join('.config', 'stryker.config.mjs'), '--mutate', files.flatMap(toSample).join(',')];
    spawnSync(process.execPath, [stryker, ...args], {
      cwd: folder,
      env: { ...process.env, ORGCTL_TEST_SOURCES: '1', ORGCTL_MUTATION_TESTS: tests.join(' ') },
      stdio: ['ignore', 2, 2],
    });
    const results = join(folder, 'mutation.json');
    return existsSync(results) ? readMutants(readFileSync(results, 'utf8')) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The whole file, or some of its lines: then what spans several is left out. */
function toSample(file) {
  const { sample: step, seed } = values;
  if (step <= 1) return [file];
  const { length } = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const lines = Array.from({ length }, (_, index) => index + 1);
  return lines.filter((line) => line % step === seed % step).map((line) => `${file}:${line}-${line}`);
}

/** Stryker takes what is `as const` for a type, and leaves it alone: no table would be mutated. */
function unfreeze(path) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/ as const\b(?: satisfies [^;)]*)?/g, ''));
}

function readMutants(text) {
  return Object.entries(JSON.parse(text).files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ location: { start, end: stop }, status, replacement = '' }) => ({
      file,
      number: start.line,
      line: lines[start.line - 1].trim(),
      from:
        start.line === stop.line
          ? lines[start.line - 1].slice(start.column - 1, stop.column - 1)
          : `${lines[start.line - 1].slice(start.column - 1)} …`,
      to: replacement.replaceAll(/\s+/g, ' '),
      status,
    }));
  });
}

/** Whether every mutant was noticed or is explained. */
function report(name, mutants) {
  const counted = mutants.filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status));
  const left = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const judged = left.map((mutant) => ({ ...mutant, why: explain(mutant) }));
  for (const { file, number, from, to, why } of judged) {
    process.stdout.write(`  ${file}:${number} ${from} → ${to}\n    ${why ?? 'NOT EXPLAINED'}\n`);
  }
  const unexplained = judged.filter(({ why }) => why === undefined).length;
  const score = ((100 * (counted.length - left.length)) / counted.length).toFixed(1);
  process.stdout.write(
    `${name}: ${counted.length - left.length} of ${counted.length} mutants${values.sample === 1 ? '' : ' of a sample'} noticed (${score} %), ` +
      `${left.length - unexplained} explained, ${unexplained} not\n`,
  );
  return unexplained === 0;
}

function say(text) {
  process.stderr.write(`orgctl: ${text}\n`);
}
