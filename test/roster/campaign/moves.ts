import { createJudge } from '../../campaign/judge.ts';
import type { Ended, WatchedRun } from '../../campaign/process.ts';
import { createRandom, type Random } from '../../campaign/random.ts';
import type { Fault } from '../../campaign/service.ts';
import { runInside, startChild } from './command.ts';
import { type DisturbedReport, drawTrouble, type TroubleName } from './disturb.ts';
import { draw } from './draw.ts';
import { BATCH, type Bench, compareStates, countDeeds, countWrites, isRefused, type Ran, told } from './trial.ts';
import { join, leave, ownersOf, type Person, Refusal, remove, type World } from './world.ts';

/** `teams add`, `teams remove`, and both at once, of several people: undisturbed, in the way of others, failing, killed. */

type Verb = 'add' | 'remove' | 'move';

interface Move {
  readonly verb: Verb;
  readonly into: string | undefined;
  readonly outOf: string | undefined;
  readonly people: readonly Person[];
  readonly argv: readonly string[];
}

type Way = 'quiet' | 'foreign' | 'killed' | TroubleName;

export async function runMove(bench: Bench, seed: number, way: Way, most = 400): Promise<DisturbedReport> {
  const random = createRandom(seed);
  const { world } = draw(random, { most, fewest: 4 });
  const move = drawMove(random, world);
  const { service, program, home } = bench;
  const judge = createJudge(`roster -- moves --foreign 1 --faults 1 --seed ${seed}`);
  const { say } = judge;
  const disturbed: string[] = [];
  const options = { url: service.url, stdin: '', home };
  const run = async (more: readonly string[] = []): Promise<Ran> => {
    service.play(world);
    return { ...(await runInside(program, [...move.argv, ...more], options)), seen: [...service.seen] };
  };

  const joins = toPairs(move, 'into');
  const leaves = toPairs(move, 'outOf');
  const refused = findRefusal(world, move);
  if (refused !== undefined) {
    const ended = await run();
    if (!isRefused(ended)) say(`${refused}, and it ended ${told(ended)}`);
    const deeds = countDeeds(world.deeds);
    return { faults: judge.faults(), disturbed: [refused], code: ended.code, shown: 0, undone: 0, deeds };
  }

  const end = new Map([...world.people.values()].map((person) => [person.id, toEnd(person, move)]));
  const [at, after] = [1 + random.int(2), 1 + random.int(4)];
  const trouble = way === 'quiet' || way === 'foreign' || way === 'killed' ? undefined : drawTrouble(random, way);
  const acts = way === 'foreign' ? drawForeign(random, world, move) : [];
  let writes = 0;
  let child: WatchedRun | undefined;
  service.play(world, (seen, number): Fault | undefined => {
    const isWrite = seen.method !== 'GET';
    if (isWrite) writes += 1;
    if (acts.length > 0 && (isWrite || number >= 2 + after)) {
      for (const [text, act] of acts.splice(0)) if (carryOut(act)) disturbed.push(text);
    }
    if (way === 'killed' && isWrite && writes === at && disturbed.length === 0) {
      const done = random.chance(50);
      disturbed.push(done ? 'after it took effect' : 'before it took effect');
      child?.kill();
      return { kind: 'silence', done };
    }
    const found = trouble?.(seen);
    if (found !== undefined) disturbed.push(`${way} ${seen.method}`);
    return found;
  });
  if (way === 'killed') child = startChild(program, move.argv, options);
  const first = await (child?.ended ?? runInside(program, move.argv, options));
  const seen = [...service.seen];
  const allowed = Math.ceil(joins.size / BATCH) + Math.ceil(leaves.size / BATCH);
  if (way === 'quiet') {
    if (first.code !== 0) say(`it ended ${told(first)}`);
    if (countWrites(seen) > allowed) say(`it made ${countWrites(seen)} writes of ${allowed}`);
  }
  for (const deed of world.deeds) {
    if (deed.by !== 'orgctl') continue;
    const isMeant =
      move.people.some(({ id }) => id === deed.id) &&
      (deed.kind === 'join' ? deed.team === move.into : deed.kind === 'leave' && deed.team === move.outOf);
    if (!isMeant) say(`it did what nobody asked for: ${JSON.stringify(deed)}`);
  }
  findLost(world, move).forEach(say);
  judgeRows(world, first, way === 'killed').forEach(say);
  const deeds = countDeeds(world.deeds);
  const undone = joins.size + leaves.size - deeds.join - deeds.leave;
  if (way !== 'killed' && way !== 'foreign' && undone > 0 && first.code === 0) say(`it ended 0 with ${undone} undone`);

  // People who are gone can't be named any more.
  if (move.people.every(({ id }) => world.people.has(id))) {
    if (way === 'foreign')
      for (const { id } of world.people.values()) end.set(id, toEnd(world.people.get(id) as Person, move));
    const isLast = findRefusal(world, move) !== undefined;
    const second = await run();
    if (!isLast) {
      if (second.code !== 0) say(`left alone it ended ${told(second)}`);
      const now = new Map([...world.people.values()].map((person) => [person.id, toKey(person.teams)]));
      const should = new Map([...end].filter(([id]) => now.has(id)));
      compareStates(should, now).forEach(judge.sayOf('left alone'));
      const third = await run();
      if (third.code !== 0 || countWrites(third.seen) > 0) say(`again it wrote, or ended ${told(third)}`);
      judgeRows(world, third, false, true).forEach(say);
    }
  }
  const all = joins.size + leaves.size;
  return { faults: judge.faults(), disturbed, code: first.code, shown: all, undone, deeds };
}

