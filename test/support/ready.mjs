// Brings a clone to where its tests and its demo can run: installs what is missing, builds what is out of date.
// Plain JavaScript with Node's own modules only, since it runs before anything is installed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isBuilt, ROOT } from '../../.config/built.mjs';
import { npm } from '../../.config/npm.mjs';

if (!isInstalled()) {
  say('installing packages (npm ci)');
  run(npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'));
}
if (!isBuilt()) {
  say('building dist');
  run(npm('run', '--silent', 'build'));
}

/** npm notes in node_modules what it installed. That note and the lock file must agree. */
function isInstalled() {
  const installed = readPackages(join(ROOT, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const locked = readPackages(join(ROOT, 'package-lock.json')) ?? {};
  const same = (name) =>
    installed[name]?.version === locked[name]?.version && installed[name]?.integrity === locked[name]?.integrity;
  // Packages made for another platform are optional and stay away.
  return (
    Object.keys(installed).every(same) &&
    Object.keys(locked).every((name) => name === '' || name in installed || locked[name].optional === true)
  );
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function run([command, args]) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error === undefined ? '' : `${error.message}\n`}`);
  say(`${[command, ...args].join(' ')} failed`);
  process.exit(1);
}

function say(text) {
  process.stderr.write(`orgctl: ${text}\n`);
}
