import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawSeed } from '../campaign/random.ts';
import { renderMatrix, runMatrix } from '../rotation/matrix/index.ts';
import { ORGCTL, ROOT } from '../support/shipped.ts';

const program = {
  node: process.execPath,
  door: ORGCTL,
  killer: join(ROOT, 'test', 'bench', 'rotation-kill.cjs'),
};

test.skipIf(process.platform === 'win32')('no rotation of a hundred loses the token', async () => {
  const firstSeed = drawSeed('the kill matrix');
  const report = await runMatrix({ program, firstSeed, runs: 100, jobs: 2, onTrial: () => undefined });
  expect(report.failed, renderMatrix(report)).toEqual([]);
});
