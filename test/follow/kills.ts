import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createJudge } from '../campaign/judge.ts';
import { countPoints, drawNear, type FilePoint, tellPoint } from '../campaign/kill.ts';
import type { Program, WatchedEnd } from '../campaign/process.ts';
import { createRandom, type Random } from '../campaign/random.ts';
import type { Fault } from '../campaign/service.ts';
import { openPlace } from './place.ts';
import { KEPT } from './trail.ts';

/**
 * `follow --once` again and again, each run killed at a point that the seed decides, until so many were; then runs to their
 * end, and every event has to be in the archive.
 */

type Mode =
  /** Nothing goes wrong but the kills. */
  | 'kills'
  /** Answers are 429 and 503, cut off, or never come. */
  | 'network'
  /** The service's clock and the own one are wrong, and set back between runs. */
  | 'clock'
  /** A command takes the events, and dies at times. */
  | 'exec';

interface TrialPlan {
  readonly seed: number;
  readonly mode: Mode;
  readonly kills: number;
  readonly events: number;
}

interface TrialReport extends TrialPlan {
  readonly faults: readonly string[];
  readonly runs: number;
  /** Runs that were killed, and where. */
  readonly killed: readonly string[];
  /** How the other runs ended, in order. */
  readonly ends: readonly string[];
  readonly expected: number;
  readonly missing: number;
  readonly repeated: number;
  readonly torn: number;
  readonly mostRepeated: number;
}

/** Events that one run may repeat: a batch. */
const BATCH = 1_000;
/** From so many events on a trial takes its time. */
const MANY = 10_000;
/** How SIGTERM ends it. */
const TERMINATED = 143;
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const CLOCKS = [0, -60 * MINUTE, 30 * MINUTE, -5 * MINUTE] as const;
const OWN_CLOCKS = [0, -DAY, 40 * DAY, -400 * DAY] as const;

/** Takes a batch, and ends as the file `how` says, once. */
const STORE = `#!/bin/sh
how=$(cat "$1/how" 2>/dev/null); rm -f "$1/how"
[ "$how" != deaf ] || exit 3
part="$1/part.$$"
[ "$how" != midway ] || { head -c 5000 > /dev/null; kill -9 $$; }
cat > "$part"
[ -s "$part" ] || { rm "$part"; exit 0; }
[ "$how" != before ] || exit 4
[ -z "$(tail -c 1 "$part")" ] || echo >> "$part"
cat "$part" >> "$1/archive"
rm "$part"
[ "$how" != after ] || exit 5
[ "$how" != signal ] || kill -9 $$
exit 0
`;
const DEATHS = ['deaf', 'midway', 'before', 'after', 'signal'] as const;

