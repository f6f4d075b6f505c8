import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { TOPIC_NAMES } from '../../src/manual/topic-names.ts';
import { readCommandTree } from '../support/command-tree.ts';
import { findExamples } from '../support/examples.ts';
import { createPlace, orgctl, ROOT } from '../support/shipped.ts';

const FOLDER = join(ROOT, 'dist', 'man');
const { nouns, verbs } = await readCommandTree();
const place = createPlace(afterAll);
const pages = readdirSync(FOLDER);
const toPage = (words: string): string => `orgctl-${words.split(' ')[0]}.1`;

const toTopicPage = (topic: string): string => `orgctl-${topic}.7`;

const isThere = (command: string): boolean => spawnSync(command, ['-h']).error === undefined;

/** The page as text on a very wide terminal, where nothing is cut into lines. */
function show(page: string): string {
  const { status, stdout, stderr } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=1000', join(FOLDER, page)], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.replace(/.\u0008/gu, '');
}

test('there is a page for orgctl, one for each noun and one for each topic, and the package names exactly these', () => {
  const commands = verbs.filter((verb) => !verb.includes(' ') && verb !== 'help');
  const expected = [...[...nouns, ...commands].map(toPage), ...TOPIC_NAMES.map(toTopicPage), 'orgctl.1'];
  expect(pages.toSorted()).toEqual(expected.toSorted());
  expect(packageJson.man.toSorted()).toEqual(pages.map((page) => `dist/man/${page}`).toSorted());
});

test('each page says in a few words what it is about, without its own name and without a full stop', () => {
  const names = pages.map((page) => {
    const [, name = '', summary = ''] =
      /^\.SH NAME\n(\S+) \\- (.+)$/m.exec(readFileSync(join(FOLDER, page), 'utf8')) ?? [];
    return { page, name: name.replaceAll('\\', ''), summary };
  });
  expect(names.filter(({ page, name }) => `${name}.` !== page.slice(0, -1))).toEqual([]);
  expect(names.filter(({ name, summary }) => !/[^.]$/.test(summary) || summary.startsWith(name))).toEqual([]);
});

describe.skipIf(!isThere('mandoc'))('mandoc', () => {
  test.each(pages)('has nothing to say of %s but that it has no date', (page) => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', join(FOLDER, page)], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });

  test.each([...verbs, ''].filter((words) => words !== 'help'))('"%s": the page says what help says', async (words) => {
    const { stdout: help } = await orgctl([...words.split(' ').filter(Boolean), '--help'], place);
    const page = show(words === '' ? 'orgctl.1' : toPage(words));
    const examples = words === '' ? [] : findExamples(help);
    const options = [...help.matchAll(/^ {2}((?:-\w, )?--[a-z-]+(?: <[^>]+>)?)/gm)]
      .map(([, flags = '']) => flags)
      .filter((flags) => flags !== '-h, --help');
    expect(examples.length).toBeGreaterThan(words === '' ? -1 : 0);
    const usages = [...help.replaceAll('\n       ', ' ').matchAll(/^Usage: (.*)$/gm)].map(([, usage = '']) => usage);
    const topics = [...help.matchAll(/^More: orgctl help (.*)$/gm)].map(([, topic]) => `orgctl-${topic}(7)`);
    expect([...examples, ...options, ...usages, ...topics].filter((text) => !page.includes(text))).toEqual([]);
  });

  test.each(TOPIC_NAMES)('the page of the topic %s says what help says', async (topic) => {
    const { stdout } = await orgctl(['help', topic], place);
    const squeeze = (text: string): string => text.replace(/\s+/g, ' ');
    const page = squeeze(show(toTopicPage(topic))).toLowerCase();
    const paragraphs = stdout
      .split('\n\n')
      .slice(1)
      .filter((text) => !text.startsWith('  '));
    expect(paragraphs.map((text) => squeeze(text.trim()).toLowerCase()).filter((text) => !page.includes(text))).toEqual(
      [],
    );
    expect(page).toContain(`orgctl-${topic}(7)`);
  });

  test('the pages of topics fit on 80 columns, but for lines of code', () => {
    for (const topic of TOPIC_NAMES) {
      const { stdout } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=80', join(FOLDER, toTopicPage(topic))], {
        encoding: 'utf8',
      });
      const long = stdout
        .replace(/.\u0008/gu, '')
        .split('\n')
        .filter((line) => line.length > 80);
      expect(long.filter((line) => !/orgctl |^ +(?:\$ )?export /.test(line))).toEqual([]);
    }
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
