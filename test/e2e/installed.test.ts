import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Registry, startRegistry } from '../support/registry.ts';
import { createPlace, type Ended, type Environment, ROOT, start } from '../support/shipped.ts';

/** The package as npm makes it, installed as people do it, in a prefix and a home where nothing is. */
const place = createPlace(afterAll);
const prefix = join(dirname(place.home), 'prefix');
const modules = join(prefix, 'lib', 'node_modules', 'orgctl');
// No other orgctl, and the Node that runs the tests.
const env: Environment = {
  ...place.env,
  PATH: [
    join(prefix, 'bin'),
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => !existsSync(join(folder, 'orgctl'))),
  ].join(delimiter),
};
let registry: Registry;

afterAll(() => registry.close());

beforeAll(async () => {
  registry = await startRegistry();
  const folder = dirname(place.home);
  // Its scripts would build anew, under the feet of other tests.
  await npm('pack', ROOT, '--ignore-scripts', '--pack-destination', folder);
  const archive = join(folder, `orgctl-${packageJson.version}.tgz`);
  await npm('install', '--global', '--prefix', prefix, '--registry', registry.url, '--no-audit', archive);
});

async function npm(...argv: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await start('npm', argv, { env, cwd: place.home }).ended;
  expect(code, `${stdout}${stderr}`).toBe(0);
}

async function installed(argv: readonly string[], more: Environment = {}): Promise<Ended> {
  return await start('orgctl', argv, { env: { ...env, ...more } }).ended;
}

/** openpgp can do without it: npm asks for it, and does not install it. */
const OPTIONAL = '@openpgp/web-stream-tools';

test('npm fetches libsql, openpgp and what they need, and nothing else', () => {
  const names = registry.requests.filter((request) => registry.names.includes(request) || request === OPTIONAL);
  const archives = registry.requests.filter((request) => request.endsWith('/-/archive.tar'));
  expect(registry.requests.toSorted()).toEqual([...names, ...archives].toSorted());
  expect(names).toEqual(expect.arrayContaining(['libsql', 'openpgp']));
  // Of the native parts those for this system and processor alone.
  const native = `@libsql/${process.platform}-${process.arch}`;
  const strange = archives.filter((path) => path.startsWith('@libsql/') && !path.startsWith(native));
  expect({ strange, native: archives.some((path) => path.startsWith(native)) }).toEqual({ strange: [], native: true });
});

test('the files are those of the package, and the packages beside it those that were fetched', () => {
  expect(readdirSync(modules).toSorted()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'node_modules', 'package.json', 'src'].toSorted(),
  );
  const fetched = registry.requests
    .filter((request) => request.endsWith('/-/archive.tar'))
    .map((path) => path.replace('/-/archive.tar', ''));
  const beside = readdirSync(join(modules, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
    .map(dirname);
  expect(beside.toSorted()).toEqual(fetched.toSorted());
});

test('orgctl is on the path, and tells its version and its help', async () => {
  expect(await installed(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  const help = await installed(['--help']);
  expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
  expect(help.stdout).toContain('Usage: orgctl ');
});

test('the sandbox serves, a list is read from it, and a token is rotated into a file', async () => {
  const server = start('orgctl', ['sandbox', 'serve', '--state', ':memory:', '--port', '0', '-o', 'json'], { env });
  try {
    await server.untilStdout((text) => text.includes('\n'));
    const { 'base-url': url, tokens } = JSON.parse(server.stdout()) as {
      'base-url': string;
      tokens: { kind: string; organization?: string; token: string }[];
    };
    const token = tokens.find(({ kind, organization }) => kind === 'owner' && organization !== 'globex')?.token ?? '';
    const service = { ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
    const list = await installed(['members', 'list', '-o', 'json'], service);
    expect({ code: list.code, stderr: list.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(list.stdout).length).toBeGreaterThan(0);
    const file = join(place.home, 'secret');
    const rotated = await installed(
      ['audit-token', 'rotate', '--expires', '90d', '--to', `file:${file}`, '--yes'],
      service,
    );
    expect(rotated.code, rotated.stderr).toBe(0);
    expect(readFileSync(file, 'utf8').trim()).not.toBe('');
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
