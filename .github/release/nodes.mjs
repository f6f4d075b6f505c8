// The binaries of other versions of Node. They come from npm, and are kept where `npm ci` sweeps.
// Plain JavaScript with Node's own modules only.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { npm } from '../../.config/npm.mjs';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url));
const MACHINES = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

/** A reason why the run cannot go on, as its message says. */
class Refusal extends Error {}

function say(text) {
  process.stderr.write(`orgctl: ${text}\n`);
}

/** The path of such a Node, fetched when it is not there yet: of a major version alone, the newest there was then. */
export function provideNode(version) {
  const machine = `${process.platform}-${process.arch}`;
  if (!MACHINES.includes(machine)) {
    throw new Refusal(`npm has no package of Node for ${machine}, only for ${MACHINES.join(', ')}`);
  }
  const name = `node-${machine.replace('win32', 'win')}`;
  const folder = join(CACHE, `${name}@${version}`);
  const path = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) fetchNode(`${name}@${version}`, folder);
  return path;
}

function fetchNode(spec, folder) {
  say(`fetching ${spec}`);
  mkdirSync(CACHE, { recursive: true });
  const staging = mkdtempSync(join(CACHE, 'unpacking-'));
  try {
    const archive = pack(spec, staging);
    // By its name alone: to some a colon in it, as after a drive's letter, means another machine.
    const options = { cwd: staging, encoding: 'utf8' };
    const { status, stderr, error } = spawnSync('tar', ['-xzf', archive, 'package/bin', 'package/LICENSE'], options);
    if (status !== 0) throw new Refusal(`${archive} cannot be unpacked: ${error?.message ?? stderr.trim()}`);
    // What an earlier run left unfinished has no binary.
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(staging, 'package'), folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The name of the archive, whose checksum npm has compared. */
function pack(spec, folder) {
  const flags = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', '.'];
  const [command, args] = npm('pack', spec, ...flags);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status === 0) return JSON.parse(stdout)[0].filename;
  const { code, summary } = readFailure(stdout);
  if (code === 'ETARGET') throw new Refusal(`npm's registry has no ${spec}`);
  throw new Refusal(`${spec} cannot be fetched from npm's registry: ${error?.message ?? summary ?? stderr.trim()}`);
}

/** What npm says of its failure, where it could say it in JSON. */
function readFailure(stdout) {
  try {
    return JSON.parse(stdout).error;
  } catch {
    return {};
  }
}
