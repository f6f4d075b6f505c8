import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { createRedactor, type Redactor } from '../../src/lib/redact.ts';
import type { Runtime } from '../../src/lib/runtime.ts';
import { ClosedPipe } from '../../src/output/writer.ts';
import { openPlace } from '../../src/places/index.ts';
import type { PlaceContext } from '../../src/places/place.ts';
import { createFolder, permissions } from '../support/files.ts';
import { CAN_MOUNT, createDisk, fillDisk, makeReadOnly, mountFile } from '../support/mounts.ts';

const SECRET = 'a1b2c3d4e5f6g7.atlasv1.SECRETsecret';
const IS_UNIX = process.platform !== 'win32';
const IS_ROOT = process.getuid?.() === 0;

interface Options extends Partial<Omit<PlaceContext, 'runtime'>> {
  cwd?: string;
  env?: Record<string, string>;
}

async function open(text: string, { cwd = createFolder(), env = {}, ...rest }: Options = {}) {
  const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);
  const clock = { now: () => 0, sleep: async () => undefined };
  const runtime = { ...clock, cwd, env: { PATH: process.env.PATH, ...env }, platform: process.platform, randomBytes };
  const [lines, redactor]: [string[], Redactor] = [[], createRedactor()];
  const place = await openPlace(text, {
    org: 'acme',
    stateFolder: createFolder(),
    isVerbose: false,
    runtime: runtime as Partial<Runtime> as Runtime,
    signal: new AbortController().signal,
    redactor,
    onLine: (line) => lines.push(line),
    redact: redactor.text,
    output: { secret: async (printed) => void lines.push(printed) },
    writeRaw: async (raw) => void lines.push(raw),
    ...rest,
  });
  return { ...place, cwd, lines };
}

const refused = (reason: string) => expect.objectContaining({ exit: 'usage', message: `can't deliver to ${reason}` });
const undelivered = (message: string) =>
  expect.objectContaining({ exit: 'not-delivered', message: `the new token was not delivered to ${message}` });

describe('file:', () => {
  test('a new file is private and holds the secret without a newline', async () => {
    const file = 'acme-token';
    const { cwd, name, check, deliver, read } = await open('file:./{org}-token');
    expect(name).toBe(`file:./${file}`);
    await check();
    expect(readdirSync(cwd)).toEqual([]);
    expect(read?.()).toBeUndefined();
    await deliver(SECRET);
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(SECRET);
    if (IS_UNIX) expect(permissions(join(cwd, file))).toBe(0o600);
    expect(read?.()).toBe(SECRET);
  });

  test('a file is replaced as a whole, with its mode and owner', async () => {
    const { cwd, check, deliver, read } = await open('file:token');
    const path = join(cwd, 'token');
    writeFileSync(path, 'old\n');
    chmodSync(path, 0o640);
    if (IS_ROOT) chownSync(path, 1234, 1235);
    writeFileSync(join(cwd, '.token.0123456789abcdef.orgctl'), 'half');
    const before = statSync(path);
    await check();
    expect(read?.()).toBe('old');
    await deliver(SECRET);
    expect(readFileSync(path, 'utf8')).toBe(SECRET);
    expect(readdirSync(cwd)).toEqual(['token']);
    const { ino, mode, uid, gid } = statSync(path);
    expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
    if (IS_UNIX) expect(ino).not.toBe(before.ino);
  });

  test.runIf(IS_UNIX)('of a link the target is replaced, and one that leads nowhere is an error', async () => {
    const { cwd, check, deliver } = await open('file:link');
    symlinkSync('target', join(cwd, 'link'));
    const reason = 'file:link: it is a link to a file that does not exist';
    await expect(check()).rejects.toEqual(refused(reason));
    await expect(deliver(SECRET)).rejects.toEqual(undelivered(reason));
    writeFileSync(join(cwd, 'target'), 'old');
    await check();
    await deliver(SECRET);
    expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, 'target'), 'utf8')).toBe(SECRET);
  });

  test('the check refuses a path where no file can be made', async () => {
    const cwd = createFolder();
    mkdirSync(join(cwd, 'folder'));
    mkdirSync(join(cwd, 'closed'), { mode: 0o500 });
    const check = async (path: string) => (await open(`file:${path}`, { cwd })).check();
    await expect(check('nowhere/token')).rejects.toEqual(refused("file:nowhere/token: its folder doesn't exist"));
    await expect(check('folder')).rejects.toEqual(refused('file:folder: it is not a regular file'));
    if (!IS_UNIX || IS_ROOT) return;
    await expect(check('closed/token')).rejects.toEqual(refused("file:closed/token: you don't have permission"));
  });

  test.runIf(CAN_MOUNT)('a mounted file is written in place, also in a folder that is read-only', async () => {
    const cwd = createFolder();
    const disk = createDisk();
    for (const path of [join(cwd, 'origin'), join(cwd, 'token'), join(disk, 'token')]) {
      writeFileSync(path, 'a token that is much longer than the next one');
    }
    mountFile(join(cwd, 'origin'), join(cwd, 'token'));
    mountFile(join(cwd, 'origin'), join(disk, 'token'));
    makeReadOnly(disk);
    for (const folder of [cwd, disk]) {
      const { check, deliver } = await open('file:token', { cwd: folder });
      await check();
      await deliver(SECRET);
      expect(readFileSync(join(cwd, 'origin'), 'utf8')).toBe(SECRET);
      writeFileSync(join(cwd, 'origin'), 'old');
    }
    await expect((await open('file:new', { cwd: disk })).check()).rejects.toEqual(
      refused('file:new: its file system is read-only'),
    );
    makeReadOnly(join(disk, 'token'));
    await expect((await open('file:token', { cwd: disk })).check()).rejects.toEqual(
      refused('file:token: its file system is read-only'),
    );
  });

  test.runIf(CAN_MOUNT)('on a full disk the old file stays, and nothing else', async () => {
    const cwd = createDisk();
    writeFileSync(join(cwd, 'token'), 'old');
    fillDisk(cwd);
    await expect((await open('file:token', { cwd })).deliver(SECRET)).rejects.toEqual(
      undelivered('file:token: no space is left'),
    );
    expect(readFileSync(join(cwd, 'token'), 'utf8')).toBe('old');
    expect(readdirSync(cwd)).toEqual(['filler', 'token']);
  });
});

