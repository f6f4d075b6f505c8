import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { parseJsonLines } from '../support/formats.ts';
import { failed, toText } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';

type Run = Awaited<ReturnType<TestService['run']>>;

/** What was printed as JSON, the rest as it is. */
function read({ code, stdout, stderr }: Run): object {
  return { code, found: JSON.parse(stdout) as unknown, stderr };
}

const toFound = (found: unknown): object => ({ code: 0, found, stderr: '' });
const toError = (message: string, rest: object): string =>
  `${JSON.stringify({ error: { code: 'usage', exit: 2, message, ...rest } })}\n`;

describe('what a query finds', () => {
  test.each<[string, readonly string[], unknown]>([
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
    [
      'sorts by code points everywhere',
      ['settings', 'list', '--query', "sort(['b', 'B', 'a', 'é'])"],
      ['B', 'a', 'b', 'é'],
    ],
    [
      'keeps what it sorts as it was',
      ['teams', 'list', '--query', '[].name | {a: sort(@)[0], b: reverse(@)[0], c: [0]}'],
      { a: 'audit', b: 'audit', c: 'owners' },
    ],
    [
      'loses no 0, false or empty text',
      ['teams', 'list', '--query', "{a: map(&@, [`0`, `false`, '']), b: not_null(`0`)}"],
      { a: [0, false, ''], b: 0 },
    ],
    ['takes nothing from objects themselves', ['teams', 'list', '--query', 'constructor'], null],
  ])('%s', async (_title, argv, found) => {
    const service = await startService();
    expect(read(await service.run(argv, { env: { LC_ALL: 'de_DE.UTF-8' } }))).toEqual(toFound(found));
  });

  test('of each record in ndjson, where null gives no line', async () => {
    const service = await startService();
    const { stdout, ...rest } = await service.run([
      ...['members', 'list', '-o', 'ndjson', '--query', "status=='invited' && {who: email} || null"],
    ]);
    expect({ found: parseJsonLines(stdout), ...rest }).toEqual({
      found: [{ who: 'ivan.invitee@example.com' }],
      code: 0,
      stderr: '',
    });
  });

  test('goes before a format that is only set', async () => {
    const service = await startService();
    const argv = ['teams', 'list', '--query', '[0].name'];
    expect(read(await service.run(argv, { env: { ORGCTL_OUTPUT: 'csv' } }))).toEqual(toFound('owners'));
  });
});

describe('a text in double quotes is a field', () => {
  const warned = (name: string): object => {
    const message = `--query: "${name}" names a field, and no row has it; a text goes in single quotes: '${name}'`;
    return { code: 0, stderr: `${JSON.stringify({ warning: { message } })}\n` };
  };
  test.each<[string, readonly string[], object]>([
    [
      'that no row has',
      ['members', 'list', '--query', '[?status=="invited"].email'],
      { stdout: '[]\n', ...warned('invited') },
    ],
    [
      'on the left',
      ['members', 'list', '--query', 'length([?"invited"!=status])'],
      { stdout: '6\n', ...warned('invited') },
    ],
    [
      'of rows below',
      ['members', 'list', '--query', '[].teams[?name=="audit"][]'],
      { stdout: '[]\n', ...warned('audit') },
    ],
    [
      'in documents',
      ['api', '/organizations/acme/teams', '--query', 'data[?type=="teams"]'],
      { stdout: '[]\n', ...warned('teams') },
    ],
    [
      'that a row has',
      ['members', 'list', '--query', 'length([?email=="id"])'],
      { code: 0, stdout: '0\n', stderr: '' },
    ],
    [
      'that a row may have',
      ['members', 'list', '--query', 'length([?email=="created-at"])'],
      { code: 0, stdout: '0\n', stderr: '' },
    ],
    [
      'beside a text',
      ['members', 'list', '--query', 'length([?"x y"==\'invited\'])'],
      { code: 0, stdout: '0\n', stderr: '' },
    ],
  ])('%s', async (_title, argv, expected) => {
    expect(await (await startService()).run(argv)).toEqual(expected);
  });
});

