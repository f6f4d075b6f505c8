import { expect, test } from 'vitest';
import { createRandom } from '../campaign/random.ts';
import { runCampaign } from '../rotation/several-campaign.ts';
import { ORGCTL } from '../support/shipped.ts';

test.skipIf(process.platform === 'win32')(
  'killed at random and run again, a rotation of several loses no token and creates none without need',
  async () => {
    const random = createRandom(7);
    const report = await runCampaign({
      organizations: 5,
      kills: 8,
      node: process.execPath,
      orgctl: ORGCTL,
      random: () => random.int(1_000_000) / 1_000_000,
    });
    expect(report.violations).toEqual([]);
    expect(report.kills).toBe(8);
    expect(report.created).toBe(5 * report.trials + report.needed);
  },
);
