import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';

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
    {
      argv: 'audit-token generate --yes --expires 90d',
      code: 0,
      kinds: ['debug', 'debug', 'debug', 'note', 'warning'],
    },
    { argv: 'audit-token delete --dry-run', code: 0, kinds: ['debug', 'debug', 'note', 'note', 'planned'] },
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
});

function toObjects(stderr: string): readonly object[] {
  return stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);
}