describe('env-file:', () => {
  test.each<[string, string, string | undefined, string]>([
    ['an empty file', '', undefined, `TOKEN=${SECRET}\n`],
    ['a missing key', 'A=1', undefined, `A=1\nTOKEN=${SECRET}\n`],
    ['a plain line', 'A=1\nTOKEN=old\nB=2', 'old', `A=1\nTOKEN=${SECRET}\nB=2`],
    ['an empty value', 'TOKEN=\nB=2\n', undefined, `TOKEN=${SECRET}\nB=2\n`],
    ['export and quotes', ' export TOKEN="old"\n', 'old', ` export TOKEN=${SECRET}\n`],
    ['a comment', "TOKEN='old' # of 2026\n", 'old', `TOKEN=${SECRET} # of 2026\n`],
    ['lines of Windows', 'A=1\r\nTOKEN=old\r\nB=2\r\n', 'old', `A=1\r\nTOKEN=${SECRET}\r\nB=2\r\n`],
    ['a byte order mark', '\xef\xbb\xbfTOKEN=old\n', 'old', `\xef\xbb\xbfTOKEN=${SECRET}\n`],
    ['UTF-8', 'A=\xc3\xa9\nTOKEN=old\n', 'old', `A=\xc3\xa9\nTOKEN=${SECRET}\n`],
    ['similar keys', '#TOKEN=a\nA_TOKEN=b\nTOKENS=\n', undefined, `#TOKEN=a\nA_TOKEN=b\nTOKENS=\nTOKEN=${SECRET}\n`],
    ['a value of lines', 'N="a\nTOKEN=b\nc"\nTOKEN=old\n', 'old', `N="a\nTOKEN=b\nc"\nTOKEN=${SECRET}\n`],
    ['lines alone', "N='a\r\nTOKEN=b' # c\r\n", undefined, `N='a\r\nTOKEN=b' # c\r\nTOKEN=${SECRET}\n`],
    [
      'escapes',
      'N="\\"\nTOKEN=b\n\\\\"\nP=\'C:\\\'\n',
      undefined,
      `N="\\"\nTOKEN=b\n\\\\"\nP='C:\\'\nTOKEN=${SECRET}\n`,
    ],
    ['its own lines', 'TOKEN="a\nB=1"\nC=`d\nTOKEN=e`\n', undefined, `TOKEN=${SECRET}\nC=\`d\nTOKEN=e\`\n`],
    [
      'other quotes',
      `A=it's\nB="5" tall\nC='it\\'s'\nTOKEN=x\n`,
      'x',
      `A=it's\nB="5" tall\nC='it\\'s'\nTOKEN=${SECRET}\n`,
    ],
  ])('%s', async (_what, before, token, after) => {
    const { cwd, check, read, deliver } = await open('env-file:a#b.env#TOKEN');
    const path = join(cwd, 'a#b.env');
    writeFileSync(path, before, 'latin1');
    await check();
    expect(read?.()).toBe(token);
    await deliver(SECRET);
    expect(readFileSync(path, 'latin1')).toBe(after);
    expect(read?.()).toBe(SECRET);
  });

  test.each([
    ['UTF-16', Buffer.from('\ufeffTOKEN=old\n', 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from('A=\xff\nTOKEN=old\n', 'latin1')],
    ['a quote without an end', Buffer.from('A="b\nTOKEN=old\n')],
    ['text behind lines', Buffer.from('A="b\nTOKEN=old\n"c\n')],
  ])('%s is refused, and stays', async (_what, bytes) => {
    const { cwd, check, deliver } = await open('env-file:.env#TOKEN');
    writeFileSync(join(cwd, '.env'), bytes);
    await expect(check()).rejects.toMatchObject({ exit: 'usage' });
    await expect(deliver(SECRET)).rejects.toMatchObject({ exit: 'not-delivered' });
    expect(readFileSync(join(cwd, '.env'))).toEqual(bytes);
  });

  test('the file may be missing, and a secret is quoted where a shell would change it', async () => {
    const { cwd, check, deliver, read } = await open('env-file:.env#TOKEN');
    await check();
    expect(readdirSync(cwd)).toEqual([]);
    await deliver('$HOME;`ls`');
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe("TOKEN='$HOME;`ls`'\n");
    expect(read?.()).toBe('$HOME;`ls`');
    await expect(deliver("it's\nB=2")).rejects.toMatchObject({ exit: 'not-delivered' });
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe("TOKEN='$HOME;`ls`'\n");
  });

  test('refuses a key that is set twice, an invalid key and a missing folder', async () => {
    const { cwd, check, deliver } = await open('env-file:.env#TOKEN');
    writeFileSync(join(cwd, '.env'), 'TOKEN=a\nexport TOKEN=b\n');
    const message = `${join(cwd, '.env')}: TOKEN is set twice`;
    await expect(check()).rejects.toMatchObject({ exit: 'usage', message });
    await expect(deliver(SECRET)).rejects.toEqual(undelivered(`env-file:.env#TOKEN: ${message}`));
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('TOKEN=a\nexport TOKEN=b\n');
    const nowhere = 'env-file:nowhere/.env#TOKEN';
    await expect((await open(nowhere)).check()).rejects.toEqual(refused(`${nowhere}: its folder doesn't exist`));
    await expect(open('env-file:.env#A B')).rejects.toThrow(UsageError);
  });
});

describe.runIf(IS_UNIX)('exec:', () => {
  test('a command gets words, without a shell, and the secret on stdin', async () => {
    const { cwd, name, check, deliver } = await open(
      `exec:sh -c 'cat > "$1"; printf %s "$2" > word' sh {org} '$HOME *'`,
    );
    expect(name).toBe('exec:sh');
    await check();
    expect(readdirSync(cwd)).toEqual([]);
    await deliver(SECRET);
    expect(readFileSync(join(cwd, 'acme'), 'utf8')).toBe(SECRET);
    expect(readFileSync(join(cwd, 'word'), 'utf8')).toBe('$HOME *');
    await expect(open('exec:cat > token')).rejects.toThrow('--to: > needs a shell, but the command runs without one');
  });

  test('passes on the output and the failure of the command without the secret', async () => {
    const { deliver, lines } = await open(
      `exec:sh -c 'read -r t; echo "got $t"; echo "$t" >&2; echo end; exit 2' ${SECRET}`,
    );
    const error: unknown = await deliver(SECRET).catch((reason: unknown) => reason);
    expect(error).toEqual(undelivered('exec:sh: exit code 2'));
    expect(lines.toSorted()).toEqual(['[removed]', 'end', 'got [removed]']);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET);
  });

  test('a command that reads nothing is fine', async () => (await open('exec:true')).deliver(SECRET));

  test('a command has ended when its daemon goes on, which keeps its output open', async () => {
    const { cwd, deliver, lines } = await open(`exec:sh -c 'sleep 1000 & echo $! > pid; echo end; exit 2'`);
    await expect(deliver(SECRET)).rejects.toEqual(undelivered('exec:sh: exit code 2'));
    expect(lines).toEqual(['end']);
    process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')));
  });

  const start = async (options: Options = {}) => {
    const { cwd, deliver } = await open(`exec:sh -c 'sleep 1000 & touch started; wait'`, options);
    const hasStarted = vi.waitFor(() => statSync(join(cwd, 'started')), { timeout: 50_000 });
    return { delivery: expect(deliver(SECRET)).rejects, hasStarted };
  };

  test('kills the whole process group after 60 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { delivery, hasStarted } = await start();
      const refusal = delivery.toEqual(undelivered('exec:sh: no answer within 60 s'));
      await hasStarted;
      vi.advanceTimersByTime(60_000);
      await refusal;
    } finally {
      vi.useRealTimers();
    }
  });

  test('the command must exist, in PATH or at its path', async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, 'store'), '#!/bin/sh\n/bin/cat > stored\n', { mode: 0o755 });
    writeFileSync(join(cwd, 'text'), '#!/bin/sh\n', { mode: 0o644 });
    for (const command of ['nothing-like-it', './store2', './text', 'cat', "''"]) {
      const { name, check } = await open(`exec:${command}`, { cwd, env: { PATH: cwd } });
      const message = `--to: ${name.slice('exec:'.length)}: command not found`;
      await expect(check()).rejects.toMatchObject({ exit: 'usage', message });
    }
    for (const command of ['store', './store']) {
      const { check, deliver } = await open(`exec:${command}`, { cwd, env: { PATH: cwd } });
      await check();
      await deliver(SECRET);
      expect(readFileSync(join(cwd, 'stored'), 'utf8')).toBe(SECRET);
      writeFileSync(join(cwd, 'stored'), '');
    }
  });
});

