import { setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { createPlace, ORGCTL, orgctl, start } from '../support/shipped.ts';

const COUNT = 20;

/** Each makes the state if it is the first, so that this too is done by all at once. */
test(`${COUNT} commands at once on one sandbox: each is done, and none is lost`, async () => {
  const { env } = createPlace();
  const emails = Array.from(
    { length: COUNT },
    (_, index) => `person-${String(index + 1).padStart(3, '0')}@example.com`,
  );
  const running = emails.map((email) => {
    const argv = [ORGCTL, '--sandbox', 'members', 'invite', email, '--team', 'platform', '-q'];
    const one = start(process.execPath, argv, { env });
    // The tests beside this one have clocks of their own to watch.
    if (one.child.pid !== undefined) setPriority(one.child.pid, 19);
    return one;
  });
  const ended = await Promise.all(running.map((one) => one.ended));
  expect(ended.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  const printed = ended.map(({ stdout }) => stdout.trimEnd().split('\t'));
  expect(printed.map(([result, email]) => `${result} ${email}`)).toEqual(emails.map((email) => `invited ${email}`));
  expect(new Set(printed.map(([, , , , id]) => id)).size).toBe(COUNT);

  const list = await orgctl(['--sandbox', 'members', 'list', '-q', '--status', 'invited', '--fields', 'email'], {
    env,
  });
  expect({ code: list.code, stderr: list.stderr }).toEqual({ code: 0, stderr: '' });
  const listed = list.stdout.trimEnd().split('\n');
  expect(listed.filter((email) => email.startsWith('person-')).sort()).toEqual(emails);

  const everybody = await orgctl(['--sandbox', 'members', 'list', '-q', '--fields', 'id'], { env });
  const ids = everybody.stdout.trimEnd().split('\n');
  expect(new Set(ids).size).toBe(ids.length);
});
