import type { Random } from '../../campaign/random.ts';
import { createRandom } from '../../campaign/random.ts';
import type { SigningKey } from '../../support/release.ts';
import { type Ended, openPlace, type Place, type Program, type Style } from './place.ts';
import type { CallFault, Put, UploadFault } from './service.ts';

/**
 * One release, published by the same command again and again: each run is killed or disturbed as the seed says, until one
 * ends whole. Then the service has to hold what is on disk.
 */

type Mode =
  /** Runs are killed: at a request, within the bytes of an upload, at some time. */
  | 'kills'
  /** Uploads are refused, cut, sent elsewhere, forgotten, and the API answers 429. */
  | 'faults';

export interface TrialPlan {
  readonly program: Program;
  readonly key: SigningKey;
  readonly seed: number;
  readonly mode: Mode;
  /** The most that are killed or disturbed; then runs are left alone. */
  readonly runs: number;
}

export interface TrialReport {
  readonly faults: readonly string[];
  readonly runs: number;
  /** Where runs were killed. */
  readonly killed: readonly string[];
  /** What was done to uploads and calls, by its kind. */
  readonly disturbed: readonly string[];
  /** Bytes of the release, and those that came. */
  readonly size: number;
  readonly received: number;
  readonly uploads: number;
}

const FORMATS = ['json', 'jsonapi', 'ndjson', 'table', 'tsv', 'csv', 'markdown'] as const;
/** The code of outcome-unknown. */
const UNKNOWN = 11;
const GENTLE = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** A release that is not whole after so many runs without faults never will be. */
const LAST_RUNS = 2;

export async function runTrial({ program, key, seed, mode, runs: most }: TrialPlan): Promise<TrialReport> {
  const random = createRandom(seed);
  const place = await openPlace({
    ...{ program, key, random },
    platforms: 2 + random.int(5),
    size: random.pick([5_000, 300_000, 1_500_000]),
    latency: random.pick([0, 0, 5]),
  });
  const { service, files } = place;
  const faults: string[] = [];
  const [killed, disturbed]: [string[], string[]] = [[], []];
  let runs = 0;
  let longest = 800;
  const fail = (text: string): void => void faults.push(`run ${runs}: ${text}`);

  try {
    for (let isWhole = false; !isWhole; ) {
      runs += 1;
      if (runs > most + LAST_RUNS) {
        fail('it is still not whole');
        break;
      }
      const isFree = runs > most;
      const before = { puts: service.puts.length, calls: service.calls.length };
      const began = Date.now();
      const style = toStyle(random, runs);
      const wasKilled = mode === 'kills' && !isFree;
      const plan = wasKilled ? planKill(random, place, longest) : undefined;
      const trouble = mode === 'faults' && !isFree ? planTrouble(random) : NO_TROUBLE;
      const running = place.start(style);
      if (plan === undefined) service.setFaults(trouble.upload, trouble.call);
      else plan.arm(running.kill);
      const ended = await running.ended;
      plan?.disarm();
      service.setFaults(() => undefined);
      await service.idle();
      const puts = service.puts.slice(before.puts);
      for (const text of place.findNeedless(puts)) fail(text);
      for (const { method, path, status } of service.calls.slice(before.calls)) {
        if (status === 422) fail(`${method} ${path} was sent although it was there`);
      }
      if (ended.hung) fail('it did not end');
      else if (plan?.wasFired() === true) {
        killed.push(plan.where);
        judgeKilled(ended, plan.signal, fail);
        isWhole = ended.code === 0;
      } else {
        disturbed.push(...trouble.happened());
        const expected = expectedCodes(puts, trouble.isApiDown());
        if (!expected.includes(ended.code ?? -1)) {
          fail(`exit ${ended.code} and not ${expected.join(' or ')}: ${ended.stderr.slice(-700)}${describePuts(puts)}`);
        }
        for (const [file, count] of countBy(puts, (put) => put.file ?? '?')) {
          const hasFailed = puts.some((put) => put.file === file && isFailed(put));
          if (hasFailed && count === 1) fail(`${file} failed, and was not sent once more`);
        }
        isWhole = ended.code === 0;
        if (isWhole) longest = Date.now() - began;
      }
      for (const [file, count] of countBy(puts, (put) => put.file ?? '?')) {
        if (count > 2) fail(`${file} was sent ${count} times by one run`);
      }
    }
    if (faults.length === 0) await judgeEnd(place, random, fail);
    for (const text of place.findLeaks()) fail(text);
    return {
      ...{ faults, runs, killed, disturbed },
      size: [...files.values()].reduce((sum, { size }) => sum + size, 0),
      received: service.puts.reduce((sum, { received }) => sum + received, 0),
      uploads: service.puts.length,
    };
  } finally {
    await place.close();
  }
}