describe('github-output:', () => {
  const create = async (options: Options = {}) => {
    const cwd = createFolder();
    writeFileSync(join(cwd, 'output'), 'a=1\n');
    const read = () => readFileSync(join(cwd, 'output'), 'utf8');
    return { ...(await open('github-output:token', { cwd, env: { GITHUB_OUTPUT: 'output' }, ...options })), read };
  };

  test('the secret is masked first, and then appended', async () => {
    const raw: string[] = [];
    const { check, deliver, read } = await create({ writeRaw: async (text) => void raw.push(text, read()) });
    await check();
    await deliver(SECRET);
    expect(raw).toEqual([`::add-mask::${SECRET}\n`, 'a=1\n']);
    const delimiter = `orgctl-${'07'.repeat(16)}`;
    expect(read()).toBe(`a=1\ntoken<<${delimiter}\n${SECRET}\n${delimiter}\n`);
  });

  test("appends no secret that it can't mask", async () => {
    const { deliver, read } = await create({ writeRaw: () => Promise.reject(new ClosedPipe()) });
    await expect(deliver(SECRET)).rejects.toEqual(undelivered('github-output:token: its reader has closed it'));
    expect(read()).toBe('a=1\n');
  });

  test('outside of a step, or with another name, it is an error', async () => {
    await expect((await open('github-output:token')).check()).rejects.toEqual(
      refused('github-output:token: GITHUB_OUTPUT is not set'),
    );
    const { cwd, check } = await open('github-output:token', { env: { GITHUB_OUTPUT: 'output' } });
    await expect(check()).rejects.toEqual(refused("github-output:token: it doesn't exist"));
    expect(readdirSync(cwd)).toEqual([]);
    await expect(open('github-output:a=b')).rejects.toThrow(UsageError);
  });
});

test('{org} is the only placeholder, and no name can make more of it', async () => {
  const names = ['file:{org}/{team}', 'env-file:.env#T_{org}', 'github-output:{org}_{org}', 'exec:{org}'];
  const filled = ['file:acme/{team}', 'env-file:.env#T_acme', 'github-output:acme_acme', 'exec:acme'];
  expect(await Promise.all(names.map(async (text) => (await open(text)).name))).toEqual(filled);
  for (const org of ['../acme', '-acme', '$(id)', ''])
    await expect(open('file:{org}', { org })).rejects.toThrow(UsageError);
  expect((await open('file:token', { org: '../acme' })).name).toBe('file:token');
  await expect(open('vault:token')).rejects.toThrow("--to: 'vault:token' is not a place for a secret");
});
