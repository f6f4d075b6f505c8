import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { OrgctlError, UsageError } from '../../../../src/old/errors.ts';
import { parseSinks } from '../../../../src/old/rotation/sinks/parse.ts';
import type { Sink } from '../../../../src/old/rotation/sinks/sink.ts';
import { createFolder, failure, makePipe, permissions } from '../../../support/files.ts';
import {
  buildDriver,
  createOpenFolder,
  drive,
  NO_MOUNTS,
  NO_OTHER_USER,
  NOBODY,
  NOT_ROOT,
  type Step,
  titled,
} from './driven.ts';
import { createSurroundings, listAll, SECRET, TOKEN } from './surroundings.ts';

const ON_WINDOWS = process.platform === 'win32';

function sinkAt(path: string, cwd?: string): Sink {
  const [sink] = parseSinks([`file:${path}`], createSurroundings(cwd === undefined ? {} : { cwd }));
  if (sink === undefined) throw new Error('no sink');
  return sink;
}

async function deliver(sink: Sink, secret = SECRET): Promise<void> {
  const prepared = await sink.prepare('u');
  await prepared.deliver(secret);
  await prepared.discard();
}

/** Why nothing can be made unchangeable here, or undefined. */
const NOT_CHANGEABLE = canMarkFolder() ? undefined : 'needs root and chattr';

function mark(path: string, flag: '+i' | '-i'): boolean {
  return spawnSync('sh', ['-c', 'chattr "$1" "$2"', 'sh', flag, path]).status === 0;
}

function canMarkFolder(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-sinks-'));
  const isMarked = mark(folder, '+i');
  mark(folder, '-i');
  rmSync(folder, { recursive: true });
  return isMarked;
}

/** A test that is left out where there is a reason to. */
const itUnless = (reason: string | undefined) => (title: string, act: () => Promise<void>) =>
  it.skipIf(reason !== undefined)(titled(title, reason), act);

function createToken(content: string, mode = 0o600): string {
  const path = join(createFolder(), 'token');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe('a file', () => {
  it('holds the secret alone, for its owner alone', async () => {
    const folder = createFolder();
    await deliver(sinkAt(join(folder, 'token')));
    expect(readdirSync(folder)).toEqual(['token']);
    expect(readFileSync(join(folder, 'token'), 'utf8')).toBe(SECRET);
    expect(permissions(join(folder, 'token'))).toBe(ON_WINDOWS ? 0o666 : 0o600);
  });

  it('is looked for from the folder the command runs in', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'below'));
    await deliver(sinkAt('below/token', folder));
    expect(readFileSync(join(folder, 'below', 'token'), 'utf8')).toBe(SECRET);
  });

  it.each([
    ['longer than what was there', 'x'],
    ['shorter than what was there', 'x'.repeat(10_000)],
  ])('is replaced by a secret that is %s', async (_title, present) => {
    const path = createToken(present);
    await deliver(sinkAt(path));
    expect(readFileSync(path, 'utf8')).toBe(SECRET);
  });

  it('takes every byte of a secret, also more than was reserved', async () => {
    const path = join(createFolder(), 'token');
    const strange = `a\nb\0${'é'.repeat(10_000)}`;
    await deliver(sinkAt(path), strange);
    expect(readFileSync(path, 'utf8')).toBe(strange);
  });

  itUnless(NOT_ROOT)('keeps its group', async () => {
    const path = createToken('old', 0o640);
    chownSync(path, 0, 2_345);
    const before = statSync(path).ino;
    await deliver(sinkAt(path));
    expect(statSync(path)).toMatchObject({ uid: 0, gid: 2_345, size: SECRET.length });
    expect(permissions(path)).toBe(0o640);
    expect(statSync(path).ino).not.toBe(before);
  });

  itUnless(NOT_ROOT)('of another user is refused before there is a secret, also by root', async () => {
    const path = createToken('old', 0o666);
    chownSync(path, 1_234, 0);
    for (const name of [`file:${path}`, `env-file:${path}#KEY`]) {
      const [sink] = parseSinks([name], createSurroundings());
      for (const act of [() => sink?.check(), () => sink?.prepare('u')]) {
        expect(await failure(Promise.resolve(act()))).toMatchObject({
          exit: 'usage',
          message: `${name}: ${path} belongs to another user (1234), who can read the new token`,
        });
      }
    }
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it.skipIf(ON_WINDOWS).each([
    [0o600, []],
    [0o400, []],
    [0o640, [/: others can read .* \(mode 640\), and with it the new token\. Use chmod 600\.$/]],
    [0o644, [/\(mode 644\)/]],
    [0o2755, [/\(mode \d*755\)/]],
  ])('keeps its mode %o, with a warning where others can read it', async (mode, expected) => {
    const path = createToken('A=1\n', mode);
    for (const name of [`env-file:${path}#KEY`, `file:${path}`]) {
      const surroundings = createSurroundings();
      const [sink] = parseSinks([name], surroundings);
      if (sink === undefined) throw new Error('no sink');
      await deliver(sink);
      expect(surroundings.warnings()).toEqual(expected.map((text) => expect.stringMatching(text)));
      expect(readFileSync(path, 'utf8')).toContain(SECRET);
      expect(permissions(path)).toBe(mode);
    }
  });

  it.skipIf(ON_WINDOWS)('that became a named pipe meanwhile is neither waited for nor replaced', async () => {
    const path = createToken('old');
    const sink = sinkAt(path);
    const prepared = await sink.prepare('u');
    rmSync(path);
    makePipe(path);
    const error = await failure(prepared.deliver(SECRET));
    expect(error).toMatchObject({ exit: 'not-delivered', reasons: [`${path} is a named pipe now, not a file`] });
    expect(await sink.read()).toBeUndefined();
    await prepared.discard();
    expect(readdirSync(dirname(path))).toEqual(['token']);
  });

  it('keeps the mode it has at delivery', async () => {
    const path = createToken('old', 0o644);
    const prepared = await sinkAt(path).prepare('u');
    chmodSync(path, 0o600);
    await prepared.deliver(SECRET);
    expect(permissions(path) & 0o077).toBe(ON_WINDOWS ? 0o066 : 0);
  });

  it('with a name as long as names can be is replaced as well', async () => {
    const folder = createFolder();
    const sink = sinkAt(join(folder, 'é'.repeat(127)));
    await deliver(sink);
    expect(readdirSync(folder)).toEqual(['é'.repeat(127)]);
  });
});

