import { parse } from 'shell-quote';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { topics } from '../../src/help/topics.ts';
import { EXIT_CODES } from '../../src/lib/exit-codes.ts';
import { createProgram } from '../../src/program.ts';
import { readBlocks, readDocument } from '../support/documents.ts';

test('a topic has at most two screens', () => {
  const sizes = topics.names.map((name) => Buffer.byteLength(readDocument(`src/help/${name}.md`)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4_200);
});

test('exit-codes lists exactly the exit codes', () => {
  const rows = readDocument('src/help/exit-codes.md').matchAll(/^\| (\d+) +\| ([a-z-]+) /gm);
  expect(Object.fromEntries([...rows].map(([, code, name]) => [name, Number(code)]))).toEqual(EXIT_CODES);
});

test('environment lists every variable and every setting', () => {
  const text = readDocument('src/help/environment.md');
  const others = ['ORGCTL_TOKEN', 'TF_TOKEN_<host>', 'TFE_TOKEN', 'ORGCTL_CONFIG_DIR', 'ORGCTL_STATE_DIR']
    .concat('ORGCTL_LOG_FILE', 'CI', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY')
    .concat(SETTINGS.flatMap(({ name, env = [] }) => [name, ...env]));
  expect(others.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

/** Each `orgctl …` between the operators of a shell, as words. */
function readCommands(text: string): string[][] {
  return text.split('\n').flatMap((line) => {
    const commands: string[][] = [[]];
    for (const token of parse(line)) {
      if (typeof token === 'string') commands.at(-1)?.push(token);
      else commands.push([]);
    }
    return commands.flatMap((words) => (words.includes('orgctl') ? [words.slice(words.indexOf('orgctl') + 1)] : []));
  });
}

test.each(topics.names)('every command of %s parses', async (name) => {
  const blocks = readBlocks(`src/help/${name}.md`).filter(({ language }) => language === 'sh');
  const commands = blocks.flatMap(({ text }) => readCommands(text));
  expect(commands.length).toBeGreaterThan(0);
  const failures: string[] = [];
  for (const words of commands.filter((one) => !one.includes('--help'))) {
    const { program } = createProgram({
      version: '0',
      width: undefined,
      open: () => Promise.reject(new Error('it parsed')),
      topics,
      print: () => undefined,
    });
    const error = await program.parseAsync(words, { from: 'user' }).catch((reason: Error) => reason);
    if (!(error instanceof Error && error.message === 'it parsed')) failures.push(`${words.join(' ')}: ${error}`);
  }
  expect(failures).toEqual([]);
});