/** Everything is there; and the same command again changes nothing. */
async function judgeEnd(place: Place, random: Random, fail: (text: string) => void): Promise<void> {
  const { service } = place;
  for (const text of place.findDifferences()) fail(text);
  const before = { puts: service.puts.length, calls: service.calls.length };
  const { code, stdout, stderr } = await place.start({ ...toStyle(random, 2), format: 'json', isKeyGiven: false })
    .ended;
  const result = code === 0 ? (JSON.parse(stdout) as Readonly<Record<string, unknown>>) : {};
  const { ready, changed, missing, address } = result;
  const said = JSON.stringify({ code, ready, changed, missing, address });
  const wanted = { code: 0, ready: true, changed: false, missing: [], address: 'private/acme/billing@1.2.0' };
  if (said !== JSON.stringify(wanted)) fail(`once more it says ${said} ${stderr}`);
  const writes = service.calls.slice(before.calls).filter(({ method }) => method !== 'GET');
  if (writes.length > 0 || service.puts.length > before.puts) fail('once more, and it writes');
  judgeLog(place, fail);
}

/** Each write that came is in the log, which some runs did not keep: no id is answered without having been sent. */
function judgeLog(place: Place, fail: (text: string) => void): void {
  const ids = new Set<string>();
  for (const line of place.readLog().split('\n')) {
    if (!line.endsWith('}')) continue;
    const { id, event } = JSON.parse(line) as { id: string; event: string };
    if (event === 'sent') ids.add(id);
    else if (event === 'answered' && !ids.has(id)) fail(`answered, and never sent: ${line}`);
  }
}

function toStyle(random: Random, run: number): Style {
  return {
    format: random.pick(FORMATS),
    debug: random.chance(40),
    isLogged: random.chance(60),
    // The first runs bring it; later ones find it, if one of those came so far.
    isKeyGiven: run < 1_000_000,
  };
}

interface KillPlan {
  readonly where: string;
  readonly signal: NodeJS.Signals;
  arm(kill: (signal: NodeJS.Signals) => void): void;
  disarm(): void;
  wasFired(): boolean;
}

function planKill(random: Random, { service }: Place, longest: number): KillPlan {
  const isGentle = random.chance(25);
  const signal = isGentle ? random.pick<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP']) : 'SIGKILL';
  // Small numbers as often as large ones.
  const near = (end: number): number => 1 + Math.floor(Math.exp((random.int(10_000) / 10_000) * Math.log(end)) - 0.5);
  let isFired = false;
  let timer: NodeJS.Timeout | undefined;
  const make = (where: string, arm: (fire: () => void) => void): KillPlan => ({
    where: `${signal} ${where}`,
    signal,
    wasFired: () => isFired,
    disarm: () => clearTimeout(timer),
    arm: (kill) =>
      arm(() => {
        isFired = true;
        kill(signal);
      }),
  });
  const percent = random.int(100);
  const count = near(random.pick([2, 4, 9]));
  const call = near(30);
  const when = random.pick(['before', 'after'] as const);
  const milliseconds = 60 + random.int(longest);
  return random.weigh<() => KillPlan>([
    [
      40,
      () =>
        make('within an upload', (act) =>
          service.setFaults((_file, number) => (number === count ? { kind: 'cut', percent, act } : undefined)),
        ),
    ],
    [
      15,
      () =>
        make('after an upload, before its answer', (act) =>
          service.setFaults((_file, number) => (number === count ? { kind: 'cut', percent: 100, act } : undefined)),
        ),
    ],
    [
      30,
      () =>
        make(`${when} a call took effect`, (act) =>
          service.setFaults(
            () => undefined,
            (_call, number) => (number === call ? { kind: 'cut', when, act } : undefined),
          ),
        ),
    ],
    [
      15,
      () =>
        make('at some time', (act) => {
          timer = setTimeout(act, milliseconds);
        }),
    ],
  ])();
}

