import { describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { answer, bytes, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';

test('--debug shows the beginning of a long body at a terminal, and all of it elsewhere', async () => {
  const service = await startService();
  const argv = ['members', 'list', '--debug', '-o', 'csv'];
  const [, body = ''] = /^ {2}< (.*)$/m.exec((await service.run(argv)).stderr) ?? [];
  expect(body.length).toBeGreaterThan(5_000);
  const { stderr } = await service.run(argv, { tty: { stderr: true } });
  expect(stderr).toMatch(/^ {2}< .{990,1010}… \([\d,]+ characters; whole with 2> file\)$/m);
  expect(stderr).toContain(`  < ${body.slice(0, 900)}`);
});

test('every exchange is told, bodies too, but those of api', async () => {
  const service = await startService();
  const told = async (...argv: readonly string[]) =>
    (await service.run([...argv, '--debug'])).stderr
      .replaceAll(/\d+ ms, request [0-9a-f-]{36}/g, 'MS, ID')
      .replaceAll(service.url, 'URL');
  expect(await told('feature-sets', 'list', '--page-size', '1')).toMatch(
    /^debug: GET URL\/feature-sets\?page%5Bsize%5D=1: 200 \(MS, ID\)\n {2}< \{"data":/,
  );
  expect(await told('api', 'feature-sets', '-f', 'a=b')).toBe('debug: GET URL/feature-sets?a=b: 200 (MS, ID)\n');
});

test('what has the name of a secret in a body is left out', async () => {
  const service = await startService({
    async alter(answer) {
      return Response.json({ ...((await answer.json()) as object), meta: { token: 'unknown to orgctl' } });
    },
  });
  const { stderr } = await service.run(['feature-sets', 'list', '--debug']);
  expect(stderr).toContain('"token":"[removed]"');
});

describe('--debug with results in json', () => {
  const RUNS = [
    { argv: 'members list --limit 1', code: 0, kinds: ['debug'] },
    {
      argv: 'audit-token generate --yes --expires 90d',
      code: 0,
      kinds: ['debug', 'debug', 'debug', 'note', 'warning'],
    },
    { argv: 'audit-token delete --dry-run', code: 0, kinds: ['debug', 'debug', 'note', 'note', 'planned'] },
    { argv: 'members invite new@example.com --team audit', code: 0, kinds: ['debug', 'debug', 'debug'] },
    { argv: 'members show ou-0000000000000000', code: 5, kinds: ['debug', 'error'] },
    { argv: 'members invite new@example.com --team none', code: 2, kinds: ['debug', 'error'] },
    { argv: 'members remove ou-0000000000000000 --ignore-missing --yes', code: 0, kinds: ['debug'] },
    { argv: 'audit-trail list', code: 4, kinds: ['debug', 'error'] },
  ];
  // Other formats for programs: secrets.test.ts parses every line of theirs.
  for (const { argv, code, kinds } of RUNS) {
    test(`${argv}: every line on stderr is one JSON object`, async () => {
      const service = await startService();
      const token = service.sandbox.tokenFor('owner', 'acme');
      const result = await service.run([...argv.split(' '), '--debug', '-o', 'json']);
      const said = toObjects(result.stderr);
      expect(result.code).toBe(code);
      expect([...new Set(said.flatMap(Object.keys))].toSorted()).toEqual([...new Set(kinds)].toSorted());
      // The error, where there is one, is the last line.
      if (code !== 0) expect(said.at(-1)).toHaveProperty('error');
      expect(said.filter((line) => 'debug' in line)).toHaveLength(service.requests.length);
      expect(result.stderr).not.toContain(token);
      const secret = service.secretOf();
      if (secret !== undefined) expect(result.stderr).not.toContain(secret);
    });
  }

  test('an exchange is told in lines: what was sent, and what came', async () => {
    const service = await startService();
    const { stderr } = await service.run(
      ['members', 'invite', 'new@example.com', '--team', 'audit', '--debug', '-o', 'json'],
      {},
    );
    const { debug } = toObjects(stderr).at(-1) as { debug: readonly string[] };
    expect(debug).toEqual([
      expect.stringMatching(
        /^debug: POST http:\/\/127\.0\.0\.1:\d+\/api\/v2\/organizations\/acme\/organization-memberships: 201 \(\d+ ms, request [0-9a-f-]{36}\)$/,
      ),
      expect.stringMatching(/^ {2}> \{"data":/),
      expect.stringMatching(/^ {2}< \{"data":/),
    ]);
  });

  test('a connection that breaks is told as well', async () => {
    const server = await startScripted(bytes(''));
    const { code, stderr } = await run(['members', 'show', 'ou-1', '--debug', '-o', 'json', '--max-retries', '1'], {
      env: { ORGCTL_BASE_URL: server.origin, ORGCTL_TOKEN: 'a-token' },
    });
    const said = toObjects(stderr);
    expect(code).toBe(9);
    expect(said).toEqual([
      { debug: [expect.stringContaining('broke before an answer came')] },
      { debug: [expect.stringContaining('broke before an answer came')] },
      { error: expect.objectContaining({ code: 'reset', exit: 9 }) },
    ]);
  });

  test('an answer nested deeper than the stack is told to a depth', async () => {
    const deep = `{"errors":[{"detail":"no","meta":${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}}]}`;
    const server = await startScripted(answer(422, deep));
    const { code, stderr } = await run(['members', 'show', 'ou-1', '--debug', '-o', 'json'], {
      env: { ORGCTL_BASE_URL: server.origin, ORGCTL_TOKEN: 'a-token' },
    });
    expect(code).toBe(7);
    expect(stderr.length).toBeLessThan(5_000);
    expect(toObjects(stderr)).toEqual([
      { debug: [expect.stringContaining(': 422 ('), expect.stringContaining('"detail":"no"')] },
      { error: expect.objectContaining({ exit: 7, reasons: [expect.stringContaining('"detail":"no"')] }) },
    ]);
  });
});

function toObjects(stderr: string): readonly object[] {
  return stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);
}
