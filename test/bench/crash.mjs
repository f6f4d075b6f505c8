// Kills orgctl at every operation on a file, and in storms and servers that seeds decide, and looks at what is left.
// `npm run bench:crash -- --runs 50 --seed 1`.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    node: { type: 'string', default: process.execPath },
  },
});

const { runAll } = await loadTypeScript(here('../crash/trials.ts'));
const started = Date.now();
const faults = await runAll({
  program: { node: values.node, door: here('../../bin/orgctl.cjs'), points: here('file-points.cjs') },
  runs: Number(values.runs),
  firstSeed: Number(values.seed),
  onPart: (text) => say(`${((Date.now() - started) / 1_000).toFixed(0)} s: ${text}`),
  onFault: say,
});
say(`${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

function say(text) {
  process.stdout.write(`${text}\n`);
}
