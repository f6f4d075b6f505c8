import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/old/errors.ts';
import { parseSinks, parseSinksOfEach } from '../../../../src/old/rotation/sinks/parse.ts';
import { createFolder } from '../../../support/files.ts';
import { listWords } from '../../../support/text.ts';
import { createSurroundings, listAll } from './surroundings.ts';

const parse = (...texts: readonly string[]) => parseSinks(texts, createSurroundings({ cwd: '/work' }));

describe('the values of --to', () => {
  it('keep their order, but stdout comes last', () => {
    const texts = ['stdout', 'exec:vault kv put a token=-', 'file:/a:b', 'github-output:TOKEN', 'env-file:/c#1#KEY'];
    expect(parse(...texts).map(({ name, kind }) => [name, kind])).toEqual([
      ['exec:vault kv put a token=-', 'exec'],
      ['file:/a:b', 'file'],
      ['github-output:TOKEN', 'github-output'],
      ['env-file:/c#1#KEY', 'env-file'],
      ['stdout', 'stdout'],
    ]);
    expect(parse()).toEqual([]);
  });

  it.each([...listWords('stdin stdout: stdout:x File:/a files:/a - exec file :a'), '', ' file:/a'])(
    '%j is no place, and the places are named',
    (text) => {
      expect(() => parse(text)).toThrow(UsageError);
      expect(() => parse(text)).toThrow(`unknown place for the new token: ${text}`);
      try {
        parse(text);
      } catch (error) {
        expect((error as UsageError).hint).toBe(
          'Places are file:PATH, env-file:PATH#KEY, exec:COMMAND, github-output:NAME, stdout.',
        );
      }
    },
  );

  it('takes a path alone for a file that was meant', () => {
    const meant = 'Did you mean file:/run/token? Places are ';
    expect(() => parse('/run/token')).toThrow(expect.objectContaining({ hint: expect.stringContaining(meant) }));
  });

  it.each([
    ['file:', 'missing path: file:'],
    ['file:/a\0b', "'file:/a\0b' contains a NUL character"],
    ['file:/a/', "'file:/a/' is a folder"],
    ['file:~/token', "'file:~/token': your shell did not replace ~"],
    ['file:~', "'file:~': your shell did not replace ~"],
    ['file:~ana/token', "'file:~ana/token': your shell did not replace ~"],
    ['env-file:~/env#KEY', "'env-file:~/env#KEY': your shell did not replace ~"],
    ['env-file:', "'env-file:' doesn't end in # and the name of a variable"],
    ['env-file:/a', "'env-file:/a' doesn't end in #"],
    ['env-file:/a#', "'env-file:/a#' doesn't end in #"],
    ['env-file:/a#1A', "'env-file:/a#1A' doesn't end in #"],
    ['env-file:/a#A-B', "'env-file:/a#A-B' doesn't end in #"],
    ['env-file:/a#A=1\nB', "doesn't end in #"],
    ['env-file:#KEY', 'missing path: env-file:#KEY'],
    ['exec:', 'missing command: exec:'],
    ['exec:a | b', 'runs no shell'],
    ['github-output:', "'github-output:' doesn't name an output"],
    ['github-output:a b', "'github-output:a b' doesn't name an output"],
    ['github-output:a<<b', "doesn't name an output"],
    ['github-output:a\n', "doesn't name an output"],
  ])('%j is refused', (text, message) => {
    expect(() => parse(text)).toThrow(UsageError);
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    [['stdout', 'stdout'], "'stdout' is given twice"],
    [['exec:a b', 'exec:a b'], "'exec:a b' is given twice"],
    [['github-output:A', 'stdout', 'github-output:A'], "'github-output:A' is given twice"],
    [['file:/work/a', 'file:b/../a'], "'file:/work/a' and 'file:b/../a' are the same place"],
    [['env-file:a#K', 'env-file:./a#K'], "'env-file:a#K' and 'env-file:./a#K' are the same place"],
    [['env-file:a#K', 'file:a'], "'env-file:a#K' and 'file:a' are the same place"],
  ])('%j name one place twice', (texts, message) => {
    expect(() => parse(...texts)).toThrow(UsageError);
    expect(() => parse(...texts)).toThrow(message);
  });

  it('may name two files, two keys of a file, and two commands', () => {
    expect(parse('file:a', 'file:b', 'env-file:c#A', 'env-file:c#B', 'exec:a', 'exec:b')).toHaveLength(6);
  });

  it('are not looked for yet', () => {
    const folder = createFolder();
    const before = listAll(folder);
    parse(`file:${folder}/none/a`, `file:${folder}/a`, 'exec:/none');
    expect(listAll(folder)).toEqual(before);
  });
});

it('of several organizations: what could be anything but a name is no part of a place', async () => {
  const names = [
    'acme',
    'a_b-1',
    '..',
    'a/b',
    'a\\b',
    'a.',
    '.a',
    '_a',
    '-a',
    'a b',
    'a#b',
    'é',
    'a\nb',
    'con',
    'COM1',
  ];
  const findRefused = async (platform: NodeJS.Platform) => {
    const sinks = await parseSinksOfEach(
      ['file:/srv/{org}.token'],
      names.map((organization) => ({ organization })),
      createSurroundings({ platform }),
    );
    return names.filter((name) => sinks.get(name) instanceof UsageError);
  };
  expect(await findRefused('linux')).toEqual(names.slice(2, -2));
  expect(await findRefused('win32')).toEqual(names.slice(2));
});