export async function runTrial(program: Program, plan: TrialPlan): Promise<TrialReport> {
  const { seed, mode, kills, events } = plan;
  const random = createRandom(seed);
  const judge = createJudge(`follow -- ${mode} --seed ${seed} --runs ${kills} --each ${kills} --events ${events}`);
  const place = await openPlace(program, seed, judge.say, {
    history: events,
    // A clock that is set back makes old events look younger than they are.
    span: mode === 'clock' ? KEPT - 2 * DAY : KEPT,
    resolution: random.pick([1, 1_000]),
    late: random.pick([0, 2, 20]),
    step: random.pick([1, 200]),
  });
  const { service, archive, folder, places, cursor, sink, path, temporary } = place;
  const store = join(folder, 'store');
  writeFileSync(store, STORE);
  chmodSync(store, 0o755);
  const to = mode === 'exec' ? ['--to', `exec:${store} ${sink}`] : ['-o', 'ndjson'];
  const argv = ['audit-trail', 'follow', '--cursor', cursor, '--once', ...to];
  const stdout = mode === 'exec' ? join(folder, 'stdout') : path;

  const [killed, ends]: [string[], string[]] = [[], []];
  let killedInRow = 0;
  let runs = 0;
  let mostRepeated = 0;
  /** What the next run may repeat. */
  let uncertain = new Set<number>();
  /** The oldest time that has to be in the archive. */
  let from: number | undefined;
  /** Kills and failures, each of which may tear a line. */
  let mayTear = 0;

  async function run(kill: Kill | undefined, rough: boolean): Promise<WatchedEnd & { readonly wasKilled: boolean }> {
    const clock = mode === 'clock' && rough ? random.pick(OWN_CLOCKS) : 0;
    if (mode === 'clock') service.setSkew(rough ? random.pick(CLOCKS) : 0);
    const death = mode === 'exec' && rough && random.chance(20) ? random.pick(DEATHS) : undefined;
    if (death !== undefined) writeFileSync(join(sink, 'how'), death);
    const before = service.count();
    const signal = kill?.isGentle === true ? 'SIGTERM' : 'SIGKILL';
    const follower = place.start(argv, { stdout, clock, point: kill?.point });
    if (kill?.after !== undefined) follower.killAfter(kill.after, signal);
    const trouble = mode === 'network' && rough ? planTrouble(random) : () => undefined;
    service.setFaults((number) => {
      if (kill?.request === number) return { kind: 'pause', act: () => follower.kill(signal) };
      return trouble(number);
    });
    const ended = await follower.ended;
    service.setFaults(() => undefined);
    rmSync(join(sink, 'how'), { force: true });
    runs += 1;
    if (from === undefined && existsSync(cursor)) from = service.now() - KEPT;

    const wasEnded = ended.code === TERMINATED && kill?.isGentle === true;
    const wasKilled = wasEnded || (ended.code === null && !ended.hung);
    const added = archive.absorb();
    const say = judge.sayOf(`run ${runs}${wasKilled ? ', killed' : ''}`);
    for (const fault of added.faults) say(fault);
    if (ended.hung)
      say(`it did not end, after ${service.count() - before} readings and ${added.numbers.length} events`);
    if (added.completed !== undefined) uncertain.add(added.completed);
    const twice = added.repeated.filter((number) => !uncertain.has(number));
    if (twice.length > 0) say(`${twice.length} events came again that were finished, such as ${twice[0]}`);
    // Each run that was killed leaves a batch that the cursor does not cover; what came late in between makes it another one.
    if (added.repeated.length > BATCH * Math.max(1, killedInRow)) {
      say(`${added.repeated.length} events came again`);
    }
    killedInRow = wasKilled ? killedInRow + 1 : 0;
    mostRepeated = Math.max(mostRepeated, added.repeated.length);

    // The network fails before anything is printed, or between batches.
    const isFinished = ended.code === 0 || ([8, 9, TERMINATED].includes(ended.code ?? -1) && added.numbers.length > 0);
    if (isFinished) uncertain = new Set();
    else {
      const last = added.numbers.slice(-BATCH);
      uncertain = new Set(added.numbers.length > BATCH ? last : [...uncertain, ...last]);
      mayTear += 1;
    }
    if (wasKilled) {
      const elsewhere = kill?.request === undefined ? 'at some time' : 'within an answer';
      const name = ended.stopped === undefined ? elsewhere : tellPoint(ended.stopped);
      killed.push((wasEnded ? `SIGTERM ${name}` : name).replace(/[0-9a-f]{8,}/g, '*'));
    } else {
      ends.push(`exit ${ended.code}`);
      const allowed = mode === 'network' && rough ? [0, 8, 9] : death === undefined ? [0] : [0, 1];
      if (!ended.hung && !allowed.includes(ended.code ?? -1)) say(`exit ${ended.code}: ${ended.stderr.slice(-600)}`);
    }
    return { ...ended, wasKilled };
  }

  try {
    // How long and how many operations a run may have, as far as is known.
    let [longest, mostPoints] = [2_000, 200];
    let isComplete = false;
    /** Minutes. */
    const longestPause = events < MANY ? 4 : 30;
    for (let tries = 0; killed.length < kills && tries < kills * 4; tries += 1) {
      if (isComplete) service.pass(random.int(random.pick([2, longestPause])) * MINUTE + random.int(MINUTE));
      const began = Date.now();
      const { code, operations } = await run(planKill(random, { longest, points: mostPoints }), true);
      const took = Date.now() - began;
      const points = countPoints(operations);
      // Grows towards the whole run as long as runs end before their kill.
      longest = code === 0 ? took : Math.min(20_000, Math.max(longest, took * 1.2));
      mostPoints = code === 0 ? Math.max(40, points) : Math.min(6_000, Math.max(mostPoints, points * 2));
      isComplete ||= code === 0;
    }
    if (killed.length < kills) judge.say(`only ${killed.length} runs were killed`);
    await run(undefined, false);
    // Late events are there by now.
    service.pass(6 * MINUTE);
    const now = service.now();
    await run(undefined, false);
    const found = archive.judge(service.trail.expected(from ?? 0, now), mayTear, judge.say);
    for (const text of findStrayTorn(archive.torn(), path)) judge.say(text);
    for (const text of findLeftovers(places, temporary, cursor)) judge.say(text);
    return { ...plan, ...found, faults: judge.faults(), runs, killed, ends, mostRepeated };
  } finally {
    await place.close();
  }
}

