import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readCommandTree } from '../support/command-tree.ts';
import { readDocument } from '../support/documents.ts';
import { readHelps } from '../support/helps.ts';
import { run } from '../support/run.ts';
import { createPlace, orgctl } from '../support/shipped.ts';

const { nouns, verbs } = await readCommandTree();
const place = createPlace(afterAll);
const helps = await readHelps(place.home);

describe('every help', () => {
  test.each(helps)('of "$words" says how it is called, and has an example', ({ words, text, examples }) => {
    const usage = words === '' ? 'orgctl <noun> <verb>' : `orgctl ${words}`;
    expect(text.replaceAll('\n       ', ' ')).toContain(`\nUsage: ${usage}`);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(nouns)('of "%s" lists its verbs', (noun) => {
    const text = helps.find(({ words }) => words === noun)?.text ?? '';
    const own = verbs.filter((verb) => verb.startsWith(`${noun} `)).map((verb) => verb.slice(noun.length + 1));
    expect(own.filter((verb) => !new RegExp(`^ {2}${verb}\\b`, 'm').test(text))).toEqual([]);
  });

  // There is a topic of the name sandbox too.
  test.each([...nouns, ...verbs].filter((words) => words !== 'sandbox'))(
    'of "%s" is the same by the word help',
    async (words) => {
      const asked = await run(['help', ...words.split(' ')], { home: place.home });
      expect(asked).toEqual({ code: 0, stdout: helps.find((help) => help.words === words)?.text, stderr: '' });
    },
  );
});

describe('--fields help', () => {
  const printing = helps.filter(({ text }) => /^Fields: /m.test(text));

  test.each(printing)('of "$words" needs no argument', async ({ words, text }) => {
    expect(text).toContain(`\nFields: orgctl ${words} --fields help\n`);
    const line = words.split(' ');
    const { code, stdout, stderr } = await run([...line, '--fields', 'help', '-o', 'json'], { home: place.home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = JSON.parse(stdout) as readonly { readonly field: string }[];
    const fields = rows.map(({ field }) => field);
    expect(fields).toEqual([...new Set(fields)]);
    expect(rows.length).toBeGreaterThan(0);
  });

  test.each([
    'members list',
    'members remove milo.member@example.com --ignore-missing --dry-run',
    'providers create hashicorp/google --dry-run',
  ])('begins with the fields of csv, in their order: %s', async (words) => {
    const { home } = createPlace();
    for (const several of [[], ['--all-orgs']]) {
      const line = ['--sandbox', ...words.split(' '), ...several, '-q', '-o', 'csv'];
      const [header = ''] = (await run(line, { home })).stdout.split('\r\n');
      const { stdout } = await run([...line, '--fields', 'help', '--no-input'], { home });
      const fields = stdout.split('\r\n').map((row) => row.split(',', 1)[0]);
      expect(fields.slice(1, 1 + header.split(',').length)).toEqual(header.split(','));
    }
  });

  test('is refused where nothing has fields', async () => {
    const rest = [...nouns, ...verbs, ''].filter((words) => !printing.some((each) => each.words === words));
    for (const words of rest) {
      const { code, stdout } = await run([...words.split(' ').filter(Boolean), '--fields=help'], { home: place.home });
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
    }
  });

  test('is a list, the fields of the default first', async () => {
    const { stdout } = await run(['settings', 'list', '--fields', 'help']);
    expect(stdout).toBe('name\nvalue\nsource\n');
  });
});

test('README.md names every command', () => {
  const rows = [...readDocument('README.md').matchAll(/^\| `([a-z-]+)` \| ([a-z, ]*) ?\| `(?:orgctl|eval) .*` \|$/gm)];
  const named = rows.flatMap(([, noun = '', list = '']) =>
    list.trim() === '' ? [noun] : list.split(', ').map((verb) => `${noun} ${verb.trim()}`),
  );
  expect(named.sort()).toEqual(verbs.filter((words) => words !== 'help').sort());
});

describe('the first steps', () => {
  test.each(['', ...nouns])('"%s" without a verb is its help', async (words) => {
    const text = helps.find((help) => help.words === words)?.text;
    expect(await run(words.split(' ').filter(Boolean), { home: place.home })).toEqual({
      code: 0,
      stdout: text,
      stderr: '',
    });
  });

  test.each(['', 'teams', 'teams add'])('"%s --help" is the same in a process of its own', async (words) => {
    const text = helps.find((help) => help.words === words)?.text;
    expect(await orgctl([...words.split(' ').filter(Boolean), '--help'], place)).toEqual({
      code: 0,
      stdout: text,
      stderr: '',
    });
  });

  test.each([
    ['--help members list', 'members list'],
    ['-h teams', 'teams'],
    ['--sandbox --help teams add', 'teams add'],
  ])('"%s" is the help of "%s"', async (line, words) => {
    const text = helps.find((help) => help.words === words)?.text;
    expect(await run(line.split(' '), { home: place.home })).toEqual({ code: 0, stdout: text, stderr: '' });
  });

  test('--version is that of the package, and nothing else', async () => {
    expect(await orgctl(['--version'], place)).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('none of it leaves a file behind', () => {
    expect(readdirSync(place.home)).toEqual([]);
  });
});
