import { beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM } from '../campaign/process.ts';
import { runTrial } from '../publish/campaign/trial.ts';
import { createSigningKey } from '../support/release.ts';

/** A small part of `npm run bench:publish`: two releases, few runs. */

let key: Awaited<ReturnType<typeof createSigningKey>>;
beforeAll(async () => {
  key = await createSigningKey();
});

describe.skipIf(process.platform === 'win32')('publishing', () => {
  test('killed again and again, ends whole, and sends nothing twice without need', async () => {
    const report = await runTrial({ program: PROGRAM, key, seed: 1, mode: 'kills', runs: 2 });
    expect(report.faults).toEqual([]);
    expect(report.killed).toHaveLength(2);
  });

  test('refused, cut off and sent elsewhere, ends whole, and shows no address of an upload', async () => {
    const report = await runTrial({ program: PROGRAM, key, seed: 6, mode: 'faults', runs: 2 });
    expect(report.faults).toEqual([]);
    expect(report.disturbed.length).toBeGreaterThan(3);
  });
});
