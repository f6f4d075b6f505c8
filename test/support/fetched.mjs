// Packages that only a rare run needs: fetched from npm when it does, and kept where `npm ci` sweeps.
// Below node_modules, so that they find the project's own vitest. Plain JavaScript with Node's own modules only.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { npm } from './npm.mjs';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/fetched', import.meta.url));

/** The node_modules folder that holds these packages, each `name@version`. Throws what npm says. */
export function fetchPackages(...specs) {
  const folder = join(CACHE, specs.join('+').replaceAll('/', '-'));
  if (!existsSync(folder)) {
    process.stderr.write(`orgctl: fetching ${specs.join(', ')}\n`);
    mkdirSync(CACHE, { recursive: true });
    const staging = mkdtempSync(join(CACHE, 'unpacking-'));
    try {
      writeFileSync(join(staging, 'package.json'), '{"private":true}\n');
      install(specs, staging);
      renameSync(staging, folder);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }
  return join(folder, 'node_modules');
}

/** Without peers: the project has them. */
function install(specs, folder) {
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, args] = npm('install', '--prefix', folder, ...flags, ...specs);
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm could not fetch ${specs.join(', ')}: ${error?.message ?? stderr.trim()}`);
}
