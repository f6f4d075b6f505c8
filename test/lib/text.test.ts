import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  joinNames,
  markFormulas,
  plural,
  sanitize,
  sanitizeJson,
  sanitizeLine,
  suggest,
  unmarkFormulas,
} from '../../src/lib/text.ts';

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a title of the window', '\u001b]0;title\u0007text', 'text'],
  ['a hidden link', '\u001b]8;;https://evil.example\u001b\\here', 'here'],
  ['one-byte sequences', 'a\u009b31mb', 'ab'],
  ['bidirectional overrides', 'a\u202eb\u2066c', 'abc'],
  ['half of a character', 'a\ud800b', 'ab'],
  ['right-to-left letters and emoji', 'שלום 👋🏽 é', 'שלום 👋🏽 é'],
])('%s', (_name, text, safe) => expect(sanitizeLine(text)).toBe(safe));

test('removes everything that controls a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sanitize(text)).not.toMatch(/(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/u);
      expect(sanitizeLine(text)).not.toMatch(/[\n\r\t\u2028\u2029]/);
    }),
  );
});

test('JSON says the same after it', () => {
  const text = JSON.stringify({ name: 'a\u009b\u061c\u200f\u202e\u2066\u2069\u001b[31m' });
  expect(sanitizeJson(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(sanitizeJson(text))).toEqual(JSON.parse(text));
});

test.each([
  ['acmee', 'Did you mean acme?'],
  ['Globx', 'Did you mean globex?'],
  ['amce', 'Did you mean acme?'],
  ['golbxe', 'Did you mean globex?'],
  ['zzz', undefined],
])('%s: %s', (word, meant) => expect(suggest(word, ['acme', 'globex', 'initech'])).toBe(meant));

test('counts and lists', () => {
  expect([plural(1, 'person', 'people'), plural(1_200, 'person', 'people')]).toEqual(['1 person', '1,200 people']);
  expect([joinNames(['a']), joinNames(['a', 'b']), joinNames(['a', 'b', 'c'])]).toEqual(['a', 'a and b', 'a, b and c']);
});

test.each([
  ['=1', "'=1"],
  ['a;=1', "a;'=1"],
  ['a\t@x;-1', "a\t'@x;'-1"],
  [';"=1"', `;'"=1"`],
  ["'=1", "''=1"],
  ['a=1; b-c', 'a=1; b-c'],
])('%j is no formula, whatever separates cells', (cell, safe) => {
  expect([markFormulas(cell), unmarkFormulas(safe)]).toEqual([safe, cell]);
});

test('a cell is the same without its marks', () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...`';="\t-a,＝ `) }), (cell) => {
      expect(unmarkFormulas(markFormulas(cell))).toBe(cell);
    }),
  ));
