// `npm run campaign -- --kills 200 --subject described --seed 7`: kills of each subject, and the first seed.

import process from 'node:process';
import { parseArgs } from 'node:util';
import { createViteServer } from 'vitest/node';
import { textFiles } from '../../.config/text-files.mjs';

const JOBS = 3;

const server = { middlewareMode: true, watch: null, ws: false };
const vite = await createViteServer({ configFile: false, plugins: [textFiles()], server });
const { runSeed, SUBJECTS } = await vite.ssrLoadModule('/test/campaign/campaign.ts');
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    subject: { type: 'string', multiple: true, default: SUBJECTS },
    seed: { type: 'string', default: '1' },
  },
});

let found = 0;
for (const subject of values.subject) {
  let [kills, seed] = [0, Number(values.seed)];
  const work = async () => {
    while (kills < Number(values.kills)) {
      const own = seed;
      seed += 1;
      const report = await runSeed(subject, own);
      kills += report.kills;
      found += report.violations.length;
      for (const text of report.violations) process.stdout.write(`${subject}, seed ${own}: ${text}\n`);
    }
  };
  await Promise.all(Array.from({ length: JOBS }, work));
  process.stdout.write(`${subject}: ${kills} kills with ${seed - Number(values.seed)} seeds\n`);
}
process.stdout.write(`${found} violations\n`);
process.exitCode = found === 0 ? 0 : 1;
await vite.close();
