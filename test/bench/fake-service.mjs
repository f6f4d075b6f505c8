// The service of a campaign in a process of its own, to be measured against: `node fake-service.mjs follow <events>` plays so
// many events and does not grow, `node fake-service.mjs publish <token> <key>` throws away the files it gets. Says its address
// as the first line, and behind it that of the files.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

const [name, ...words] = process.argv.slice(2);
const { file, options } = {
  follow: {
    file: '../follow/service.ts',
    options: {
      ...{ seed: 1, history: Number(words[0]), span: 13.9 * 86_400_000, start: Date.now(), growth: 0 },
      ...{ resolution: 1, late: 0, step: 0, keepsAnswers: true },
    },
  },
  publish: {
    file: '../publish/campaign/service.ts',
    options: { token: words[0], keyIdOf: () => words[1], keeps: false },
  },
}[name];
const { startService } = await loadTypeScript(fileURLToPath(new URL(file, import.meta.url)));
const { url, uploadOrigin = '' } = await startService(options);
process.stdout.write(`${url} ${uploadOrigin}\n`);
