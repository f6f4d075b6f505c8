import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderCsv } from '../../../src/old/stdout/formats/csv.ts';
import { toMarkdownCell } from '../../../src/old/stdout/formats/markdown.ts';
import { renderTsv } from '../../../src/old/stdout/formats/tsv.ts';
import { markFormulas, unmarkFormulas } from '../../../src/old/text/formulas.ts';
import { parseMarkdown } from '../../support/formats.ts';

const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('renderTsv', () => {
  it.each([
    ['plain', 'plain'],
    ['a\tb\nc\rd\\e', 'a\\tb\\nc\\rd\\\\e'],
    ['\\t', '\\\\t'],
    ['"quoted", text', '"quoted", text'],
    ['\u001b[31mred\u001b[0m\u0007\u202e\u0085', 'red'],
    ['', ''],
  ])('%j', (text, cell) => {
    expect(renderTsv([['1', text, '2']])).toBe(`1\t${cell}\t2\n`);
  });

  it('can be read back', () => {
    const escaped: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\\', '\t', '\n', '\r', 't', 'n') });
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 })), (rows) => {
        const lines = renderTsv(rows).split('\n').slice(0, -1);
        const read = lines.map((line) =>
          line.split('\t').map((cell) => cell.replace(/\\(.)/g, (_match, letter: string) => escaped[letter] ?? '')),
        );
        expect(read).toEqual(rows);
      }),
    );
  });

  it('holds nothing a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(renderTsv([[text]])).not.toMatch(UNSAFE);
      }),
    );
  });
});

describe('renderCsv', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['a\nb', '"a\nb"'],
    ['a\r\nb\rc', '"a\nb\nc"'],
    ['a\tb', '"a\tb"'],
    ['a;b|c', '"a;b|c"'],
    ['ana+b@example.com;2026-11-22', '"ana+b@example.com;2026-11-22"'],
    ['\u001b[31mred\u001b[0m\u0007\u202e', 'red'],
    ['', ''],
    [-5, '-5'],
    [2.5, '2.5'],
  ])('%j', (value, cell) => {
    expect(renderCsv([['1', value, '2']])).toBe(`1,${cell},2\r\n`);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\n\'=1"'],
    ['x;=HYPERLINK(A1);y', '"x;\'=HYPERLINK(A1);y"'],
    ['x,@SUM|-1\n+2\t=3', "\"x,'@SUM|'-1\n'+2\t'=3\""],
    ['x;"=1', '"x;""\'=1"'],
    ["x;'=1;''-1", "\"x;''=1;'''-1\""],
    ['=HYPERLINK("http://evil.example")', '"\'=HYPERLINK(""http://evil.example"")"'],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\u001b[m=1+1', "'=1+1"],
    ['\u200e=1+1', "'=1+1"],
  ])('a spreadsheet does not run %j', (value, cell) => {
    expect(renderCsv([['1', value]])).toBe(`1,${cell}\r\n`);
  });

  it('can be read back, whatever stands in front of a formula', () => {
    const unit = fc.constantFrom('a', ' ', ';', ',', '|', '"', "'", '=', '-', '\t', '\n', '＠');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const cell = markFormulas(text);
        expect(cell).not.toMatch(/(?:^|[;,|\t\n"])[=+\-@＝＋－＠]|^[\t\n]/);
        expect(unmarkFormulas(cell)).toBe(text);
      }),
    );
  });

  it('writes an empty cell that stands alone so that its line is no empty line', () => {
    expect(renderCsv([['id'], ['']])).toBe('id\r\n""\r\n');
  });

  it('holds nothing a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(renderCsv([[text, text]])).not.toMatch(UNSAFE);
      }),
    );
  });
});

describe('toMarkdownCell', () => {
  it.each([
    ['plain', 'plain'],
    ['a|b', 'a\\|b'],
    ['C:\\dir\\', 'C:\\\\dir\\\\'],
    ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
    ['a\r\nb\nc\rd', 'a<br>b<br>c<br>d'],
    ['snake_case_name', 'snake_case_name'],
    ['_leans_', '\\_leans\\_'],
    [
      '**bold** `code` ~~gone~~ [text](https://x.example) $a$',
      '\\*\\*bold\\*\\* \\`code\\` \\~\\~gone\\~\\~ \\[text\\](https://x.example) \\$a\\$',
    ],
    ['\u001b[31mred\u001b[0m\u202e', 'red'],
    ['', ''],
  ])('%j', (text, cell) => {
    expect(toMarkdownCell(text)).toBe(cell);
  });

  it('is read as the text it came from', () => {
    const unit = fc.constantFrom(...'ab é|\\<>&*_`[]()!~$#-:"\'\n', '&lt;', '<br>', '![x](y)', '_a_');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const table = `| ${toMarkdownCell('A')} |\n| --- |\n| ${toMarkdownCell(text)} |\n`;
        const [, [cell] = []] = parseMarkdown(table);
        // What stands around a cell, or a line within it, is layout.
        expect(toTidy(cell ?? '')).toBe(toTidy(text));
      }),
      { numRuns: 3000 },
    );
  });
});

function toTidy(text: string): string {
  return text
    .trim()
    .replace(/ *\n */g, '\n')
    .replace(/ +/g, ' ');
}
