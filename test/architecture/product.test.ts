import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// In two parts, or this file would be one of those that name it.
const SWITCH = ['ORGCTL', 'TEST_SOURCES'].join('_');
/** What starts orgctl, or the part of it that speaks HTTP. */
const STARTS = ['main', 'createService', 'createTransport', 'explain', 'openSandbox', 'serveSandbox'];

const listFiles = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('tests start what is built: only product.ts chooses, and layers.ts names what it may choose', () => {
  const starting = listFiles('test')
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/^import \{([^}]*)\} from '[./]*\/src\/[^']*';$/gm)].flatMap(([, names = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => STARTS.includes(name))
          .map((name) => `${path}: ${name}`),
      ),
    );
  expect(starting).toEqual([]);
  expect(read('test/support/product.ts')).toContain("require('../../dist/main.cjs')");
});

describe('the switch to the sources', () => {
  const naming = ['.ci', '.config', '.github', 'bin', 'src', 'test']
    .flatMap(listFiles)
    .concat('package.json')
    .filter((path) => read(path).includes(SWITCH));

  test('is read in one file, and taken by coverage and mutation', () => {
    expect(naming.toSorted()).toEqual([
      '.ci/run',
      'test/mutation/mutation.mjs',
      'test/support/coverage.mjs',
      'test/support/from-sources.ts',
    ]);
  });

  test('is taken away from what CI runs', () => {
    expect(read('.ci/run').split('\n')).toContain(`unset ${SWITCH}`);
  });
});
