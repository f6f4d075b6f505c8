import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../support/served.ts';
import { ORGCTL } from '../support/shipped.ts';

/** What orgctl reads of another user's, in the places that jobs and containers run in. */

// Numbers that no user has.
const [ME, OTHER] = [61_001, 61_002];
const CAN_ACT = process.platform === 'linux' && process.getuid?.() === 0 && act(ME, ['--version']).code === 0;
if (!CAN_ACT) {
  process.stderr.write(
    '\n*** NOT ROOT ON LINUX, OR NOT IN A FOLDER THAT ALL MAY READ: NO TEST ACTS AS ANOTHER USER ***\n\n',
  );
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

function act(user: number | User, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { uid, gid } = typeof user === 'number' ? { uid: user, gid: user } : user;
  const { status, stdout, stderr } = spawnSync(process.execPath, [ORGCTL, ...argv], {
    uid,
    gid,
    env: { TZ: 'UTC', NODE_DISABLE_COMPILE_CACHE: '1', ...env },
    cwd: '/',
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

/** Below a folder with the sticky bit, as all folders for temporary files are. */
function createPlace(owner: number | User, mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-others-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return give(folder, owner, mode);
}

function make(path: string, owner: number | User, mode: number): string {
  mkdirSync(path);
  return give(path, owner, mode);
}

function give(path: string, owner: number | User, mode: number): string {
  const { uid, gid } = typeof owner === 'number' ? { uid: owner, gid: owner } : owner;
  chownSync(path, uid, gid);
  chmodSync(path, mode);
  return path;
}

function write(folder: string, name: string, content: object, owner: number | User, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return give(path, owner, mode);
}

/** A user of this machine with a group of their own. */
function findUser(): User | undefined {
  const read = (path: string) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(':'));
  const [users, groups] = [read('/etc/passwd'), read('/etc/group')];
  const found = users.find(
    ([, , uid, gid]) =>
      uid !== '0' &&
      gid !== '0' &&
      users.filter((user) => user[3] === gid).length === 1 &&
      groups.some(([, , id, members]) => id === gid && members === ''),
  );
  return found === undefined ? undefined : { uid: Number(found[2]), gid: Number(found[3]) };
}

const SETTINGS = { org: 'acme', 'base-url': 'http://127.0.0.1:1' };

interface Row {
  /** Who runs orgctl. */
  readonly as?: number | User | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Puts the file there. Returns the folder of settings, and what is to be named where they are refused. */
  readonly prepare: (settings: object) => readonly [folder: string, culprit: string];
}

const own = (owner: number | User, mode: number, fileMode?: number) => (settings: object) => {
  const folder = createPlace(owner, mode);
  return [folder, write(folder, 'config.json', settings, owner, fileMode)] as const;
};

const USED: Readonly<Record<string, Row>> = {
  'a folder of my own, which others can read': { prepare: own(ME, 0o755, 0o644) },
  'a folder of root, with a file of root': { prepare: own(0, 0o755, 0o644) },
  'umask 002, with a group that is mine alone': { as: findUser(), prepare: own(findUser() ?? ME, 0o775, 0o664) },
  'umask 002, with numbers that the machine does not know': { prepare: own(ME, 0o775, 0o664) },
  'a random number and group 0 that may write, as in OpenShift': {
    as: { uid: ME, gid: 0 },
    prepare: own({ uid: 0, gid: 0 }, 0o775, 0o664),
  },
  'sudo with the HOME of who calls it': {
    as: 0,
    env: { SUDO_UID: String(OTHER) },
    prepare: own(OTHER, 0o700),
  },
  'a link of my own to a file of my own': {
    prepare(settings) {
      const [folder, other] = [createPlace(ME, 0o755), createPlace(ME, 0o755)];
      symlinkSync(write(other, 'dotfile', settings, ME), join(folder, 'config.json'));
      lchownSync(join(folder, 'config.json'), ME, ME);
      return [folder, ''];
    },
  },
  'a disk that nobody can write to, as of a ConfigMap': {
    prepare(settings) {
      const folder = createPlace(0, 0o777);
      const mount = (...argv: string[]) => expect(spawnSync('mount', argv).status).toBe(0);
      mount('-t', 'tmpfs', '-o', 'mode=777', 'none', folder);
      onTestFinished(() => void spawnSync('umount', [folder]));
      write(folder, 'config.json', settings, 0, 0o644);
      mount('-o', 'remount,ro', folder);
      return [folder, ''];
    },
  },
};

const REFUSED: Readonly<Record<string, Row>> = {
  'a file of another': {
    prepare(settings) {
      const folder = createPlace(ME, 0o755);
      return [folder, write(folder, 'config.json', settings, OTHER, 0o644)];
    },
  },
  'a folder of another, with a file of mine': {
    prepare(settings) {
      const folder = createPlace(OTHER, 0o755);
      write(folder, 'config.json', settings, ME);
      return [folder, folder];
    },
  },
  'a folder above, of another': {
    prepare(settings) {
      const above = createPlace(OTHER, 0o755);
      const folder = make(join(above, 'orgctl'), ME, 0o700);
      write(folder, 'config.json', settings, ME);
      return [folder, above];
    },
  },
  'HOME in a shared folder': {
    prepare(settings) {
      const shared = createPlace(0, 0o777);
      const folder = make(join(shared, 'orgctl'), ME, 0o700);
      write(folder, 'config.json', settings, ME);
      return [folder, shared];
    },
  },
  'what another put into a folder with the sticky bit': {
    prepare(settings) {
      const folder = make(join(createPlace(0, 0o1777), 'orgctl'), OTHER, 0o755);
      write(folder, 'config.json', settings, OTHER, 0o644);
      return [folder, folder];
    },
  },
  'modes 0777, as of Windows disks in WSL': {
    prepare(settings) {
      const folder = createPlace(ME, 0o777);
      write(folder, 'config.json', settings, ME, 0o777);
      return [folder, folder];
    },
  },
  'a group of others that may write': { prepare: own({ uid: ME, gid: OTHER }, 0o755, 0o664) },
  'root, with the HOME of another': {
    as: 0,
    prepare(settings) {
      const home = createPlace(OTHER, 0o755);
      const folder = make(join(home, 'orgctl'), 0, 0o700);
      write(folder, 'config.json', settings, 0);
      return [folder, home];
    },
  },
  'SUDO_UID, of who is not root': { env: { SUDO_UID: String(OTHER) }, prepare: own(OTHER, 0o755, 0o644) },
  'a link of another to my folder': {
    prepare(settings) {
      const [real, folder] = [createPlace(ME, 0o755), join(createPlace(0, 0o1777), 'link')];
      write(real, 'config.json', settings, ME);
      symlinkSync(real, folder);
      lchownSync(folder, OTHER, OTHER);
      return [folder, folder];
    },
  },
  'a link of mine to a file of another': {
    prepare(settings) {
      const [folder, other] = [createPlace(ME, 0o755), createPlace(OTHER, 0o755)];
      write(other, 'config.json', settings, OTHER, 0o644);
      symlinkSync(join(other, 'config.json'), join(folder, 'config.json'));
      lchownSync(join(folder, 'config.json'), ME, ME);
      return [folder, other];
    },
  },
};

describe.skipIf(!CAN_ACT)('settings', () => {
  const get = ({ as = ME, env }: Row, folder: string, name: string) =>
    act(as, ['settings', 'get', name], { ...env, ORGCTL_CONFIG_DIR: folder });

  test.each(Object.entries(USED))('of %s are used', (_place, row) => {
    const [folder] = row.prepare(SETTINGS);
    expect(get(row, folder, 'base-url')).toEqual({ code: 0, stdout: 'http://127.0.0.1:1\n', stderr: '' });
  });

  test.each(Object.entries(REFUSED))('of %s are refused', (_place, row) => {
    const [folder, culprit] = row.prepare(SETTINGS);
    const path = join(folder, 'config.json');
    const { code, stdout, stderr } = get(row, folder, 'org');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^orgctl: (?:others can change \S+|\S+ belongs to another user \(\d+\)), so the settings in/,
    );
    for (const named of [` ${culprit}`, ` ${path} are not used\n`, ': base-url.\n', 'ORGCTL_CONFIG_DIR'])
      expect(stderr).toContain(named);
  });

  test.each(Object.entries(REFUSED))(
    'of %s are used where nothing in them decides where a token goes',
    (_place, row) => {
      const [folder] = row.prepare({ org: 'acme', output: 'json', timeout: '5s' });
      expect(get(row, folder, 'org')).toEqual({ code: 0, stdout: 'acme\n', stderr: '' });
    },
  );

  const row = REFUSED['HOME in a shared folder'] as Row;
  test.each(
    Object.entries({
      'base-url': 'http://127.0.0.1:1',
      host: 'tfe.example.com',
      'ca-file': '/ca.pem',
      'allow-http': ['a'],
      'insecure-skip-tls-verify': true,
      to: ['stdout'],
      'token-command': 'id',
      profiles: { work: { org: 'acme' } },
    }),
  )('%s decides it', (name, value) => {
    const [folder] = row.prepare({ [name]: value });
    expect(get(row, folder, 'org')).toMatchObject({ code: 2, stderr: expect.stringContaining(` ${name}.\n`) });
  });

  test('are not written either where they would be refused, and can be removed', () => {
    const [folder] = row.prepare({ org: 'acme' });
    const set = (...argv: readonly string[]) => act(ME, ['settings', ...argv], { ORGCTL_CONFIG_DIR: folder });
    expect(set('set', 'base-url', 'http://127.0.0.1:1').code).toBe(2);
    // Before a token is typed.
    expect(act(ME, ['auth', 'login', '--profile', 'work'], { ORGCTL_CONFIG_DIR: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('orgctl: others can change '),
    });
    expect(set('set', 'output', 'json').code).toBe(0);
    write(folder, 'config.json', SETTINGS, ME);
    expect(set('set', 'output', 'json').code).toBe(2);
    expect(set('unset', 'base-url').code).toBe(0);
    expect(set('get', 'org').stdout).toBe('acme\n');
  });
});

describe.skipIf(!CAN_ACT)('what another put where anyone can', () => {
  const token = { credentials: { 'https://app.terraform.io': { token: 'planted.atlasv1.0123456789' } } };
  const tokens: readonly (readonly [kind: string, name: string, content: object])[] = [
    ['a stored token', '.config/orgctl/credentials.json', token],
    [
      'a token of Terraform',
      '.terraform.d/credentials.tfrc.json',
      { credentials: { 'app.terraform.io': { token: 'planted' } } },
    ],
  ];
  // Root can read what another keeps to themselves.
  const isUsed = (home: string) =>
    act(0, ['settings', 'list', '-o', 'csv'], { HOME: home }).stdout.includes('token,(set),');
  const plant = (home: string, name: string, content: object) => {
    const folders = name.split('/').slice(0, -1);
    for (const [index] of folders.entries()) make(join(home, ...folders.slice(0, index + 1)), OTHER, 0o755);
    return write(join(home, ...folders), name.split('/').at(-1) ?? '', content, OTHER);
  };

  test.each(tokens)('%s is not used', (_kind, name, content) => {
    const home = createPlace(0, 0o1777);
    plant(home, name, content);
    expect(isUsed(home)).toBe(false);
    const { code, stderr } = act(0, ['members', 'mine'], { HOME: home });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`belongs to another user (${OTHER}), so the secrets in it are not used`),
    });
  });

  test('a stored token is not used where a link of mine leads back to what others can write to', () => {
    const shared = createPlace(0, 0o777);
    plant(shared, 'theirs/credentials.json', token);
    symlinkSync('theirs', join(shared, 'link'));
    symlinkSync('../theirs', join(make(join(shared, 'mine'), 0, 0o755), 'link'));
    for (const folder of ['link', 'mine/link'].map((name) => join(shared, name))) {
      const { code, stderr } = act(0, ['members', 'mine'], { ORGCTL_CONFIG_DIR: folder });
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${join(shared, 'theirs')} belongs to another user (${OTHER})`),
      });
    }
  });

  test.each(tokens)('%s is used in the home of another, who was given it', (_kind, name, content) => {
    const home = make(join(createPlace(0, 0o755), 'other'), OTHER, 0o755);
    plant(home, name, content);
    expect(isUsed(home)).toBe(true);
  });

  test('a folder of state, a cursor and a log of writes are not used', () => {
    const place = createPlace(0, 0o1777);
    const state = make(join(place, 'state'), OTHER, 0o755);
    const env = {
      HOME: place,
      ORGCTL_STATE_DIR: state,
      ORGCTL_TOKEN: 'a',
      ORGCTL_BASE_URL: 'http://127.0.0.1:1',
      ORGCTL_ORG: 'acme',
    };
    const refused = (argv: readonly string[], path: string, more: Readonly<Record<string, string>> = {}) => {
      const { code, stderr } = act(0, argv, { ...env, ...more });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(path) });
      expect(stderr).toContain(`belongs to another user (${OTHER})`);
    };
    refused(['audit-token', 'rotate', '--to', 'stdout', '--expires', '1d'], state);
    const position = { version: 1, service: 'http://127.0.0.1:1', recent: {}, from: '2099-01-01T00:00:00.000Z' };
    const cursor = write(place, 'cursor.json', position, OTHER);
    refused(['audit-trail', 'follow', '--once', '--cursor', cursor], cursor);
    const log = write(place, 'writes.ndjson', {}, OTHER);
    refused(['--sandbox', 'members', 'invite', 'a@example.com', '--team', 'platform'], log, {
      ORGCTL_LOG_FILE: log,
      ORGCTL_STATE_DIR: join(place, 'mine'),
    });
  });

  test('a folder of state that can not be written needs attention, and no rotation can begin', async () => {
    const state = make(join(createPlace(0, 0o755), 'state'), 0, 0o755);
    const env = { HOME: '/', ORGCTL_STATE_DIR: state, ORGCTL_TOKEN: 'a', ORGCTL_BASE_URL: 'http://127.0.0.1:1' };
    const { stdout } = act(ME, ['doctor', '--max-retries', '0', '--fields', 'check,status,detail'], env);
    expect(stdout).toContain(`files\tattention\tcan't write ${state} (you don't have permission)`);
    const { as } = await serve(['--listen', '127.0.0.1']);
    const { ORGCTL_BASE_URL = '', ORGCTL_TOKEN = '' } = as('owner');
    const known = { ...env, ORGCTL_BASE_URL, ORGCTL_TOKEN, ORGCTL_ORG: 'acme' };
    const reader = act(ME, ['doctor', '--fields', 'check,status'], known);
    expect(reader).toMatchObject({ code: 13, stdout: expect.not.stringContaining('failed') });
    const rotate = ['audit-token', 'rotate', '--to', 'exec:/bin/cat', '--expires', '1d', '--yes'];
    for (const argv of [rotate, [...rotate, '--dry-run']]) {
      const { code, stderr } = act(ME, argv, known);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`can't write ${state}`) });
      expect(stderr).toContain('Nothing was sent.');
    }
  });

  test('a cursor that others can change is not used', () => {
    const cursor = write(createPlace(ME, 0o700), 'cursor.json', {}, ME, 0o666);
    const env = { HOME: '/', ORGCTL_TOKEN: 'a', ORGCTL_BASE_URL: 'http://127.0.0.1:1' };
    expect(act(ME, ['audit-trail', 'follow', '--once', '--cursor', cursor], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`others can change ${cursor}, so the cursor is not used`),
    });
  });
});
