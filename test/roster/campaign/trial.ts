import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJudge } from '../../campaign/judge.ts';
import type { Ended, Program } from '../../campaign/process.ts';
import { createRandom } from '../../campaign/random.ts';
import type { Decide, Seen } from '../../campaign/service.ts';
import { runInside, startChild } from './command.ts';
import { type Drawn, type DrawOptions, draw, toText } from './draw.ts';
import { countLeavers, isNothing, toEnd, toNow, type Wanted, want } from './oracle.ts';
import { startTrialService, type TrialService } from './service.ts';
import { type Deed, fold, type World } from './world.ts';

/** A roster that nobody disturbs: planned, applied, and planned again. */

export interface TrialReport {
  readonly faults: readonly string[];
  readonly people: number;
  readonly rows: number;
  /** Writes that took effect, by kind. */
  readonly deeds: Readonly<Record<Deed['kind'], number>>;
  /** Requests of `apply`, and how many the difference and the readings need at most. */
  readonly requests: number;
  readonly allowed: number;
  readonly refused: 'ownerless' | 'removals' | undefined;
}

export interface Bench {
  readonly service: TrialService;
  readonly program: Program;
  readonly home: string;
}

/** So many people one request of a team names. */
export const BATCH = 1;
const PAGE = 100;

export async function runTrial(
  bench: Bench,
  seed: number,
  { inChild = false, ...options }: DrawOptions & { readonly inChild?: boolean },
): Promise<TrialReport> {
  const drawn = draw(createRandom(seed), options);
  const judge = createJudge(`roster -- trials --trials 1 --most ${options.most} --seed ${seed}`);
  const { say } = judge;
  const wanted = want(drawn);
  const { world } = drawn;
  const before = new Set(world.people.keys());
  const end = toEnd(world, wanted);
  const leavers = countLeavers(wanted);
  const people = world.people.size;
  const run = createRun(bench, drawn, inChild);
  const report = (requests: number, allowed: number, refused?: TrialReport['refused']): TrialReport => ({
    faults: judge.faults(),
    people,
    rows: drawn.rows.length,
    deeds: countDeeds(world.deeds),
    requests,
    allowed,
    refused,
  });

  const first = await run('plan');
  const planned = first.seen.length;
  if (countWrites(first.seen) > 0) say('plan wrote');
  if (wanted.isOwnerless) {
    if (first.code !== 2) say(`plan left no owner and ended ${told(first)}`);
    const applied = await run('apply', { most: leavers });
    if (!isRefused(applied)) say(`apply left no owner and ended ${told(applied)}`);
    return report(applied.seen.length, planned, 'ownerless');
  }
  const code = isNothing(wanted) ? 0 : 13;
  if (first.code !== code) say(`plan ended ${told(first)}, not ${code}`);
  const shown = readShown(first.stdout);
  compareShown(shown, wanted).forEach(judge.sayOf('plan'));
  if (planned > readingsOf(world, people)) say(`plan made ${planned} requests, for ${people} people`);

  const most = { enough: leavers, short: leavers - 1, default: undefined }[drawn.options.room];
  let refused: TrialReport['refused'];
  if (leavers > (most ?? 5) && (most ?? 5) > 0) {
    refused = 'removals';
    const applied = await run('apply', most === undefined ? {} : { most });
    if (!isRefused(applied)) say(`apply of ${leavers} removals with room for ${most} ended ${told(applied)}`);
  }
  // Before it changes: a team is read as it is then.
  const allowed = planned + countNeeded(world, wanted);
  const applied = await run('apply', { most: leavers });
  if (applied.code !== 0) say(`apply ended ${told(applied)}`);
  if (applied.seen.length > allowed) say(`apply made ${applied.seen.length} requests of ${allowed}`);
  compareStates(end, toNow(world, before)).forEach(judge.sayOf('after apply'));
  judgeDeeds(world, shown).forEach(say);

  const second = await run('plan');
  if (second.code !== 0) say(`plan after apply ended ${told(second)}`);
  // What nothing is to be done for, a plan has said; large ones take their time.
  if (people <= PAGE) {
    const again = await run('apply', { most: leavers });
    if (again.code !== 0 || countWrites(again.seen) > 0) say(`apply again ended ${told(again)}`);
  }
  return report(applied.seen.length, allowed, refused);
}