describe('before there is a secret', () => {
  it('a file with room in it is beside the target, as announced, and gone when discarded', async () => {
    const folder = realpathSync(createFolder());
    const sink = sinkAt(join(folder, 'token'));
    expect(await sink.temporaries('u')).toEqual([join(folder, '.token.orgctl-u')]);
    expect(readdirSync(folder)).toEqual([]);
    const prepared = await sink.prepare('u');
    const temporary = join(folder, '.token.orgctl-u');
    expect(readdirSync(folder)).toEqual(['.token.orgctl-u']);
    expect(readFileSync(temporary)).toEqual(Buffer.alloc(4_096));
    expect(permissions(temporary)).toBe(ON_WINDOWS ? 0o666 : 0o600);
    await prepared.discard();
    await prepared.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  itUnless(NOT_CHANGEABLE)('no secret stays in it where the folder is made unchangeable meanwhile', async () => {
    const folder = createFolder();
    const prepared = await sinkAt(join(folder, 'token')).prepare('u');
    mark(folder, '+i');
    try {
      expect(await failure(prepared.deliver(TOKEN))).toMatchObject({ exit: 'not-delivered' });
      await prepared.discard();
      expect(readFileSync(join(folder, '.token.orgctl-u'), 'utf8')).toBe('');
    } finally {
      mark(folder, '-i');
    }
  });

  it("somebody else's file of that name is left alone", async () => {
    const folder = createFolder();
    writeFileSync(join(folder, '.token.orgctl-u'), 'theirs');
    const error = await failure(sinkAt(join(folder, 'token')).prepare('u'));
    expect(error).toBeInstanceOf(UsageError);
    expect(readFileSync(join(folder, '.token.orgctl-u'), 'utf8')).toBe('theirs');
  });

  it('a check leaves no trace', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'token'), 'old');
    symlinkSync('token', join(folder, 'link'));
    symlinkSync('new', join(folder, 'dangling'));
    const before = listAll(folder);
    for (const name of ['token', 'link', 'dangling', 'none']) {
      const sink = sinkAt(join(folder, name));
      await sink.check();
      await sink.temporaries('u');
      await sink.read();
    }
    expect(listAll(folder)).toEqual(before);
  });

  it('a delivery that fails says why, and the file stays', async () => {
    const folder = createFolder();
    const prepared = await sinkAt(join(folder, 'token')).prepare('u');
    mkdirSync(join(folder, 'token'));
    const error = await failure(prepared.deliver(SECRET));
    expect(error).toBeInstanceOf(OrgctlError);
    expect(error).toMatchObject({ exit: 'not-delivered', message: `not delivered to file:${folder}/token` });
    expect(JSON.stringify([error, (error as OrgctlError).reasons])).not.toContain(SECRET);
    await prepared.discard();
    expect(readdirSync(folder)).toEqual(['token']);
    expect(statSync(join(folder, 'token')).isDirectory()).toBe(true);
  });
});

