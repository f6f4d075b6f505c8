import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainBlock, toPlainJson, toPlainText, toSafeText } from '../../../src/old/text/plain-text.ts';

const BIDI = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Text with far more control characters and pieces of sequences than chance would give. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('[', ']', 'P', '8;;', '\u001b\\', 'm', '31', ...'\u001b\u0007\u009b\u009c\u009d\u0090'),
      fc.constantFrom(...BIDI, '\r', '\n', '\t', '\ud83d', '\ude00', 'a'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('toPlainText', () => {
  it.each([
    ['ordinary text', 'Ana López', 'Ana López'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['clearing the screen', 'a\u001b[2J\u001b[Hb', 'ab'],
    ['private modes', '\u001b[?1049hx', 'x'],
    ['a window title', '\u001b]0;owned\u0007x', 'x'],
    ['a window title ended by ST', '\u001b]0;owned\u001b\\x', 'x'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\safe\u001b]8;;\u001b\\', 'safe'],
    ['a device control string', 'a\u001bPq#0;2;0;0;0\u001b\\b', 'ab'],
    ['an application command', 'a\u001b_G payload\u001b\\b', 'ab'],
    ['8-bit CSI', 'a\u009b31mb', 'ab'],
    ['8-bit OSC', 'a\u009d0;owned\u009cb', 'ab'],
    ['a full reset', 'a\u001bcb', 'ab'],
    ['a character set', 'a\u001b(0b', 'ab'],
    ['an unfinished OSC, whose text stays', 'a\u001b]0;rest', 'a0;rest'],
    ['an unfinished CSI', 'a\u001b[31', 'a31'],
    ['a lone escape at the end', 'a\u001b', 'a'],
    ['a sequence made by removing another', '\u001b\u001b[m[31mx', '[31mx'],
    ['backspace, bell, null, delete', 'a\b\u0007\u0000\u007fb', 'ab'],
    ['newline, return and tab', 'a\nb\r\nc\rd\te', 'a b c d e'],
    ['line separators', 'a\u2028b\u2029c', 'a b c'],
    ['a bidirectional override', 'exe\u202egnp.doc', 'exegnp.doc'],
    ['every mark of direction', `a${BIDI}b`, 'ab'],
    ['half a character', 'a\ud83db\ude00', 'a\ufffdb\ufffd'],
    ['Hebrew and Arabic', 'שלום مرحبا', 'שלום مرحبا'],
    ['emoji with joiners', '👩‍👩‍👧 🇩🇪', '👩‍👩‍👧 🇩🇪'],
    ['combining marks', 'e\u0301 ज़्', 'e\u0301 ज़्'],
  ])('%s', (_name, text, plain) => {
    expect(toPlainText(text)).toBe(plain);
  });

  it('lets nothing through that a terminal would obey, and changes plain text no more', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const plain = toPlainText(text);
        expect(plain).not.toMatch(UNSAFE);
        expect(plain).not.toMatch(/\p{Surrogate}/u);
        expect(toPlainText(plain)).toBe(plain);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time linear in unfinished sequences', () => {
    for (const start of ['\u001b]', '\u009d', '\u001b[1', '\u009b;', '\u001bP']) {
      expect(toPlainText(start.repeat(200_000))).not.toMatch(UNSAFE);
    }
  });
});

describe('toPlainBlock', () => {
  it('keeps newlines only', () => {
    expect(toPlainBlock('a\r\nb\rc\n\td\u001b[2J\u202e\u2028e')).toBe('a\nb\nc\n d\ne');
  });

  it('lets nothing else through, and changes plain text no more', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const plain = toPlainBlock(text);
        expect(plain.replaceAll('\n', '')).not.toMatch(UNSAFE);
        expect(toPlainBlock(plain)).toBe(plain);
      }),
    );
  });
});

describe('toSafeText', () => {
  it('keeps tab, newline and return', () => {
    expect(toSafeText('a\tb\r\nc\u001b[1m\u0085')).toBe('a\tb\r\nc');
  });
});

describe('toPlainJson', () => {
  it('escapes what JSON leaves raw', () => {
    expect(toPlainJson(JSON.stringify('\u001b\u007f\u009b\u202e\u2066\u061cא'))).toBe(
      '"\\u001b\\u007f\\u009b\\u202e\\u2066\\u061cא"',
    );
  });

  it('means the same, on one line and on many', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.array(hostile)), (value) => {
        for (const space of [undefined, 2]) {
          const json = toPlainJson(JSON.stringify(value, null, space));
          expect(json.replaceAll('\n', '')).not.toMatch(UNSAFE);
          expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(value));
        }
      }),
    );
  });
});
