// Rotates the tokens of many organizations by one command, which is killed at random and run again until it is done.
// `npm run bench:rotation-several -- --kills 100 --organizations 50 --seed 1`; `-- --help` tells the rest.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = readOptions('Kills a rotation of many organizations, and looks from outside where the tokens are.', {
  kills: { about: 'how many runs are killed', kind: 'number', default: '100' },
  organizations: { about: 'how many organizations', kind: 'number', default: '50' },
  seed: { about: 'of the moments', kind: 'number', default: '1' },
});
const { createRandom } = await loadTypeScript(here('../campaign/random.ts'));
const { PROGRAM } = await loadTypeScript(here('../campaign/process.ts'));
const { runCampaign } = await loadTypeScript(here('../rotation/several-campaign.ts'));
const say = (report) =>
  process.stdout.write(
    `${report.trials} trials, ${report.runs} runs, ${report.kills} killed: ${report.created} tokens created, ` +
      `${report.needed} of them once more; ${report.violations.length} violations\n${report.violations.map((text) => `  ${text}\n`).join('')}`,
  );
const report = await runCampaign({
  kills: values.kills,
  organizations: values.organizations,
  program: PROGRAM,
  random: createRandom(values.seed),
  onTrial: say,
});
process.exitCode = report.violations.length === 0 ? 0 : 1;
