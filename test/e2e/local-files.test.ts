import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { serve } from '../support/service.ts';
import { createPlace, type Environment, ORGCTL, orgctl, start } from '../support/shipped.ts';

const POSIX = process.platform !== 'win32';
const list = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

test.runIf(POSIX)('other users can read nothing that orgctl makes, whatever the umask says', async () => {
  const { home, env } = createPlace();
  for (const line of [
    'settings set org acme',
    '--sandbox members list',
    '--sandbox --org initech audit-token rotate --expires 90d --to file:token --yes',
  ]) {
    const { code, stderr } = await start('sh', ['-c', `umask 000; orgctl ${line}`], { env, cwd: home }).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }
  const made = list(home);
  expect(made).toEqual(expect.arrayContaining(['token', '.config/orgctl/config.json']));
  expect(made.filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0)).toEqual([]);
});

test.each([
  [{ HOME: '.', XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: 's' }, 'there is no home folder to keep files in'],
  [{ ORGCTL_CONFIG_DIR: 'own' }, "ORGCTL_CONFIG_DIR must be an absolute path, not 'own'"],
  [{ ORGCTL_STATE_DIR: 'own' }, "ORGCTL_STATE_DIR must be an absolute path, not 'own'"],
])('nothing is put where orgctl happens to run: %j', async (more, message) => {
  const { env } = createPlace();
  const cwd = createFolder();
  const argv = 'ORGCTL_STATE_DIR' in more ? ['--sandbox', 'teams', 'list'] : ['settings', 'set', 'org', 'acme'];
  const { code, stderr } = await orgctl(argv, { env: { ...env, ...more }, cwd });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`orgctl: ${message}\n`) });
  expect(list(cwd)).toEqual([]);
});

/** What other tools take from the folder they are started in; a cloned repository may bring any of these. */
const PLANTED: Record<string, string> = {
  '.env': 'ORGCTL_BASE_URL=http://127.0.0.1:1/api/v2\nORGCTL_TOKEN=planted\nORGCTL_ORG=planted\n',
  'config.json': '{"org":"planted","base-url":"http://127.0.0.1:1/api/v2"}',
  'credentials.json': '{"tokens":{}}',
  '.orgctlrc': 'org=planted\n',
  'orgctl.config.js': 'throw new Error("planted");\n',
  '.terraformrc': 'credentials "127.0.0.1" { token = "planted" }\n',
  'credentials.tfrc.json': '{"credentials":{"127.0.0.1":{"token":"planted"}}}',
  '.npmrc': 'node-options=--require=./planted.cjs\n',
  'planted.cjs': 'throw new Error("planted");\n',
  'package.json': '{"type":"module","orgctl":{"org":"planted"}}',
};

test('nothing in the folder that orgctl is started in is read', async () => {
  const served = await serve();
  const cwd = createFolder();
  for (const [name, text] of Object.entries(PLANTED)) writeFileSync(join(cwd, name), text);
  const settings = await orgctl(['settings', 'list'], { env: served.env, cwd });
  const members = await orgctl(['members', 'list'], { env: served.as('owner'), cwd });
  expect([settings, members]).toMatchObject(Array(2).fill({ code: 0, stderr: '' }));
  expect(settings.stdout + members.stdout).not.toContain('planted');
});

/** Node runs compiled code that it finds as it is: from a folder of this user alone, or from none. */
describe.skipIf(!('enableCompileCache' in module) || process.platform !== 'linux')('compiled code (Node 22.1)', () => {
  /** What is in a home and in the folders beside it after a run. */
  function run(env: (home: string) => Environment, prepare = (_cache: string): void => undefined): string[] {
    const home = createFolder();
    const cache = join(home, '.cache', 'orgctl');
    mkdirSync(dirname(cache), { mode: 0o700 });
    prepare(cache);
    const ended = spawnSync(process.execPath, [ORGCTL, 'settings', 'list'], { env: env(home), encoding: 'utf8' });
    expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: '' });
    return list(home).flatMap((name) => /^(.*)\/v\d[^/]+$/.exec(name)?.slice(1) ?? []);
  }
  const inHome = (home: string): Environment => ({ HOME: home, TMPDIR: home });

  test('is kept in a folder of its own', () => {
    expect(run(inHome)).toEqual(['.cache/orgctl']);
    expect(run((home) => ({ ...inHome(home), XDG_CACHE_HOME: join(home, 'xdg') }))).toEqual(['xdg/orgctl']);
    expect(run((home) => ({ ...inHome(home), XDG_CACHE_HOME: 'xdg' }))).toEqual(['.cache/orgctl']);
    expect(run((home) => ({ ...inHome(home), NODE_COMPILE_CACHE: join(home, 'named') }))).toEqual(['named']);
    expect(run((home) => ({ ...inHome(home), NODE_DISABLE_COMPILE_CACHE: '1' }))).toEqual([]);
  });

  test.each<[folder: string, prepare: (cache: string) => void]>([
    [
      'is open to others',
      (cache) => {
        mkdirSync(cache);
        chmodSync(cache, 0o770);
      },
    ],
    [
      'is behind a symlink',
      (cache) => {
        mkdirSync(`${cache}-else`, { mode: 0o700 });
        symlinkSync(`${cache}-else`, cache);
      },
    ],
    ...(process.getuid?.() === 0
      ? [
          [
            'is of another user',
            (cache: string) => {
              mkdirSync(cache, { mode: 0o700 });
              chownSync(cache, 61_001, 61_001);
            },
          ] as [string, (cache: string) => void],
        ]
      : []),
  ])('is not run from a folder that %s', (_folder, prepare) => expect(run(inHome, prepare)).toEqual([]));

  test('is not kept without a home', () => {
    const folder = createFolder();
    spawnSync(process.execPath, [ORGCTL, '--help'], { env: { TMPDIR: folder } });
    expect(existsSync(join(folder, 'node-compile-cache'))).toBe(false);
  });
});
