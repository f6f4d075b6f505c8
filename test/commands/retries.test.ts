import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Fault, pass, refuse, resetBefore, silenceBefore } from '../support/faults.ts';
import { startFront } from '../support/front.ts';
import { openSandbox } from '../support/product.ts';
import { run, toText } from '../support/run.ts';

/** Tries, pauses and errors after them, as they are said where stderr is no terminal. */

const LIST = ['members', 'list', '--status', 'invited', '--fields', 'email'];

describe('an error after retries says how often the same came', () => {
  test.each<{ name: string; faults: readonly Fault[]; argv?: readonly string[]; says: string }>([
    {
      name: 'no answer',
      faults: [silenceBefore],
      argv: ['--timeout', '100ms'],
      says: "HOST didn't answer within 0.1 s (5 times)",
    },
    { name: '503', faults: [refuse(503)], says: "can't list the members of acme: the service answered 503 (5 times)" },
    {
      name: 'first a break, then 503',
      faults: [resetBefore, refuse(503)],
      says: "can't list the members of acme: the service answered 503 (4 times)",
    },
    {
      name: 'no retry',
      faults: [refuse(503)],
      argv: ['--max-retries', '0'],
      says: "can't list the members of acme: the service answered 503\n",
    },
  ])('$name', async ({ faults, argv = [], says }) => {
    const { code, stderr, host } = await list(faults, argv);
    expect(code).toBe(9);
    expect(stderr.replaceAll(host, 'HOST')).toContain(`orgctl: ${says}`);
  });
});

describe('a pause is said off a terminal', () => {
  const NOTE = 'The service limits requests; going on in 12 s';
  const limited = refuse(429, { 'retry-after': '12' });

  test('where it takes more than 10 s, in a line that stays', async () => {
    expect(await list([limited, pass])).toMatchObject({ code: 0, stderr: toText(NOTE) });
  });

  test('as JSON where stderr speaks that', async () => {
    const { stderr } = await list([limited, pass], ['-o', 'json']);
    expect(JSON.parse(stderr)).toEqual({ note: { message: NOTE } });
  });

  test.each<{ name: string; faults: readonly Fault[]; argv: readonly string[] }>([
    { name: 'with -q', faults: [limited, pass], argv: ['-q'] },
    { name: 'of 8 s', faults: [refuse(429, { 'retry-after': '8' }), pass], argv: [] },
    { name: 'of a quick retry', faults: [refuse(503), pass], argv: [] },
  ])('not $name', async ({ faults, argv }) => {
    expect(await list(faults, argv)).toMatchObject({ code: 0, stderr: '' });
  });
});

/** The last fault is that of all later requests. */
async function list(faults: readonly Fault[], argv: readonly string[] = []) {
  const sandbox = openSandbox({ state: ':memory:', now: Date.now, randomBytes });
  let count = 0;
  const front = await startFront(sandbox, async (passing, self) => {
    const fault = faults[Math.min(count, faults.length - 1)] ?? pass;
    count += 1;
    await fault(passing, self);
  });
  const token = sandbox.tokens().find(({ kind }) => kind === 'owner')?.token ?? '';
  const env = { ORGCTL_BASE_URL: front.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  const result = await run([...LIST, ...argv], { env }).finally(() => sandbox.close());
  return { ...result, host: new URL(front.url).host };
}
