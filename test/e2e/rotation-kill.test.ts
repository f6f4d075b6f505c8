import { expect, test } from 'vitest';
import { openRotation } from '../campaign/rotation.ts';

/** The first of them replaces its token, the second has it side by side. `npm run campaign` has the others. */
const KINDS = ['audit-trail', 'described'] as const;
const ON_WINDOWS = process.platform === 'win32';
const REQUEST_OR_STATE = /^(before|after) [A-Z]|^(within|after) .*rotation\.json/;

test.skipIf(ON_WINDOWS).each(KINDS)(
  'a rotation of %s that is killed at a request or a write of its state is finished by the next run',
  async (kind) => {
    const whole = await openRotation({ kind });
    const { points } = await whole.run({ killAt: 0 });
    whole.close();
    const chosen = points.flatMap((point, index) => (REQUEST_OR_STATE.test(point) ? [index + 1] : []));
    expect(chosen.length, points.join('\n')).toBeGreaterThan(10);
    const found = [...whole.violations];
    for (const killAt of chosen) {
      const trial = await openRotation({ kind });
      const { code } = await trial.run({ killAt });
      expect(code, `${killAt}`).toBeNull();
      await trial.finish();
      trial.close();
      found.push(...trial.violations.map((text) => `killed at "${points[killAt - 1]}": ${text}`));
    }
    expect(found).toEqual([]);
  },
);

test.skipIf(ON_WINDOWS).each([
  ['after POST', 'before POST'],
  ['after POST', 'after POST'],
  ['before GET /api/v2/organization/audit-trail', 'somebody else', 'after POST'],
])('a rotation of audit-trail that is killed %s, %s and so on is finished by the next run', async (...steps) => {
  const trial = await openRotation({ kind: 'audit-trail', isExecAlone: true });
  for (const step of steps) {
    if (step === 'somebody else') await trial.disturb();
    else expect((await trial.run({ killAt: step })).code).toBeNull();
  }
  await trial.finish();
  trial.close();
  expect(trial.violations).toEqual([]);
});
