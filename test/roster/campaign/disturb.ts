import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge, type Say } from '../../campaign/judge.ts';
import { createRandom, type Random } from '../../campaign/random.ts';
import type { Decide, Fault, Seen } from '../../campaign/service.ts';
import type { Drawn } from './draw.ts';
import { drawWork } from './kills.ts';
import { countLeavers, toEnd, toNow, type Wanted, want } from './oracle.ts';
import { refuse } from './service.ts';
import {
  type Bench,
  compareStates,
  countDeeds,
  countWrites,
  createRun,
  judgeDeeds,
  type Ran,
  readShown,
  type Shown,
  type TrialReport,
  told,
  toTeamId,
} from './trial.ts';
import { fold, invite, join as joinTeam, leave, ownersOf, type Person, Refusal, remove, type World } from './world.ts';

/** `apply` while others write, or while the service and the way to it fail: what is done, and what is said of it. */

export interface DisturbedReport {
  readonly faults: readonly string[];
  /** What was in the way. */
  readonly disturbed: readonly string[];
  readonly code: number | null;
  /** Changes that the plan showed: all, and those that were neither done nor done by others. */
  readonly shown: number;
  readonly undone: number;
  readonly deeds: TrialReport['deeds'];
}

export type TroubleName = (typeof TROUBLES)[number];

export const TROUBLES = ['429', '502', '502 done', 'reset', 'reset done', 'cut', '400', '403', '404', '500'] as const;

const MOST_PEOPLE = 60;

export async function runForeign(bench: Bench, seed: number): Promise<DisturbedReport> {
  const random = createRandom(seed);
  const { drawn, wanted } = drawWork(random, MOST_PEOPLE);
  const acts = drawActs(random, drawn, wanted);
  const disturbed: string[] = [];
  const carryOut = (act: Act): void => {
    act.isDone = true;
    const text = act.carryOut();
    if (text !== undefined) disturbed.push(text);
  };
  // What somebody looked at in time, and others changed before it is applied.
  const isBefore = random.chance(25);
  return await runDisturbed(
    bench,
    `foreign --foreign 1 --seed ${seed}`,
    { drawn, wanted, disturbed },
    (planned, plan) => {
      const path = join(bench.home, 'plan.json');
      if (isBefore) {
        acts.forEach(carryOut);
        writeFileSync(path, plan);
      }
      return {
        more: isBefore ? ['--plan', path] : [],
        decide(_seen, number) {
          for (const act of acts) if (!act.isDone && number >= planned + act.after) carryOut(act);
          return undefined;
        },
        isForeign: true,
      };
    },
  );
}

export async function runFaults(bench: Bench, seed: number, name: TroubleName): Promise<DisturbedReport> {
  const random = createRandom(seed);
  const { drawn, wanted } = drawWork(random, MOST_PEOPLE);
  const disturbed: string[] = [];
  const trouble = drawTrouble(random, name, countAll(wanted));
  const again = `faults --faults 1 --seed ${seed}`;
  return await runDisturbed(bench, again, { drawn, wanted, disturbed }, (planned) => ({
    decide(seen, number) {
      const found = number <= planned ? undefined : trouble(seen);
      if (found !== undefined) disturbed.push(`${name} ${seen.method}`);
      return found;
    },
  }));
}

/** What meets requests, of which there are about so many. */
export function drawTrouble(random: Random, name: TroubleName, most = 1): (seen: Seen) => Fault | undefined {
  const ofTeams = ['400', '403', '404'].includes(name);
  const ofReadings = ['429', '500'].includes(name);
  const first = random.int(Math.min(12, most));
  const times = random.chance(30) ? Number.POSITIVE_INFINITY : 1 + random.int(3);
  // Every team refuses, or every second one.
  const spared = random.int(3);
  let count = 0;
  return ({ method, path }) => {
    if (method === 'GET' && !ofReadings) return undefined;
    // What a team refuses, it refuses always.
    const [, team] = /\/teams\/team-(\d+)\w+\/relationships\//.exec(path) ?? [];
    if (ofTeams) return team !== undefined && Number(team) % 2 !== spared ? toTrouble(name) : undefined;
    count += 1;
    return count > first && count <= first + times ? toTrouble(name) : undefined;
  };
}

