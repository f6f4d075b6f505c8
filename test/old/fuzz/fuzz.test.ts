import fc from 'fast-check';
import { test } from 'vitest';
import { ANSWER_TARGETS } from './answers.ts';
import { FILE_TARGETS } from './files.ts';
import { TEXT_TARGETS } from './texts.ts';

/** Some inputs for each target, the same in every run. */

const SEED = 20_261_121;

test.each([...ANSWER_TARGETS, ...FILE_TARGETS, ...TEXT_TARGETS])('$name', async ({ inputs, tried, run }) => {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => await run(input)),
    { seed: SEED, numRuns: tried },
  );
});
