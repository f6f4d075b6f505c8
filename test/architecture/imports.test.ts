import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/shipped.ts';

/** Which folder of src may import which. Files beside the folders are the ground, but for those that start orgctl. */

const TOP = ['main.ts', 'program.ts', 'nouns.ts'];
const GROUND = ['wire', 'ground'];
const TOOLS = [...GROUND, 'text', 'input', 'secrets', 'files', 'subprocess', 'resources'];
const PARTS = [
  ...['service', 'organizations', 'settings', 'stdout', 'rotation', 'tokens', 'audit-trail', 'people', 'people-files'],
  ...['roster', 'provider-list', 'publish', 'report'],
];

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  ground: ['wire'],
  text: GROUND,
  input: [...GROUND, 'text'],
  resources: GROUND,
  files: [...GROUND, 'sqlite'],
  sqlite: [],
  secrets: GROUND,
  subprocess: [...GROUND, 'files', 'secrets'],
  service: TOOLS,
  stdout: TOOLS,
  stderr: [...TOOLS, 'service'],
  settings: [...TOOLS, 'stdout'],
  rotation: [...TOOLS, 'service'],
  tokens: [...TOOLS, 'service', 'rotation', 'people', 'context', 'stderr', 'stdout'],
  'audit-trail': [...TOOLS, 'service', 'stdout'],
  organizations: [...TOOLS, 'service'],
  'people-files': TOOLS,
  people: [...TOOLS, 'service', 'organizations', 'people-files'],
  roster: [...TOOLS, 'service', 'organizations', 'people', 'people-files', 'stderr', 'stdout'],
  'provider-list': TOOLS,
  publish: [...TOOLS, 'service'],
  report: [...TOOLS, 'service', 'people', 'stdout'],
  manual: [...TOOLS, 'settings', 'stdout', 'rotation'],
  commands: [...TOOLS, ...PARTS, 'manual', 'context', 'stderr'],
  'commands/sandbox': ['sandbox'],
  context: [...TOOLS, ...PARTS, 'stderr', 'sandbox'],
  top: [...TOOLS, ...PARTS, 'stderr', 'manual', 'commands', 'context', 'sandbox'],
  // The service itself: what it shared with the client could be wrong on both sides, and pass every test.
  sandbox: ['wire', 'sqlite'],
};

/** A path such as `src/service/pace.ts` → its text. */
type Files = ReadonlyMap<string, string>;

function readSources(): Files {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => posix.join('src', ...path.split(sep)));
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

function findForbidden(files: Files): readonly string[] {
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)]
      .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
      .filter((target) => !mayImport(path, target))
      .map((target) => `${path} → ${target}`),
  );
}

function mayImport(path: string, target: string): boolean {
  if (!target.startsWith('src/')) return target === 'package.json';
  const [from, to] = [toFolder(path), toFolder(target)];
  const [noun, other] = [toNoun(path), toNoun(target)];
  if (from === 'commands' && to === 'commands') return other === undefined || other === noun;
  return from === to || [from, `commands/${noun}`].some((name) => MAY_IMPORT[name]?.includes(to) === true);
}

function toFolder(path: string): string {
  const [, first = '', rest] = path.split('/');
  if (rest !== undefined) return first;
  return TOP.includes(first) ? 'top' : 'ground';
}

function toNoun(path: string): string | undefined {
  return /^src\/commands\/([^/]+)\//.exec(path)?.[1];
}

test('src keeps the table', () => {
  const sources = readSources();
  expect(sources.size).toBeGreaterThan(0);
  expect(findForbidden(sources)).toEqual([]);
});

test.each([
  ['src/service/a.ts', `import type { A } from '../context/context.ts';`],
  ['src/new/a.ts', `import { a } from '../errors.ts';`],
  ['src/errors.ts', `export * from './service/a.ts';`],
  ['src/stdout/a.ts', `const a = await import('../service/a.ts');`],
  ['src/commands/teams/a.ts', `import { a } from '../members/a.ts';`],
  ['src/commands/teams/a.ts', `import { a } from '../../sandbox/a.ts';`],
  ['src/commands/a.ts', `import {\n  a,\n} from './teams/a.ts';`],
  ['src/sandbox/a.ts', `import { a } from '../errors.ts';`],
  ['src/stdout/a.ts', `import '../../test/a.ts';`],
])('%s may not say: %s', (path, text) => {
  expect(findForbidden(new Map([[path, text]]))).toHaveLength(1);
});
