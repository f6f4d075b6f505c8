import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getEnvValue, setEnvValue } from '../../../../src/old/rotation/sinks/env-text.ts';
import { createFolder } from '../../../support/files.ts';

const set = (text: string, value = 'new', key = 'KEY') => setEnvValue(text, key, value);

describe('a key that stands in the file', () => {
  it.each([
    ['alone', 'KEY=old', 'KEY=new'],
    ['between others', 'A=1\nKEY=old\nB=2\n', 'A=1\nKEY=new\nB=2\n'],
    ['with CRLF', 'A=1\r\nKEY=old\r\nB=2\r\n', 'A=1\r\nKEY=new\r\nB=2\r\n'],
    ['exported', 'export KEY=old\n', 'export KEY=new\n'],
    ['exported from the margin', ' \texport  KEY=old\n', ' \texport  KEY=new\n'],
    ['with blanks', 'KEY = old\n', 'KEY =new\n'],
    ['empty', 'KEY=\nB=2', 'KEY=new\nB=2'],
    ['empty with CRLF', 'KEY=\r\nB=2', 'KEY=new\r\nB=2'],
    ['with a comment', 'KEY=old  # the token #1\n', 'KEY=new  # the token #1\n'],
    ['empty with a comment', 'KEY= # none yet\n', 'KEY=new # none yet\n'],
    ['with a # that begins no comment', 'KEY=old#1\n', 'KEY=new\n'],
    ['in double quotes', 'KEY="old one" # c\n', 'KEY=new # c\n'],
    ['in single quotes', "KEY='old'\r\n", 'KEY=new\r\n'],
    ['in quotes over several lines', 'KEY="old\nA=1\n"\nB=2\n', 'KEY=new\nB=2\n'],
    ['with an escaped quote', 'KEY="o\\"ld"\n', 'KEY=new\n'],
    ['with a quote inside', "KEY=it's old\n", 'KEY=new\n'],
    ['after a byte order mark', '\u00ef\u00bb\u00bfKEY=old', '\u00ef\u00bb\u00bfKEY=new'],
    ['with spaces in its value', 'KEY=old and more \n', 'KEY=new \n'],
    ['after a quote in a comment', "# don't\nKEY=old\n", "# don't\nKEY=new\n"],
    ['after a quote inside a value', "A=it's\nKEY=old\n", "A=it's\nKEY=new\n"],
    ['after something that is no assignment', "echo 'KEY=1\nKEY=old\n", "echo 'KEY=1\nKEY=new\n"],
    ['before one of a longer name', 'KEY=old\nKEYS=1\nMY_KEY=2\n', 'KEY=new\nKEYS=1\nMY_KEY=2\n'],
  ])('%s', (_title, text, expected) => {
    expect(set(text)).toBe(expected);
  });
});

describe('a key that is new', () => {
  it.each([
    ['in an empty file', '', 'KEY=new\n'],
    ['after a last line', 'A=1\n', 'A=1\nKEY=new\n'],
    ['after a last line without an end', 'A=1', 'A=1\nKEY=new\n'],
    ['in a file with CRLF', 'A=1\r\n', 'A=1\r\nKEY=new\r\n'],
    ['in a file with CRLF, without an end', 'A=1\r\nB=2', 'A=1\r\nB=2\r\nKEY=new\r\n'],
    ['after a byte order mark alone', '\u00ef\u00bb\u00bf', '\u00ef\u00bb\u00bfKEY=new\n'],
    ['where it is commented out', '#KEY=old\n # KEY=old\n', '#KEY=old\n # KEY=old\nKEY=new\n'],
    ['where it stands in a value', 'A="\nKEY=old\n"\n', 'A="\nKEY=old\n"\nKEY=new\n'],
    ['where it stands in single quotes', "A='\nKEY=old'\n", "A='\nKEY=old'\nKEY=new\n"],
    ['where it stands in backticks', 'A=`\nKEY=old`\n', 'A=`\nKEY=old`\nKEY=new\n'],
    ['where it has another case', 'key=old\n', 'key=old\nKEY=new\n'],
  ])('%s', (_title, text, expected) => {
    expect(set(text)).toBe(expected);
  });
});

describe('a file that readers would take differently is refused', () => {
  it.each([
    ['the key twice', 'KEY=1\nA=1\nexport KEY=2\n', 'KEY is set on line 1 and again on line 3, and programs differ'],
    ['a quote that stays open', 'A=1\nB="2\nKEY=old\n', 'the quote on line 2 is never closed'],
    ['text after several quoted lines', 'A="1\n2"3\nKEY=old\n', 'programs differ in where the value on line 1 ends'],
    ['more quotes after the first', `A="1"'2'\nKEY=old\n`, 'programs differ in where the value on line 1 ends'],
    [
      'a backslash before a single quote',
      "A=1\nB='\\'\nKEY=old\n",
      'programs differ in where the value on line 2 ends',
    ],
    ['two backslashes before a quote', 'B="\\\\"\nKEY=old\n', 'programs differ in where the value on line 1 ends'],
    [
      'a line before that goes on',
      'A=1\\\nKEY=old\n',
      'line 2, which sets KEY, is joined to another line by a backslash',
    ],
    [
      'a line of its own that goes on',
      'KEY=1\\\r\n2\n',
      'line 1, which sets KEY, is joined to another line by a backslash',
    ],
    ['a last line that goes on', 'A=1\\\n', 'its last line ends with a backslash'],
    ['UTF-16', '\u00ff\u00feK\0E\0Y\0', 'it is not UTF-8 text'],
    ['NUL', 'A=\0\n', 'it is not UTF-8 text'],
  ])('%s', (_title, text, message) => {
    expect(() => set(text)).toThrow(message);
  });

  it('not for two backslashes, which stand for one', () => {
    expect(set('A=1\\\\\nKEY=old\n')).toBe('A=1\\\\\nKEY=new\n');
  });
});

