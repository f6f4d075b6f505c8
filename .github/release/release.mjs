// Makes what a release consists of: `release.mjs <step…> --to <folder> [--repository <address>]`.
// Steps: `package` (for npm), `executable` (for this system), `rest` (of what is in the folder by then: the formula for
// Homebrew, what the image is made of, and the sums); without one, all of them.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npm } from '../../.config/npm.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Of what is built already. */
function makePackage(folder) {
  const [command, args] = npm('pack', '--ignore-scripts', '--pack-destination', folder, '--loglevel=error');
  run(command, args);
}

async function makeExecutable(folder) {
  const { makeExecutable: make } = await import('./executable.mjs');
  await make(version, folder);
}

function makeRest(folder, { repository }) {
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'));
  const sums = new Map(archives.map((name) => [name, sumOf(join(folder, name))]));
  writeFileSync(join(folder, 'orgctl.rb'), toFormula(sums, repository));
  makeImage(folder, archives);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const lines = files
    .map(({ name }) => name)
    .filter((name) => name !== 'SHA256SUMS')
    .sort()
    .map((name) => `${sumOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** As Docker names processors. */
const PROCESSORS = { x64: 'amd64', arm64: 'arm64' };

/** What .github/Dockerfile copies, for each processor that there is an archive of. */
function makeImage(folder, archives) {
  const image = join(folder, 'image');
  rmSync(image, { recursive: true, force: true });
  mkdirSync(join(image, 'home'), { recursive: true });
  copyFileSync(join(ROOT, '.github', 'Dockerfile'), join(image, 'Dockerfile'));
  for (const [arch, docker] of Object.entries(PROCESSORS)) {
    const name = `orgctl-${version}-linux-${arch}`;
    if (!archives.includes(`${name}.tar.gz`)) continue;
    const place = join(image, docker);
    mkdirSync(place);
    const files = ['orgctl', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'].map((file) => `${name}/${file}`);
    run('tar', ['-xzf', join(folder, `${name}.tar.gz`), '-C', place, '--strip-components=1', ...files]);
  }
}

const SYSTEMS = { darwin: 'macos', linux: 'linux' };
const CHIPS = { arm64: 'arm', x64: 'intel' };

/** For the systems and processors that there are archives of. */
function toFormula(sums, repository) {
  const systems = Object.entries(SYSTEMS).flatMap(([system, brew]) => {
    const chips = Object.entries(CHIPS).flatMap(([arch, chip]) => {
      const name = `orgctl-${version}-${system}-${arch}.tar.gz`;
      const sum = sums.get(name);
      if (sum === undefined) return [];
      const url = `${repository}/releases/download/v${version}/${name}`;
      return [`    on_${chip} do\n      url "${url}"\n      sha256 "${sum}"\n    end\n`];
    });
    return chips.length === 0 ? [] : [`\n  on_${brew} do\n${chips.join('')}  end\n`];
  });
  return `class Orgctl < Formula
  desc "${description}"
  homepage "${repository}"
  version "${version}"
  license "${license}"
${systems.join('')}
  def install
    bin.install "orgctl"
    generate_completions_from_executable(bin/"orgctl", "completion", shells: [:bash, :zsh, :fish])
    pkgshare.install "LICENSE", "THIRD-PARTY-LICENSES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/orgctl --version")
    assert_match "olive.owner@example.com", shell_output("#{bin}/orgctl --sandbox members list -o tsv")
  end
end
`;
}

function sumOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

const STEPS = { package: makePackage, executable: makeExecutable, rest: makeRest };

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, repository: { type: 'string', default: 'https://github.com/OWNER/orgctl' } },
  });
  const unknown = positionals.find((step) => !Object.hasOwn(STEPS, step));
  if (unknown !== undefined) throw new Error(`there is no step ${unknown}; there are ${Object.keys(STEPS).join(', ')}`);
  if (values.to === undefined) throw new Error('--to names the folder of the release');
  const folder = resolve(values.to);
  mkdirSync(folder, { recursive: true });
  for (const step of positionals.length > 0 ? positionals : Object.keys(STEPS)) await STEPS[step](folder, values);
} catch (error) {
  process.stderr.write(`orgctl: ${error.message}\n`);
  process.exitCode = 1;
}
