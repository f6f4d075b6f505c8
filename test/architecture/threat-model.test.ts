import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(ROOT, '.github', 'SECURITY.md'), 'utf8');
const [, model = ''] = /\n## Threat model\n([\s\S]*)/.exec(text) ?? [];
/** Of the promises, and of what strangers can write: the tests stand in the last column of both. */
const rows = [...model.matchAll(/^\| (?!---|promise|what \|)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

test('every row names tests that are there', () => {
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) {
    const [promise, tests = ''] = [row.join(' | '), row.at(-1)];
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    expect(named.length, promise).toBeGreaterThan(0);
    expect(
      named.filter((path) => !existsSync(join(ROOT, path))),
      promise,
    ).toEqual([]);
  }
});
