import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrgctlError } from '../../src/lib/errors.ts';
import { parsePeopleFile } from '../../src/members/people-file.ts';
import { findUnshown } from '../../src/members/plan-rows.ts';
import { compareReports, parseReport } from '../../src/members/report.ts';
import { parseRoster } from '../../src/members/roster.ts';

/** Pieces of which nearly right files are made. */
const PIECES = [
  ...'email user id teams owner organization organization.id members organizations __proto__'.split(' '),
  ...'ana@example.com ben@example.com ou-1 platform acme 7 null true ~ 2026-01-01'.split(' '),
  ...', ; " \'= [ ] { } *a !!set # \ufeff'.split(' '),
  ...['\t', '\n', '\r\n', ': ', '- ', '  ', '&a ', '<<: '],
  ...[
    'email,teams\n',
    '[{"email":"ana@example.com"}]',
    'members:\n  - email: ana@example.com\n    teams: [platform]\n',
  ],
];
const TEXT = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''));

describe('whatever a file holds, it is read or refused with words', () => {
  test.each<[name: string, parse: (text: string) => unknown]>([
    ['people', (text) => parsePeopleFile(text, 'people.csv')],
    ['roster', (text) => parseRoster(text, 'roster.yaml')],
    ['plan', (text) => findUnshown([], text, 'plan.json')],
    [
      'report',
      (text) => {
        for (const rows of parseReport(text, 'report.csv').values()) compareReports(rows, rows);
      },
    ],
  ])('%s', (_name, parse) => {
    fc.assert(
      fc.property(TEXT, (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(OrgctlError);
        }
        expect(Object.prototype).not.toHaveProperty('x');
      }),
      { numRuns: 1_000 },
    );
  });
});
