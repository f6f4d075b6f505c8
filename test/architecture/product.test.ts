import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './sources.ts';

// In two parts, or this file would be one of those that name it.
const SWITCH = ['ORGCTL', 'TEST_SOURCES'].join('_');
const listFiles = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the switch to the sources', () => {
  const naming = ['.ci', '.config', '.github', 'bin', 'src', 'test']
    .flatMap(listFiles)
    .concat('package.json')
    .filter((path) => !path.endsWith('.md') && read(path).includes(SWITCH));

  test('is read in one file, and taken by coverage, mutation and the fast tests', () => {
    expect(naming.toSorted()).toEqual([
      '.ci/run',
      '.config/vitest.sources.config.ts',
      'test/mutation/mutation.mjs',
      'test/support/coverage.mjs',
      'test/support/from-sources.ts',
    ]);
  });

  test('is taken away from what CI runs', () => {
    expect(read('.ci/run').split('\n')).toContain(`unset ${SWITCH}`);
  });
});
