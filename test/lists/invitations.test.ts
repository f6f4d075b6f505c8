import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../support/service.ts';
import { createSkippingClock, runTimed } from '../support/timed.ts';

const PEOPLE = 900;
const LIMIT = 30;
/** Milliseconds: what the limit alone takes. */
const FLOOR = (PEOPLE / LIMIT) * 1_000;

test('900 invitations keep to 30 a second, and take no more than a tenth longer than that', async () => {
  const clock = createSkippingClock();
  let refusals = 0;
  const service = await startService({
    now: clock.now,
    rateLimit: LIMIT,
    alter(answer) {
      if (answer.status === 429) refusals += 1;
      return answer;
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'people.csv');
  const rows = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@example.com,audit`);
  writeFileSync(file, ['email,teams', ...rows].join('\n'));
  const begun = clock.now();
  let lines = 0;
  const { code, stderr } = await runTimed(['members', 'invite', '--file', file, '-o', 'ndjson'], {
    clock,
    env: {
      ORGCTL_BASE_URL: service.url,
      ORGCTL_ORG: 'acme',
      ORGCTL_TOKEN: service.sandbox.tokenFor('owner', 'acme') ?? '',
    },
    onStdout(piece) {
      lines += piece.toString('utf8').split('\n').length - 1;
    },
  });
  const took = clock.now() - begun;
  expect({ code, lines, refusals }, stderr).toEqual({ code: 0, lines: PEOPLE, refusals: 0 });
  expect(took).toBeGreaterThan(FLOOR - 1_000);
  expect(took).toBeLessThan(FLOOR * 1.1);
});
