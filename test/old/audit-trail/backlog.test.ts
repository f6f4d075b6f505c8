import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createBacklog } from '../../../src/old/audit-trail/backlog.ts';
import { openSpillFile } from '../../../src/old/files/spill-file.ts';

/** As they come: the newest first, in groups, some of them out of order. */
const groups = fc.array(
  fc.array(fc.record({ at: fc.integer({ min: 0, max: 50 }), text: fc.string() }), { maxLength: 700, size: 'max' }),
  { maxLength: 6 },
);

test('gives all of them, the oldest first and of one time the one that came last, in memory or in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-backlog-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  let opened = 0;
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 300 }), (all, most) => {
      const backlog = createBacklog(() => {
        opened += 1;
        return openSpillFile(join(folder, `${opened}`));
      });
      const before = opened;
      for (const group of all) backlog.add(group);
      const events = all.flat();
      expect(backlog.size).toBe(events.length);
      expect(backlog.oldest()).toBe(events.length === 0 ? undefined : Math.min(...events.map(({ at }) => at)));
      const batches = [...backlog.batches(most)];
      backlog.close();
      expect(batches.flat()).toEqual([...events].reverse().sort((one, other) => one.at - other.at));
      expect(batches.every(({ length }) => length > 0 && length <= most)).toBe(true);
      if (opened > before) files += 1;
      // Its name is gone as soon as it is there.
      expect(readdirSync(folder)).toEqual([]);
    }),
    { numRuns: 30 },
  );
  expect(files).toBeGreaterThan(0);
});