function toTrouble(name: TroubleName): Fault {
  switch (name) {
    case 'reset':
    case 'reset done':
      return { kind: 'reset', done: name === 'reset done' };
    case 'cut':
      return { kind: 'cut', percent: 50 };
    case '403':
      return { kind: 'status', ...refuse(403, 'This organization is managed by HCP') };
    case '400':
      return { kind: 'status', ...refuse(400, 'ou-somebody is already a member') };
    default:
      return { kind: 'status', ...refuse(Number(name.slice(0, 3))), done: name.endsWith(' done') };
  }
}

interface Disturbance {
  readonly decide: Decide;
  /** Further words of `apply`. */
  readonly more?: readonly string[];
  /** Whether only other people are in the way, and not the service. */
  readonly isForeign?: true;
}

async function runDisturbed(
  bench: Bench,
  again: string,
  {
    drawn,
    wanted,
    disturbed,
  }: { readonly drawn: Drawn; readonly wanted: Wanted; readonly disturbed: readonly string[] },
  prepare: (planned: number, plan: string) => Disturbance,
): Promise<DisturbedReport> {
  const { world } = drawn;
  const judge = createJudge(`roster -- ${again}`);
  const { say } = judge;
  const run = createRun(bench, drawn, false);
  const first = await run('plan');
  if (first.code !== 13) say(`plan ended ${told(first)}`);
  const shown = readShown(first.stdout);
  const planned = new Map([...world.people.values()].map((person) => [person.id, toState(person)]));

  const named = new Map([...world.people.values()].map((person) => [person.id, toPerson(person)]));
  const readings = new Map<string, string | undefined>();
  const read = new Set<string>();
  const { decide, more = [], isForeign = false } = prepare(first.seen.length, first.stdout);
  // What others changed before `apply` read it may not be wanted any more.
  const asked = namesGone(drawn) ? undefined : new Set(toTexts(want(drawn)));
  const applied = await run('apply', {
    most: countLeavers(wanted),
    more,
    decide(seen, number) {
      const trouble = decide(seen, number);
      if (number > first.seen.length) judgeOrder(seen, { world, planned, named, readings, read }, say);
      return trouble;
    },
  });
  judgeDeeds(world, shown).forEach(say);
  const undone = findUndone(world, shown, new Set(planned.keys())).filter((text) => asked?.has(text) !== false);
  judgeReport(applied, undone).forEach(say);
  // What others did to one does not keep those beside them from being added.
  const isHindered = (text: string): boolean => {
    const [kind, id = '', team = ''] = text.split(' ');
    return kind !== 'join' || !world.people.has(id) || !world.teams.has(team);
  };
  if (isForeign && applied.code !== 2) {
    for (const text of undone) if (!isHindered(text)) say(`nothing was in the way of ${text}`);
  }
  const deeds = countDeeds(world.deeds);

  (await converge(run, drawn)).forEach(say);
  const size = shown.removals.size + shown.joins.size + shown.leaves.size + shown.invites.size;
  return { faults: judge.faults(), disturbed, code: applied.code, shown: size, undone: undone.length, deeds };
}

interface Watched {
  readonly world: World;
  readonly planned: ReadonlyMap<string, string>;
  /** How each person was when they were read again. */
  readonly readings: Map<string, string | undefined>;
  readonly named: ReadonlyMap<string, string>;
  /** Teams that were read again, with everybody as they were then. */
  readonly read: Set<string>;
}

/** Whoever is removed was read again just before, and was still as planned; so was each team that somebody leaves. */
function judgeOrder({ method, path, body }: Seen, { world, planned, named, readings, read }: Watched, say: Say): void {
  const [, id] = /^\/api\/v2\/organization-memberships\/([^/]+)$/.exec(path) ?? [];
  const [, team] = /^\/api\/v2\/teams\/([^/]+)/.exec(path) ?? [];
  if (id !== undefined && method === 'GET') {
    const person = world.people.get(id);
    readings.set(id, person === undefined ? undefined : toState(person));
    if (person !== undefined) for (const one of world.teams.keys()) read.add(`${one} ${toPerson(person)}`);
  }
  if (id !== undefined && method === 'DELETE') {
    if (!readings.has(id)) say(`it removed ${id} without reading it again`);
    else if (readings.get(id) !== planned.get(id)) {
      say(`it removed ${id}, who was ${readings.get(id)} then and ${planned.get(id)} in the plan`);
    }
  }
  if (team !== undefined && method === 'GET') {
    for (const person of world.people.values()) read.add(`${team} ${toPerson(person)}`);
  }
  if (team !== undefined && method === 'DELETE') {
    const { data } = JSON.parse(body) as { readonly data: readonly { readonly id: string }[] };
    for (const { id: leaver } of data) {
      if (read.has(`${team} ${named.get(leaver)}`)) continue;
      say(`it took ${leaver} out of ${team}, who was not read there again as ${named.get(leaver)}`);
    }
  }
}

