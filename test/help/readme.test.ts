import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readCommandTree } from '../support/command-tree.ts';
import { readBlocks, readDocument } from '../support/documents.ts';
import { ROOT } from '../support/shipped.ts';

const readme = readDocument('README.md');

test('README.md is short, and has every command in a table', async () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(130);
  const { verbs } = await readCommandTree();
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` \|([^|]*)\| `[^`]+` \|$/gm)];
  const listed = rows.flatMap(([, noun = '', own = '']) =>
    own.trim() === '' ? [noun] : own.split(',').map((verb) => `${noun} ${verb.trim()}`),
  );
  expect(listed.toSorted()).toEqual(verbs.filter((words) => !/^(help|version)$/.test(words)).toSorted());
});

test('it runs scripts that a clone has', () => {
  const { text = '' } = readBlocks('README.md').find(({ heading }) => heading === 'Development') ?? {};
  const names = [...text.matchAll(/^npm (?:run )?(\S+)/gm)].map(([, name = '']) => name);
  expect(names).toEqual(['demo', 'test:fast', 'test']);
  expect(names.filter((name) => !(name in packageJson.scripts))).toEqual([]);
});

test('it links to files that are there: in the package, or in a clone by those who read of one', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const packed = ['LICENSE', ...packageJson.files];
  // The last lines of README.md, and what the release makes a whole address of.
  expect(links.filter((path) => !packed.some((each) => path === each || path.startsWith(`${each}/`)))).toEqual([
    '.github/demo.svg',
    '.github/page.png',
    '.github/SECURITY.md',
    'CONTRIBUTING.md',
    'src/README.md',
  ]);
});

test.each([
  ['.github/SECURITY.md', ''],
  ['CONTRIBUTING.md', ''],
  ['test/README.md', ''],
  ['src/README.md', 'src'],
])('%s names files that are there', (document, folder) => {
  const paths = [...readDocument(document).matchAll(/`([\w./-]+\/[\w./-]+\.\w+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(0);
  const isThere = (path: string) =>
    [join(folder, path), join('test', path), path].some((one) => existsSync(join(ROOT, one)));
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
