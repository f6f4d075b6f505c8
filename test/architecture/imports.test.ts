import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findForbidden, findIdleFaces, ROOMS } from './imports.ts';
import { ROOT, readSources } from './sources.ts';

test('src keeps the import table', () => {
  const sources = readSources('src');
  expect(sources.size).toBeGreaterThan(0);
  expect(findForbidden(sources)).toEqual([]);
});

test('each face of the table is looked at from outside', () => {
  expect(findIdleFaces(readSources('src'))).toEqual([]);
  const guest = ['src/commands/doctor/a.ts', `import '../../service/inspect.ts';`] as const;
  const idle = findIdleFaces(new Map([guest]));
  expect(idle).not.toContain('service: inspect for commands/doctor');
  expect(idle).toContain('service: proxy for commands/doctor');
  expect(idle).toContain('service: pages');
});

test('src/README.md names the face of each room', () => {
  const rows = readFileSync(join(ROOT, 'src', 'README.md'), 'utf8').matchAll(/^\| `([\w-]+)\/.*\| ([^|]*) \|$/gm);
  const told = [...rows].map(([, room, face = '']) => [room, face === 'each file' ? undefined : face.match(/[^` ]+/g)]);
  const rooms = Object.entries(ROOMS).filter(([room]) => room !== 'ground' && room !== 'top');
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(rooms.map(([room, { face }]) => [room, face])));
});