function toState(person: Person): string {
  return `${toPerson(person)} [${[...person.teams].sort().join()}]`;
}

function toPerson({ id, email, status }: Person): string {
  return `${id} ${email} ${status}`;
}

/** Changes in the words of `findUndone`. */
function toTexts({ invites, removals, joins, leaves }: Wanted): readonly string[] {
  return [
    ...removals.map((id) => `remove ${id}`),
    ...invites.map(({ email }) => `invite ${fold(email)}`),
    ...joins.map(({ id, team }) => `join ${id} ${team}`),
    ...leaves.map(({ id, team }) => `leave ${id} ${team}`),
  ];
}

/** What was shown, and neither orgctl nor anybody else did. */
function findUndone(world: World, shown: Shown, before: ReadonlySet<string>): readonly string[] {
  const did = new Set(
    world.deeds.map((deed) =>
      deed.kind === 'join' || deed.kind === 'leave'
        ? `${deed.kind} ${deed.id} ${deed.team}`
        : `${deed.kind} ${deed.id}`,
    ),
  );
  const invited = new Set(world.deeds.flatMap((deed) => (deed.kind === 'invite' ? [fold(deed.email)] : [])));
  const changes = (kind: 'join' | 'leave', pairs: ReadonlySet<string>): readonly string[] =>
    [...pairs].filter((pair) => {
      const [id = ''] = pair.split(' ');
      // Whoever is gone leaves every team too.
      return !did.has(`${kind} ${pair}`) && !(kind === 'leave' && before.has(id) && !world.people.has(id));
    });
  return [
    ...[...shown.removals].filter((id) => !did.has(`remove ${id}`)).map((id) => `remove ${id}`),
    ...[...shown.invites.keys()].filter((email) => !invited.has(email)).map((email) => `invite ${email}`),
    ...changes('join', shown.joins).map((pair) => `join ${pair}`),
    ...changes('leave', shown.leaves).map((pair) => `leave ${pair}`),
  ];
}

interface ResultRow {
  readonly id: string | null;
  readonly email?: string | null;
  readonly result?: string;
  readonly error?: unknown;
}

/** Whatever was left undone is said of the person it is about, and in how it ended. */
function judgeReport(applied: Ran, undone: readonly string[]): readonly string[] {
  if (applied.code === 1) return [`apply ended ${told(applied)}`];
  if (undone.length === 0) return [];
  if (applied.code === 0) return [`apply ended 0, and left undone: ${undone.slice(0, 3).join('; ')}`];
  if (applied.code === 2) return countWrites(applied.seen) === 0 ? [] : [`apply wrote, and ended ${told(applied)}`];
  const rows = JSON.parse(applied.stdout) as readonly ResultRow[];
  const failed = new Set(
    rows
      .filter(({ result, error }) => error !== undefined || result === 'failed' || result === 'not-attempted')
      .flatMap(({ id, email }) => [id, email === undefined || email === null ? null : fold(email)]),
  );
  const silent = undone.filter((text) => !failed.has(text.split(' ')[1] ?? ''));
  return silent.length === 0 ? [] : [`no row says of ${silent.slice(0, 3).join('; ')} that it failed`];
}

/** Left alone, the same command brings it to where the roster wants it then, or says why it can't. */
async function converge(run: ReturnType<typeof createRun>, drawn: Drawn): Promise<readonly string[]> {
  const { world } = drawn;
  const faults: string[] = [];
  if (namesGone(drawn)) {
    const plan = await run('plan');
    return plan.code === 2 ? [] : [`plan, with a team that is gone, ended ${told(plan)}`];
  }
  const wanted = want(drawn);
  if (wanted.isOwnerless) return [];
  if (wanted.isUnusable) {
    const plan = await run('plan');
    return plan.code === 2 ? [] : [`plan, of people who can't be invited, ended ${told(plan)}`];
  }
  const before = new Set(world.people.keys());
  const end = toEnd(world, wanted);
  world.deeds.length = 0;
  const plan = await run('plan');
  const shown = readShown(plan.stdout);
  const applied = await run('apply', { most: countLeavers(wanted) });
  if (applied.code !== 0) faults.push(`apply, left alone, ended ${told(applied)}`);
  for (const text of compareStates(end, toNow(world, before))) faults.push(`left alone: ${text}`);
  for (const text of judgeDeeds(world, shown)) faults.push(`left alone: ${text}`);
  const last = await run('plan');
  if (last.code !== 0) faults.push(`plan, left alone, ended ${told(last)}`);
  return faults;
}