interface Kill {
  readonly point?: FilePoint;
  /** Within the answer to the how-manieth reading. */
  readonly request?: number;
  /** Milliseconds after the start. */
  readonly after?: number;
  /** SIGTERM, which lets it finish its batch, where it does not end itself. */
  readonly isGentle?: boolean;
}

function planKill(random: Random, most: { readonly longest: number; readonly points: number }): Kill {
  const near = (end: number): number => (random.chance(50) ? drawNear(random, end) : 1 + random.int(end));
  return random.weigh<() => Kill>([
    [40, () => ({ point: { at: near(most.points) } })],
    [25, () => ({ point: { write: near(most.points / 8), percent: random.int(101) } })],
    [15, () => ({ request: drawNear(random, 200), isGentle: random.chance(25) })],
    [20, () => ({ after: 50 + random.int(most.longest), isGentle: random.chance(25) })],
  ])();
}

/** What becomes of the how-manieth reading of a run: one of many fails, never more often in a row than is tried again. */
function planTrouble(random: Random): (count: number) => Fault | undefined {
  const share = random.pick([3, 10, 25]);
  // From then on nothing goes any more.
  const outage = random.chance(15) ? 1 + random.int(20) : Number.POSITIVE_INFINITY;
  let inRow = 0;
  return (count) => {
    if (count < outage && (inRow >= 3 || !random.chance(share))) {
      inRow = 0;
      return undefined;
    }
    inRow += 1;
    return random.weigh<Fault>([
      [3, { kind: 'status', status: 429, headers: { 'X-RateLimit-Reset': '0.05' } }],
      [2, { kind: 'status', status: 429, headers: { 'Retry-After': '0' } }],
      [3, { kind: 'status', status: 503 }],
      [1, { kind: 'status', status: 502, headers: { 'content-type': 'text/html' } }],
      [3, { kind: 'cut', percent: random.int(100) }],
      [2, { kind: 'cut', percent: 0 }],
    ]);
  };
}

/** A torn line is the beginning of an event that is there whole, too. */
function findStrayTorn(torn: readonly string[], path: string): readonly string[] {
  if (torn.length === 0) return [];
  const text = readFileSync(path, 'utf8');
  return torn
    .filter((line) => {
      // A character that was cut in two.
      const begin = line.replace(/\ufffd+$/, '');
      if (begin === '') return line === '';
      const first = text.indexOf(`\n${begin}`);
      return !text.startsWith(begin) && (first < 0 || text.indexOf(`\n${begin}`, first + 1) < 0);
    })
    .map((line) => `a torn line is not the beginning of an event that follows: ${line.slice(0, 200)}`);
}

/** What is left beside the cursor, and of the places where events wait, once a run has ended well. */
function findLeftovers(places: string, temporary: string, cursor: string): readonly string[] {
  const names = [
    ...readdirSync(places).map((name) => join(places, name)),
    ...readdirSync(temporary).map((name) => join(temporary, name)),
  ];
  return names.flatMap((path) => {
    const { mode, size } = lstatSync(path);
    const open = (mode & 0o077) === 0 ? [] : [`others may use ${basename(path)}: ${(mode & 0o777).toString(8)}`];
    return path === cursor || size === 0 ? open : [...open, `${basename(path)} is left, ${size} bytes`];
  });
}
