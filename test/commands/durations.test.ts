import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';

/** Months and years, wherever a duration is asked for: counted in UTC, to the end of a shorter month. */

/** Three months later is 2027-02-28T12:00Z. */
const NOW = Date.UTC(2026, 10, 30, 12);

test.each([
  ['2027-02-28T12:00:00Z', '3mo', 13],
  ['2027-02-28T12:00:01Z', '3mo', 0],
  ['2027-11-30T12:00:00Z', '1y', 13],
  ['2027-11-30T12:00:01Z', '1y', 0],
])('a token until %s expires within %s: exit %d', async (expires, duration, code) => {
  const service = await startService({ now: () => NOW });
  expect(await service.run(['audit-token', 'generate', '--expires', expires, '--yes'], { now: NOW })).toMatchObject({
    code: 0,
  });
  const shown = await service.run(['audit-token', 'show', '--fail-if-expires-within', duration], { now: NOW });
  expect(shown.code).toBe(code);
});

test.each([
  ['--if-expires-within 3mo --expires 2027-02-28T12:00:00Z', true],
  ['--if-expires-within 3mo --expires 2027-02-28T12:00:01Z', false],
])('rotate %s: due is %s', async (flags, isDue) => {
  const service = await startService({ now: () => NOW });
  const rotate = ['audit-token', 'rotate', '--yes', '--to', 'file:token', ...flags.split(' ')];
  const home = createHomeOf({});
  expect(await service.run(rotate, { now: NOW, home })).toMatchObject({ code: 0 });
  const again = await service.run([...rotate, '-o', 'json'], { now: NOW, home });
  expect(JSON.parse(again.stdout)).toMatchObject({ changed: isDue });
});

test.each([
  // Three months before the end of February are the 28th of November, and before the first of March the first of December.
  [Date.UTC(2027, 1, 28, 23, 59, 59), false],
  [Date.UTC(2027, 2, 1), true],
])('at %d a token and an invitation are older than 3mo: %s', async (later, isOld) => {
  let now = NOW;
  const service = await startService({ now: () => now });
  const home = createHomeOf({});
  const rotate = ['audit-token', 'rotate', '--yes', '--to', 'file:token', '--expires', '1y', '--if-older-than', '3mo'];
  await service.run(rotate, { now, home });
  await service.run(['members', 'invite', 'new@example.com', '--team', 'platform'], { now });
  now = later;
  const again = await service.run([...rotate, '-o', 'json'], { now, home });
  expect(JSON.parse(again.stdout)).toMatchObject({ changed: isOld });
  const waiting = await service.run(['members', 'list', '--pending-older-than', '3mo'], { now });
  expect(waiting.stdout.includes('new@example.com')).toBe(isOld);
});
