import { defineVerb, type Verb } from '../../cli/command.ts';
import { OrgctlError } from '../../lib/errors.ts';
import { type Columns, RESULT } from '../../output/columns.ts';
import { CHECKS, type Finding, runCheck } from './checks.ts';

type Row = Finding & { check: string };

const COLUMNS: Columns = {
  table: [{ header: 'CHECK', field: 'check' }, RESULT, { header: 'FINDING', field: 'finding' }],
  fields: 'fix',
};

const SIGNS = { ok: '✓', attention: '!', failed: '✗' };

const verb = defineVerb({
  checksSettings: true,
  columns: COLUMNS,
  examples: ['doctor', 'doctor -o json'],
  async run(session) {
    const { output, messages, settings } = session;
    const isDrawn = output.isForPeople && !settings.accessible.value;
    const rows: Row[] = [];
    const failures = new Set<string>();
    for (const check of CHECKS) {
      const finding = await runCheck(session, check, failures);
      if (!finding) continue;
      const fix = finding.fix && messages.complete(finding.fix);
      const row = { check: check.name, ...finding, fix };
      rows.push(row);
      if (isDrawn) await output.lines(formatRow(row));
    }
    const shown = rows.map(({ exit: _exit, ...row }) => ({ ...row, fix: row.fix ?? null }));
    if (!isDrawn) await output.list(COLUMNS, [shown]);
    const bad = rows.filter(({ result }) => result !== 'ok');
    if (bad.length === 0) return isDrawn ? output.lines([countResults(rows)]) : undefined;
    const exit = bad.find((row) => row.exit !== undefined)?.exit ?? 'attention';
    const reasons = bad.map(({ check, finding }) => `${check}: ${finding}`);
    // People see the same in the lines above.
    const details = isDrawn ? {} : { reasons, hint: bad.find(({ fix }) => fix !== undefined)?.fix };
    throw new OrgctlError(exit, countResults(rows), details);
  },
});

function formatRow({ check, result, finding, fix }: Row): string[] {
  return [`${SIGNS[result]} ${check.padEnd(13)} ${finding}`, ...(fix === undefined ? [] : [`  → ${fix}`])];
}

/** `8 checks: 7 ok, 1 needs attention` */
function countResults(rows: Row[]): string {
  const count = (wanted: Finding['result']): number => rows.filter(({ result }) => result === wanted).length;
  const [troubled, broken] = [count('attention'), count('failed')];
  const attention = troubled > 0 ? `, ${troubled} need${troubled === 1 ? 's' : ''} attention` : '';
  return `${rows.length} checks: ${count('ok')} ok${attention}${broken > 0 ? `, ${broken} failed` : ''}`;
}

export const createVerb = (): Verb => verb;
