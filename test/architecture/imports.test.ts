import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/shipped.ts';

/** Which folder of src may import which. A folder may always import itself, and every folder may import lib. */
const BELOW = ['api', 'config', 'output'];
const DOMAINS = ['members', 'tokens', 'providers', 'audit-trail'];
const MAY_IMPORT: Record<string, string[]> = {
  lib: [],
  api: [],
  output: [],
  config: ['output'],
  orgs: BELOW,
  ...Object.fromEntries(DOMAINS.map((domain) => [domain, ['orgs', ...BELOW]])),
  // A mistake that the service shared with the client would pass every test.
  sandbox: [],
  cli: [...DOMAINS, 'orgs', ...BELOW, 'sandbox'],
  help: [],
  commands: ['cli', ...DOMAINS, 'orgs', ...BELOW],
  'commands/sandbox': ['cli', 'api', 'output', 'sandbox'],
  'main.ts': ['cli', 'commands', 'output', 'help'],
  'program.ts': ['cli', 'commands', 'output', 'help'],
};

function findForbidden(files: Map<string, string>): string[] {
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)]
      .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
      .filter((target) => !mayImport(path, target))
      .map((target) => `${path} → ${target}`),
  );
}

function mayImport(path: string, target: string): boolean {
  if (!target.startsWith('src/')) return target === 'package.json';
  const [, from = '', noun] = path.split('/');
  const [, to = '', otherNoun] = target.split('/');
  if (from === 'commands' && to === 'commands') return noun === otherNoun;
  const allowed = MAY_IMPORT[`${from}/${noun}`] ?? MAY_IMPORT[from] ?? [];
  return from === to || to === 'lib' || (from === 'main.ts' && to === 'program.ts') || allowed.includes(to);
}

test('src keeps the table, and files are short', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => posix.join('src', ...path.split(sep)));
  const files = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
  expect(findForbidden(files)).toEqual([]);
  expect(paths.filter((path) => (files.get(path)?.split('\n').length ?? 0) > 251)).toEqual([]);
});

test.each([
  ['src/lib/a.ts', `import type { A } from '../api/client.ts';`],
  ['src/api/a.ts', `export * from '../output/columns.ts';`],
  ['src/members/a.ts', `const a = await import('../cli/session.ts');`],
  ['src/commands/teams/a.ts', `import { a } from '../members/a.ts';`],
  ['src/commands/teams/a.ts', `import { a } from '../../sandbox/a.ts';`],
  ['src/cli/a.ts', `import {\n  a,\n} from '../commands/a.ts';`],
  ['src/sandbox/a.ts', `import { a } from '../api/types.ts';`],
  ['src/output/a.ts', `import '../../test/a.ts';`],
])('%s may not say: %s', (path, text) => {
  expect(findForbidden(new Map([[path, text]]))).toHaveLength(1);
});
