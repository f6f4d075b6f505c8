import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRow, createRows, createSheet, startListed } from '../support/listed.ts';

/** Who was there from the start, of those who came later too. */
const FIRST_NEW = 1_000;

/** `at`: before which request; `place`: where in the list, from 0 to 1. */
const CHANGES = fc.array(fc.record({ at: fc.nat({ max: 12 }), place: fc.double({ min: 0, max: 1, noNaN: true }) }), {
  minLength: 1,
  maxLength: 3,
});

test.each(['inserted', 'deleted'])(
  'a list is whole if rows were %s while it was read, or it ends with 10',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(CHANGES, fc.constantFrom('json', 'tsv'), async (changes, format) => {
        let rows = createRows(330);
        let next = FIRST_NEW;
        const service = await startListed((asked) => {
          for (const { place } of changes.filter(({ at }) => at === asked.before)) {
            const index = Math.floor(place * (rows.length - 1));
            rows = kind === 'deleted' ? rows.toSpliced(index, 1) : rows.toSpliced(index, 0, createRow(next));
            next += 1;
          }
          return createSheet(rows, asked);
        });
        const { code, stdout } = await service.read('-o', format, '--fields', 'id');
        const ids = stdout.match(/ou-\d+/g) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
        if (code === 0) {
          const stayed = rows.map(({ id }) => id).filter((id) => Number(id.slice(3)) < FIRST_NEW);
          expect(ids).toEqual(expect.arrayContaining(stayed));
        } else {
          expect(code).toBe(10);
          if (format === 'json') expect(stdout).toBe('');
        }
      }),
      { numRuns: 25 },
    );
  },
);
