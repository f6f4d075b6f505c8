import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { SignalName } from '../../src/lib/exit-codes.ts';
import { joinLines } from '../support/run.ts';
import { startService } from '../support/service.ts';

const INVITE = 'members invite a@example.com b@example.com c@example.com --team audit --fields email,result,error.code';
const UNKNOWN = 'Interrupted; unknown whether this happened: invite people to acme.';

/** The signal comes while the service acts on this write, counted from 1; of 0 on the first read of such a path. */
async function stopDuring(argv: string, signal: SignalName, write: number, path = /./) {
  const signals = new EventEmitter();
  let writes = 0;
  const service = await startService({
    alter(reply, { method, url }) {
      if (method !== 'GET') writes += 1;
      if (writes === write && path.test(url)) signals.emit(signal);
      return reply;
    },
  });
  const result = await service.run(argv.split(' '), { signals });
  return { ...service, result, countWrites: () => writes };
}

test.each<[signal: SignalName, code: number]>([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s among several writes: exit %i, a row for each, and the same command does the rest', async (signal, code) => {
  const { result, run, countWrites } = await stopDuring(INVITE, signal, 2);
  expect(result).toEqual({
    code,
    stdout: joinLines(
      'a@example.com\tinvited\t',
      `b@example.com\tunknown\t${{ SIGHUP: 'hangup', SIGINT: 'interrupted', SIGTERM: 'terminated' }[signal]}`,
      'c@example.com\tnot-attempted\t',
    ),
    stderr: joinLines('Interrupted.', `  b@example.com: ${UNKNOWN}`, '  → Run it again.'),
  });
  expect(countWrites()).toBe(2);
  const again = await run(INVITE.split(' '));
  expect(again.stdout).toBe(
    joinLines('a@example.com\tunchanged\t', 'b@example.com\tunchanged\t', 'c@example.com\tinvited\t'),
  );
});

test('after another one failed, and of many at a time, the exit is still that of the signal', async () => {
  const people = Array.from({ length: 40 }, (_, index) => `p${index}@example.com`).join(' ');
  const { result } = await stopDuring(
    `members invite odd@example..com ${people} --team audit --fields result`,
    'SIGINT',
    20,
  );
  const count = (end: string): number => result.stdout.split('\n').filter((line) => line === end).length;
  expect(result.code).toBe(130);
  expect([count('failed'), count('unknown') <= 8, count('not-attempted') > 0]).toEqual([1, true, true]);
  expect(result.stdout.split('\n')).toHaveLength(42);
});

test('while it still reads nothing was changed', async () => {
  const { result, countWrites } = await stopDuring(INVITE, 'SIGINT', 0);
  expect(result).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' });
  expect(countWrites()).toBe(0);
});

test('while it reads again whom it is about to remove, that is not attempted', async () => {
  const line = 'members remove ada-auditor milo-member --yes --fields result';
  const { result, countWrites } = await stopDuring(line, 'SIGTERM', 0, /memberships\/ou-/);
  expect([result.code, result.stdout, countWrites()]).toEqual([143, 'not-attempted\nnot-attempted\n', 0]);
});