describe.skipIf(ON_WINDOWS)('a symlink', () => {
  it('stays, and the file it leads to is replaced', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'there'));
    writeFileSync(join(folder, 'there', 'token'), 'old');
    symlinkSync('there', join(folder, 'here'));
    symlinkSync('here/../there/token', join(folder, 'second'));
    symlinkSync(join(folder, 'second'), join(folder, 'first'));
    const sink = sinkAt(join(folder, 'first'));
    expect(await sink.temporaries('u')).toEqual([join(realpathSync(folder), 'there', '.token.orgctl-u')]);
    await deliver(sink);
    expect(readFileSync(join(folder, 'there', 'token'), 'utf8')).toBe(SECRET);
    expect(readlinkSync(join(folder, 'second'))).toBe('here/../there/token');
    expect(readdirSync(folder).sort()).toEqual(['first', 'here', 'second', 'there']);
  });

  it('to a file that does not exist has it made', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'there'));
    symlinkSync('there/token', join(folder, 'link'));
    await deliver(sinkAt(join(folder, 'link')));
    expect(readFileSync(join(folder, 'there', 'token'), 'utf8')).toBe(SECRET);
    expect(readlinkSync(join(folder, 'link'))).toBe('there/token');
  });

  it('in a circle is refused', async () => {
    const folder = createFolder();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    for (const sink of [sinkAt(join(folder, 'a')), sinkAt(join(folder, 'a', 'token'))]) {
      expect(await failure(sink.prepare('u'))).toMatchObject({
        exit: 'usage',
        message: expect.stringContaining('form a circle'),
      });
    }
  });
});

