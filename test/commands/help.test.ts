import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readCommandTree } from '../support/command-tree.ts';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';

const { nouns, verbs } = await readCommandTree();
const TOPICS = ['jobs', 'output', 'exit-codes', 'environment', 'rotation', 'files', 'sandbox', 'agents'];

const succeed = (line: string, options = {}) =>
  run(line.split(' ').filter(Boolean), options).then(({ code, stdout, stderr }) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  });

test('orgctl alone prints a first screen of at most 25 lines, with every noun', async () => {
  const home = createFolder();
  const text = await succeed('', { home });
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  const commands = [...nouns, ...verbs.filter((words) => !/ |^help$/.test(words))];
  expect(commands.filter((words) => !text.includes(`\n  ${words} `))).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
});

test('--help has every global option, and --version is that of the package', async () => {
  const text = await succeed('--help', { columns: 80 });
  for (const option of ['--org', '--all-orgs', '--output', '--dry-run', '--sandbox', '--timeout']) {
    expect(text.includes(option)).toBe(option !== '--all-orgs');
  }
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text.split(TOPICS.join(', '))).toHaveLength(2);
  expect(await succeed('--version')).toBe(`${packageJson.version}\n`);
});

test.each(nouns)('%s alone prints its verbs', async (noun) => {
  const text = await succeed(noun);
  const own = verbs.filter((words) => words.startsWith(`${noun} `)).map((words) => words.split(' ')[1]);
  expect(own.filter((verb) => !new RegExp(`^ {2}${verb}\\b`, 'm').test(text))).toEqual([]);
  expect(text).toBe(await succeed(`${noun} --help`));
});

test.each(verbs)('help of "%s": description, usage, options, examples', async (words) => {
  const text = await succeed(`${words} --help`);
  expect(text.replaceAll('\n       ', ' ')).toContain(`Usage: orgctl ${words}`);
  expect(text).toMatch(/^[A-Z][a-z]+ .*[a-z]/m);
  expect(text).toMatch(/^Global options: orgctl --help$/m);
  expect(text).toMatch(/\nExamples:?\n {2}\S/);
  expect(await succeed(`help ${words}`)).toBe(text);
});

test.each(TOPICS)('help %s is Markdown', async (topic) => expect(await succeed(`help ${topic}`)).toMatch(/^# /));

describe('--fields help lists the fields, those of the table first', () => {
  test.each([
    ['feature-sets list', /^name\ncost\nuser-limit\naudit-logging\nis-current\nid\ntype\n/],
    ['settings list', /^name\nvalue\nsource\n$/],
    ['members list --status invited -o json', /^email\nstatus\nteams.name\n/],
    ['members show', /^email\n/],
    ['--sandbox --as audit-token audit-trail list', /^timestamp\n/],
    ['--org settings --profile auth members list', /^email\n/],
    ['tokens rotate --to settings --expires list', /^result\n/],
  ])('%s', async (line, fields) => expect(await succeed(`${line} --fields help`)).toMatch(fields));
});

describe('a wrong command line is 2, in the words of commander', () => {
  test.each([
    ['feature-set list', "unknown command 'feature-set'", 'Did you mean feature-sets?'],
    ['settings lst', "unknown command 'lst'", 'Did you mean list?'],
    ['members add', "unknown command 'add'", 'See orgctl members --help.'],
    ['people', "unknown command 'people'", 'See orgctl --help.'],
    ['feature-sets list --eligable', "unknown option '--eligable'", 'Did you mean --eligible?'],
    ['members list --nope', "unknown option '--nope'"],
    [
      'teams list -o yaml',
      "option '-o, --output <format>' argument 'yaml' is invalid. Allowed choices are table, tsv, csv, json, ndjson, markdown.",
    ],
    ['feature-sets list --page 0', "option '--page <n>' argument '0' is invalid. It must be a whole number above 0."],
    ['settings get', "missing required argument 'name'"],
    ['feature-sets list x', "too many arguments for 'list'. Expected 0 arguments but got 1."],
    ['feature-sets list --org', "option '--org <names>' argument missing"],
    ['help nope', "no help on 'nope'", `Topics: ${TOPICS.join(', ')}`],
    ['help jops', "no help on 'jops'", 'Did you mean jobs?'],
    ['api --fields help', 'this command does not take --fields'],
    ['settings list --fields nam', "unknown field 'nam'", 'Did you mean name? --fields help lists them.'],
    ['--as member feature-sets list', '--as needs --sandbox'],
  ])('%s', async (line, message, hint = '') => {
    const { code, stdout, stderr } = await run(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`orgctl: ${message}\n${hint && `  → ${hint}\n`}`);
  });
});

test('an error is one JSON line with a JSON format, unless stderr is a terminal', async () => {
  const line = ['feature-sets', 'lst', '-o', 'json'];
  const { stderr } = await run(line);
  const error = { code: 'usage', exit: 2, message: "unknown command 'lst'", hint: 'Did you mean list?' };
  expect(stderr).toBe(`${JSON.stringify({ error })}\n`);
  const atTerminal = await run(line, { tty: { stderr: true }, env: { NO_COLOR: '1' } });
  expect(atTerminal.stderr).toBe("orgctl: unknown command 'lst'\n  → Did you mean list?\n");
});