/** A signal that can be caught may also come too late, or when what it cut off was looked for. */
function judgeKilled({ code, stderr }: Ended, signal: NodeJS.Signals, fail: (text: string) => void): void {
  if (signal === 'SIGKILL') {
    if (code !== null && code !== 0) fail(`killed, and exit ${code}`);
    return;
  }
  const wanted = GENTLE[signal as keyof typeof GENTLE];
  // Node ends by the signal itself before orgctl listens; a write that broke just then is one that nobody knows of.
  if (code === null || code === 0 || code === wanted || code === UNKNOWN) return;
  fail(`${signal} ended it with ${code} and not ${wanted}: ${stderr.slice(-500)}`);
}

interface Trouble {
  upload(file: string): UploadFault | undefined;
  call(call: { readonly method: string; readonly path: string }): CallFault | undefined;
  happened(): readonly string[];
  isApiDown(): boolean;
}

const NO_TROUBLE: Trouble = {
  upload: () => undefined,
  call: () => undefined,
  happened: () => [],
  isApiDown: () => false,
};

function planTrouble(random: Random): Trouble {
  const share = random.pick([20, 50, 80, 100]);
  const kinds = random.pick(['all', 'all', 'one'] as const);
  const one = toUploadFault(random);
  const happened: string[] = [];
  let inRow = 0;
  return {
    upload() {
      if (!random.chance(share)) return undefined;
      const fault = kinds === 'one' ? one : toUploadFault(random);
      happened.push(fault.kind === 'status' ? `${fault.status}${fault.keeps === true ? ', kept' : ''}` : fault.kind);
      return fault;
    },
    call() {
      // Never more often in a row than is tried again.
      if (inRow >= 2 || !random.chance(8)) {
        inRow = 0;
        return undefined;
      }
      inRow += 1;
      happened.push('429 of the API');
      return { kind: 'status', status: 429, headers: { 'X-RateLimit-Reset': '0.05' } };
    },
    happened: () => happened,
    isApiDown: () => false,
  };
}

function toUploadFault(random: Random): UploadFault {
  const percent = random.int(101);
  return random.weigh<UploadFault>([
    [20, { kind: 'status', status: random.pick([500, 503, 403, 404, 400, 429, 201, 204, 202]) }],
    [10, { kind: 'status', status: 500, keeps: true }],
    [20, { kind: 'expired' }],
    [15, { kind: 'redirect' }],
    [25, { kind: 'cut', percent }],
    [8, { kind: 'forgotten' }],
    [6, { kind: 'late', milliseconds: 200 + random.int(600) }],
  ]);
}

/**
 * How a run has to end by what became of its uploads: 0 where each file went up, the second time at the latest; 9 where none
 * did; 10 where some did, or where the service answers 200 and has nothing.
 */
function expectedCodes(puts: readonly Put[], isApiDown: boolean): readonly number[] {
  if (isApiDown) return [8, 9, 10];
  const failed = new Set(
    [...countBy(puts.filter(isFailed), ({ file }) => file ?? '?')].flatMap(([file, count]) =>
      count > 1 ? [file] : [],
    ),
  );
  const kept = puts.filter(({ isKept, file }) => isKept && !failed.has(file ?? '?')).length;
  const forgotten = puts.filter(({ fault }) => fault?.kind === 'forgotten').length;
  if (failed.size > 0) return kept + forgotten === 0 ? [9] : [10];
  return forgotten > 0 ? [10] : [0];
}

/** Refused, or without an answer, and the service does not have it. */
function isFailed({ isKept, fault }: Put): boolean {
  return !isKept && fault?.kind !== 'forgotten';
}

function describePuts(puts: readonly Put[]): string {
  return puts.map(({ file, fault, isKept }) => `\n    ${file}: ${JSON.stringify(fault) ?? '-'} ${isKept}`).join('');
}

function countBy<T>(all: readonly T[], toName: (one: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(toName(one), (counts.get(toName(one)) ?? 0) + 1);
  return counts;
}
