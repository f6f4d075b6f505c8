import { describe, expect, test } from 'vitest';
import { compileQuery } from '../../src/output/query.ts';
import { startService, type TestService } from '../support/service.ts';
import { READING, WRITING } from '../support/verbs.ts';

type Run = Awaited<ReturnType<TestService['run']>>;

/** What was printed as JSON, the rest as it is. */
function read({ code, stdout, stderr }: Run): object {
  return { code, found: JSON.parse(stdout) as unknown, stderr };
}

const createFound = (found: unknown): object => ({ code: 0, found, stderr: '' });

describe('what a query finds', () => {
  test.each<[string, string[], unknown]>([
    ['of a whole list', ['members', 'list', '--query', "[?status=='invited'].email"], ['ivan.invitee@example.com']],
    ['is any JSON', ['members', 'list', '--query', 'length(@)'], 6],
    ['may be nothing', ['members', 'list', '--query', '[0].nothing'], null],
    [
      'sees what the fields leave, under their names',
      ['members', 'list', '--fields', 'email,user.username', '--query', '[?"user.username"==\'olive-owner\']'],
      [{ email: 'olive.owner@example.com', 'user.username': 'olive-owner' }],
    ],
    ['of one thing', ['members', 'show', 'olive-owner', '--query', 'teams[].name'], ['owners']],
    [
      'of the result of a write',
      ['providers', 'create', 'hashicorp/google', '--query', '[].{what: address, how: result}'],
      [{ what: 'public/hashicorp/google', how: 'created' }],
    ],
    ["of the service's own documents", ['api', 'GET', '/organizations/acme/teams', '--query', 'data[0].type'], 'teams'],
    ['of settings', ['settings', 'get', 'org', '--query', 'value'], 'acme'],
    ['does not depend on where it is said', ['--query', '[0].name', 'teams', 'list'], 'owners'],
    ['with its format named', ['teams', 'list', '-o', 'json', '--query', '[0].name'], 'owners'],
    ['takes nothing from objects themselves', ['teams', 'list', '--query', 'constructor'], null],
  ])('%s', async (_title, argv, found) => {
    const service = await startService();
    expect(read(await service.run(argv, { env: { LC_ALL: 'de_DE.UTF-8' } }))).toEqual(createFound(found));
  });

  test('overrides a format from the environment', async () => {
    const service = await startService();
    const argv = ['teams', 'list', '--query', '[0].name'];
    expect(read(await service.run(argv, { env: { ORGCTL_OUTPUT: 'csv' } }))).toEqual(createFound('owners'));
  });
});

test.each<[query: string, mistake: string]>([
  ['name[', 'Expected Star, got: EOF'],
  ['', 'Invalid token (EOF): ""'],
  ['a..b', 'a part is missing'],
  ['sort_by(@, &a.).b', 'a part is missing'],
  ['()', 'a part is missing'],
  ['nope(@)', 'Unknown function: nope()'],
  ['length(@, @)', 'ArgumentError: length() takes 1 argument but received 2'],
  ['[].{a: not_null()}', 'ArgumentError: not_null() takes at least1 argument but received 0'],
  [
    'sort_by(@, name)',
    'TypeError: sort_by() expected argument 2 to be type expression but received type array instead.',
  ],
  ['map(@, &name)', 'TypeError: map() expected argument 1 to be type expression but received type array instead.'],
  ['&name', '& stands only before an argument of a function'],
  ['[::0]', 'a slice takes numbers, and no step of 0'],
  ['[-]', 'an index must be a number'],
  ["[?a = 'b']", 'compare with =='],
  ["'name", 'a quote is not closed'],
  ['[].created-at', `quote names with hyphens: '"created-at"'`],
])('refuses the query %j', async (query, mistake) => {
  await expect(compileQuery(query)).rejects.toMatchObject({
    exit: 'usage',
    code: 'query',
    message: `--query: invalid JMESPath: ${mistake}`,
  });
});

test.each([
  '*.a | [0]',
  'a.*.b[]',
  'map(&a, @)',
  '[?"a-b">=`-1`].[c, d]',
  'merge(`{}`, `{}`).{c: [-1]}',
  "[?a=='\\'x-y']",
])('takes the query %j', async (query) => expect((await compileQuery(query))([])).toBeDefined());

const OWN = { 'api POST': ['things'], 'settings set': ['org', 'a'], 'sandbox reset': [] };

test.each([
  ...Object.entries({ ...READING, ...WRITING, ...OWN }).map((call) => [...call, ['--query', 'a..b']] as const),
  ...Object.entries({ ...WRITING, ...OWN }).map((call) => [...call, ['--fields', 'nonsense']] as const),
])('%s %j does nothing with %j', async (words, rest, wrong) => {
  const service = await startService();
  const { code, stdout } = await service.run([...words.split(' '), ...rest, ...wrong, '--yes', '-o', 'json']);
  expect({ code, stdout, sent: service.requests }).toEqual({ code: 2, stdout: '', sent: [] });
});

test('a query needs a JSON format', async () => {
  const service = await startService();
  const { code, stderr } = await service.run(['teams', 'list', '-o', 'csv', '--query', '@']);
  expect({ code, requests: service.requests }).toEqual({ code: 2, requests: [] });
  expect(stderr).toContain("--query can't be used with -o csv");
});

describe('a result that does not fit', () => {
  test.each(['json', 'ndjson'])('of a write leaves it done, and printed whole: %s', async (format) => {
    const service = await startService();
    const argv = ['providers', 'create', 'a/a', 'b/b', '-o', format, '--query', 'abs([0].address)'];
    const { code, stdout, stderr } = await service.run(argv);
    expect({ code, whole: stdout.match(/"created"/g) }).toEqual({ code: 1, whole: ['"created"', '"created"'] });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'query', hint: 'What was changed stays changed.' });
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  test('of a write does not hide what failed', async () => {
    const service = await startService();
    const argv = ['providers', 'create', 'b/b', 'a/a', '--query', 'abs([0].address)'];
    const { code, stderr } = await service.run(argv, { as: 'member' });
    expect(code).toBe(5);
    expect(stderr).not.toContain('"query"');
  });
});
