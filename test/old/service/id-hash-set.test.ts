import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIdHashSet } from '../../../src/old/service/id-hash-set.ts';

describe('a set of ids', () => {
  test('has what was added and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.array(fc.string()), fc.nat(10), (added, others, seed) => {
        const set = createIdHashSet(seed);
        const model = new Set<string>();
        for (const text of added) {
          expect(set.has(text)).toBe(model.has(text));
          set.add(text);
          model.add(text);
        }
        for (const text of [...added, ...others]) expect(set.has(text)).toBe(model.has(text));
      }),
    );
  });

  test('takes no two of 300,000 similar ids for the same, with any seed', () => {
    for (const seed of [0, 1, 4]) {
      const set = createIdHashSet(seed);
      let repeated = 0;
      for (let index = 0; index < 300_000; index += 1) {
        const id = `ou-${String(index).padStart(16, '0')}`;
        if (set.has(id)) repeated += 1;
        set.add(id);
      }
      expect(repeated).toBe(0);
      expect(set.has('ou-0000000000299999')).toBe(true);
      expect(set.has('ou-0000000000300000')).toBe(false);
    }
  });
});
