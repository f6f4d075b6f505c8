// Brings a clone to where its tests and its demo can run: installs what is missing, builds what is out of date.
// Plain JavaScript with Node's own modules only, since it runs before anything is installed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { npm } from './npm.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['src', '.config/rolldown.config.mjs', '.config/third-party.mjs', 'package.json', 'package-lock.json'];
const STAMP = join(ROOT, 'dist', '.sources');

if (!isInstalled()) {
  say('installing packages (npm ci)');
  run(npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'));
}
const wanted = hashOfSources();
if (!isBuiltFrom(wanted)) {
  say('building dist');
  run(npm('run', '--silent', 'build'));
  writeFileSync(STAMP, wanted);
}

/** npm notes in node_modules what it installed. That note and the lock file have to tell the same. */
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

/** A build empties dist first, so the stamp is there only when it tells of the last build. */
function isBuiltFrom(hash) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesBelow(join(ROOT, source)))) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  try {
    return readdirSync(path)
      .sort()
      .flatMap((name) => filesBelow(join(path, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
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
