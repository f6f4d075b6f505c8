import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../campaign/process.ts';
import { runFaults, runForeign, TROUBLES } from '../roster/campaign/disturb.ts';
import { runDocument } from '../roster/campaign/document.ts';
import { runKills } from '../roster/campaign/kills.ts';
import { runMove } from '../roster/campaign/moves.ts';
import { type Bench, runTrial, type TrialReport, withBench } from '../roster/campaign/trial.ts';

/** A small part of `npm run bench:roster`: few people, few kills. */

/** What went wrong in runs with these seeds, and how many changes there were. */
async function runAll(
  seeds: number,
  run: (bench: Bench, seed: number) => Promise<Pick<TrialReport, 'faults' | 'deeds'>>,
): Promise<{ readonly faults: readonly string[]; readonly changes: number }> {
  return await withBench(PROGRAM, async (bench) => {
    const faults: string[] = [];
    let changes = 0;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const report = await run(bench, seed);
      faults.push(...report.faults);
      changes += Object.values(report.deeds).reduce((sum, each) => sum + each, 0);
    }
    return { faults, changes };
  });
}

describe('a roster', () => {
  test('applied, leaves nothing to be done, in as few requests as it takes', async () => {
    const { faults, changes } = await runAll(5, (bench, seed) =>
      runTrial(bench, seed, { most: 60, inChild: seed === 1 }),
    );
    expect(faults).toEqual([]);
    expect(changes).toBeGreaterThan(60);
  });

  test.skipIf(process.platform === 'win32')(
    'killed while it is applied, is applied by the same command again',
    async () => {
      const { faults } = await runAll(1, (bench, seed) => runKills(bench, seed, 2));
      expect(faults).toEqual([]);
    },
  );

  test('applied while others write, removes nobody who was not shown', async () => {
    const { faults, changes } = await runAll(7, runForeign);
    expect(faults).toEqual([]);
    expect(changes).toBeGreaterThan(30);
  });

  test.each(TROUBLES)('says which rows a %s left undone', async (name) => {
    const { faults } = await runAll(1, (bench, seed) => runFaults(bench, seed, name));
    expect(faults).toEqual([]);
  });

  test.each(['quiet', 'foreign', '502', 'cut'] as const)('people are put into teams and taken out: %s', async (way) => {
    const { faults, changes } = await runAll(3, (bench, seed) => runMove(bench, seed, way, 30));
    expect(faults).toEqual([]);
    expect(changes).toBeGreaterThan(10);
  });

  test('is applied but for teams where no route changes them', async () => {
    const { faults, changes } = await runAll(4, runDocument);
    expect(faults).toEqual([]);
    expect(changes).toBeGreaterThan(20);
  });
});
