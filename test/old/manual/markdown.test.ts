import { describe, expect, test } from 'vitest';
import { renderMarkdown, toTable } from '../../../src/old/manual/markdown.ts';

const render = (text: string, width = 40): string => renderMarkdown(text, width);

describe('Markdown at a terminal', () => {
  test.each([
    [
      'a heading is wrapped',
      '# Title: one two three four five six seven eight\n',
      'Title: one two three four five six seven\neight\n',
    ],
    [
      'a paragraph is wrapped',
      'one two three four five six seven eight nine\nten\n',
      'one two three four five six seven eight\nnine ten\n',
    ],
    ['marks of code and links go', 'Use `orgctl` and [this](a/b.md), **now**.\n', 'Use orgctl and this, now.\n'],
    [
      'items hang',
      '- one two three four five six seven eight nine\n- ten\n',
      '- one two three four five six seven\n  eight nine\n- ten\n',
    ],
    ['an item goes on below', '- one\n  two\n', '- one two\n'],
    [
      'code is not wrapped',
      '```sh\norgctl members list --status invited --fields email\n\n# |\n```\n',
      '  orgctl members list --status invited --fields email\n\n  # |\n',
    ],
    ['parts are apart', 'a\n\n## B\n\n- c\n\nd\n', 'a\n\nB\n\n- c\n\nd\n'],
    ['an empty head goes', '| | |\n| --- | --- |\n| a | b |\n| long | c |\n', '  a     b\n  long  c\n'],
    ['a head stays', '| x | y |\n| --- | --- |\n| `a\\|b` | c |\n', '  x    y\n  a|b  c\n'],
  ])('%s', (_what, markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  test('a table takes the width, and a cell continues below itself', () => {
    const table = toTable(['', ''], [['name', 'a text that is longer than what is left of a line']]);
    expect(render(table)).toBe('  name  a text that is longer than what\n        is left of a line\n');
  });

  test('where first cells continue, a blank line separates rows', () => {
    const rows = [
      ['the first cell of a row is long', 'so is the second one of it'],
      ['a', 'b'],
    ];
    expect(render(toTable(['', ''], rows))).toBe(
      '  the first cell of   so is the second\n  a row is long       one of it\n\n  a                   b\n',
    );
  });

  test('a word that is wider than its column stays whole', () => {
    expect(render(toTable(['', ''], [['a', 'b'.repeat(50)]]))).toBe(`  a  ${'b'.repeat(50)}\n`);
  });
});