/** Whether a row names a team that is no longer there. */
function namesGone({ rows, world }: Drawn): boolean {
  return rows.some(({ teams = [] }) => teams.some((asked) => !world.teams.has(toTeamId(world, asked))));
}

function countAll({ invites, removals, joins, leaves }: Wanted): number {
  return invites.length + removals.length + joins.length + leaves.length;
}

interface Act {
  /** How many requests after the plan's. */
  readonly after: number;
  isDone: boolean;
  /** What was done, in words; undefined where it was not possible. */
  carryOut(): string | undefined;
}

function drawActs(random: Random, { world }: Drawn, wanted: Wanted): readonly Act[] {
  const concerned = [...wanted.removals, ...wanted.joins.map(({ id }) => id), ...wanted.leaves.map(({ id }) => id)];
  const others = [...world.people.keys()];
  const team = (): string => [...world.teams.keys()][random.int(world.teams.size)] as string;
  return Array.from({ length: 1 + random.int(6) }, (): Act => {
    const among = concerned.length > 0 && random.chance(75) ? concerned : others;
    const id = among[random.int(among.length)] as string;
    const kind = random.name({
      join: 4,
      leave: 4,
      'join as shown': 4,
      'leave as shown': 4,
      accept: 2,
      deactivate: 2,
      remove: 3,
      invite: 3,
      promote: 3,
      rename: 2,
      'link team': 1,
      'delete team': 1,
    });
    const change = kind.startsWith('leave') ? wanted.leaves : wanted.joins;
    const shown = change[random.int(Math.max(1, change.length))];
    const newcomer = wanted.invites[random.int(Math.max(1, wanted.invites.length))];
    const at = team();
    return {
      // Teams come first.
      after: random.chance(40) ? 1 : 1 + random.int(Math.min(40, 2 * countAll(wanted))),
      isDone: false,
      carryOut() {
        const person = world.people.get(id);
        try {
          switch (kind) {
            case 'join':
              joinTeam(world, at, [id], 'others');
              break;
            case 'leave': {
              const [first] = person?.teams ?? [];
              if (first === undefined) return undefined;
              leave(world, first, [id], 'others');
              break;
            }
            case 'join as shown':
              if (shown === undefined) return undefined;
              joinTeam(world, shown.team, [shown.id], 'others');
              break;
            case 'leave as shown':
              if (shown === undefined) return undefined;
              leave(world, shown.team, [shown.id], 'others');
              break;
            case 'accept':
              if (person?.status !== 'invited') return undefined;
              person.status = 'active';
              break;
            case 'deactivate':
              if (person?.status !== 'active' || id === world.caller) return undefined;
              person.status = 'inactive';
              break;
            case 'remove':
              if (id === world.caller) return undefined;
              remove(world, id, 'others');
              break;
            case 'invite':
              if (newcomer === undefined) return undefined;
              invite(world, newcomer.email, newcomer.teams, 'others');
              break;
            case 'promote':
              joinTeam(world, ownersOf(world), [id], 'others');
              break;
            case 'rename':
              if (person === undefined) return undefined;
              person.email = `renamed.${person.email}`;
              break;
            case 'link team': {
              const linked = world.teams.get(at);
              if (linked === undefined || at === ownersOf(world)) return undefined;
              linked.ssoTeamId = 'sso-later';
              break;
            }
            case 'delete team':
              if (at === ownersOf(world)) return undefined;
              world.teams.delete(at);
              for (const each of world.people.values()) {
                if (each.teams.delete(at)) world.deeds.push({ by: 'others', kind: 'leave', id: each.id, team: at });
              }
              break;
          }
        } catch (error) {
          if (error instanceof Refusal) return undefined;
          throw error;
        }
        return kind;
      },
    };
  });
}