describe('a mistake is refused before anything is sent, with its place:', () => {
  const HELP = { hint: "It is JMESPath, such as [?status=='invited'].email. More: orgctl help output" };
  const FUNCTIONS = { hint: 'The functions are listed at https://jmespath.org/specification.html.' };
  test.each<[string, string, object]>([
    ['', '--query is empty', { hint: "It takes a JMESPath expression, such as '[].email'." }],
    ['[', "can't read --query: something is missing at its end, after character 1", HELP],
    ['[?status==', "can't read --query: something is missing at its end, after character 10", HELP],
    ['email teams', "can't read --query at character 7: teams", HELP],
    ['"é🎉".#', "can't read --query at character 6: #", HELP],
    ["[?a=='b].c", "can't read --query at character 6: 'b].c", HELP],
    [`a ${'b'.repeat(40)}`, `can't read --query at character 3: ${'b'.repeat(24)}…`, HELP],
    [
      '[?status==`invited`].email',
      "can't read --query at character 11: `invited`].email",
      { hint: `Write a text in single quotes. ${HELP.hint}` },
    ],
    [
      '[].user.created-at',
      "can't read --query at character 16: -at",
      { hint: 'Put a name with a hyphen in double quotes: "created-at".' },
    ],
    ['[?nope(@)]', '--query: JMESPath has no function nope (at character 3)', FUNCTIONS],
    ['max_by(@, &size(@))', '--query: JMESPath has no function size (at character 12)', FUNCTIONS],
    ["[?length('(', @)]", '--query: length() takes 1 argument, not 2 (at character 3)', FUNCTIONS],
    ['not_null( )', '--query: not_null() takes at least 1 argument, not 0 (at character 1)', FUNCTIONS],
    ['('.repeat(20_000), '--query is nested too deeply', HELP],
    ['[::0]', "can't read --query: invalid slice, step cannot be 0", HELP],
  ])('%.60s', async (query, message, rest) => {
    const service = await startService();
    // What is looked up first is not either.
    const result = await service.run(['members', 'show', 'olive-owner', '--query', query]);
    expect(result).toEqual(failed(2, toError(message, rest)));
    expect(service.requests).toEqual([]);
  });

  test.each(['table', 'tsv', 'csv', 'jsonapi'])('with %s', async (format) => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['teams', 'list', '--query', '[0]', '-o', format]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`--query doesn't work with ${format}`);
    expect(stderr).toContain('Leave -o out, or use json or ndjson.');
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['members', '--init'],
    ['providers', '--init'],
  ])('with %s plan %s, which is no result', async (noun, option) => {
    const service = await startService();
    const { code, stderr } = await service.run([noun, 'plan', option, '--query', '@']);
    expect({ code, requests: service.requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('takes no --fields or --query');
  });
});

describe('a query that makes too much', () => {
  const HINT = 'Name what you need of the result once: [@, @] holds all of it twice.';
  const toLimit = (what: string): string =>
    `${JSON.stringify({ error: { code: 'query', exit: 2, message: `--query ${what}`, hint: HINT } })}\n`;
  const again = (part: string, times: number): string => Array(times).fill(part).join('|');

  test.each<[string, string]>([
    [again('[@,@]', 40), 'makes more than 100,000 values'],
    [again('[@]', 600), 'nests values more than 500 levels deep'],
  ])('of anything is refused before anything is sent: %.20s…', async (query, what) => {
    const service = await startService();
    expect(await service.run(['teams', 'list', '--query', query])).toEqual(failed(2, toLimit(what)));
    expect(service.requests).toEqual([]);
  });

  test.each([
    `[0].name|${again('[@,@]', 40)}`,
    `[0].name|${again('{a:{a:@,b:@},b:{a:@,b:@}}', 20)}`,
    `[0].name|${again('[@,@][]', 40)}`,
    `[0].name|${again("join('',[@,@])", 40)}`,
    `[0].name|${again('to_string([@,@])', 40)}`,
    `[0].name|${again('map(&[@,@][], [@,@])', 40)}`,
    `[0].name|${again('[@,@]', 17)}|[${Array(80).fill('[@]==[@]').join()}]`,
  ])('of what came is refused: %.40s…', async (query) => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['teams', 'list', '--query', query]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/"message":"--query (?:makes|takes) more than [\d,]+ (?:values|steps)"/);
  });

  test('of what a write did does not say that nothing was sent', async () => {
    const service = await startService();
    const query = `[0].address|${again('[@,@]', 40)}`;
    const { code, stderr } = await service.run(['providers', 'create', 'a/a', '--query', query]);
    expect({ code, posts: service.requests.filter(({ method }) => method === 'POST').length }).toEqual({
      code: 1,
      posts: 1,
    });
    expect(stderr).toContain('What the command changed stays changed.');
  });

  test('is one that no long list comes near: what it may do grows with what it is given', async () => {
    const query =
      "[?status!='x'].{id: id, all: @, who: [id, status, @.email], s: to_string(@)} | sort_by(@, &id)[].s | length(@)";
    for (const count of [20, 200, 2_000]) {
      const rows = Array.from({ length: count }, (_, index) => ({
        id: `${index}`,
        status: 'active',
        email: 'a@b.c'.repeat(40),
      }));
      const service = await startService({ alter: () => Response.json({ data: rows }) });
      expect(await service.run(['api', 'GET', '/x', '--query', `data | ${query}`])).toMatchObject({
        code: 0,
        stdout: `${count}\n`,
      });
    }
  });

  test('hears Ctrl-C', async () => {
    const service = await startService();
    const runInterruptibly = (): never => {
      throw Object.assign(new Error('interrupted'), { code: 'ERR_SCRIPT_EXECUTION_INTERRUPTED' });
    };
    const query = `[0].name|${again('[@,@][]', 16)}|length(@)`;
    const argv = ['teams', 'list', '--query', query];
    expect(await service.run(argv, { tty: { stderr: true }, host: { runInterruptibly } })).toMatchObject({
      code: 130,
      stdout: '',
    });
  });
});

