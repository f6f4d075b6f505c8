import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toErrorCode } from '../../../src/old/errors.ts';
import {
  createPrivateFile,
  fillPrivateFile,
  makeFolder,
  removeFile,
  removeQuietly,
  syncFolder,
} from '../../../src/old/files/durable-file.ts';
import { type Reading, readFile, readFileIfAny } from '../../../src/old/files/read-file.ts';
import { removeLeftovers, replaceFile, toTemporaryPath } from '../../../src/old/files/replace-file.ts';
import { catchError, createFolder, makePipe, permissions } from '../../support/files.ts';

const POSIX = process.platform !== 'win32';

const codeOf = (act: () => unknown): string => {
  const error = catchError(act);
  return error === undefined ? 'none' : toErrorCode(error);
};

const toOwn = (most: number): Reading => ({ most, whose: 'own' });

describe('a folder', () => {
  test('is made with those above it, for its owner alone', () => {
    const folder = createFolder();
    makeFolder(join(folder, 'a', 'b', 'c'));
    for (const made of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(join(folder, made)).isDirectory()).toBe(true);
      if (POSIX) expect(permissions(join(folder, made))).toBe(0o700);
    }
    expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
  });

  test.runIf(POSIX)('that is there already stays as it is', () => {
    const folder = createFolder();
    chmodSync(folder, 0o755);
    makeFolder(folder);
    expect(permissions(folder)).toBe(0o755);
  });

  test.runIf(POSIX)('below a file cannot be made', () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, '');
    expect(codeOf(() => makeFolder(join(file, 'a')))).toBe('ENOTDIR');
    expect(codeOf(() => makeFolder(join(file, 'a', 'b')))).toBe('ENOTDIR');
  });

  test.runIf(POSIX)('whose place is taken by a link to nowhere is not made, and that is no endless task', () => {
    const link = join(createFolder(), 'link');
    symlinkSync(join(link, 'nowhere'), link);
    expect(() => makeFolder(join(link, 'a'))).toThrow();
  });

  test.runIf(process.platform === 'linux')('where none can be made is an error, and no endless task', () => {
    expect(codeOf(() => makeFolder('/proc/orgctl'))).toBe('ENOENT');
    expect(codeOf(() => makeFolder('/proc/orgctl/a/b'))).toBe('ENOENT');
  });
});

