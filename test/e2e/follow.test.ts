import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Program } from '../follow/follower.ts';
import {
  canMount,
  DISKS,
  fillDisk,
  killAtEveryPoint,
  killWrites,
  rotateWhileFollowing,
  runTrial,
} from '../follow/index.ts';
import { few } from '../support/depth.ts';
import { ORGCTL } from '../support/shipped.ts';

/** A small part of `npm run bench:follow`: few events, few kills. */

const here = (name: string): string => fileURLToPath(new URL(`../bench/${name}`, import.meta.url));
const program: Program = {
  node: process.execPath,
  door: ORGCTL,
  points: here('file-points.cjs'),
  clock: here('clock.cjs'),
};

const KILLS = few(2, 10);
const EVENTS = few(1_200, 5_000);

describe.skipIf(process.platform === 'win32')('a follower of the audit trail', () => {
  test.each([
    ['kills', 1],
    ['network', 2],
    ['clock', 3],
    ['exec', 4],
  ] as const)('%s: killed again and again, it misses no event', async (mode, seed) => {
    const report = await runTrial(program, { seed, mode, kills: KILLS, events: EVENTS });
    expect(report.faults).toEqual([]);
    expect(report).toMatchObject({ missing: 0 });
    expect(report.killed).toHaveLength(KILLS);
    expect(report.expected).toBeGreaterThan(EVENTS * 0.96);
  });

  test.runIf(few(false, true))('killed at its operations on files, it misses no event', async () => {
    const { faults, points, torn } = await killAtEveryPoint(program, false, 60);
    expect(faults).toEqual([]);
    expect(points).toBeGreaterThan(30);
    expect(torn).toBe(1);
  });

  test.runIf(canMount()).each(few(DISKS.slice(0, 1), [...DISKS]))(
    'the disk of %s is full, and then it is not: no event is missing',
    async (disk) => {
      const report = await fillDisk(program, { disk, seed: 1, times: 1, events: 2_000 });
      expect(report.faults).toEqual([]);
      expect(report.full).toBeGreaterThan(0);
    },
  );

  test('rotations take no event away', async () => {
    const report = await rotateWhileFollowing(program, { seed: 1, rotations: few(1, 4) });
    expect(report.faults).toEqual([]);
  });

  test('no write reaches the service that the log file does not have', async () => {
    const { faults, killed } = await killWrites(program, { seed: 1, kills: 6 });
    expect(faults).toEqual([]);
    expect(killed).toBe(6);
  });
});
