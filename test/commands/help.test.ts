import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readCommandTree } from '../support/command-tree.ts';
import { readDocument } from '../support/documents.ts';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';

const { nouns, verbs } = await readCommandTree();
const TOPICS = ['jobs', 'output', 'exit-codes', 'environment', 'rotation', 'files', 'sandbox', 'agents'];

const succeed = (line: string, options = {}) =>
  run(line.split(' ').filter(Boolean), options).then(({ code, stdout, stderr }) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  });

test('orgctl alone prints a first screen of at most 26 lines, with every noun', async () => {
  const home = createFolder();
  const text = await succeed('', { home });
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(26);
  const commands = [...nouns, ...verbs.filter((words) => !/ |^help$/.test(words))];
  expect(commands.filter((words) => !text.includes(`\n  ${words}  `))).toEqual([]);
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
  const text = await succeed(noun, { columns: 52 });
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(52);
  const own = verbs.filter((words) => words.startsWith(`${noun} `)).map((words) => words.split(' ')[1]);
  expect(own.filter((verb) => !new RegExp(`^ {2}${verb}\\b`, 'm').test(text))).toEqual([]);
  expect(text).toBe(await succeed(`${noun} --help`, { columns: 52 }));
});

test.each(verbs)('help of "%s" is whole', async (words) => {
  const text = await succeed(`${words} --help`);
  expect(text.replaceAll('\n       ', ' ')).toContain(`Usage: orgctl ${words}`);
  expect(text).toMatch(/^[A-Z][a-z]+ .*[a-z]/m);
  expect(text).toMatch(/^Global options \(all: orgctl --help\):\n {2}-.* --dry-run/m);
  expect(text).toMatch(/\nExamples:?\n {2}\S/);
  expect(await succeed(`help ${words}`)).toBe(text);
});

