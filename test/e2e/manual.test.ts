import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { TOPIC_NAMES } from '../../src/manual/topic-names.ts';
import { readCommandTree } from '../support/command-tree.ts';
import { createPlace, orgctl, ROOT } from '../support/shipped.ts';

const FOLDER = join(ROOT, 'dist', 'man');
const { nouns, verbs } = await readCommandTree();
const place = createPlace(afterAll);
const pages = readdirSync(FOLDER);
const toPage = (words: string): string => `orgctl-${words.split(' ')[0]}.1`;

const isThere = (command: string): boolean => spawnSync(command, ['-h']).error === undefined;

/** The page as text on a very wide terminal, where nothing is cut into lines. */
function show(page: string): string {
  const { status, stdout, stderr } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=1000', join(FOLDER, page)], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.replace(/.\u0008/gu, '');
}

test('there is a page for orgctl and one for each noun, and the package names exactly these', () => {
  const commands = verbs.filter((verb) => !verb.includes(' ') && verb !== 'help');
  expect(pages.toSorted()).toEqual(['orgctl.1', ...[...nouns, ...commands].map(toPage)].toSorted());
  expect(packageJson.man.toSorted()).toEqual(pages.map((page) => `dist/man/${page}`).toSorted());
});

describe.skipIf(!isThere('mandoc'))('mandoc', () => {
  test.each(pages)('has nothing to say of %s but that it has no date', (page) => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', join(FOLDER, page)], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });

  test.each([...verbs, ''].filter((words) => words !== 'help'))('"%s": the page says what help says', async (words) => {
    const { stdout: help } = await orgctl([...words.split(' ').filter(Boolean), '--help'], place);
    const page = show(words === '' ? 'orgctl.1' : toPage(words));
    const examples = [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
    const options = [...help.matchAll(/^ {2}((?:-\w, )?--[a-z-]+(?: <[^>]+>)?)/gm)]
      .map(([, flags = '']) => flags)
      .filter((flags) => flags !== '-h, --help');
    expect(examples.length).toBeGreaterThan(0);
    expect([...examples, ...options].filter((text) => !page.includes(text))).toEqual([]);
  });

  test.each(TOPIC_NAMES)('the page of orgctl holds the topic %s, line by line', async (topic) => {
    const { stdout } = await orgctl(['help', topic], place);
    const [title = '', ...lines] = stdout.split('\n');
    const page = show('orgctl.1');
    expect(page).toContain(`\n${title.toUpperCase()}\n`);
    expect(lines.filter((line) => !page.includes(line.trimEnd()))).toEqual([]);
  });
});

test.skipIf(!isThere('man')).each(pages)('man shows %s without a complaint', (page) => {
  const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-l', join(FOLDER, page)], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], MANPAGER: 'cat', LC_ALL: 'C.UTF-8', MANWIDTH: '120' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^ORGCTL/);
});

test('no page holds anything of the machine it was made on', () => {
  for (const page of pages) expect(readFileSync(join(FOLDER, page), 'utf8')).not.toContain(ROOT);
});
