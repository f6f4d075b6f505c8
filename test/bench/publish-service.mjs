// A private registry that throws away the files it gets, in a process of its own: `node publish-service.mjs <token>`. Says
// the origins of its API and of its files as the first line. GET /bench/reset makes it empty; with `?uploads=` it names
// another origin for files, such as that of a slow line to it.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

const { startService } = await loadTypeScript(
  fileURLToPath(new URL('../publish/campaign/service.ts', import.meta.url)),
);
const service = await startService({ token: process.argv[2], keyIdOf: () => process.argv[3], keeps: false });
process.stdout.write(`${new URL(service.url).origin} ${service.uploadOrigin}\n`);
