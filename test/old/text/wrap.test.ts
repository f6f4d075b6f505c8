import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { hang, wrap, wrapCell } from '../../../src/old/text/wrap.ts';

const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', '字', 'é', ',', '/') });

describe('wrap', () => {
  it('keeps every word whole, and no line wider than it has to be', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 4, max: 40 }), (words, width) => {
        const lines = wrap(words.join(' '), width, stringWidth);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(stringWidth(line) <= width || !line.includes(' ')).toBe(true);
      }),
    );
  });

  it('breaks a cell behind commas and slashes too', () => {
    expect(wrapCell('a/bc,d ef', 4, ({ length }) => length)).toEqual(['a/', 'bc,d', 'ef']);
  });

  it('hangs what continues a text below it', () => {
    expect(hang('  → ', 'one two three', 12)).toEqual(['  → one two', '    three']);
  });
});
