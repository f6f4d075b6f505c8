// Kills orgctl at every operation on a file, and in storms and servers that seeds decide, and looks at what is left.
// `npm run bench:crash -- --runs 50 --seed 1`; `-- --help` tells the rest.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = readOptions('Kills orgctl at every operation on a file, and looks at what is left.', {
  runs: { about: 'how many storms of writers, and as many killed servers', kind: 'number', default: '50' },
  seed: { about: 'the first one', kind: 'number', default: '1' },
  node: { about: 'the Node that runs orgctl', default: process.execPath },
});

const { runAll } = await loadTypeScript(here('../crash/trials.ts'));
const started = Date.now();
const faults = await runAll({
  program: { node: values.node, door: here('../../bin/orgctl.cjs'), points: here('file-points.cjs') },
  runs: values.runs,
  firstSeed: values.seed,
  onPart: (text) => say(`${((Date.now() - started) / 1_000).toFixed(0)} s: ${text}`),
  onFault: say,
});
say(`${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

function say(text) {
  process.stdout.write(`${text}\n`);
}
