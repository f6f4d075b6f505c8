import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ABOUT } from '../../src/input/about.ts';
import { TOPIC_NAMES } from '../../src/manual/topic-names.ts';
import { HELP, NOUNS } from '../../src/nouns.ts';
import { SINK_FORMS } from '../../src/rotation/sinks/sink.ts';
import { FORMAT_NAMES } from '../../src/stdout/formats/index.ts';
import { isNode, parse, ROOT, readSources, walk } from './sources.ts';

/** CONTRIBUTING.md says where each new thing goes: all that is there already went there. */

const [, section = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('## Where a new thing goes\n');
const [page = ''] = section.split('\n## ');

const WORDS = Object.keys(ABOUT).map((name) => name.split(' '));

/** What the places of a kind are called after. Exit codes are a topic that is made of a table. */
const KINDS: Readonly<Record<string, readonly (readonly [mark: string, name: string])[][]>> = {
  '<verb>': WORDS.flatMap(([noun = '', verb]) =>
    verb === undefined
      ? []
      : [
          [
            ['<noun>', noun],
            ['<verb>', verb],
          ],
        ],
  ),
  '<noun>': [...NOUNS, HELP].map(({ name }) => [['<noun>', name]]),
  '<format>': FORMAT_NAMES.map((name) => [['<format>', name]]),
  '<sink>': Object.keys(SINK_FORMS).map((name) => [['<sink>', name]]),
  '<topic>': TOPIC_NAMES.map((name) => [['<topic>', name]]),
};

function listPlaces(text: string): readonly string[] {
  const written = [...text.matchAll(/`((?:src|test)\/[^`]*)`/g)].map(([, path = '']) => path);
  return written.flatMap((path) => {
    const kind = Object.keys(KINDS).find((mark) => path.includes(mark));
    if (kind === undefined) return [path];
    return (KINDS[kind] ?? []).map((marks) => marks.reduce((filled, [mark, name]) => filled.replace(mark, name), path));
  });
}

const listMissing = (text: string) => listPlaces(text).filter((path) => !existsSync(join(ROOT, path)));

test('what is there stands where CONTRIBUTING.md says that it goes', () => {
  expect(listPlaces(page)).toContain('src/commands/members/mine.ts');
  expect(listMissing(page)).toEqual([]);
  expect(listMissing('`src/commands/<noun>/list-own.ts` `src/nouns.ts` `src/<sink>.ts`')).toContain('src/exec.ts');
});

test.each([
  ...['a verb', 'a noun', 'an option', 'a setting', 'an output format', 'an operation', 'what a status', 'a sink'],
  ...['a sandbox route', 'a topic'],
])('CONTRIBUTING.md says where %s goes', (thing) => {
  const [, row = ''] = page.split(`\n| ${thing}`);
  expect(row.split('\n', 1)[0]).toMatch(/`[\w/]+/);
});

test('each noun lists its verbs, and each verb is listed', () => {
  const verbs = WORDS.filter(([, verb]) => verb !== undefined).map(([noun, verb]) => `${noun}/${verb}`);
  const listed = NOUNS.flatMap(({ name }) => {
    const index = readFileSync(join(ROOT, 'src', 'commands', name, 'index.ts'), 'utf8');
    const imported = [...index.matchAll(/from '\.\/([\w-]+)\.ts'/g)].map(([, file = '']) => `${name}/${file}`);
    return index.includes('noun(') ? imported : [];
  });
  expect(listed.toSorted()).toEqual(verbs.toSorted());
});

test('no test has vitest stand in for anything', () => {
  const found: string[] = [];
  for (const [path, text] of readSources('test')) {
    walk(parse(path, text).program, (node) => {
      const { object, property } = node;
      if (node.type !== 'MemberExpression' || !isNode(object) || object['name'] !== 'vi' || !isNode(property)) return;
      if (property['name'] !== 'waitFor') found.push(`${path}: vi.${property['name']}`);
    });
  }
  expect(found).toEqual([]);
});
