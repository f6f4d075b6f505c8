import { expect, test } from 'vitest';
import { openRoster } from '../campaign/roster.ts';

/** Three people leave, two come, one changes three teams. */
const ROSTER = {
  'olive.owner@example.com': undefined,
  'milo.member@example.com': ['platform', 'security'],
  'rex.registry-manager@example.com': undefined,
  'ana@example.com': ['platform'],
  'ben@example.com': ['audit', 'security'],
};

test.skipIf(process.platform === 'win32')(
  'members apply, killed at any of its requests, is finished by the same command, and does nothing twice',
  async () => {
    const found: string[] = [];
    let points = 1;
    for (let killAt = 0; killAt <= points; killAt += 1) {
      const trial = await openRoster(ROSTER);
      const ended = await trial.run({ killAt });
      if (killAt === 0) points = ended.points.length;
      await trial.finish();
      trial.close();
      found.push(...trial.violations.map((text) => `killed at ${killAt}: ${text}`));
    }
    expect(found).toEqual([]);
    expect(points).toBeGreaterThan(20);
  },
);
