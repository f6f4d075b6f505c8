import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../campaign/process.ts';
import { canMount, DISKS, fillDisk } from '../follow/disks.ts';
import { runTrial } from '../follow/kills.ts';
import { killWrites } from '../follow/log.ts';
import { rotateWhileFollowing } from '../follow/rotations.ts';

/** A small part of `npm run bench:follow`: few events, few kills. */

const KILLS = 2;
const EVENTS = 1_200;

describe.skipIf(process.platform === 'win32')('a follower of the audit trail', () => {
  test.each([
    ['kills', 1],
    ['network', 2],
    ['clock', 3],
    ['exec', 4],
  ] as const)('%s: killed again and again, it misses no event', async (mode, seed) => {
    const report = await runTrial(PROGRAM, { seed, mode, kills: KILLS, events: EVENTS });
    expect(report.faults).toEqual([]);
    expect(report).toMatchObject({ missing: 0 });
    expect(report.killed).toHaveLength(KILLS);
    expect(report.expected).toBeGreaterThan(EVENTS * 0.96);
  });

  test.runIf(canMount()).each(DISKS.slice(0, 1))(
    'the disk of %s is full, and then it is not: no event is missing',
    async (disk) => {
      const report = await fillDisk(PROGRAM, { disk, seed: 1, times: 1, events: 2_000 });
      expect(report.faults).toEqual([]);
      expect(report.full).toBeGreaterThan(0);
    },
  );

  test('rotations take no event away', async () => {
    const report = await rotateWhileFollowing(PROGRAM, { seed: 1, rotations: 1 });
    expect(report.faults).toEqual([]);
  });

  test('no write reaches the service that the log file does not have', async () => {
    const { faults, killed } = await killWrites(PROGRAM, { seed: 1, kills: 6 });
    expect(faults).toEqual([]);
    expect(killed).toBe(6);
  });
});
