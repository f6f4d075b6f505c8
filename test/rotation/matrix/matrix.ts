import type { TokenKind } from './plan.ts';
import type { Program } from './process.ts';
import { runTrial, type TrialReport } from './trial.ts';

/** Many trials, several at once, and what became of them. */

interface MatrixOptions {
  readonly program: Program;
  readonly kind?: TokenKind | undefined;
  /** Whether two machines rotate at once. */
  readonly isTwo?: boolean | undefined;
  readonly firstSeed: number;
  /** Ends when so many rotations have met their faults. */
  readonly runs: number;
  readonly jobs: number;
  /** Ends it before that, once the trials that have begun are over. */
  readonly signal?: AbortSignal;
  onTrial(report: TrialReport, runsSoFar: number): void;
}

type MatrixReport = Awaited<ReturnType<typeof runMatrix>>;

export async function runMatrix({ program, kind, isTwo, firstSeed, runs, jobs, signal, onTrial }: MatrixOptions) {
  /** How rotations ended and where the token was, with how often. */
  const [ends, next, notes] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const failed: TrialReport[] = [];
  let seed = firstSeed;
  let trials = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (done < runs && signal?.aborted !== true) {
      const own = seed;
      seed += 1;
      const report = await runTrial(own, program, kind, isTwo);
      trials += 1;
      done += report.ends.length;
      for (const end of report.ends) count(ends, end);
      for (const note of report.notes) count(notes, note);
      count(next, report.next);
      if (report.violations.length > 0) failed.push(report);
      onTrial(report, done);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return { trials, runs: done, ends, next, notes, failed };
}

export function renderMatrix({ trials, runs, ends, next, notes, failed }: MatrixReport): string {
  return [
    `${runs} rotations in ${trials} trials, each followed by one more.`,
    ...renderTable('How they ended, and where the token in force was', ends),
    ...renderTable('What the next one did', next),
    ...renderTable('Where the process was killed, or files failed', notes),
    '',
    `${failed.length} trials with violations`,
    ...failed.flatMap(({ seed, violations }) => violations.map((text) => `  seed ${seed}: ${text}`)),
  ].join('\n');
}

function renderTable(title: string, counts: ReadonlyMap<string, number>): readonly string[] {
  const rows = [...counts].sort(([one, first], [other, second]) => second - first || one.localeCompare(other));
  return ['', title, ...rows.map(([name, number]) => `${String(number).padStart(7)}  ${name}`)];
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
