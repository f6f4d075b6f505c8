import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { createPlace, type Ended, ROOT, start } from '../support/shipped.ts';

/** A release as its script makes it here, and the executable of it from nothing: without a Node, in an empty home. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const kept = join(ROOT, 'node_modules', '.cache', 'node', `node-${process.platform}-${process.arch}@26`);
const canMake = major > 25 || (major === 25 && minor >= 5) || existsSync(kept);
if (!canMake) {
  process.stderr.write('orgctl: no executable is tried: it takes Node.js 26\n');
}

const VERSION = packageJson.version;
const NAME = `orgctl-${VERSION}-${process.platform}-${process.arch}`;
const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe.skipIf(!canMake || process.platform === 'win32')('a release', () => {
  const place = createPlace(afterAll);
  const folders = ['first', 'second'].map((name) => join(dirname(place.home), name)) as [string, string];
  const [release] = folders;
  const unpacked = join(dirname(place.home), NAME);
  const script = join(ROOT, '.github', 'release', 'release.mjs');

  beforeAll(async () => {
    for (const folder of folders) {
      const { code, stderr } = await start(process.execPath, [script, '--to', folder], {
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
      }).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    expect(spawnSync('tar', ['-xzf', join(release, `${NAME}.tar.gz`), '-C', dirname(unpacked)]).status).toBe(0);
  }, 600_000);

  /** NODE_OPTIONS is what a developer's shell may have, and would end a Node that heeds it. */
  const env = { HOME: place.home, PATH: '/usr/bin:/bin', TZ: 'UTC', NODE_OPTIONS: '--require /nowhere.cjs' };
  const run = (...argv: string[]): Promise<Ended> => start(join(unpacked, 'orgctl'), argv, { env }).ended;

  test('made twice has the same bytes', () => {
    const [first, second] = folders.map((folder) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
    expect(first).toBe(second);
  });

  test('has a sum for each of its files', () => {
    const lines = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const files = lines.map((line) => line.split('  ') as [string, string]);
    expect(files.map(([, name]) => name)).toEqual(['orgctl.rb', `${NAME}.tar.gz`, `orgctl-${VERSION}.tgz`].toSorted());
    expect(files.map(([sum]) => sum)).toEqual(files.map(([, name]) => sumOf(join(release, name))));
  });

  test('has a formula with the sum of the archive', () => {
    const formula = readFileSync(join(release, 'orgctl.rb'), 'utf8');
    expect(formula).toContain(`releases/download/v${VERSION}/${NAME}.tar.gz"`);
    expect(formula).toContain(`sha256 "${sumOf(join(release, `${NAME}.tar.gz`))}"`);
    const ruby = spawnSync('ruby', ['-c', join(release, 'orgctl.rb')], { encoding: 'utf8' });
    if (ruby.error !== undefined) process.stderr.write('orgctl: the formula is not read: ruby is missing\n');
    else expect(ruby.stdout).toBe('Syntax OK\n');
  });

  test('says of each licence what it is, and how openpgp is replaced', () => {
    const licences = readFileSync(join(unpacked, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(licences).toContain('openpgp 6');
    expect(licences).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(licences).toMatch(/^ *GNU GENERAL PUBLIC LICENSE$/m);
    expect(licences).toContain('put your openpgp of the same version number in the place of node_modules/openpgp');
    expect(licences).toContain('Node.js is licensed for use as follows');
  });

  test('lists, rotates, checks signatures and serves, without Node', async () => {
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    const list = await run('--sandbox', 'members', 'list', '-o', 'csv', '--fields', 'email');
    expect([list.code, list.stdout.split('\n')[1]]).toEqual([0, 'olive.owner@example.com']);
    const file = join(place.home, 'token');
    const rotation = ['audit-token', 'rotate', '--expires', '90d', '--to', `file:${file}`, '--yes'];
    const rotated = await run('--sandbox', ...rotation);
    expect(rotated.code, rotated.stderr).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^sandbox\.\S+$/);
    const fixtures = join(ROOT, 'test', 'fixtures', 'release');
    const key = join(fixtures, 'key.asc');
    const line = ['--sandbox', 'providers', 'publish', 'billing', '1.2.0', '--dir', fixtures, '--public-key', key];
    const published = await run(...line, '--yes');
    expect(published.code, published.stderr).toBe(0);
    expect((await run('completion', 'bash')).stdout).toContain('complete ');
    const server = start(
      join(unpacked, 'orgctl'),
      ['sandbox', 'serve', '--state', ':memory:', '--port', '0', '--tls'],
      { env },
    );
    await server.untilStdout((text) => text.includes('ORGCTL_CA_FILE='));
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('makes an image of which each copied file is there, that does not run as root', () => {
    const image = join(release, 'image');
    const lines = readFileSync(join(image, 'Dockerfile'), 'utf8').split('\n');
    const copied = lines.flatMap((line) => {
      const [, words] = /^COPY (?:--\S+ )*(.*) \S+$/.exec(line) ?? [];
      return words?.split(' ') ?? [];
    });
    const processor = process.arch === 'x64' ? 'amd64' : process.arch;
    expect(copied.length).toBeGreaterThan(2);
    const files = copied.map((path) => path.replace(/\$\{TARGETARCH\}/, processor));
    // Those of processors that there is no executable of stay away.
    if (process.platform === 'linux') expect(files.filter((path) => !existsSync(join(image, path)))).toEqual([]);
    expect(lines).toContain('USER 65532:65532');
    expect(lines).toContain('ENTRYPOINT ["orgctl"]');
  });
});
