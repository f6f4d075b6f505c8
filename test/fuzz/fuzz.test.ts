import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REGRESSIONS } from './regressions.ts';
import { runInput, runTarget } from './run.ts';
import { reader, Violation } from './target.ts';
import { TARGETS } from './targets.ts';

/** Some inputs for each target, the same in every run. `npm run fuzz` tries as many as asked for. */

const SEED = 20_261_121;

test.each(TARGETS.map((target) => [target.name, target] as const))('%s', async (_name, target) => {
  const { crashes, tried } = await runTarget(target, { seed: SEED, inputs: target.tried });
  expect(crashes).toEqual([]);
  expect(tried).toBe(target.tried);
});

describe('inputs that broke a law once', () => {
  test.each(REGRESSIONS)('%s: %s', async (name, _what, input) => {
    const target = TARGETS.find((each) => each.name === name);
    if (target === undefined) throw new Error(`there is no target ${name}`);
    await runInput(target, input);
  });
});

describe('a broken law is reported', () => {
  const text = fc.string({ minLength: 1, maxLength: 40 });
  const run = (act: (input: string) => void | Promise<void>) =>
    runTarget(reader('broken', text, act), { seed: SEED, inputs: 1_000 });

  test('with the smallest input', async () => {
    const { crashes } = await run((input) => {
      if (input.length > 3) throw new Violation('too long');
    });
    expect(crashes[0]).toMatchObject({ what: expect.stringContaining('too long') });
    expect(crashes[0]?.input).toHaveLength(4);
  });

  test('and the target is stopped after a few', async () => {
    const { crashes, tried } = await run(() => {
      throw new Error('always');
    });
    expect(crashes).toHaveLength(5);
    expect(tried).toBeLessThan(1_000);
  });
});