describe('a private file', () => {
  test('is made with its content, for its owner alone', () => {
    const path = join(createFolder(), 'file');
    createPrivateFile(path, 'text');
    expect(readFileSync(path, 'utf8')).toBe('text');
    if (POSIX) expect(permissions(path)).toBe(0o600);
  });

  test('never takes the place of one that is there', () => {
    const path = join(createFolder(), 'file');
    writeFileSync(path, 'the only copy');
    expect(codeOf(() => createPrivateFile(path, 'text'))).toBe('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('the only copy');
  });

  test('leaves nothing behind where its content cannot be written', () => {
    const path = join(createFolder(), 'file');
    expect(() => createPrivateFile(path, 7 as unknown as string)).toThrow(TypeError);
    expect(existsSync(path)).toBe(false);
  });
});

describe('a file with room in it', () => {
  test('takes a content, longer or shorter, and keeps its mode', () => {
    const path = join(createFolder(), 'file');
    createPrivateFile(path, 'some room');
    for (const content of ['a content that is longer', 'short']) {
      fillPrivateFile(path, Buffer.from(content));
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
    if (POSIX) expect(permissions(path)).toBe(0o600);
  });

  test('is not made again where it is gone', () => {
    const path = join(createFolder(), 'file');
    expect(codeOf(() => fillPrivateFile(path, Buffer.from('text')))).toBe('ENOENT');
    expect(existsSync(path)).toBe(false);
  });
});

test('the temporary file of a long name has a short one of its own', () => {
  expect(toTemporaryPath('/a/token', '0f')).toBe('/a/.token.orgctl-0f');
  const [one, other] = ['x', 'y'].map((letter) => toTemporaryPath(`/a/${letter.repeat(250)}`, '0f'));
  expect(one).toMatch(/^\/a\/\.[0-9a-f]{16}\.orgctl-0f$/);
  expect(one).not.toBe(other);
});

describe('a replaced file', () => {
  test('is the new one as a whole, for its owner alone', () => {
    const folder = createFolder();
    const path = join(folder, 'file');
    writeFileSync(path, 'old', { mode: 0o644 });
    replaceFile(path, 'new', 'ab');
    expect(readFileSync(path, 'utf8')).toBe('new');
    if (POSIX) expect(permissions(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('stays, and nothing beside it, where it cannot be replaced', () => {
    const folder = createFolder();
    const path = join(folder, 'file');
    mkdirSync(path);
    expect(() => replaceFile(path, 'new', 'ab')).toThrow();
    expect(readdirSync(folder)).toEqual(['file']);
    // What another run left is not overwritten.
    writeFileSync(join(folder, '.other.orgctl-ab'), 'theirs');
    expect(codeOf(() => replaceFile(join(folder, 'other'), 'new', 'ab'))).toBe('EEXIST');
    expect(readFileSync(join(folder, '.other.orgctl-ab'), 'utf8')).toBe('theirs');
  });

  test('loses what killed runs left of it, and nothing else', () => {
    const folder = createFolder();
    const others = ['.file.orgctl', '.files.orgctl-ab', 'file', 'file.orgctl-ab'];
    for (const name of [...others, '.file.orgctl-ab', '.file.orgctl-cd']) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, '.file.orgctl-00'));
    removeLeftovers(join(folder, 'file'));
    expect(readdirSync(folder).sort()).toEqual(['.file.orgctl-00', ...others].sort());
    expect(() => removeLeftovers(join(folder, 'absent', 'file'))).not.toThrow();
  });
});

describe('removing', () => {
  test.runIf(POSIX)('what is not there is done', () => {
    const path = join(createFolder(), 'file');
    writeFileSync(path, '');
    removeFile(path);
    expect(existsSync(path)).toBe(false);
    expect(() => removeFile(path)).not.toThrow();
    writeFileSync(path, '');
    expect(() => removeFile(join(path, 'below'))).not.toThrow();
    expect(existsSync(path)).toBe(true);
  });

  test('a folder as a file fails, unless that is to be passed over', () => {
    const folder = createFolder();
    expect(codeOf(() => removeFile(folder))).not.toBe('none');
    expect(() => removeQuietly(folder)).not.toThrow();
    expect(existsSync(folder)).toBe(true);
  });
});

describe('reading what orgctl made', () => {
  test('gives the bytes, the mode and the owner', () => {
    const path = join(createFolder(), 'file');
    writeFileSync(path, 'text', { mode: 0o640 });
    const { bytes, status } = readFile(path, toOwn(4));
    expect(bytes.toString()).toBe('text');
    expect(status.uid).toBe(process.getuid?.() ?? 0);
    if (POSIX) expect(status.mode & 0o777).toBe(0o640);
  });

  test('nothing is undefined', () => {
    expect(readFileIfAny(join(createFolder(), 'absent'), toOwn(4))).toBeUndefined();
  });

  test('what is longer than it may be is refused', () => {
    const path = join(createFolder(), 'file');
    writeFileSync(path, 'texts');
    expect(() => readFile(path, toOwn(4))).toThrow('it is longer than 4 bytes');
  });

  test.runIf(POSIX)('follows no link, opens no folder, waits for no pipe, and says what it found', () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), 'text');
    symlinkSync('file', join(folder, 'link'));
    expect(() => readFile(join(folder, 'link'), toOwn(4))).toThrow(
      expect.objectContaining({ message: 'it is a link', cause: expect.objectContaining({ code: 'ELOOP' }) }),
    );
    expect(() => readFile(folder, toOwn(4_096))).toThrow('it is not a regular file');
    expect(() => readFile(makePipe(join(folder, 'pipe')), toOwn(4))).toThrow('it is not a regular file');
    expect(codeOf(() => readFile(join(folder, 'file', 'below'), toOwn(4)))).toBe('ENOTDIR');
  });
});

test('putting a folder on disk works for what is there, and fails for what is not', () => {
  const folder = createFolder();
  expect(() => syncFolder(folder)).not.toThrow();
  expect(codeOf(() => syncFolder(join(folder, 'absent')))).toBe('ENOENT');
});

test.each<[unknown, string]>([
  [Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOENT'],
  [Object.assign(new Error('x'), { code: 7 }), ''],
  [new Error('x'), ''],
  [{ code: 'ENOENT' }, ''],
  [undefined, ''],
])('what an error is called: %o', (error, code) => {
  expect(toErrorCode(error)).toBe(code);
});

test.runIf(process.platform === 'linux')('no file stays open, whatever became of it', () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'file'), 'texts');
  const before = readdirSync('/proc/self/fd').length;
  readFile(join(folder, 'file'), toOwn(5));
  codeOf(() => readFile(join(folder, 'file'), toOwn(4)));
  codeOf(() => readFile(folder, toOwn(4)));
  createPrivateFile(join(folder, 'new'), '');
  codeOf(() => createPrivateFile(join(folder, 'newer'), 7 as unknown as string));
  replaceFile(join(folder, 'file'), 'x', 'ab');
  syncFolder(folder);
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});