describe('a value', () => {
  it.each([
    ['abc.DEF.0-9_/+=:@%,', 'abc.DEF.0-9_/+=:@%,'],
    ['a b', "'a b'"],
    ['$HOME `x` "y" !z #1 ~', `'$HOME \`x\` "y" !z #1 ~'`],
    ["it's", `"it's"`],
  ])('%s is written as %s', (value, written) => {
    expect(set('', value)).toBe(`KEY=${written}\n`);
    expect(getEnvValue(set('', value), 'KEY')).toBe(value);
  });

  it.each(['', 'a\nB=2', 'a\rb', 'a\\b', `'"`, "'$x", 'é', 'a\0', '\u001b[0m'])('%j is not written', (value) => {
    expect(() => set('A=1\n', value)).toThrow('characters that programs read differently');
  });

  it.skipIf(process.platform === 'win32')('is what a shell reads, whatever is in it', () => {
    const path = join(createFolder(), 'env');
    const printable = fc.string({
      minLength: 1,
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(printable, (value) => {
        let text: string;
        try {
          text = set('A=1\nexport KEY="old" # c\nB=2\n', value);
        } catch {
          expect(value).toMatch(/\\|'.*["$`]|["$`].*'/);
          return;
        }
        expect(getEnvValue(text, 'KEY')).toBe(value);
        writeFileSync(path, text);
        const shell = spawnSync('sh', ['-c', '. "$0"; printf %s "$A:$B:$KEY"', path], { encoding: 'utf8' });
        expect([shell.stdout, shell.stderr]).toEqual([`1:2:${value}`, '']);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['KEY="a$b"\n', undefined],
    ['KEY="a\\"b"\n', undefined],
    ['KEY=\n', ''],
    ['A=1\n', undefined],
    [`KEY='a"b' # c\n`, 'a"b'],
    ['KEY= a # c\n', 'a'],
  ])('in %j is read as %j', (text, value) => {
    expect(getEnvValue(text, 'KEY')).toBe(value);
  });
});

describe('all other bytes stay', () => {
  const byte = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
  const wild = fc.string({ unit: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...`\n\r\n='"\`#\\ KEYA`) }, byte) });
  const tame = fc.constantFrom(
    'A=1',
    'B="two\nKEY=no\nlines"',
    "C='x' # KEY=1",
    '',
    '# KEY=2',
    "D=it's",
    '\u00ff\u00e9 =\u00ff',
    'export E',
    ' \t',
  );
  const end = fc.constantFrom('\n', '\r\n');
  const lines = fc.array(fc.tuple(tame, end)).map((pairs) => pairs.flat().join(''));

  it('of files in which the key stands', () => {
    const before = fc.constantFrom('KEY=', 'export KEY=', '  KEY=');
    const old = fc.constantFrom('', 'old', '"a\nb"', "'a'", 'a b');
    fc.assert(
      fc.property(lines, before, old, end, lines, (above, prefix, value, lineEnd, below) => {
        expect(set(`${above}${prefix}${value}${lineEnd}${below}`)).toBe(`${above}${prefix}new${lineEnd}${below}`);
      }),
    );
  });

  it('of files in which it does not', () => {
    fc.assert(
      fc.property(lines, (text) => {
        const next = set(text);
        expect(next.startsWith(text)).toBe(true);
        expect(next.slice(text.length)).toMatch(/^KEY=new\r?\n$/);
      }),
    );
  });

  it('of arbitrary bytes, which are changed in one place or refused', () => {
    fc.assert(
      fc.property(wild, (text) => {
        let next: string;
        try {
          next = set(text, 'n-e-w');
        } catch (error) {
          expect(String(error)).toMatch(/programs differ|never closed|backslash|not UTF-8/);
          return;
        }
        const at = next.indexOf('n-e-w');
        const [above, below] = [next.slice(0, at), next.slice(at + 5)];
        expect(above).toMatch(/(?:^|\n|\u00ef\u00bb\u00bf)[ \t]*(?:export[ \t]+)?KEY[ \t]*=$/);
        if (text.startsWith(above)) expect(text.endsWith(below) || /^\r?\n$/.test(below)).toBe(true);
        else expect(above.startsWith(text)).toBe(true);
        expect(getEnvValue(next, 'KEY')).toBe('n-e-w');
        // What it does once, it does again in the same place.
        expect(set(next, 'n-e-w')).toBe(next);
      }),
      { numRuns: 2_000 },
    );
  });
});
