// orgctl and Node as one file, for the system that this runs on.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import config, { licenses } from '../../.config/rolldown.config.mjs';
import { textFiles } from '../../.config/text-files.mjs';
import { toArchive } from './archive.mjs';
import { provideNode } from './nodes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = import.meta.dirname;
/** The first that makes an executable by itself is 25.5. */
const NODE = '26';

const HOW_TO_REPLACE = `openpgp is under the GNU Lesser General Public License, whose text is here, with that of the GNU General Public License
which it refers to. You may change openpgp, and use orgctl with it: take the sources of this version of orgctl, run npm ci,
put your openpgp of the same version number in the place of node_modules/openpgp, and run

  node .github/release/release.mjs executable --to <folder>`;

export function nameMachine() {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

/** Writes orgctl-<version>-<system>-<processor>.tar.gz. */
export async function makeExecutable(version, folder) {
  const node = findNode();
  const work = mkdtempSync(join(tmpdir(), 'orgctl-executable-'));
  try {
    await bundle(work, node);
    const executable = inject(work, node.path);
    const name = `orgctl-${version}-${nameMachine()}`;
    const files = {
      [executable.name]: { content: readFileSync(executable.path), mode: 0o755 },
      LICENSE: { content: readFileSync(join(ROOT, 'LICENSE')) },
      'THIRD-PARTY-LICENSES.txt': { content: readFileSync(join(work, 'THIRD-PARTY-LICENSES.txt')) },
    };
    const placed = Object.fromEntries(Object.entries(files).map(([path, file]) => [`${name}/${path}`, file]));
    writeFileSync(join(folder, `${name}.tar.gz`), toArchive(placed));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The Node that runs this where it can make one, else one from npm. */
function findNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNew = major > 25 || (major === 25 && minor >= 5);
  const path = isNew ? process.execPath : provideNode(NODE);
  const license = ['..', '.'].map((up) => join(dirname(path), up, 'LICENSE')).find(existsSync);
  if (license === undefined) throw new Error(`${path} has no LICENSE beside it, which has to go with it`);
  return {
    path,
    version: run(path, ['--print', 'process.versions.node']).trim(),
    license: readFileSync(license, 'utf8'),
  };
}

async function bundle(folder, { version, license }) {
  const notices = [
    `How to replace openpgp\n\n${HOW_TO_REPLACE}\n`,
    `The GNU General Public License, for openpgp\n\n${readFileSync(join(HERE, 'GPL-3.0.txt'), 'utf8')}`,
    `Node.js ${version}, and what it contains\n\n${license}`,
  ];
  const built = await rolldown({
    ...config,
    input: join(HERE, 'start.ts'),
    external: [],
    plugins: [textFiles(), licenses(folder, { more: ' OR LGPL-3.0+', notices })],
    logLevel: 'warn',
  });
  await built.write({
    dir: folder,
    entryFileNames: 'orgctl.cjs',
    format: 'cjs',
    minify: true,
    codeSplitting: false,
    // An executable can import nothing, not even Node's own modules.
    dynamicImportInCjs: false,
  });
}

function inject(folder, node) {
  const name = process.platform === 'win32' ? 'orgctl.exe' : 'orgctl';
  const path = join(folder, name);
  const settings = {
    // Without the folder, whose name is another in each run, and would stand in the executable.
    main: 'orgctl.cjs',
    output: name,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // What NODE_OPTIONS says is meant for the Node of its user.
    execArgvExtension: 'none',
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  // A number that V8 draws at each start decides the order of what is in the compiled code.
  run(node, ['--random-seed=1', '--build-sea', 'settings.json'], folder);
  // macOS starts no program without a signature, and the one of Node is no longer true.
  if (process.platform === 'darwin') run('codesign', ['--force', '--sign', '-', path]);
  return { name, path };
}

function run(program, args, cwd = ROOT) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}