export interface Ran extends Ended {
  readonly seen: readonly Seen[];
}

export interface RunOptions {
  /** `--max-removals`, where there are removals. */
  readonly most?: number;
  readonly decide?: Decide;
  /** Further words. */
  readonly more?: readonly string[];
}

/** Runs `members plan` or `members apply` of what was drawn. */
export function createRun({ service, program, home }: Bench, drawn: Drawn, inChild: boolean) {
  const stdin = toText(drawn);
  return async (verb: 'plan' | 'apply', { most, decide, more = [] }: RunOptions = {}): Promise<Ran> => {
    service.play(drawn.world, decide);
    const options = { url: service.url, stdin, home };
    const argv = [...toArguments(drawn, verb, most), ...more];
    const ended = inChild ? await startChild(program, argv, options).ended : await runInside(program, argv, options);
    return { ...ended, seen: [...service.seen] };
  };
}

export function toArguments(
  { options }: Pick<Drawn, 'options'>,
  verb: 'plan' | 'apply',
  most?: number,
): readonly string[] {
  const { prune, pruneTeams, includeManaged, allowOwners } = options;
  const removes = verb === 'apply' && (prune || pruneTeams) && most !== undefined && most > 0;
  return [
    ...['members', verb, '--file', '-', '-o', 'json'],
    ...(prune ? ['--prune'] : []),
    ...(pruneTeams ? ['--prune-teams'] : []),
    ...(includeManaged ? ['--include-managed'] : []),
    ...(allowOwners ? ['--allow-owners'] : []),
    ...(verb === 'apply' ? ['--yes'] : []),
    ...(removes ? ['--max-removals', String(most)] : []),
  ];
}

/** What a plan shows. */
export interface Shown {
  /** Ids of memberships. */
  readonly removals: ReadonlySet<string>;
  /** `ou-… team-…` */
  readonly joins: ReadonlySet<string>;
  readonly leaves: ReadonlySet<string>;
  /** Folded addresses, with the ids of their teams. */
  readonly invites: ReadonlyMap<string, string>;
}

interface PlanRow {
  readonly action: string;
  readonly id: string | null;
  readonly email: string | null;
  readonly teams: readonly NamedTeam[];
  readonly 'teams-add'?: readonly NamedTeam[];
  readonly 'teams-remove'?: readonly NamedTeam[];
}

interface NamedTeam {
  readonly id: string;
}

export function readShown(stdout: string): Shown {
  const rows = (stdout.trim() === '' ? [] : JSON.parse(stdout)) as readonly PlanRow[];
  const ids = (teams: readonly NamedTeam[] = []): readonly string[] => teams.map(({ id }) => id);
  const pairs = (name: 'teams-add' | 'teams-remove'): ReadonlySet<string> =>
    new Set(rows.flatMap((row) => (row.action === 'teams' ? ids(row[name]).map((team) => `${row.id} ${team}`) : [])));
  return {
    removals: new Set(rows.flatMap(({ action, id }) => (action === 'remove' && id !== null ? [id] : []))),
    joins: pairs('teams-add'),
    leaves: pairs('teams-remove'),
    invites: new Map(
      rows.flatMap(({ action, email, teams }) =>
        action === 'invite' && email !== null ? [[fold(email), [...ids(teams)].sort().join()] as const] : [],
      ),
    ),
  };
}

export function toTeamId({ teams }: World, asked: string): string {
  const all = [...teams.values()];
  const same = (name: string): boolean => name.toLowerCase() === asked.toLowerCase();
  const found = all.find(({ id, name }) => id === asked || name === asked) ?? all.find(({ name }) => same(name));
  return found?.id ?? `unknown ${asked}`;
}

function compareShown(shown: Shown, wanted: Wanted): readonly string[] {
  const pairs = (changes: Wanted['joins']): readonly string[] => changes.map(({ id, team }) => `${id} ${team}`);
  const invites = wanted.invites.map(({ email, teams }) => `${fold(email)} ${[...teams].sort().join()}`);
  return [
    ...compareSets('removals', shown.removals, wanted.removals),
    ...compareSets('joins', shown.joins, pairs(wanted.joins)),
    ...compareSets('leaves', shown.leaves, pairs(wanted.leaves)),
    ...compareSets('invites', new Set([...shown.invites].map((pair) => pair.join(' '))), invites),
  ];
}

