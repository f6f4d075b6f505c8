// Runs a campaign at length: `node campaign.mjs crash storms --runs 50 --seed 1`; `--help` tells the rest. It ends with 1
// where something is found that must not be, and says of each how to repeat it.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [name] = process.argv.splice(2, 1);
const { default: campaign } = await loadTypeScript(here(`${name}.ts`));
const options = {
  ...Object.fromEntries(Object.entries(campaign.options).map(([key, option]) => [key, { ...option, kind: 'number' }])),
  seed: { about: 'the first one', kind: 'number', default: '1' },
  node: { about: 'the Node that runs orgctl', default: process.execPath },
  orgctl: { about: 'another one, such as the one npm installed', default: here('../../bin/orgctl.cjs') },
};
const { parts } = campaign;
const known = Object.keys(parts);
const { values, words } = readOptions(campaign.about, options, { name: 'part', known });
const started = Date.now();
let faults = 0;

for (const part of words.length === 0 ? known : words) {
  await parts[part]({ program: { node: values.node, door: values.orgctl }, values, tell, say });
}
say(`${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

function tell(found) {
  faults += found.length;
  for (const text of found) say(`FAULT ${text}`);
}

function say(text) {
  process.stdout.write(`${((Date.now() - started) / 1_000).toFixed(0)} s: ${text}\n`);
}
