// Judges every regular expression of src: whether there is a text that it takes more than linear time for.
// `npm run check:expressions`. Those that pass are noted in test/fuzz/expressions.json, and not judged again.
// The judge is recheck, fetched when it is asked for: with what it brings along it is larger than all other tools.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const RECHECK = 'recheck@4.5.0';
/** Milliseconds for one of them. */
const PATIENCE = 20_000;

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const NOTES = here('../fuzz/expressions.json');

const noted = new Set(JSON.parse(readFileSync(NOTES, 'utf8')));
const { findExpressions } = await load(here('../fuzz/expressions.ts'));
const expressions = findExpressions(here('../../src'));
const unknown = expressions.filter((expression) => !noted.has(expression));
const judge = unknown.length === 0 ? undefined : fetchJudge();
const failed = unknown.filter((expression) => !isLinear(expression, judge));
writeFileSync(
  NOTES,
  `${JSON.stringify(
    expressions.filter((expression) => !failed.includes(expression)),
    undefined,
    2,
  )}\n`,
);
say(`${expressions.length} expressions, ${unknown.length} of them new, ${failed.length} of those not linear`);
process.exitCode = failed.length === 0 ? 0 : 1;

function isLinear(expression, check) {
  const end = expression.lastIndexOf('/');
  const { status, complexity, attack, error } = check(expression.slice(1, end), expression.slice(end + 1), {
    timeout: PATIENCE,
  });
  if (status === 'safe') return true;
  say(
    `${expression}: ${complexity?.summary ?? error?.kind ?? status}${attack === undefined ? '' : `, as with ${attack.pattern}`}`,
  );
  return false;
}

/** In plain JavaScript: without the packages it has for single platforms. */
function fetchJudge() {
  const folder = here('../../node_modules/.cache/recheck');
  mkdirSync(folder, { recursive: true });
  const npm = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    RECHECK,
  ];
  const { status, stderr } = spawnSync('npm', npm, { encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${RECHECK} could not be fetched: ${stderr}`);
  return createRequire(join(folder, 'package.json'))(join(folder, 'node_modules', 'recheck', 'lib', 'browser.js'))
    .checkSync;
}

/** It is TypeScript, which Node 20 does not read. Its parser stays where its own parts are. */
async function load(input) {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-expressions-'));
  const file = join(folder, 'expressions.mjs');
  try {
    const external = (id) => id.startsWith('rolldown');
    const resolved = pathToFileURL(createRequire(import.meta.url).resolve('rolldown/utils')).href;
    await build({
      input,
      platform: 'node',
      external,
      output: { file, format: 'esm', paths: { 'rolldown/utils': resolved } },
      logLevel: 'silent',
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