describe('a forbidden import is reported', () => {
  test.each<[path: string, text: string, report: string]>([
    [
      'src/service/a.ts',
      `import type { A } from '../context/context.ts';`,
      'src/context/context.ts: service may not import context',
    ],
    ['src/new/a.ts', `import { a } from '../errors.ts';`, 'src/errors.ts: new is no room of the table'],
    ['src/wire/a.ts', `export { a } from '../errors.ts';`, 'src/errors.ts: wire may not import ground'],
    ['src/errors.ts', `export * from './service/a.ts';`, 'src/service/a.ts: ground may not import service'],
    [
      'src/stdout/a.ts',
      `const a = await import('../service/a.ts');`,
      'src/service/a.ts: stdout may not import service',
    ],
    ['src/stdout/a.ts', `type A = import('../service/a.ts').A;`, 'src/service/a.ts: stdout may not import service'],
    [
      'src/rotation/a.ts',
      `import { a } from '../service/a.ts';`,
      'src/service/a.ts: rotation may import only types of service',
    ],
    [
      'src/commands/teams/a.ts',
      `import { a } from '../members/a.ts';`,
      'src/commands/members/a.ts: teams may not import the noun members',
    ],
    [
      'src/program.ts',
      `import { a } from './sandbox/a.ts';`,
      'src/sandbox/a.ts: the sandbox is loaded only when it is used',
    ],
    [
      'src/context/context.ts',
      `import { a } from '../sandbox/a.ts';`,
      'src/sandbox/a.ts: the sandbox is loaded only when it is used',
    ],
    [
      'src/commands/a.ts',
      `import { a } from '../service/client.ts';`,
      'src/service/client.ts: it is not in the face of service',
    ],
    [
      'src/people/a.ts',
      `import type { A } from '../service/client.ts';`,
      'src/service/client.ts: it is not in the face of service',
    ],
    [
      'src/commands/teams/a.ts',
      `await import('../../service/inspect.ts');`,
      'src/service/inspect.ts: it is not in the face of service',
    ],
    [
      'src/commands/sandbox/a.ts',
      `await import('../../sandbox/store.ts');`,
      'src/sandbox/store.ts: it is not in the face of sandbox',
    ],
    [
      'src/nouns.ts',
      `await import('./commands/teams/list.ts');`,
      'src/commands/teams/list.ts: it is not in the face of commands',
    ],
    ['src/sandbox/a.ts', `import { a } from '../service/a.ts';`, 'src/service/a.ts: sandbox may not import service'],
    ['src/stdout/a.ts', `import '../../test/a.ts';`, 'test/a.ts: src imports nothing outside itself'],
    ['src/service/pages.ts', `import { Pool } from 'undici';`, 'undici: the package is imported in its adapter only'],
    [
      'src/stdout/a.ts',
      `await import('csv-stringify/sync');`,
      'csv-stringify/sync: the package is imported in its adapter only',
    ],
    [
      'src/stdout/a.ts',
      `import a from 'left-pad';`,
      'left-pad: the package has no adapter in test/architecture/imports.ts',
    ],
    [
      'src/stdout/a.ts',
      `import { hostname } from 'node:os';`,
      'node:os: it acts on the machine: only src/host.ts, src/files/, src/sandbox/companions.ts',
    ],
    [
      'src/rotation/a.ts',
      `import { existsSync } from 'node:fs';`,
      'node:fs: it acts on the machine: only src/host.ts, src/files/, src/sandbox/*',
    ],
    [
      'src/rotation/a.ts',
      `import { rm } from 'node:fs/promises';`,
      'node:fs/promises: it acts on the machine: only src/host.ts, src/files/, src/sandbox/*',
    ],
    [
      'src/stdout/a.ts',
      `import process from 'node:process';`,
      'node:process: it acts on the machine: only src/host.ts has it, by what it is given',
    ],
    [
      'src/stdout/a.ts',
      `import { Worker } from 'node:worker_threads';`,
      'node:worker_threads: test/architecture/imports.ts does not say what it acts on',
    ],
    [
      'src/stdout/a.ts',
      `import { randomBytes } from 'node:crypto';`,
      'node:crypto: only src/host.ts reads it; take a Host',
    ],
    ['src/service/pace.ts', `setTimeout(() => undefined, 10);`, 'a timer: only src/host.ts reads it; take a Host'],
    ['src/stdout/a.ts', `export const a = process.env;`, 'process: only src/host.ts reads it; take a Host'],
    ['src/stdout/a.ts', `export const a = Date.now();`, 'Date.now: only src/host.ts reads it; take a Host'],
    ['src/stdout/a.ts', `export const a = new Date();`, 'new Date(): only src/host.ts reads it; take a Host'],
    ['src/stdout/a.ts', `export const a = Math.random;`, 'Math.random: only src/host.ts reads it; take a Host'],
  ])('%s: %s', (path, text, report) => {
    expect(findForbidden(new Map([[path, text]]))).toContain(`${path} → ${report}`);
  });

  test('a package loaded at every start', () => {
    const files = new Map([
      ['src/main.ts', `import { a } from './text/style.ts';`],
      ['src/text/style.ts', `import { Chalk } from 'chalk';\nexport const a = Chalk;`],
    ]);
    expect(findForbidden(files)).toEqual([
      'src/text/style.ts → chalk: loaded at every start; import() it where it is used',
    ]);
  });

  test('a circle, of types too', () => {
    const files = new Map([
      ['src/stdout/a.ts', `import { b } from './b.ts';`],
      ['src/stdout/b.ts', `import { c } from './c.ts';`],
      ['src/stdout/c.ts', `import type { A } from './a.ts';`],
    ]);
    expect(findForbidden(files)).toEqual([
      'src/stdout/a.ts → src/stdout/b.ts → src/stdout/c.ts → src/stdout/a.ts: a circle',
    ]);
  });
});

test.each<[path: string, text: string]>([
  ['src/rotation/a.ts', `import { type Service } from '../service/service.ts';`],
  ['src/commands/doctor/a.ts', `import { a } from '../../service/inspect.ts';`],
  ['src/nouns.ts', `await import('./commands/teams/index.ts');`],
  ['src/program.ts', `import { a } from './sandbox/callers.ts';`],
  ['src/stdout/a.ts', `export const a = (value: number) => new Date(value);\nexport interface B { process: string }`],
])('%s may say: %s', (path, text) => {
  expect(findForbidden(new Map([[path, text]]))).toEqual([]);
});
