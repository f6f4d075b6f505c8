import { createJudge } from '../../campaign/judge.ts';
import type { Ended } from '../../campaign/process.ts';
import { createRandom, type Random } from '../../campaign/random.ts';
import type { Fault, Seen } from '../../campaign/service.ts';
import { startChild } from './command.ts';
import { type Drawn, draw, toText } from './draw.ts';
import { countLeavers, isNothing, toEnd, toNow, type Wanted, want } from './oracle.ts';
import {
  type Bench,
  compareStates,
  countDeeds,
  countNeeded,
  createRun,
  judgeDeeds,
  readShown,
  toArguments,
  told,
} from './trial.ts';

/** `apply` ended at a request, again and again, and then left alone. */

const MOMENTS = ['before it took effect', 'after it took effect', 'within the answer', 'after the answer'] as const;

const MOST_PEOPLE = 60;

/** `killed`: where each of them was ended. */
export async function runKills(bench: Bench, seed: number, most: number) {
  const random = createRandom(seed);
  const { drawn, wanted } = drawWork(random, MOST_PEOPLE);
  const { world } = drawn;
  const before = new Set(world.people.keys());
  const end = toEnd(world, wanted);
  const judge = createJudge(`roster -- kills --kills ${most} --each ${most} --seed ${seed}`);
  const { say } = judge;
  const killed: string[] = [];
  const leavers = countLeavers(wanted);
  const run = createRun(bench, drawn, false);
  const first = await run('plan');
  if (first.code !== 13) say(`plan ended ${told(first)}`);
  const shown = readShown(first.stdout);
  const argv = toArguments(drawn, 'apply', leavers);

  for (let left = most; left > 0; left -= 1) {
    const needed = countNeeded(world, want(drawn));
    if (needed === 0) break;
    const at = random.chance(10) ? 1 + random.int(first.seen.length) : first.seen.length + 1 + random.int(needed);
    const moment = random.pick(MOMENTS);
    const { ended, where } = await killAt(bench, drawn, argv, { at, moment });
    if (where === undefined) {
      if (ended.code !== 0) say(`apply, not killed, ended ${told(ended)}`);
      break;
    }
    killed.push(`${where}, ${moment}`);
    judgeDeeds(world, shown).forEach(judge.sayOf(`killed ${killed.length} times`));
  }

  const last = await run('apply', { most: leavers });
  if (last.code !== 0) say(`apply at the end ended ${told(last)}`);
  compareStates(end, toNow(world, before)).forEach(judge.sayOf('at the end'));
  judgeDeeds(world, shown).forEach(say);
  const plan = await run('plan');
  if (plan.code !== 0) say(`plan at the end ended ${told(plan)}`);
  return { faults: judge.faults(), killed, deeds: countDeeds(world.deeds) };
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
  { at, moment }: { readonly at: number; readonly moment: (typeof MOMENTS)[number] },
): Promise<{ readonly ended: Ended; readonly where: string | undefined }> {
  let where: string | undefined;
  const kill = (seen: Seen): void => {
    where = `${seen.method} ${seen.path.replace(/^\/api\/v2/, '').replace(/\b(ou|team)-[^/]+/, '$1-…')}`;
    child.kill();
  };
  service.play(drawn.world, (seen, number): Fault | undefined => {
    if (number < at || where !== undefined) return undefined;
    if (moment === 'after the answer') {
      setImmediate(() => kill(seen));
      return undefined;
    }
    kill(seen);
    if (moment === 'within the answer') return { kind: 'cut', percent: 50 };
    return { kind: 'silence', done: moment === 'after it took effect' };
  });
  const child = startChild(program, argv, { url: service.url, stdin: toText(drawn), home });
  const ended = await child.ended;
  // One that had ended before the signal came was not killed.
  return { ended, where: ended.code === null ? where : undefined };
}