test.each(TOPICS)('help %s is Markdown', async (topic) => expect(await succeed(`help ${topic}`)).toMatch(/^# /));

test.each([
  ['feature-sets list', /^name\ncost\nuser-limit\naudit-logging\nis-current\nid\ntype\n/],
  ['settings list', /^name\nvalue\nsource\n$/],
  ['members list --status invited -o json', /^email\nstatus\nteams.name\n/],
  ['members show', /^email\n/],
  ['--sandbox --as audit-token audit-trail list', /^timestamp\n/],
  ['--org settings --profile auth members list', /^email\n/],
  ['tokens rotate --to settings --expires list', /^result\n/],
])('--fields help lists the fields, those of the table first: %s', async (line, fields) =>
  expect(await succeed(`${line} --fields help`)).toMatch(fields),
);

test.each([
  ['feature-set list', "unknown command 'feature-set'", 'Did you mean feature-sets?'],
  ['settings lst', "unknown command 'lst'", 'Did you mean one of list, ls?'],
  ['teams list --json', "unknown option '--json'", 'Did you mean -o json?'],
  ['members --format json list', "unknown option '--format'", 'Did you mean -o json?'],
  ['api teams --jq=.data', "unknown option '--jq=.data'", 'Did you mean --query?'],
  ['--force members list', "unknown option '--force'", 'Did you mean --yes?'],
  ['teams list --verbose', "unknown option '--verbose'", 'Did you mean --debug?'],
  ['teams list -v', "unknown option '-v'", 'Did you mean --debug?'],
  ['teams list --organization a', "unknown option '--organization'", 'Did you mean --org?'],
  ['members delete eve', "unknown command 'delete'", 'Did you mean orgctl members remove?'],
  ['tokens remove at-1', "unknown command 'remove'", 'Did you mean orgctl tokens delete?'],
  ['members create eve', "unknown command 'create'", 'Did you mean orgctl members invite?'],
  ['auth whoami', "unknown command 'whoami'", 'Did you mean orgctl auth status?'],
  ['members add', "unknown command 'add'", 'Did you mean orgctl members invite?'],
  ['teams new', "unknown command 'new'", 'Did you mean orgctl teams create?'],
  ['organizations edit', "unknown command 'edit'", 'Did you mean orgctl organizations update?'],
  ['providers view', "unknown command 'view'", 'Did you mean orgctl providers show?'],
  ['tokens describe', "unknown command 'describe'", 'See orgctl tokens --help.'],
  ['audit-token revoke', "unknown command 'revoke'", 'Did you mean orgctl audit-token delete?'],
  ['settings constructor', "unknown command 'constructor'", 'See orgctl settings --help.'],
  ['audit', "unknown command 'audit'", 'Did you mean orgctl audit-trail list?'],
  ['status', "unknown command 'status'", 'Did you mean orgctl auth status?'],
  ['view', "unknown command 'view'", 'See orgctl --help.'],
  ['people', "unknown command 'people'", 'See orgctl --help.'],
  ['login', "unknown command 'login'", 'Did you mean orgctl auth login?'],
  ['whoami', "unknown command 'whoami'", 'Did you mean orgctl auth status?'],
  ['version', "unknown command 'version'", 'Did you mean orgctl --version?'],
  ['tokens delete audit-token', "'audit-token' is not a token", 'Did you mean audit-trail?'],
  ['audit-trail list --since 2026-11-28 --until 2026-11-27', '--until must be after --since'],
  ['feature-sets list --eligable', "unknown option '--eligable'", 'Did you mean --eligible?'],
  ['teams list -o yaml', "--output must be table, tsv, csv, json, ndjson, markdown or html, not 'yaml'"],
  ['feature-sets list --page 0', "--page must be a whole number above 0, not '0'"],
  ['sandbox serve --port 65536', "--port must be a whole number up to 65535, not '65536'"],
  ['members apply --max-removals -1', "--max-removals must be a whole number, not '-1'"],
  ['members invite --team platform,,audit', '--team has an empty name'],
  ['sandbox serve --latency x', "--latency must be a duration such as 30s, not 'x'", 'Units are ms, s, m, h, d and w.'],
  ['providers publish billing 1.2 --dir .', "version must look like 1.2.0, not '1.2'"],
  ['completion tcsh', "shell must be bash, zsh, fish or powershell, not 'tcsh'"],
  ['settings get', "missing required argument 'name'", 'See orgctl settings get --help.'],
  ['audit-trail follow', "required option '--cursor <file>' not specified", 'See orgctl audit-trail follow --help.'],
  ['feature-sets list x', "unexpected argument 'x'", 'See orgctl feature-sets list --help.'],
  ['members get ada eve', "unexpected argument 'eve'", 'See orgctl members show --help.'],
  ['feature-sets list --org', "option '--org <names>' argument missing", 'See orgctl --help.'],
  ['help nope', "no help on 'nope'", `Topics: ${TOPICS.join(', ')}`],
  ['help jops', "no help on 'jops'", 'Did you mean jobs?'],
  ['api --fields help', 'this command does not take --fields'],
  ['settings list --fields nam', "unknown field 'nam'", 'Did you mean name? --fields help lists them.'],
  ['--as member feature-sets list', '--as needs --sandbox'],
  ['--all-orgs --sandbox auth status', 'this command takes one organization, so not --all-orgs'],
])('a wrong command line is 2, names the word, and says where the help is: %s', async (line, message, hint = '') => {
  const { code, stdout, stderr } = await run(line.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(`orgctl: ${message}\n${hint && `  → ${hint}\n`}`);
});

test('a topic at a terminal has no marks of Markdown, and fits', async () => {
  const { code, stdout } = await run(['help', 'exit-codes'], { tty: { stdout: true }, columns: 60 });
  expect({ code, marks: stdout.match(/^#|```|^\|/gm), words: stdout.match(/`\w+`/g)?.length ?? 0 }).toMatchObject({
    code: 0,
    marks: null,
    words: 0,
  });
  expect(stdout).toContain('\u001b[1mExit codes\u001b[22m\n');
  const raw = readDocument('src/help/exit-codes.md');
  expect((await run(['help', 'exit-codes'])).stdout).toBe(raw);
});
