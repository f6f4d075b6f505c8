import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { readPlainText, readPrivateText } from '../../../src/old/files/private-file.ts';
import { catchError, createFolder } from '../../support/files.ts';

const ME = { user: process.getuid?.() };
const POSIX = process.platform !== 'win32';

function write(text: string, mode: number): string {
  const path = join(createFolder(), 'file');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test.runIf(POSIX).each([0o600, 0o400, 0o700])("a file of mode %o is its owner's alone", (mode) => {
  expect(readPrivateText(write('text', mode), ME)).toBe('text');
});

test.runIf(POSIX).each([0o640, 0o620, 0o604, 0o610, 0o602])('secrets of a file of mode %o are not used', (mode) => {
  const path = write('s3cret', mode);
  expect(() => readPrivateText(path, ME)).toThrow(
    expect.objectContaining({
      exit: 'usage',
      message: `others can read ${path}, so the secrets in it are not used`,
      hint: 'Make it readable by you alone. If others may have seen it, replace the tokens in it too.',
      next: [['chmod', '600', path]],
    }),
  );
});

test.runIf(POSIX)('a file without secrets may have any mode', () => {
  const path = write('text', 0o644);
  expect(readPlainText(path)).toBe('text');
});

test('a file that is not there is none, and one that cannot be read is an error with its name', () => {
  const folder = createFolder();
  expect(readPlainText(join(folder, 'absent'))).toBeUndefined();
  expect(readPrivateText(join(folder, 'absent'), ME)).toBeUndefined();
  expect(() => readPlainText(folder)).toThrow(UsageError);
  expect(() => readPlainText(folder)).toThrow(
    expect.objectContaining({
      message: `can't read ${folder}: it is a folder`,
      hint: 'Make it a file that you can read, or move it away. It was not changed.',
      cause: expect.any(Error),
    }),
  );
});

test.runIf(process.platform === 'linux')('no file stays open, whatever became of reading it', () => {
  const paths = [write('text', 0o600), write('text', 0o644), createFolder()];
  const before = readdirSync('/proc/self/fd').length;
  const errors = paths.map((path) => catchError(() => readPrivateText(path, ME)));
  expect(errors).toEqual([undefined, expect.any(UsageError), expect.any(UsageError)]);
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});
