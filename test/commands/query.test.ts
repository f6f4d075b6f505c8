import { describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

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

test('refuses a query that is not JMESPath before it sends anything', async () => {
  const service = await startService();
  const { code, stderr } = await service.run(['teams', 'list', '--query', 'name[']);
  expect({ code, sent: service.requests }).toEqual({ code: 2, sent: [] });
  expect(JSON.parse(stderr).error.message).toBe('--query: invalid JMESPath: Expected Star, got: EOF');
});

test('a query needs a JSON format', async () => {
  const service = await startService();
  const { code, stderr } = await service.run(['teams', 'list', '-o', 'csv', '--query', '@']);
  expect({ code, requests: service.requests }).toEqual({ code: 2, requests: [] });
  expect(stderr).toContain('--query does not go with -o csv');
});

describe('a result that does not fit', () => {
  test.each(['json', 'ndjson'])('of a write leaves it done: %s', async (format) => {
    const service = await startService();
    const argv = ['providers', 'create', 'a/a', 'b/b', '-o', format, '--query', 'abs([0].address)'];
    const { code, stderr } = await service.run(argv);
    expect(code).toBe(1);
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
