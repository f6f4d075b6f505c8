import type { FilePoint, Program } from './follower.ts';
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
  const faults: string[] = [];
  let [repeated, torn, writes] = [0, 0, 0];
  const { points } = await trial(undefined);
  for (let at = 1; at <= points; at += every) await trial({ at });
  for (let write = 1, isLast = false; !isLast; write += 1) {
    isLast = !(await trial({ write, percent: 60 })).wasKilled;
    if (!isLast) writes += 1;
  }
  return { points, writes, repeated, torn, faults };

  async function trial(point: FilePoint | undefined) {
    const place = await openPlace(program, 1, { history: 40, late: 5 });
    const { service, archive } = place;
    const name = point === undefined ? 'whole' : JSON.stringify(point);
    const say = (text: string): void => void faults.push(`${isFirst ? 'first run' : 'later run'}, ${name}: ${text}`);
    try {
      if (!isFirst) {
        const { code, stderr } = await place.once();
        if (code !== 0) say(`exit ${code}: ${stderr}`);
        service.pass(2 * MINUTE);
      }
      const from = service.now() - 14 * 1_440 * MINUTE + MINUTE;
      const killed = await place.once(point === undefined ? {} : { point });
      const wasKilled = killed.code === null;
      if (!wasKilled && killed.code !== 0) say(`exit ${killed.code}: ${killed.stderr}`);
      const next = await place.once();
      if (next.code !== 0) say(`the next run: exit ${next.code}: ${next.stderr}`);
      service.pass(6 * MINUTE);
      const now = service.now();
      const last = await place.once();
      if (last.code !== 0) say(`the last run: exit ${last.code}: ${last.stderr}`);
      if (last.added.repeated.length > 0)
        say(`${last.added.repeated.length} events came again after a run that ended well`);
      for (const { added } of [killed, next, last]) for (const fault of added.faults) say(fault);
      const missing = archive.missing(service.trail.expected(from, now));
      if (missing.length > 0) say(`${missing.length} events are missing`);
      if (archive.torn().length > (wasKilled ? 1 : 0)) say(`${archive.torn().length} lines are torn`);
      repeated += archive.repeats();
      torn += archive.torn().length;
      return { points: killed.points, wasKilled };
    } finally {
      await place.close();
    }
  }
}
