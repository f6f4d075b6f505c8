import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findExpressions } from './expressions.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test('every regular expression was judged to take a time that grows with the text alone', () => {
  const judged = new Set<string>(JSON.parse(readFileSync(here('expressions.json'), 'utf8')));
  const expressions = findExpressions(here('../../src'));
  expect(expressions.length).toBeGreaterThan(100);
  expect(
    expressions.filter((expression) => !judged.has(expression)),
    'judge them with: npm run check:expressions',
  ).toEqual([]);
});
