import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../support/served.ts';
import { orgctl } from '../support/shipped.ts';

test('several processes write one log at once, and every line is whole', async () => {
  const service = await serve();
  const log = join(service.home, 'writes.ndjson');
  const env = { ...service.env, ...service.as('owner'), ORGCTL_LOG_FILE: log };
  const names = Array.from({ length: 6 }, (_, index) => `process-${index}`);
  const ended = await Promise.all(
    names.map((name) => {
      const providers = Array.from({ length: 4 }, (_, index) => `${name}/number-${index}`);
      return orgctl(['providers', 'create', ...providers], { env });
    }),
  );
  expect(ended.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(names.map(() => '0 '));
  const written = readFileSync(log, 'utf8').split('\n');
  const lines = written.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, string>);
  const ids = [...new Set(lines.map(({ id }) => id))];
  expect(ids).toHaveLength(24);
  expect(ids.map((id) => lines.filter((line) => line['id'] === id).map(({ event }) => event))).toEqual(
    ids.map(() => ['sent', 'answered']),
  );
});
