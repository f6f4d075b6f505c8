import fc from 'fast-check';
import { WORDS, weighted } from './words.ts';

/** Bytes as texts, each byte one character: JSON can hold them, and fast-check can shrink them. */

/** Changes of a text. Places are fractions of its length, from 0 to 65535. */
type Edit =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'cut'; readonly at: number; readonly length: number }
  | { readonly kind: 'truncate'; readonly at: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'overwrite'; readonly at: number; readonly text: string }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly kind: 'splice'; readonly at: number; readonly other: number; readonly from: number };

const PARTS = 65_536;
/** Repeats end here. */
const LONGEST = 131_072;

const place = fc.nat(PARTS - 1);
const shortLength = fc.integer({ min: 1, max: 24 });

export function toBytes(latin: string): Buffer {
  return Buffer.from(latin, 'latin1');
}

function fromText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** One of the texts, changed in a few places. `dictionary`: words that have a meaning there. */
export function mutated(corpus: readonly string[], dictionary: readonly string[] = []): fc.Arbitrary<string> {
  const texts = corpus.map(fromText);
  return fc
    .tuple(fc.nat(texts.length - 1), edits(dictionary))
    .map(([start, changes]) => changes.reduce((text, edit) => apply(text, edit, texts), texts[start] ?? ''));
}

/** The same for generated texts. */
export function mutatedOf(made: fc.Arbitrary<string>, dictionary: readonly string[] = []): fc.Arbitrary<string> {
  return fc
    .tuple(made, edits(dictionary))
    .map(([text, changes]) => changes.reduce((changed, edit) => apply(changed, edit, []), fromText(text)));
}

function edits(dictionary: readonly string[]): fc.Arbitrary<readonly Edit[]> {
  const own = dictionary.map(fromText);
  const text = weighted(
    [3, fc.constantFrom(...WORDS.map(fromText), ...own)],
    [own.length === 0 ? 0 : 4, fc.constantFrom('', ...own)],
    [1, fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 }).map((all) => String.fromCharCode(...all))],
  );
  const edit: fc.Arbitrary<Edit> = weighted(
    [3, fc.record({ kind: fc.constant('flip' as const), at: place, bit: fc.nat(7) })],
    [3, fc.record({ kind: fc.constant('cut' as const), at: place, length: shortLength })],
    [1, fc.record({ kind: fc.constant('truncate' as const), at: place })],
    [5, fc.record({ kind: fc.constant('insert' as const), at: place, text })],
    [4, fc.record({ kind: fc.constant('overwrite' as const), at: place, text })],
    [
      2,
      fc.record({
        kind: fc.constant('repeat' as const),
        at: place,
        length: shortLength,
        times: weighted([12, fc.integer({ min: 2, max: 9 })], [1, fc.constantFrom(300, 20_000)]),
      }),
    ],
    [2, fc.record({ kind: fc.constant('splice' as const), at: place, other: fc.nat(31), from: place })],
  );
  return weighted(
    [1, fc.constant([])],
    [12, fc.array(edit, { minLength: 1, maxLength: 3 })],
    [4, fc.array(edit, { minLength: 1, maxLength: 12 })],
  );
}

function apply(text: string, edit: Edit, others: readonly string[]): string {
  const at = toPosition(text, edit.at);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (edit.kind) {
    case 'flip':
      return after === '' ? text : before + String.fromCharCode(after.charCodeAt(0) ^ (1 << edit.bit)) + after.slice(1);
    case 'cut':
      return before + after.slice(edit.length);
    case 'truncate':
      return before;
    case 'insert':
      return before + edit.text + after;
    case 'overwrite':
      return before + edit.text + after.slice(edit.text.length);
    case 'repeat': {
      const piece = after.slice(0, edit.length);
      const times = Math.min(edit.times, Math.floor((LONGEST - text.length) / Math.max(1, piece.length)));
      return before + piece.repeat(Math.max(1, times)) + after.slice(edit.length);
    }
    case 'splice': {
      const other = others[edit.other % Math.max(1, others.length)] ?? text;
      return before + other.slice(toPosition(other, edit.from));
    }
  }
}

function toPosition(text: string, part: number): number {
  return Math.floor((part / PARTS) * (text.length + 1));
}
