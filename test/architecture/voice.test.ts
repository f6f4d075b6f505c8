import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NOUNS } from '../../src/nouns.ts';
import { findOffences, findWrittenCommands } from './voice.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function readSources(): ReadonlyMap<string, string> {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join('src', ...path.split(sep)))
    .filter((path) => path.endsWith('.ts'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

test('orgctl speaks with one voice, and every error ends in what to do next', () => {
  const sources = new Map([...readSources()].filter(([path]) => !/^src\/(sandbox|wire)\//.test(path)));
  expect(sources.size).toBeGreaterThan(100);
  expect(findOffences(sources)).toEqual([]);
});

describe('a command to paste is made in one place', () => {
  const nouns = NOUNS.map(({ name }) => name);

  test('no text but examples and help writes one out', () => {
    expect(findWrittenCommands(readSources(), nouns)).toEqual([]);
  });

  test.each([
    "const hint = 'See: orgctl teams list'",
    'const next = `orgctl members apply --file $' + '{file}`',
    "const next = 'orgctl --sandbox members list'",
  ])('%s is reported', (text) => {
    expect(findWrittenCommands(new Map([['src/a.ts', text]]), nouns)).toHaveLength(1);
  });

  test.each(["const example = { command: 'orgctl teams list' }", "const hint = 'Commands: see orgctl help.'"])(
    '%s is as it should be',
    (text) => {
      expect(findWrittenCommands(new Map([['src/a.ts', text]]), nouns)).toEqual([]);
    },
  );
});

test.each<[text: string, offence: string]>([
  ["new UsageError('no team is named')", 'it ends without what to do next'],
  ["new OrgctlError('rejected', 'no team is named', { reasons: [why] })", 'it ends without what to do next'],
  ["new UsageError('No team is named.', { hint: 'Name one.' })", 'what failed is told in small letters'],
  ["new UsageError('no team is named', { hint: 'name one.' })", 'a hint begins with a capital letter'],
  ["new UsageError('no team is named', { hint: 'Name one' })", 'a hint ends in a full stop'],
  ["warn('please wait for it')", 'plain words'],
  ["warn('it is done!')", 'no exclamation marks'],
  ["warn('an invalid email')", 'no blame'],
  ['warn("the service\'s own words")', 'an apostrophe is ’'],
  ["warn('the e-mail of somebody')", 'one word for one thing'],
  ["warn('the body is no JSON')", 'is not a …'],
  ['warn(`it took $' + '{count} seconds`)', 'units are'],
])('%s is reported: %s', (text, offence) => {
  expect(findOffences(new Map([['src/a.ts', text]]))).toEqual([expect.stringContaining(offence)]);
});

test.each([
  "new UsageError('no team is named', { hint: 'Name one of these:', next: [['orgctl', 'teams', 'list']] })",
  "new UsageError('no team is named', { next: [['orgctl', 'teams', 'list']] })",
  "new UsageError('no team is named', details)",
  "new OrgctlError('interrupted', 'interrupted')",
])('%s is as it should be', (text) => {
  expect(findOffences(new Map([['src/a.ts', text]]))).toEqual([]);
});
