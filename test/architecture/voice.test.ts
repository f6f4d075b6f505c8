import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, readSources } from './sources.ts';
import { findOffences, findOffencesInDocument, findPrivateWords } from './voice.ts';

test('orgctl speaks with one voice, and every error ends in what to do next', () => {
  const sources = new Map([...readSources('src')].filter(([path]) => !/^src\/(sandbox|wire)\//.test(path)));
  expect(sources.size).toBeGreaterThan(100);
  expect(findOffences(sources)).toEqual([]);
});

const documents = [
  'README.md',
  ...readdirSync(join(ROOT, 'src', 'manual'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `src/manual/${name}`),
];

test.each(documents)('%s speaks so too', (path) => {
  expect(findOffencesInDocument(readFileSync(join(ROOT, path), 'utf8'))).toEqual([]);
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
  ["warn('the service’s word')", "an apostrophe is '"],
  ["warn('the e-mail of a person')", 'one word for one thing'],
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

test('names and comments in src are plain words', () => {
  expect(findPrivateWords(readSources('src'))).toEqual([]);
});

test.each([
  'const formerRun = 1;',
  'function mintToken() {}',
  'interface A { readonly untold: string }',
  'const MINT_TIMEOUT = 1;',
  '// Whoever asks for it is told.',
  '/** The one in force. */',
])('%s is reported', (text) => {
  expect(findPrivateWords(new Map([['src/a.ts', text]]))).toHaveLength(1);
});

test.each(["const text = 'nobody was told';", "const open = { minting: 1, 'former': 2 };", 'const windings = 1;'])(
  '%s is as it should be',
  (text) => {
    expect(findPrivateWords(new Map([['src/a.ts', text]]))).toEqual([]);
  },
);
