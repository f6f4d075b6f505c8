// A service with so many events that does not grow, in a process of its own: `node trail-service.mjs <events>`, and says its
// address as the first line.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

const { startService } = await loadTypeScript(fileURLToPath(new URL('../follow/service.ts', import.meta.url)));
const { url } = await startService({
  ...{ seed: 1, history: Number(process.argv[2]), span: 13.9 * 86_400_000, start: Date.now(), growth: 0 },
  ...{ resolution: 1, late: 0, step: 0, keepsAnswers: true },
});
process.stdout.write(`${url}\n`);