describe('what is no file to replace', () => {
  type Row = readonly [what: string, make: (folder: string) => string | Promise<string>, message: string];
  const onPosix: readonly Row[] = [
    ['a device', () => '/dev/null', 'PATH is a device, not a file'],
    [
      'a named pipe, without waiting for a reader',
      (folder) => makePipe(join(folder, 'pipe')),
      'PATH is a named pipe, not a file',
    ],
    [
      'a socket',
      async (folder) => {
        const server = createServer().listen(join(folder, 'socket'));
        onTestFinished(() => void server.close());
        await once(server, 'listening');
        return join(folder, 'socket');
      },
      'PATH is a socket, not a file',
    ],
  ];
  it.each<Row>([
    ['a folder', (folder) => folder, 'PATH is a folder, not a file'],
    ['a missing folder, which is not made', (folder) => join(folder, 'none', 'token'), "FOLDER doesn't exist"],
    ['below a file', () => join(createToken(''), 'token'), 'a part of PATH is a file, not a folder'],
    ...(ON_WINDOWS ? [] : onPosix),
  ])('%s', async (_what, make, message) => {
    const folder = createFolder();
    const path = await make(folder);
    const before = readdirSync(folder);
    for (const act of [() => sinkAt(path).check(), () => sinkAt(path).prepare('u')]) {
      const error = await failure(act());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        message: `file:${path}: ${message.replace('PATH', path).replace('FOLDER', dirname(path))}`,
        hint: expect.any(String),
      });
    }
    expect(await sinkAt(path).read()).toBeUndefined();
    expect(readdirSync(folder)).toEqual(before);
  });

  it('a name that is too long', async () => {
    const folder = createFolder();
    expect(await failure(sinkAt(join(folder, 'x'.repeat(300))).prepare('u'))).toBeInstanceOf(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('reading', () => {
  it.each([
    ['the secret', TOKEN, TOKEN],
    ['the secret with a newline that somebody added', `${TOKEN}\r\n`, TOKEN],
    ['nothing', '', undefined],
    ['several lines', `${TOKEN}\n${TOKEN}`, undefined],
    ['other text', 'not yet there', undefined],
    ['zeros', '\0'.repeat(64), undefined],
    ['far too much', 'x'.repeat(5_000), undefined],
  ])('a file that holds %s', async (_title, content, found) => {
    const path = join(createFolder(), 'token');
    writeFileSync(path, content);
    expect(await sinkAt(path).read()).toBe(found);
  });

  it('no file', async () => {
    expect(await sinkAt(join(createFolder(), 'token')).read()).toBeUndefined();
  });
});

it('readers never see a secret that is torn or missing', async () => {
  const path = join(createFolder(), 'token');
  const secrets = ['a', 'b', 'c'].map((letter, index) => letter.repeat(20 + 2_000 * index));
  writeFileSync(path, secrets[0] ?? '');
  const reader = spawn(
    process.execPath,
    [
      '-e',
      `const { readFileSync } = require('node:fs');
       let reads = 0, torn = 0, seen = new Set(), done = false;
       process.stdin.on('end', () => { done = true; }).resume();
       const look = () => {
         for (let count = 0; count < 50; count += 1) {
           const text = readFileSync(process.argv[1], 'latin1');
           reads += 1;
           if (!/^(a{20}|b{2020}|c{4020})$/.test(text)) torn += 1;
           seen.add(text[0]);
         }
         if (done) console.log(JSON.stringify({ reads, torn, seen: [...seen].sort() }));
         else { if (reads === 50) console.log('reading'); setImmediate(look); }
       };
       look();`,
      path,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let printed = '';
  reader.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(reader.stdout, 'data');
  for (let count = 0; count < 150; count += 1) await deliver(sinkAt(path), secrets[count % 3]);
  reader.stdin.end();
  await once(reader, 'close');
  const { reads, torn, seen } = JSON.parse(printed.split('\n')[1] ?? '') as Record<string, unknown>;
  expect(torn).toBe(0);
  expect(Number(reads)).toBeGreaterThan(100);
  expect(seen).toEqual(['a', 'b', 'c']);
});

describe('in other circumstances', () => {
  let driver: Awaited<ReturnType<typeof buildDriver>>;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  const LONGER = 'a longer secret than the one that comes'.repeat(10);
  const listFailures = (steps: readonly Step[]) =>
    steps.flatMap(({ step, error, message }) => (error === undefined ? [] : [{ step, error, message }]));

  it.skipIf(NO_MOUNTS !== undefined).each([
    ['from the same file system', (folder: string) => `mount --bind '${folder}/source' '${folder}/a \token'`],
    [
      'from another file system',
      (folder: string) => `mount -t tmpfs none /mnt; cp '${folder}/source' /mnt/source
        mount --bind /mnt/source '${folder}/a \token'`,
    ],
  ])(titled('a mounted file is written in place: %s', NO_MOUNTS), async (_title, toBefore) => {
    const folder = createOpenFolder();
    writeFileSync(join(folder, 'a \token'), 'covered');
    writeFileSync(join(folder, 'source'), LONGER);
    writeFileSync(join(folder, 'copy'), '');
    const before = `${toBefore(folder)}
      "$@"; cat '${folder}/a \token' > '${folder}/copy'; exit 0`;
    const steps = await drive(driver.path, `file:${folder}/a \token`, folder, { before });
    const files = ['a \token', 'copy', 'source'];
    expect(steps).toEqual(['check', 'prepare', 'deliver', 'discard'].map((step) => ({ step, files })));
    expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe(SECRET);
    expect(readFileSync(join(folder, 'a \token'), 'utf8')).toBe('covered');
  });

  itUnless(NO_MOUNTS)('a file that is mounted over after the preparation is written in place', async () => {
    const folder = createOpenFolder();
    const [path, source] = [join(folder, 'token'), join(folder, 'source')];
    writeFileSync(path, 'covered');
    writeFileSync(source, LONGER);
    const before = `export AFTER_PREPARE="mount --bind '${source}' '${path}'"`;
    const steps = await drive(driver.path, `file:${path}`, folder, { before });
    expect(listFailures(steps)).toEqual([]);
    expect(steps[1]?.files).toEqual(['.token.orgctl-u', 'source', 'token']);
    expect(steps[2]?.files).toEqual(['source', 'token']);
    expect(readFileSync(source, 'utf8')).toBe(SECRET);
    expect(readFileSync(path, 'utf8')).toBe('covered');
  });

  itUnless(NO_MOUNTS)('a full disk is met before there is a secret, and nothing is left', async () => {
    const folder = createOpenFolder();
    const before = `mount -t tmpfs -o size=64k none '${folder}'; printf old > '${folder}/token'
      head -c 1000000 /dev/zero > '${folder}/fill' 2>/dev/null || true`;
    const steps = await drive(driver.path, `file:${folder}/token`, folder, { before });
    expect(steps.map(({ step, error }) => [step, error])).toEqual([
      ['check', undefined],
      ['prepare', 'usage'],
    ]);
    expect(steps[1]?.reasons?.[0]).toContain('no space is left on the device');
    expect(steps[1]?.files).toEqual(['fill', 'token']);
  });

  itUnless(NO_MOUNTS)('a disk that fills up afterwards does not keep the secret from its place', async () => {
    const folder = createOpenFolder();
    const copy = join(createOpenFolder(), 'copy');
    // The driver reads the secret before it does anything, so it is filled by the target's own size: none is free.
    const before = `mount -t tmpfs -o size=8k none '${folder}'; head -c 4096 /dev/zero > '${folder}/token'
      "$@"; cat '${folder}/token' > '${copy}'; exit 0`;
    const steps = await drive(driver.path, `file:${folder}/token`, folder, { before });
    expect(listFailures(steps)).toEqual([]);
    expect(readFileSync(copy, 'utf8')).toBe(SECRET);
  });

  itUnless(NO_OTHER_USER ?? NOT_ROOT)('a file of another group is written in place by others', async () => {
    const folder = createOpenFolder();
    chmodSync(folder, 0o777);
    const path = join(folder, 'token');
    writeFileSync(path, LONGER);
    chmodSync(path, 0o666);
    chownSync(path, NOBODY, 2_345);
    const { ino } = statSync(path);
    const steps = await drive(driver.path, `file:${path}`, folder, { asNobody: true });
    expect(listFailures(steps)).toEqual([]);
    for (const { files } of steps) expect(files).toEqual(['token']);
    expect(readFileSync(path, 'utf8')).toBe(SECRET);
    expect(statSync(path)).toMatchObject({ ino, uid: NOBODY, gid: 2_345 });
  });

  interface Refusal {
    readonly without: string | undefined;
    /** What is done to a folder in which there is an old token. */
    readonly arrange?: (folder: string, path: string) => void;
    readonly before?: (folder: string) => string;
    readonly asNobody?: true;
    readonly message: (folder: string) => string;
    readonly steps?: readonly string[];
  }

  test.for<[what: string, Refusal]>([
    [
      'a mounted file that may not be written',
      {
        without: NO_MOUNTS,
        before: (folder) =>
          `mount --bind '${folder}/token' '${folder}/token'; mount -o remount,bind,ro '${folder}/token'`,
        message: (folder) => `can't write ${folder}/token, which is a mount of its own`,
      },
    ],
    [
      'a read-only file system',
      {
        without: NO_MOUNTS,
        before: (folder) => `mount -t tmpfs -o ro none '${folder}'`,
        message: (folder) => `can't create a file in ${folder}`,
      },
    ],
    [
      'a folder that may not be written',
      {
        without: NO_OTHER_USER,
        arrange(folder, path) {
          if (NOT_ROOT === undefined) chownSync(path, NOBODY, NOBODY);
          chmodSync(folder, 0o555);
        },
        asNobody: true,
        message: (folder) => `can't create a file in ${folder}`,
      },
    ],
    [
      'a file of another group, which could not be kept, and that may not be written',
      {
        without: NO_OTHER_USER ?? NOT_ROOT,
        arrange(folder, path) {
          chmodSync(folder, 0o777);
          chmodSync(path, 0o444);
          chownSync(path, NOBODY, 2_345);
        },
        asNobody: true,
        message: (folder) => `can't keep the group of ${folder}/token`,
        steps: ['prepare'],
      },
    ],
    [
      'an immutable file',
      {
        without: NOT_CHANGEABLE,
        arrange(_folder, path) {
          mark(path, '+i');
          onTestFinished(() => void mark(path, '-i'));
        },
        message: (folder) => `can't change ${folder}/token`,
      },
    ],
  ])('%s is refused', async ([_what, { without, steps = ['check', 'prepare'], ...row }], { skip }) => {
    skip(without !== undefined, without);
    const { arrange, before, asNobody, message } = row;
    const folder = createOpenFolder();
    const path = join(folder, 'token');
    writeFileSync(path, 'old', { mode: 0o666 });
    arrange?.(folder, path);
    const options = { ...(before && { before: before(folder) }), ...(asNobody && { asNobody }) };
    const found = await drive(driver.path, `file:${path}`, folder, options);
    expect(listFailures(found)).toEqual(
      steps.map((step) => ({ step, error: 'usage', message: `file:${path}: ${message(folder)}` })),
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  itUnless(NO_OTHER_USER)('a folder that may not be entered is refused', async () => {
    const folder = createOpenFolder();
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    if (NOT_ROOT !== undefined) chmodSync(closed, 0);
    const steps = await drive(driver.path, `file:${closed}/token`, folder, { asNobody: true });
    chmodSync(closed, 0o700);
    const message = `file:${closed}/token: can't read ${closed}/token`;
    expect(listFailures(steps)[0]).toEqual({ step: 'check', error: 'usage', message });
    expect(readdirSync(closed)).toEqual([]);
  });
});