function drawMove(random: Random, world: World): Move {
  const verb = random.pick<Verb>(['add', 'remove', 'move']);
  const ids = [...world.teams.keys()];
  const team = (): string => (random.chance(20) ? ownersOf(world) : (ids[random.int(ids.length)] as string));
  const first = team();
  let second = team();
  for (let tries = 0; second === first && tries < 20; tries += 1) second = ids[random.int(ids.length)] as string;
  const isMove = verb === 'move' && first !== second;
  const share = 5 + random.int(90);
  const everyone = [...world.people.values()];
  const some = everyone.filter(() => random.chance(share)).slice(0, 250);
  const people = some.length === 0 ? everyone.slice(0, 1) : some;
  const name = (id: string): string => (random.chance(30) ? id : `name:${world.teams.get(id)?.name}`);
  const members = people.map((person) => {
    const { username } = person;
    const names = [person.id, person.user];
    if (!person.hidden) names.push(person.email, person.email.toUpperCase());
    if (username !== null) names.push(username);
    return names[random.int(names.length)] as string;
  });
  const into = verb === 'remove' ? undefined : first;
  const outOf = verb === 'remove' ? first : isMove ? second : undefined;
  return {
    verb,
    into,
    outOf,
    people,
    argv: [
      ...['teams', verb === 'remove' ? 'remove' : 'add', name(first), ...members, '--yes', '-o', 'json'],
      ...(isMove ? ['--from', name(second)] : []),
    ],
  };
}

function toPairs({ people, ...move }: Move, name: 'into' | 'outOf'): ReadonlySet<string> {
  const team = move[name];
  if (team === undefined) return new Set();
  return new Set(people.filter(({ teams }) => teams.has(team) === (name === 'outOf')).map(({ id }) => `${id} ${team}`));
}

/** Why nothing may be sent. */
function findRefusal(world: World, { outOf, people }: Move): string | undefined {
  if (outOf !== ownersOf(world)) return undefined;
  const leaving = people.filter(({ teams }) => teams.has(outOf));
  if (leaving.some(({ id }) => id === world.caller)) return 'the caller would leave the owners';
  const isActive = ({ status, teams }: Person): boolean => status === 'active' && teams.has(outOf);
  const stays = [...world.people.values()].some((person) => isActive(person) && !leaving.includes(person));
  return leaving.some(isActive) && !stays ? 'no owner would be left' : undefined;
}

function toEnd({ id, teams }: Person, { people, into, outOf }: Move): string {
  const end = new Set(teams);
  if (people.some((person) => person.id === id)) {
    if (into !== undefined) end.add(into);
    if (outOf !== undefined) end.delete(outOf);
  }
  return toKey(end);
}

function toKey(teams: ReadonlySet<string>): string {
  return [...teams].sort().join();
}

/** Nobody loses a team before they are in the other. */
function findLost(world: World, { into, outOf }: Move): readonly string[] {
  if (into === undefined || outOf === undefined) return [];
  return world.deeds.flatMap((deed, index) => {
    if (deed.by !== 'orgctl' || deed.kind !== 'leave') return [];
    const isIn = world.people.get(deed.id)?.teams.has(into) ?? true;
    const wasOut = world.deeds.slice(index).some((other) => other.kind === 'leave' && other.team === into);
    return isIn || wasOut ? [] : [`${deed.id} left ${outOf}, and is not in ${into}`];
  });
}

interface Row {
  readonly id: string | null;
  readonly changed: boolean;
  readonly result?: string;
}

/** Rows say what was done, as far as anybody can know. */
function judgeRows(world: World, { code, stdout }: Ended, wasKilled: boolean, isRepeated = false): readonly string[] {
  if (wasKilled || code === 2 || stdout.trim() === '') return [];
  const rows = JSON.parse(stdout) as readonly Row[];
  const faults = rows.filter(({ result }) => result === 'failed' || result === 'not-attempted').length;
  if (code === 0 && faults > 0) return [`it ended 0 with ${faults} rows that failed`];
  if (isRepeated) return rows.some(({ changed }) => changed) ? ['a row says changed where nothing was'] : [];
  const did = new Set(world.deeds.filter(({ by }) => by === 'orgctl').map(({ id }) => id));
  const wrong = rows.filter(({ id, changed }) => changed && (id === null || !did.has(id)));
  return wrong.length === 0 ? [] : [`${wrong[0]?.id} is said to be changed, and is not`];
}

function drawForeign(random: Random, world: World, { into, outOf, people }: Move): (readonly [string, () => void])[] {
  return Array.from({ length: 1 + random.int(4) }, () => {
    const { id } = people[random.int(people.length)] as Person;
    const kind = random.name({ join: 3, leave: 3, remove: 1 });
    const team = kind === 'join' ? (into ?? outOf) : (outOf ?? into);
    return [
      kind,
      () => {
        if (kind === 'remove') {
          if (id === world.caller) throw new Refusal(403, 'no');
          remove(world, id, 'others');
        } else if (kind === 'join') join(world, team ?? '', [id], 'others');
        else leave(world, team ?? '', [id], 'others');
      },
    ] as const;
  });
}

function carryOut(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
