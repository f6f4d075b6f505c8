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
  places: ['output'],
  config: ['output', 'places'],
  organizations: ['members', 'tokens', ...BELOW],
  ...Object.fromEntries(DOMAINS.map((domain) => [domain, ['places', ...BELOW]])),
  // A mistake that the service shared with the client would pass every test.
  sandbox: [],
  cli: [...DOMAINS, 'organizations', 'places', ...BELOW, 'sandbox'],
  help: [],
  commands: ['cli', ...DOMAINS, 'organizations', 'places', ...BELOW],
  'commands/sandbox': ['cli', 'api', 'output', 'sandbox'],
  'main.ts': ['cli', 'commands', 'output', 'help'],
  'program.ts': ['cli', 'commands', 'output', 'help'],
};

/** What touches the machine; every other file imports of Node what only computes. */
const MACHINE =
  /^src\/(lib\/(runtime|files|input|own-files|descriptors|lock|exec|sqlite)|config\/store|api\/(http|dispatcher)|audit-trail\/backlog|sandbox\/.+)\.ts$/;
const COMPUTING = ['node:crypto', 'node:path', 'node:querystring'];

function findForbidden(path: string, text: string): string[] {
  const uses = MACHINE.test(path) ? [] : (text.match(/\bprocess\.\w+/g) ?? []);
  const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'((?:\.|node:)[^']+)'/g)].map(([, name = '']) => name);
  return [...uses, ...imports.filter((name) => !mayImport(path, name))].map((name) => `${path} → ${name}`);
}

function mayImport(path: string, specifier: string): boolean {
  if (specifier.startsWith('node:')) return MACHINE.test(path) || COMPUTING.includes(specifier);
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith('src/')) return target === 'package.json';
  const [, from = '', noun] = path.split('/');
  const [, to = '', otherNoun] = target.split('/');
  if (from === 'commands' && to === 'commands') {
    return noun === otherNoun || (noun === 'audit-token' && target.startsWith('src/commands/tokens/shared/'));
  }
  const allowed = MAY_IMPORT[`${from}/${noun}`] ?? MAY_IMPORT[from] ?? [];
  return from === to || to === 'lib' || (from === 'main.ts' && to === 'program.ts') || allowed.includes(to);
}

test('src keeps the tables', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => posix.join('src', ...path.split(sep)));
  expect(paths.flatMap((path) => findForbidden(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
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
  ['src/members/a.ts', `import { readFileSync } from 'node:fs';`],
  ['src/api/a.ts', `const tls = await import('node:tls');`],
  ['src/cli/a.ts', `const { env } = process.env;`],
])('%s may not say: %s', (path, text) => {
  expect(findForbidden(path, text)).toHaveLength(1);
});
