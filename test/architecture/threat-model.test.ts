import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(ROOT, '.github', 'SECURITY.md'), 'utf8');
const [, model = ''] = /\n## Threat model\n([\s\S]*)/.exec(text) ?? [];
const promises = model
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split(' | '));

test('every promise names tests that are there', () => {
  expect(promises.length).toBeGreaterThan(10);
  for (const [promise = '', tests = ''] of promises) {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    expect(named.length, promise).toBeGreaterThan(0);
    expect(
      named.filter((path) => !existsSync(join(ROOT, path))),
      promise,
    ).toEqual([]);
  }
});
