import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { readBlocks } from '../support/documents.ts';
import { findFreePort } from '../support/ports.ts';
import { answer, startScripted, type Turn } from '../support/scripted.ts';
import { serve } from '../support/service.ts';
import { createPlace, type Ended, type Environment, ROOT, start } from '../support/shipped.ts';

/** What README.md has a newcomer type, in an empty home: with the package that npm packs, installed as it says. */

const blocks = readBlocks('README.md');
const place = createPlace(afterAll);
const { home } = place;
const folder = dirname(home);
const prefix = join(folder, 'prefix');
const modules = join(prefix, 'lib', 'node_modules', 'orgctl');
/** openpgp can do without it: npm asks for it, and does not install it. */
const OPTIONAL = '@openpgp/web-stream-tools';

/** What orgctl is installed with, as the lock file has it, by name. */
const LOCKED = new Map<string, { dev?: boolean; version: string }>(
  Object.entries(packageLock.packages).map(([path, locked]) => [path.replace(/^node_modules\//, ''), locked]),
);
const NAMES = [...LOCKED].flatMap(([name, { dev }]) => (name === '' || dev === true ? [] : [name]));

/** npm's registry. Archives are made of what is installed here; packages for other platforms are missing, and not requested. */
const serveRegistry: Turn = (socket, request) => {
  const path = readPath(request);
  const name = path.replace(/\/-\/archive\.tar$/, '');
  const locked = NAMES.includes(name) ? LOCKED.get(name) : undefined;
  if (locked === undefined) return answer(404)(socket, request);
  const source = join(ROOT, 'node_modules', name);
  if (name !== path) {
    const argv = ['-cf', '-', '-C', dirname(source), basename(source)];
    return answer(200, execFileSync('tar', argv, { maxBuffer: 64 * 1024 * 1024 }))(socket, request);
  }
  const dist = { tarball: `http://${request.headers.get('host')}/${encodeURIComponent(name)}/-/archive.tar` };
  const versions = { [locked.version]: { ...locked, name, dist } };
  return answer(200, { name, 'dist-tags': { latest: locked.version }, versions })(socket, request);
};
const readPath = ({ target }: { target: string }): string => decodeURIComponent(target).slice(1);

let env: Environment;
const registry = await startScripted(serveRegistry, { after: afterAll });
let packed: { filename: string; files: { path: string; mode: number }[] };

beforeAll(async () => {
  env = {
    ...place.env,
    // No other orgctl, and the Node that runs the tests.
    PATH: [
      join(prefix, 'bin'),
      dirname(process.execPath),
      ...(process.env.PATH ?? '').split(delimiter).filter((each) => !existsSync(join(each, 'orgctl'))),
    ].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_registry: `${registry.origin}/`,
    npm_config_update_notifier: 'false',
  };
  // Its scripts would build again, while other tests read what is built.
  const argv = ['pack', ROOT, '--ignore-scripts', '--json', '--pack-destination', folder];
  const { code, stdout, stderr } = await start('npm', argv, { env, cwd: home }).ended;
  expect(code, stderr).toBe(0);
  [packed] = JSON.parse(stdout);
});

async function runBlock(heading: string, more: Environment = {}, token = ''): Promise<Ended> {
  const text = blocks.find((block) => block.heading === heading)?.text ?? 'exit 99';
  const script = text
    // What a clone makes is what was packed above.
    .replace('npm ci && npm pack && ', '')
    .replace('./orgctl-*.tgz', join(folder, packed.filename))
    .replaceAll('8480', String(await findFreePort()))
    // A busy machine takes longer to start it than orgctl tries.
    .replace(/ &$/m, ' &\nuntil grep -q ORGCTL_BASE_URL sandbox.log; do sleep 0.1; done');
  // A server that it leaves behind because it failed ends as well.
  writeFileSync(join(home, 'typed'), token);
  const line = `exec < typed; set -e; trap 'kill $! 2> /dev/null || true' EXIT\n${script}\nexport -p > left`;
  const ended = await start('bash', ['-c', line], { env: { ...env, ...more }, cwd: home }).ended;
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
  expect(readFileSync(join(home, 'left'), 'utf8').includes('ORGCTL_'), 'variables are left').toBe('ORGCTL_ORG' in more);
  return ended;
}

test('the package holds what is needed to run, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed =
    /^(?:bin\/orgctl\.cjs|dist\/[\w-]+\.cjs|dist\/THIRD-PARTY-LICENSES\.txt|src\/help\/recipes\/[\w./-]+|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['bin/orgctl.cjs', 'dist/main.cjs', 'LICENSE', 'package.json']));
  // The layers are what tests use below the command line.
  const built = readdirSync(join(ROOT, 'dist')).filter((name) => /\.(cjs|txt)$/.test(name) && name !== 'layers.cjs');
  expect(paths.filter((path) => path.startsWith('dist/')).sort()).toEqual(built.map((name) => `dist/${name}`).sort());
  const executable = packed.files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path }) => path);
  expect(executable).toEqual([
    'bin/orgctl.cjs',
    'src/help/recipes/systemd/follow-audit-trail',
    'src/help/recipes/systemd/rotate-audit-token',
  ]);
});

