import { createRandom, type Random } from '../../campaign/random.ts';
import { type Ended, startChild } from './command.ts';
import { type Drawn, draw, toText } from './draw.ts';
import { countLeavers, isNothing, toEnd, toNow, type Wanted, want } from './oracle.ts';
import type { Seen, Trouble } from './service.ts';
import {
  type Bench,
  compareStates,
  countDeeds,
  countNeeded,
  createRun,
  judgeDeeds,
  readShown,
  type TrialReport,
  toArguments,
  told,
} from './trial.ts';

/** `apply` ended at a request, again and again, and then left alone. */

export interface KillReport {
  readonly seed: number;
  readonly faults: readonly string[];
  /** Where each of them was ended. */
  readonly killed: readonly string[];
  readonly deeds: TrialReport['deeds'];
}

/** In which moment of its request it is ended. */
type Moment = 'before it took effect' | 'after it took effect' | 'within the answer' | 'after the answer';

const MOST_PEOPLE = 60;

export async function runKills(bench: Bench, seed: number, most: number): Promise<KillReport> {
  const random = createRandom(seed);
  const { drawn, wanted } = drawWork(random, MOST_PEOPLE);
  const { world } = drawn;
  const before = new Set(world.people.keys());
  const end = toEnd(world, wanted);
  const faults: string[] = [];
  const killed: string[] = [];
  const leavers = countLeavers(wanted);
  const run = createRun(bench, drawn, false);
  const first = await run('plan');
  if (first.code !== 13) faults.push(`plan ended ${told(first)}`);
  const shown = readShown(first.stdout, world);
  const argv = toArguments(drawn, 'apply', leavers);

  for (let left = most; left > 0; left -= 1) {
    const needed = countNeeded(world, want(drawn));
    if (needed === 0) break;
    const at = random.chance(10) ? 1 + random.int(first.seen.length) : first.seen.length + 1 + random.int(needed);
    const moment = random.pick<Moment>([
      'before it took effect',
      'after it took effect',
      'within the answer',
      'after the answer',
    ]);
    const { ended, where } = await killAt(bench, drawn, argv, { at, moment });
    if (where === undefined) {
      if (ended.code !== 0) faults.push(`apply, not killed, ended ${told(ended)}`);
      break;
    }
    killed.push(`${where}, ${moment}`);
    for (const text of judgeDeeds(world, shown)) faults.push(`killed ${killed.length} times: ${text}`);
  }

  const last = await run('apply', { most: leavers });
  if (last.code !== 0) faults.push(`apply at the end ended ${told(last)}`);
  for (const text of compareStates(end, toNow(world, before))) faults.push(`at the end: ${text}`);
  for (const text of judgeDeeds(world, shown)) faults.push(text);
  const plan = await run('plan');
  if (plan.code !== 0) faults.push(`plan at the end ended ${told(plan)}`);
  return { seed, faults: [...new Set(faults)], killed, deeds: countDeeds(world.deeds) };
}

/** Something to be done, and an owner who stays. */
export function drawWork(random: Random, most: number): { readonly drawn: Drawn; readonly wanted: Wanted } {
  for (;;) {
    const drawn = draw(random, { most, fewest: 6, options: { room: 'enough' } });
    const wanted = want(drawn);
    if (!isNothing(wanted) && !wanted.isOwnerless) return { drawn, wanted };
  }
}

async function killAt(
  { service, program, home }: Bench,
  drawn: Drawn,
  argv: readonly string[],
  { at, moment }: { readonly at: number; readonly moment: Moment },
): Promise<{ readonly ended: Ended; readonly where: string | undefined }> {
  let where: string | undefined;
  let child: ReturnType<typeof startChild> | undefined;
  const kill = (seen: Seen): void => {
    where = `${seen.method} ${seen.path.replace(/^\/api\/v2/, '').replace(/\b(ou|team)-[^/]+/, '$1-…')}`;
    child?.kill();
  };
  service.play(drawn.world, {
    onRequest(seen): Trouble | undefined {
      if (seen.number < at || where !== undefined) return undefined;
      if (moment !== 'after the answer') kill(seen);
      else setImmediate(() => kill(seen));
      switch (moment) {
        case 'before it took effect':
          return { kind: 'silence', done: false };
        case 'after it took effect':
          return { kind: 'silence', done: true };
        case 'within the answer':
          return { kind: 'cut' };
        case 'after the answer':
          return undefined;
      }
    },
  });
  child = startChild(program, argv, { url: service.url, stdin: toText(drawn), home });
  const ended = await child.ended;
  // One that had ended before the signal came was not killed.
  return { ended, where: ended.code === null ? where : undefined };
}
