import type { Ended, Fault, Plan } from './kills.ts';
import { openPair } from './pair.ts';
import { openRoster, type Roster } from './roster.ts';
import { KINDS, type Kind, openRotation, type TrialOptions } from './rotation.ts';

export const SUBJECTS = [...KINDS, 'pair', 'roster'];

type Random = ReturnType<typeof createRandom>;

/** What is killed, and run again. */
interface Trial {
  violations: string[];
  run(plan: Plan & { options?: string[] }): Promise<Ended>;
  disturb?(): Promise<void>;
  finish(): Promise<Ended[]>;
  close(): void;
}

const WRITE_FAULTS: Fault[] = ['lost', 'torn', '500', 'dropped', '429', 'late'];
const ROSTER_FAULTS: Fault[] = [...WRITE_FAULTS, 'part', 'part'];
const TOKEN_FAULTS: Fault[] = [...WRITE_FAULTS, '403', 'no-id', 'replaced'];
const DELETE_FAULTS: Fault[] = [...WRITE_FAULTS, '403', '404', '404', '404'];
const PEOPLE = ['milo.member', 'rex.registry-manager', 'ada.auditor', 'tara.team-manager', 'ivan.invitee'];

/** One to three runs, most of them killed, and then the next ones. Somebody else may change the token between them. */
export async function runSeed(subject: string, seed: number): Promise<{ kills: number; violations: string[] }> {
  const random = createRandom(seed);
  if (subject === 'pair') return openPair(() => (random.chance(50) ? 1 + random.int(30) : 0));
  const isRoster = subject === 'roster';
  const [trial, about, count] = await (isRoster ? openRosterTrial(random) : openTokenTrial(subject as Kind, random));
  const story = [JSON.stringify(about)];
  let kills = 0;
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const options = !isRoster && random.chance(30) ? ['--if-expires-within', '1d'] : [];
    const faults = createFaults(random, isRoster ? ROSTER_FAULTS : TOKEN_FAULTS);
    const plan = { killAt: random.chance(20) ? 0 : 1 + random.int(count), faults, options };
    const { code, points } = await trial.run(plan);
    if (code === null) kills += 1;
    story.push(`${JSON.stringify(plan)} → ${code ?? `killed at "${points[plan.killAt - 1]}"`}`);
    if (trial.disturb === undefined || !random.chance(30)) continue;
    await trial.disturb();
    story.push('somebody else changes the token');
  }
  for (const { code } of await trial.finish()) story.push(`→ ${code}`);
  trial.close();
  return { kills, violations: trial.violations.map((text) => [text, ...story].join('\n    ')) };
}

/** What it is about, and how many points a run has. */
type Opened = [trial: Trial, about: object, points: number];

async function openTokenTrial(kind: Kind, random: Random): Promise<Opened> {
  const isShown = kind !== 'audit-trail' || random.chance(60);
  const service = isShown ? 'full' : random.chance(50) ? 'hidden' : 'document-only';
  const options: TrialOptions = { kind, service, isExecAlone: random.chance(50) };
  return [await openRotation(options), options, options.isExecAlone ? 30 : 45];
}

async function openRosterTrial(random: Random): Promise<Opened> {
  const pickTeams = () => ['platform', 'security', 'audit'].filter(() => random.chance(50));
  const roster: Roster = { 'olive.owner@example.com': undefined };
  for (const name of PEOPLE.filter(() => random.chance(60))) {
    const teams = pickTeams();
    roster[`${name}@example.com`] = teams.length > 0 ? teams : undefined;
  }
  for (let left = random.int(5); left > 0; left -= 1) {
    roster[`new-${left}@example.com`] = [random.pick(['platform', 'security', 'audit'])];
  }
  return [await openRoster(roster), roster, 24];
}

function createFaults(random: Random, ofWrites: Fault[]): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  const pick = (from: Fault[]): Fault => from[random.int(from.length)] ?? 'lost';
  if (random.chance(35)) faults['POST 1'] = pick(ofWrites);
  if (random.chance(10)) faults['POST 2'] = pick(ofWrites);
  if (random.chance(25)) faults[`GET ${random.pick(['*', '1', '2', '3', '4', '5', '6'])}`] = pick(WRITE_FAULTS);
  if (random.chance(30)) faults['DELETE 1'] = pick(ofWrites === TOKEN_FAULTS ? DELETE_FAULTS : ofWrites);
  return faults;
}

/** Numbers that a seed decides: mulberry32. */
function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (end: number): number => Math.floor(next() * end);
  return {
    /** From 0 up to, not including, `end`. */
    int,
    /** True in so many of a hundred cases. */
    chance: (percent: number): boolean => next() * 100 < percent,
    pick: <T>(values: [T, ...T[]]): T => values[int(values.length)] ?? values[0],
  };
}