// From top to bottom, in whatever order other tests run.
describe('a newcomer', { shuffle: false }, () => {
  test('installs libsql, openpgp and what they need, and nothing else', async () => {
    const { stdout } = await runBlock('Install');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(packageJson.version);
    expect(realpathSync(join(prefix, 'bin', 'orgctl'))).toContain(realpathSync(prefix));
    const requests = registry.requests.map(readPath);
    const names = requests.filter((request) => NAMES.includes(request) || request === OPTIONAL);
    const archives = requests.filter((request) => request.endsWith('/-/archive.tar'));
    expect(requests.toSorted()).toEqual([...names, ...archives].toSorted());
    expect(names).toEqual(expect.arrayContaining(['libsql', 'openpgp']));
    // Of the native parts those for this system and processor alone.
    const native = `@libsql/${process.platform}-${process.arch}`;
    const strange = archives.filter((path) => path.startsWith('@libsql/') && !path.startsWith(native));
    expect({ strange, native: archives.some((path) => path.startsWith(native)) }).toEqual({
      strange: [],
      native: true,
    });
    const beside = readdirSync(join(modules, 'node_modules'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map(dirname);
    expect(beside.toSorted()).toEqual(archives.map((path) => path.replace('/-/archive.tar', '')).toSorted());
  });

  test('tries it', async () => {
    const { stdout, stderr } = await runBlock('Try it');
    expect(stdout).toMatch(/^olive\.owner@example\.com\tactive\towners\tolive-owner\tou-\w+$/m);
    expect(stdout).toMatch(/^invited\tana@example\.com\tacme\t/m);
    expect(stdout).toMatch(/^exit code 5$/m);
    expect(readFileSync(join(home, 'audit-token'), 'utf8')).toMatch(/^sandbox\.\S+$/);
    expect(stderr).toContain("orgctl: you don't have permission to invite people to acme\n");
  });

  test('logs in, lists and lets everything be checked', async () => {
    const served = await serve();
    const { ORGCTL_TOKEN: token = '', ...service } = served.as('owner');
    const more = { ...service, PATH: env.PATH ?? '', HOME: home };
    const { stdout, stderr } = await runBlock('With your account', more, token);
    expect(stdout).toMatch(/^olive\.owner@example\.com\tactive\towners\tolive-owner\tou-\w+$/m);
    expect(stdout).toMatch(/^organization\tok\t/m);
    expect(stderr).not.toMatch(/^orgctl: /m);
  });

  test('tests a script against a service that fails once', async () => {
    const { stdout, stderr } = await runBlock('In scripts');
    expect(stdout).toMatch(/^olive\.owner@example\.com\t/m);
    expect(stderr).toMatch(/\b503\b/);
  });
});
