import { copyFileSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readBlocks, readDocument } from '../support/documents.ts';
import { findFreePort } from '../support/ports.ts';
import { type Registry, startRegistry } from '../support/registry.ts';
import { createRelease, createSigningKey } from '../support/release.ts';
import { serve } from '../support/served.ts';
import { createPlace, type Ended, type Environment, ROOT, start } from '../support/shipped.ts';

/** What README.md has a newcomer type, from top to bottom, in an empty home: with the package that npm packs, installed as it says. */

const blocks = readBlocks('README.md');
const readme = readDocument('README.md');

const place = createPlace(afterAll);
const { home } = place;
const folder = dirname(home);
const prefix = join(folder, 'prefix');
const archive = join(folder, `orgctl-${packageJson.version}.tgz`);
let env: Environment;
let registry: Registry;

afterAll(() => registry.close());

beforeAll(async () => {
  registry = await startRegistry();
  env = {
    ...place.env,
    // No other orgctl, and the Node that runs the tests.
    PATH: [
      join(prefix, 'bin'),
      dirname(process.execPath),
      ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => !existsSync(join(each, 'orgctl'))),
    ].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_registry: registry.url,
  };
  // Its scripts would build again, while other tests read what is built.
  const argv = ['pack', ROOT, '--ignore-scripts', '--pack-destination', folder];
  const { code, stderr } = await start('npm', argv, { env, cwd: home }).ended;
  expect(code, stderr).toBe(0);
});

async function runBlock(heading: string, more: Environment = {}, token = ''): Promise<Ended> {
  const text = blocks.find((block) => block.heading === heading)?.text ?? 'exit 99';
  const script = text
    // What a clone makes is what was packed above.
    .replace('npm ci && npm pack && ', '')
    .replace('./orgctl-*.tgz', archive)
    .replaceAll('8480', String(await findFreePort()));
  // A server that it leaves behind because it failed ends as well.
  writeFileSync(join(home, 'typed'), token);
  const line = `exec < typed; set -e; trap 'kill $! 2> /dev/null || true' EXIT\n${script}\nexport -p > left`;
  const ended = await start('bash', ['-c', line], { env: { ...env, ...more }, cwd: home }).ended;
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
  expect(readFileSync(join(home, 'left'), 'utf8').includes('ORGCTL_'), 'variables are left').toBe('ORGCTL_ORG' in more);
  return ended;
}

test('README.md is short, and has these blocks', () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(130);
  expect(blocks.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    'Install: sh',
    'Try it: sh',
    'With your account: sh',
    'In scripts: sh',
    'Development: sh',
  ]);
});

// From top to bottom, in whatever order other tests run.
describe('a newcomer', { shuffle: false }, () => {
  test('installs', async () => {
    const { stdout } = await runBlock('Install');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(packageJson.version);
    expect(realpathSync(join(prefix, 'bin', 'orgctl'))).toContain(realpathSync(prefix));
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
    const { stdout, stderr } = await runBlock(
      'With your account',
      { ...service, PATH: env['PATH'] ?? '', HOME: home },
      token,
    );
    expect(stdout).toMatch(/^olive\.owner@example\.com\tactive\towners\tolive-owner\tou-\w+$/m);
    expect(stdout).toMatch(/^organization\tok\t/m);
    expect(stderr).not.toMatch(/^orgctl: /m);
  });

  test('does the daily jobs, each by the command of its row', async () => {
    const jobs = [...readme.matchAll(/^\| [A-Z][^|]+ \| `(orgctl .*)` \|$/gm)].map(([, line = '']) =>
      line.replaceAll('\\|', '|'),
    );
    expect(jobs).toHaveLength(10);
    const served = await serve();
    const service = { ...env, ...served.as('owner'), PATH: env['PATH'] ?? '', HOME: home };
    copyFileSync(new URL('../fixtures/lock-files/listed.hcl', import.meta.url), join(home, '.terraform.lock.hcl'));
    for (const line of jobs) {
      const ended = await start('bash', ['-c', line], { env: service, cwd: home }).ended;
      expect({ line, code: ended.code }, ended.stderr).toEqual({ line, code: 0 });
    }
  });

  const rows = [...readme.matchAll(/^\| `([a-z-]+)` \|([^|]*)\| `([^`]+)` \|$/gm)].map(
    ([, noun = '', verbs = '', line = '']) => ({ noun, verbs: verbs.trim().split(', ').filter(Boolean), line }),
  );

  test('finds every command in a table', async () => {
    const { readCommandTree } = await import('../support/command-tree.ts');
    const { verbs } = await readCommandTree();
    const listed = rows.flatMap(({ noun, verbs: own }) =>
      own.length === 0 ? [noun] : own.map((verb) => `${noun} ${verb}`),
    );
    expect(listed.toSorted()).toEqual(verbs.filter((words) => !/^(help|version)$/.test(words)).toSorted());
  });

  test.each(rows)('runs the example of $noun', async ({ line }) => {
    const served = await serve();
    const service = { ...env, ...served.as('owner'), PATH: env['PATH'] ?? '', HOME: home };
    if (line.includes('--dir dist')) {
      const { publicKey } = await createRelease({ dir: join(home, 'dist'), key: await createSigningKey() });
      copyFileSync(publicKey, join(home, 'key.asc'));
    }
    const ended = await start('bash', ['-c', line], { env: service, cwd: home }).ended;
    expect(ended.code, ended.stderr).toBe(0);
  });

  test('tests a script against a service that fails once', async () => {
    const { stdout, stderr } = await runBlock('In scripts');
    expect(stdout).toMatch(/^olive\.owner@example\.com\t/m);
    expect(stderr).toMatch(/\b503\b/);
  });

  test('runs scripts that a clone has', () => {
    const lines =
      blocks
        .find(({ heading }) => heading === 'Development')
        ?.text.trimEnd()
        .split('\n') ?? [];
    const names = lines.map((line) => line.replace(/^npm (?:run )?/, '').replace(/ .*/, ''));
    expect(names).toEqual(['demo', 'test:fast', 'test']);
    expect(names.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });

  test('follows links to files that are there: in the package, or in a clone by those who read of one', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const isInPackage = (path: string): boolean =>
      ['LICENSE', ...packageJson.files].some((each) => path === each || path.startsWith(`${each}/`));
    // The last lines of README.md, and what the release makes a whole address of.
    expect(links.filter((path) => !isInPackage(path))).toEqual([
      '.github/demo.svg',
      '.github/SECURITY.md',
      'CONTRIBUTING.md',
      'src/README.md',
    ]);
  });
});