function compareSets(what: string, are: ReadonlySet<string>, should: readonly string[]): readonly string[] {
  const wanted = new Set(should);
  const more = [...are].filter((each) => !wanted.has(each));
  const less = should.filter((each) => !are.has(each));
  return [
    ...(more.length === 0 ? [] : [`${what} too many: ${more.slice(0, 3).join('; ')} (${more.length})`]),
    ...(less.length === 0 ? [] : [`${what} missing: ${less.slice(0, 3).join('; ')} (${less.length})`]),
  ];
}

export function compareStates(
  should: ReadonlyMap<string, string>,
  are: ReadonlyMap<string, string>,
): readonly string[] {
  const wrong = [...new Set([...should.keys(), ...are.keys()])].filter((key) => should.get(key) !== are.get(key));
  const tell = (teams: string | undefined): string => (teams === undefined ? 'not there' : `in [${teams}]`);
  return wrong.slice(0, 3).map((key) => `${key} should be ${tell(should.get(key))}, is ${tell(are.get(key))}`);
}

/** What must never have happened, whatever was in the way. */
export function judgeDeeds(world: World, shown: Shown): readonly string[] {
  const faults = world.repeated.map((email) => `it asked to invite ${email} again`);
  const invited = new Set<string>();
  const joined = new Set<string>();
  for (const deed of world.deeds) {
    if (deed.kind === 'join') joined.add(`${deed.id} ${deed.team}`);
    if (deed.by !== 'orgctl') continue;
    switch (deed.kind) {
      case 'remove':
        if (deed.id === world.caller) faults.push('it removed the caller');
        if (!shown.removals.has(deed.id)) faults.push(`it removed ${deed.id}, whom no plan showed`);
        break;
      case 'leave':
        if (!shown.leaves.has(`${deed.id} ${deed.team}`)) {
          faults.push(`it took ${deed.id} out of ${deed.team}, which no plan showed`);
        }
        for (const pair of shown.joins) {
          if (!pair.startsWith(`${deed.id} `) || joined.has(pair)) continue;
          faults.push(`it took ${deed.id} out of ${deed.team} before they were in ${pair}`);
        }
        break;
      case 'join':
        if (shown.joins.has(`${deed.id} ${deed.team}`)) break;
        faults.push(`it put ${deed.id} into ${deed.team}, which no plan showed`);
        break;
      case 'invite': {
        const email = fold(deed.email);
        if (invited.has(email)) faults.push(`it invited ${email} twice`);
        if (!shown.invites.has(email)) faults.push(`it invited ${email}, whom no plan showed`);
        invited.add(email);
      }
    }
  }
  return faults;
}

/** Nothing was sent but readings. */
export function isRefused({ code, seen }: Ran): boolean {
  return code === 2 && countWrites(seen) === 0;
}

export function countWrites(seen: readonly Seen[]): number {
  return seen.filter(({ method }) => method !== 'GET').length;
}

/**
 * Requests that a difference needs: each invitation one; each removal one and its reading; each team as many as it has
 * hundreds of people to take in or out, and where some are taken out, its reading once others have come.
 */
export function countNeeded(_world: World, { invites, removals, joins, leaves }: Wanted): number {
  const read = new Set(leaves.map(({ id }) => id)).size;
  return invites.length + 2 * removals.length + joins.length + leaves.length + read;
}

/** The lists of people and teams once, another page where an include is refused, and who the caller is. */
function readingsOf({ teams }: World, people: number): number {
  return Math.ceil(people / PAGE) + Math.ceil(teams.size / PAGE) + 4;
}

export function countDeeds(deeds: readonly Deed[]): TrialReport['deeds'] {
  const counts = { invite: 0, remove: 0, join: 0, leave: 0 };
  for (const { by, kind } of deeds) if (by === 'orgctl') counts[kind] += 1;
  return counts;
}

export function told({ code, stderr }: Pick<Ended, 'code' | 'stderr'>): string {
  return `${code}: ${stderr.trim().replaceAll('\n', ' | ').slice(0, 600)}`;
}

/** A service, and a home that is gone afterwards. */
export async function withBench<T>(program: Program, act: (bench: Bench) => Promise<T>): Promise<T> {
  const service = await startTrialService();
  const home = mkdtempSync(join(tmpdir(), 'orgctl-roster-'));
  try {
    return await act({ service, program, home });
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
