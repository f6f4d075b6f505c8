import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';

test('every exchange is told, bodies too, but those of api', async () => {
  const service = await startService();
  const told = async (...argv: string[]) =>
    (await service.run([...argv, '--debug'])).stderr
      .replaceAll(/\d+ ms, request [0-9a-f-]{36}/g, 'MS, ID')
      .replaceAll(service.url, 'URL');
  expect(await told('feature-sets', 'list', '--page-size', '1')).toMatch(
    /^debug: GET URL\/feature-sets\?page%5Bsize%5D=1: 200 \(MS, ID\)\n {2}< \{"data":/,
  );
  expect(await told('api', 'feature-sets', '-f', 'a=b')).toBe('debug: GET URL/feature-sets?a=b: 200 (MS, ID)\n');
});
