import { expect, test } from 'vitest';
import { ABOUT, findCommandName } from '../../../src/old/input/about.ts';
import { readCommandTree } from '../../support/command-tree.ts';

const tree = await readCommandTree();

test('it is known of every command, and of nothing else, what it is about', () => {
  expect(Object.keys(ABOUT).sort()).toEqual([...tree.verbs].sort());
});

test('those about organizations take the options for several, and no others do', () => {
  const several = Object.entries(ABOUT).flatMap(([name, about]) => (about === 'organizations' ? [name] : []));
  expect(several.sort()).toEqual([...tree.taking('--all-orgs')].sort());
  expect([...tree.taking('--orgs')].sort()).toEqual(several);
});

test('only api does whatever the command line says: what the others do is tried of each', () => {
  expect(tree.doing('any')).toEqual(['api']);
});

test('each says what it does, and what it prints where it prints rows', () => {
  expect(tree.mute).toEqual([]);
  const withoutRows = [
    'auth login',
    'auth logout',
    'auth use',
    'settings set',
    'settings unset',
    'sandbox serve',
    'sandbox reset',
  ];
  expect(tree.rowless).toEqual(expect.arrayContaining([...withoutRows, 'api', 'completion', 'help']));
  expect(tree.rowless).toHaveLength(withoutRows.length + 3);
});

test.each([
  [['members', 'list', '-o', 'csv'], 'members list'],
  [['doctor', '--all-orgs'], 'doctor'],
  [['members', '--help'], undefined],
  [['constructor'], undefined],
  [[], undefined],
])('%j begins with the command %s', (words, name) => {
  expect(findCommandName(words)).toBe(name);
});
