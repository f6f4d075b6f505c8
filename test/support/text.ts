import fc from 'fast-check';

const character = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

/** Text of any whole characters: of all scripts, invisible ones and control characters too. */
export function anyText(lengths: { readonly minLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: character });
}

/** The words of a text, in which blanks and new lines stand between them. */
export function listWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
