import fc from 'fast-check';
import { listWords } from '../../support/text.ts';

/** Texts that attackers send, or that readers often get wrong. */

const PATHS = listWords(`. .. ../x ..\\x ../../../../x /etc/passwd %2e%2e %2e%2e%2fx %252e%252e ..;/ ~ C:\\x con`);
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0", '\t=1', '\r=1', '\n=1', '＝1', ' =1'];
const CONTROLS = [
  '\0',
  'a\0b',
  '\u001b[31mred',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://x\u001b\\link',
  '\u009b2J',
  '\u0090x\u009c',
  '\u202egnp.exe',
  '\u2066\u2069',
  '\u200f',
  '\b\b',
  '\r',
  '\n',
  '\u0085',
  '\u2028',
  '\u007f',
];
const ALIKE = [
  ...listWords('аcme ａｃｍｅ ACME İ ı ﬀ e\u0301 中文 שלום'),
  'acme\u200b',
  'ß',
  '\ufeff',
  '\ufefface',
  '👩‍👩‍👧‍👦',
];
const HALVES = ['\ud800', '\udfff', 'a\udc00b'];
const OBJECTS = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length', 'then'];
const SHELL = listWords(`$(id) \`id\` \${x} %s%n ' " \\ ; | & * ? <script> - -- -x --help @`);
const NUMBERS = [
  '0',
  '-0',
  '00',
  '1e999',
  '-1',
  '0x10',
  'NaN',
  'Infinity',
  '9007199254740993',
  '9'.repeat(400),
  '1_000',
  '١',
  '1.5',
  ' 1 ',
];
const BARE = ['', ' ', '\t', 'null', 'undefined', 'true', 'false', '[]', '{}', ',', ':', '#', '=', '/', '//'];

export const WORDS: readonly string[] = [
  ...PATHS,
  ...FORMULAS,
  ...CONTROLS,
  ...ALIKE,
  ...HALVES,
  ...OBJECTS,
  ...SHELL,
  ...NUMBERS,
  ...BARE,
];

/** Longer than any name that is checked. */
const LONG = 65_536;

const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));

type Drawn<Row> = Row extends readonly [number, fc.Arbitrary<infer Value>] ? Value : never;

/** One of these, as often as its weight says. */
export function weighted<Rows extends readonly (readonly [weight: number, fc.Arbitrary<unknown>])[]>(
  ...rows: Rows
): fc.Arbitrary<Drawn<Rows[number]>> {
  const all = rows.map(([weight, arbitrary]) => ({ weight, arbitrary }));
  return fc.oneof(...all) as fc.Arbitrary<Drawn<Rows[number]>>;
}

/** Mostly from the lists, sometimes long, sometimes anything. `own`: words that have a meaning to the reader. */
export function words(own: readonly string[] = []): fc.Arbitrary<string> {
  const listed = fc.constantFrom(...WORDS, ...own, ...own);
  return weighted(
    [100, own.length === 0 ? listed : fc.constantFrom(...own)],
    [80, listed],
    [50, fc.array(fc.oneof(listed, fc.string({ maxLength: 3 })), { maxLength: 4 }).map((all) => all.join(''))],
    [25, fc.string({ unit: anyCharacter, maxLength: 12 })],
    [1, fc.tuple(listed, fc.constantFrom(300, 300, 5_000, LONG)).map(([word, length]) => stretch(word, length))],
  );
}

/** The word, repeated up to this length. */
function stretch(word: string, length: number): string {
  return (word === '' ? 'a' : word).repeat(Math.ceil(length / Math.max(1, word.length))).slice(0, length);
}
