// The service of a campaign in a process of its own, to be measured against: `node fake-service.mjs publish <token> <key>` throws
// away the files it gets. Says its address as the first line, and behind it that of the files.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

const [, token, keyId] = process.argv.slice(2);
const file = '../publish/campaign/service.ts';
const options = { token, keyIdOf: () => keyId, keeps: false };
const { startService } = await loadTypeScript(fileURLToPath(new URL(file, import.meta.url)));
const { url, uploadOrigin = '' } = await startService(options);
process.stdout.write(`${url} ${uploadOrigin}\n`);
