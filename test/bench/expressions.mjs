// Judges every regular expression of src: whether there is a text that it takes more than linear time for.
// `npm run check:expressions`. Those that pass are noted in test/fuzz/expressions.json, and not judged again.
// The judge is recheck, fetched when it is asked for: with what it brings along it is larger than all other tools.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { fetchPackages } from '../support/fetched.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const RECHECK = 'recheck@4.5.0';
/** Milliseconds for one of them. */
const PATIENCE = 20_000;

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const NOTES = here('../fuzz/expressions.json');

const noted = new Set(JSON.parse(readFileSync(NOTES, 'utf8')));
const { findExpressions } = await loadTypeScript(here('../fuzz/expressions.ts'));
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

/** In plain JavaScript: what it brings for single platforms is not used. */
function fetchJudge() {
  const folder = fetchPackages(RECHECK);
  return createRequire(join(folder, 'recheck', 'package.json'))('./lib/browser.js').checkSync;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
