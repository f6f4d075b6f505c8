import { expect, test } from 'vitest';
import { PROGRAM } from '../campaign/process.ts';
import { createRandom } from '../campaign/random.ts';
import { runCampaign } from '../old/rotation/several-campaign.ts';

test.skipIf(process.platform === 'win32')(
  'killed at random and run again, a rotation of several loses no token and creates none without need',
  async () => {
    const report = await runCampaign({ organizations: 5, kills: 8, program: PROGRAM, random: createRandom(7) });
    expect(report.violations).toEqual([]);
    expect(report.kills).toBe(8);
    expect(report.created).toBe(5 * report.trials + report.needed);
  },
);
