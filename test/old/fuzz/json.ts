import fc from 'fast-check';
import { listWords } from '../../support/text.ts';
import { WORDS, weighted, words } from './words.ts';

/** JSON as text: it can have names such as `__proto__`, names that come twice, and numbers too large for a double. */

const NUMBERS = listWords('0 -0 1 -1 2 100 1e400 -1e400 1.5 9007199254740993 1e-400 12345678901234567890');

const NAMES = listWords('id type data attributes relationships included meta links errors name email status');
const OBJECT_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'then', 'length', ''];

const text = words(NAMES).map((word) => JSON.stringify(word));
const scalar = weighted([2, fc.constantFrom('null', 'true', 'false', ...NUMBERS)], [3, text]);
const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"data":', '}]']), fc.constantFrom(3, 40, 600, 20_000), scalar)
  .map(([[open = '', close = ''], depth, inner]) => `${open.repeat(depth)}${inner}${close.repeat(depth)}`);

const { value: tree } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`) },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...NAMES, ...OBJECT_NAMES, ...WORDS), tie('value')), { maxLength: 4 })
        .map(toObjectText),
    },
  ),
}));

/** Any value, sometimes nested deeply. */
const anyJson: fc.Arbitrary<string> = weighted([40, tree], [1, deep]);

/** The valid value, sometimes another. */
export function mostly(proper: fc.Arbitrary<string>, often = 12): fc.Arbitrary<string> {
  return weighted([often, proper], [1, anyJson]);
}

export function textOf(...own: readonly string[]): fc.Arbitrary<string> {
  return words(own).map((word) => JSON.stringify(word));
}

/** An object with these members, of which any may be missing, and sometimes others. */
export function objectOf(members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const own = Object.entries(members).map(([name, value]) =>
    weighted([14, value.map((inner) => [[name, inner] as const])], [1, fc.constant([])]),
  );
  const further = weighted(
    [6, fc.constant([])],
    [1, fc.array(fc.tuple(fc.constantFrom(...NAMES, ...OBJECT_NAMES, ...WORDS), anyJson), { maxLength: 2 })],
  );
  return fc.tuple(fc.tuple(...own), further).map(([given, more]) => toObjectText([...given.flat(), ...more]));
}

export function listOf(item: fc.Arbitrary<string>, maxLength = 4): fc.Arbitrary<string> {
  return fc.array(item, { maxLength }).map((items) => `[${items.join(',')}]`);
}

function toObjectText(members: readonly (readonly [name: string, value: string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
