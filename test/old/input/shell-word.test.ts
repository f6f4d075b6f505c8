import { expect, test } from 'vitest';
import { toShellWord } from '../../../src/old/input/shell-word.ts';

test.each<[text: string, posix: string, powershell: string]>([
  ['a-b_c.d:e=f+g%h/1', 'a-b_c.d:e=f+g%h/1', 'a-b_c.d:e=f+g%h/1'],
  ['a b', "'a b'", "'a b'"],
  ["it's", "'it'\\''s'", "'it''s'"],
  ['$(id)', "'$(id)'", "'$(id)'"],
  ['', "''", "''"],
  ['a,b', 'a,b', "'a,b'"],
  ['@ana', '@ana', "'@ana'"],
  ['C:\\Users\\ana', "'C:'\\\\'Users'\\\\'ana'", 'C:\\Users\\ana'],
  ['a\\', "'a'\\\\''", 'a\\'],
  ['=ls', "'=ls'", '=ls'],
  ['a\u2019;b', "'a\u2019;b'", "'a\u2019\u2019;b'"],
])('%s is one word of a shell', (text, posix, powershell) => {
  expect(toShellWord(text, 'linux')).toBe(posix);
  expect(toShellWord(text, 'darwin')).toBe(posix);
  expect(toShellWord(text, 'win32')).toBe(powershell);
});