test.each([
  ['teams list', 'Send the output to where there is room.'],
  ['providers create a/a', 'Send the output to where there is room. What the command changed stays changed.'],
])('a result without room, of "%s": only a write says that it stays', async (line, hint) => {
  const stdout = new Writable({
    write: (_chunk, _encoding, callback) => callback(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  });
  const service = await startService();
  const { code, stderr } = await service.run(line.split(' '), { host: { stdout } });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: toText('orgctl: the result could not be written', '  no space is left on the device', `  → ${hint}`),
  });
});

describe('a result that does not fit', () => {
  const toFault = (exit: number, why: string, hint: string): string =>
    `${JSON.stringify({ error: { code: 'query', exit, message: `--query doesn't fit the result: ${why}`, hint } })}\n`;
  const NO_NUMBER = 'invalid argument type for function abs(), expected "number" but found "string"';

  test('is a mistake of the command line', async () => {
    const service = await startService();
    const result = await service.run(['teams', 'list', '--query', 'abs([0].name)']);
    expect(result).toEqual(failed(2, toFault(2, NO_NUMBER, 'Look at the result without --query.')));
  });

  test.each(['json', 'ndjson'])('of a write leaves it done, and all of it: %s', async (format) => {
    const service = await startService();
    const query = format === 'json' ? 'abs([0].address)' : "address=='public/a/a' && abs(address) || result";
    const argv = ['providers', 'create', 'a/a', 'b/b', 'c/c', '-o', format, '--query', query];
    const { stdout, ...result } = await service.run(argv);
    expect(result).toEqual({ code: 1, stderr: toFault(1, NO_NUMBER, 'What the command changed stays changed.') });
    expect(stdout).toBe(format === 'json' ? '' : '"created"\n"created"\n');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  test('of a write does not hide what failed', async () => {
    const service = await startService();
    const argv = ['providers', 'create', 'b/b', 'a/a', '--query', 'abs([0].address)', '--as', 'member'];
    const { code, stderr } = await service.run(argv.slice(0, -2), { as: 'member' });
    expect(code).toBe(5);
    expect(stderr).not.toContain('"query"');
  });
});

describe('the new secret', () => {
  const argv = ['audit-token', 'generate', '--yes'];

  test.each([
    ['token', (token: unknown) => token],
    ['{t: token, until: "expired-at"}', (token: unknown) => ({ t: token, until: null })],
  ])('is printed by %s', async (query, toExpected) => {
    const service = await startService();
    const { code, stdout } = await service.run([...argv, '--query', query]);
    expect({ code, found: JSON.parse(stdout) }).toEqual({ code: 0, found: toExpected(service.secretOf()) });
  });

  test.each(['id', 'abs(token)', 'reverse(token)', '[token] | [1]'])(
    'is not created where %s leaves it out',
    async (query) => {
      const service = await startService();
      const result = await service.run([...argv, '--query', query]);
      const hint = "Add token to the query, such as '{token: token, id: id}'.";
      expect(result).toEqual(failed(2, toError('--query leaves out token: the new secret would be lost', { hint })));
      expect(service.requests).toEqual([]);
    },
  );

  test('is kept where only the answer shows that it is left out', async () => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run([...argv, '--query', '!id && token']);
    expect({ code, stdout }).toEqual({ code: 12, stdout: '' });
    expect(stderr).toContain('it leaves out the secret');
    expect(stderr).toContain('The new token is kept in ');
    expect(stderr).not.toContain(service.secretOf() ?? '?');
  });

  test('goes through a rotation in the same way', async () => {
    const service = await startService();
    const rotate = ['audit-token', 'rotate', '--expires', '90d', '--to', 'stdout'];
    const refused = await service.run([...rotate, '--query', 'organization']);
    expect({ code: refused.code, requests: service.requests }).toEqual({ code: 2, requests: [] });
    const { code, stdout } = await service.run([...rotate, '--query', 'token']);
    expect({ code, found: JSON.parse(stdout) }).toEqual({ code: 0, found: service.secretOf() });
    const lost = await service.run([...rotate, '--query', '!id && token']);
    expect({ code: lost.code, stdout: lost.stdout }).toEqual({ code: 12, stdout: '' });
  });
});
