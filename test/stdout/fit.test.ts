import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { fitWidths, toTableWidth, truncate } from '../../src/stdout/fit.ts';
import { renderDetails, renderTable } from '../../src/stdout/formats/table.ts';
import { PLAIN_STYLE } from '../../src/text/plain-style.ts';

describe('widths', () => {
  test.each([
    { natural: [4, 6], available: 80, fitted: [4, 6] },
    { natural: [10, 50, 50], available: 80, fitted: [10, 30, 30] },
    { natural: [10, 50, 20], available: 80, fitted: [10, 40, 20] },
    { natural: [20, 20, 20], available: 40, fitted: [10, 10, 10] },
    { natural: [20, 20, 20], available: 30, fitted: undefined },
  ])('$natural in $available: $fitted', ({ natural, available, fitted }) => {
    expect(fitWidths(natural, available)).toEqual(fitted);
  });

  test('never exceed what there is, and none grows', () => {
    const widths = fc.array(fc.nat(200), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(widths, fc.integer({ min: 1, max: 400 }), (natural, available) => {
        const fitted = fitWidths(natural, available);
        expect(toTableWidth(fitted ?? natural) <= available).toBe(fitted !== undefined);
        for (const [index, width] of (fitted ?? []).entries()) expect(width).toBeLessThanOrEqual(natural[index] ?? 0);
      }),
    );
  });
});

describe('a cell that is cut', () => {
  test.each([
    ['organization', 8, 'organiz…'],
    ['organization', 12, 'organization'],
    ['漢字漢字漢字', 8, '漢字漢…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
    ['a long name', 7, 'a long…'],
    ['a b', 2, 'a…'],
  ])('%s in %i: %s', (text, width, cut) => {
    expect(truncate(text, width, stringWidth)).toBe(cut);
  });

  test('is never wider than its column', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(stringWidth(truncate(text, width, stringWidth))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

const HEAD = ['id', 'status', 'email', 'user.username', 'teams'];
const ROWS = [
  ['ou-1234567890abcdef', 'active', 'olive.owner@example.com', 'olive-owner', 'owners,platform'],
  ['ou-fedcba0987654321', 'invited', '漢字.漢字@example.com', '', 'platform'],
];

async function join(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('a table', () => {
  test.each([60, 70, 80, 90, 200])('at %i columns is no wider than the terminal', async (columns) => {
    const table = await join(renderTable(HEAD, ROWS, PLAIN_STYLE, columns));
    for (const line of table.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    expect(table.startsWith('┌')).toBe(true);
  });

  test('that has room, or is not for a terminal, is whole', async () => {
    const whole = await join(renderTable(HEAD, ROWS, PLAIN_STYLE));
    expect(whole).not.toContain('…');
    expect(await join(renderTable(HEAD, ROWS, PLAIN_STYLE, 200))).toBe(whole);
  });

  test('at 40 columns is written in paragraphs, and nothing is cut', async () => {
    const toParagraph = (row: readonly string[]) => row.map((cell, index) => `${HEAD[index]}: ${cell}\n`).join('');
    expect(await join(renderTable(HEAD, ROWS, PLAIN_STYLE, 40))).toBe(ROWS.map(toParagraph).join('\n'));
  });

  test('of one thing is never cut: too wide for its box, it stands without', async () => {
    const rows = [['email', `${'x'.repeat(60)}@example.com`]] as const;
    expect(await join(renderDetails(rows, PLAIN_STYLE, 40))).toBe(`email: ${'x'.repeat(60)}@example.com\n`);
    expect(await join(renderDetails(rows, PLAIN_STYLE, 100))).toMatch(/^┌/);
  });
});
