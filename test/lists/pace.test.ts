import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pass, refuse } from '../support/faults.ts';
import { createFolder } from '../support/files.ts';
import { createRows, createSheet, startListed } from '../support/listed.ts';
import { startService } from '../support/service.ts';
import { createSkippingClock, runTimed } from '../support/timed.ts';

/** Counts as the strictest service does: so many within any second, with those that it refused. */
function createLimiter(now: () => number) {
  const times: number[] = [];
  return () => {
    times.push(now());
    return times.filter((time) => time > now() - 1_000).length <= 30;
  };
}

test('pages that are fetched ahead keep to 30 requests in any second', async () => {
  const clock = createSkippingClock();
  const accept = createLimiter(clock.now);
  const begun = clock.now();
  const rows = createRows(7_000);
  let refusals = 0;
  const service = await startListed((asked) => createSheet(rows, asked), {
    clock,
    async through(passing, front) {
      const isAccepted = accept();
      if (!isAccepted) refusals += 1;
      await (isAccepted ? pass : refuse(429))(passing, front);
    },
  });
  const { code, stdout } = await service.read('-o', 'tsv', '--fields', 'id');
  expect(stdout).toBe(rows.map(({ id }) => `${id}\n`).join(''));
  const milliseconds = clock.now() - begun;
  // Two seconds, each with a margin.
  expect({ code, refusals, milliseconds, requests: service.requests.length }).toEqual({
    code: 0,
    refusals: 0,
    milliseconds: 2_050,
    requests: 70,
  });
  expect(service.connections()).toBeGreaterThan(1);
});

test('so do writes', async () => {
  const clock = createSkippingClock();
  const accept = createLimiter(clock.now);
  const begun = clock.now();
  let [refusals, writes] = [0, 0];
  const service = await startService({
    now: clock.now,
    alter(answer, { method }) {
      if (!accept()) refusals += 1;
      if (method === 'POST') writes += 1;
      return answer;
    },
  });
  const file = join(createFolder(), 'people.csv');
  const people = Array.from({ length: 90 }, (_, index) => `person-${index}@example.com,audit`);
  writeFileSync(file, ['email,teams', ...people].join('\n'));
  const token = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const env = { ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  const { code, stderr } = await runTimed(['members', 'invite', '--file', file], { clock, env });
  expect({ code, stderr, refusals, writes }).toEqual({ code: 0, stderr: '', refusals: 0, writes: 90 });
  expect(clock.now() - begun).toBeLessThan(4_000);
});
