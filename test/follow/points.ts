import { createJudge } from '../campaign/judge.ts';
import { countPoints, type FilePoint } from '../campaign/kill.ts';
import type { Program } from '../campaign/process.ts';
import { openPlace } from './place.ts';

/** A short run killed at each of its operations on files, and within each of its writes, and then one to its end. */

interface PointsReport {
  readonly points: number;
  readonly writes: number;
  readonly repeated: number;
  readonly torn: number;
  readonly faults: readonly string[];
}

const MINUTE = 60_000;

/** `isFirst`: the run finds no cursor; otherwise one of a run before. `every`: one of so many points is tried. */
export async function killAtEveryPoint(program: Program, isFirst: boolean, every = 1): Promise<PointsReport> {
  const judge = createJudge('follow -- points');
  let [repeated, torn, writes] = [0, 0, 0];
  const { points } = await trial(undefined);
  for (let at = 1; at <= points; at += every) await trial({ at });
  for (let write = 1, isLast = false; !isLast; write += 1) {
    isLast = !(await trial({ write, percent: 60 })).wasKilled;
    if (!isLast) writes += 1;
  }
  return { points, writes, repeated, torn, faults: judge.faults() };

  async function trial(point: FilePoint | undefined) {
    const name = point === undefined ? 'whole' : JSON.stringify(point);
    const say = judge.sayOf(`${isFirst ? 'first run' : 'later run'}, ${name}`);
    const place = await openPlace(program, 1, say, { history: 40, late: 5 });
    const { service, archive } = place;
    try {
      if (!isFirst) {
        await place.whole('the first run');
        service.pass(2 * MINUTE);
      }
      const from = service.now() - 14 * 1_440 * MINUTE + MINUTE;
      const { code, stderr, operations } = await place.once({ point });
      if (code !== null && code !== 0) say(`exit ${code}: ${stderr}`);
      await place.whole('the next run');
      service.pass(6 * MINUTE);
      const now = service.now();
      const { added } = await place.whole('the last run');
      if (added.repeated.length > 0) say(`${added.repeated.length} events came again after a run that ended well`);
      const found = archive.judge(service.trail.expected(from, now), code === null ? 1 : 0, say);
      repeated += found.repeated;
      torn += found.torn;
      return { points: countPoints(operations), wasKilled: code === null };
    } finally {
      await place.close();
    }
  }
}
