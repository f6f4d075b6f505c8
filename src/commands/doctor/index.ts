import { defineVerb } from '../../cli/command.ts';
import { OrgctlError } from '../../lib/errors.ts';
import type { ExitName } from '../../lib/exit-codes.ts';
import { plural } from '../../lib/text.ts';
import { type Columns, RESULT } from '../../output/columns.ts';
import { type CheckResult, runChecks } from './checks.ts';

const COLUMNS: Columns = {
  table: [{ header: 'CHECK', field: 'check' }, RESULT, { header: 'FINDING', field: 'finding' }],
  fields: 'fix',
};

const SIGNS = { ok: '✓', attention: '!', failed: '✗' };

export const verb = defineVerb({
  checksSettings: true,
  columns: COLUMNS,
  examples: ['doctor', 'doctor -o json'],
  async run(session) {
    const { output, messages, settings } = session;
    const isDrawn = output.isForPeople && !settings.accessible.value;
    const rows: (Pick<CheckResult, 'result' | 'finding'> & { check: string; fix: string | null })[] = [];
    let failed: ExitName | undefined;
    for await (const { exit, fix, ...found } of runChecks(session)) {
      failed ??= exit;
      const row = { ...found, fix: fix === undefined ? null : messages.complete(fix) };
      rows.push(row);
      const line = `${SIGNS[row.result]} ${row.check.padEnd(13)} ${row.finding}`;
      if (isDrawn) await output.lines(row.fix === null ? [line] : [line, `  → ${row.fix}`]);
    }
    if (!isDrawn) await output.list(COLUMNS, [rows]);
    const bad = rows.filter(({ result }) => result !== 'ok');
    if (bad.length === 0) return isDrawn ? output.lines([countResults(rows)]) : undefined;
    const reasons = bad.map(({ check, finding }) => `${check}: ${finding}`);
    // People see the same in the lines above.
    const details = isDrawn ? {} : { reasons, hint: bad.find(({ fix }) => fix !== null)?.fix ?? undefined };
    throw new OrgctlError(failed ?? 'attention', countResults(rows), details);
  },
});

/** `6 checks: 5 ok, 1 needs attention` */
function countResults(rows: Pick<CheckResult, 'result'>[]): string {
  const count = (wanted: CheckResult['result']): number => rows.filter(({ result }) => result === wanted).length;
  const attention = plural(count('attention'), 'needs attention', 'need attention');
  const counts = [`${count('ok')} ok`, attention, `${count('failed')} failed`].filter((text) => !text.startsWith('0 '));
  return `${rows.length} checks: ${counts.join(', ')}`;
}
