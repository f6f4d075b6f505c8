import { count, createJudge, type Say } from '../../campaign/judge.ts';
import { drawNear } from '../../campaign/kill.ts';
import type { Program, WatchedEnd, WatchedRun } from '../../campaign/process.ts';
import { createRandom, type Random } from '../../campaign/random.ts';
import type { Decide } from '../../campaign/service.ts';
import type { SigningKey } from '../../support/release.ts';
import { openPlace, type Place, type Style } from './place.ts';
import type { Put, Service, UploadFault } from './service.ts';

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

const FORMATS = ['json', 'ndjson', 'table', 'tsv', 'csv', 'markdown'] as const;
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
  const judge = createJudge(`publish -- ${mode} --seed ${seed} --runs 1 --each ${most}`);
  const [killed, disturbed]: [string[], string[]] = [[], []];
  let runs = 0;
  let longest = 800;
  const fail: Say = (text) => judge.say(`run ${runs}: ${text}`);

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
      const style = toStyle(random);
      const kill = mode === 'kills' && !isFree ? planKill(random, longest) : undefined;
      const trouble = mode === 'faults' && !isFree ? planTrouble(random) : NO_TROUBLE;
      const running = place.start(style);
      if (kill === undefined) service.setFaults(trouble.upload, trouble.call);
      else aim(kill, running, service);
      const ended = await running.ended;
      service.setFaults(() => undefined);
      await service.untilIdle();
      const puts = service.puts.slice(before.puts);
      for (const text of place.findNeedless(puts)) fail(text);
      for (const { method, path, status } of service.calls.slice(before.calls)) {
        if (status === 422) fail(`${method} ${path} was sent although it was there`);
      }
      if (ended.hung) fail('it did not end');
      else if (kill !== undefined && ended.signalled) {
        killed.push(`${kill.signal} ${kill.where}`);
        judgeKilled(ended, kill.signal, fail);
        isWhole = ended.code === 0;
      } else {
        disturbed.push(...trouble.happened);
        const expected = expectedCodes(puts);
        if (!expected.includes(ended.code ?? -1)) {
          fail(`exit ${ended.code} and not ${expected.join(' or ')}: ${ended.stderr.slice(-700)}${describePuts(puts)}`);
        }
        isWhole = ended.code === 0;
        if (isWhole) longest = Date.now() - began;
      }
      for (const [file, times] of countFiles(puts.filter(({ fault }) => !isLimited(fault)))) {
        if (times > 1) fail(`${file} was sent ${times} times by one run`);
      }
    }
    if (judge.faults().length === 0) await judgeEnd(place, random, fail);
    for (const text of place.findLeaks()) fail(text);
    return {
      ...{ faults: judge.faults(), runs, killed, disturbed },
      size: [...files.values()].reduce((sum, { size }) => sum + size, 0),
      received: service.puts.reduce((sum, { received }) => sum + received, 0),
      uploads: service.puts.length,
    };
  } finally {
    await place.close();
  }
}

/** Everything is there; and the same command again changes nothing. */
async function judgeEnd(place: Place, random: Random, fail: Say): Promise<void> {
  const { service } = place;
  for (const text of place.findDifferences()) fail(text);
  const before = { puts: service.puts.length, calls: service.calls.length };
  const { code, stdout, stderr } = await place.start({ ...toStyle(random), format: 'json', isKeyGiven: false }).ended;
  const result = code === 0 ? (JSON.parse(stdout) as Readonly<Record<string, unknown>>) : {};
  const said = JSON.stringify({
    code,
    changed: result['changed'],
    result: result['result'],
    address: result['address'],
  });
  const wanted = { code: 0, changed: false, result: 'unchanged', address: 'private/acme/billing@1.2.0' };
  if (said !== JSON.stringify(wanted)) fail(`once more it says ${said} ${stderr}`);
  const writes = service.calls.slice(before.calls).filter(({ method }) => method !== 'GET');
  if (writes.length > 0 || service.puts.length > before.puts) fail('once more, and it writes');
  judgeLog(place, fail);
}

/** Each write that came is in the log, which some runs did not keep: no id is answered without having been sent. */
function judgeLog(place: Place, fail: Say): void {
  const ids = new Set<string>();
  for (const line of place.readLog().split('\n')) {
    if (!line.endsWith('}')) continue;
    const { id, event } = JSON.parse(line) as { id: string; event: string };
    if (event === 'sent') ids.add(id);
    else if (event === 'answered' && !ids.has(id)) fail(`answered, and never sent: ${line}`);
  }
}

function toStyle(random: Random): Style {
  return {
    format: random.pick(FORMATS),
    debug: random.chance(40),
    isLogged: random.chance(60),
    isKeyGiven: true,
  };
}

interface Kill {
  readonly where: string;
  readonly signal: NodeJS.Signals;
  /** Within the how-manieth upload, after so many percent of it. */
  readonly upload?: number;
  readonly percent?: number;
  /** At the how-manieth call, which takes effect or does not. */
  readonly call?: number;
  readonly done?: boolean;
  /** After so many milliseconds. */
  readonly after?: number;
}

function planKill(random: Random, longest: number): Kill {
  const isGentle = random.chance(25);
  const signal = isGentle ? random.pick<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP']) : 'SIGKILL';
  const percent = random.int(100);
  const upload = drawNear(random, random.pick([2, 4, 9]));
  const call = drawNear(random, 30);
  const when = random.pick(['before', 'after'] as const);
  const after = 60 + random.int(longest);
  return random.weigh<Kill>([
    [40, { signal, where: 'within an upload', upload, percent }],
    [15, { signal, where: 'after an upload, before its answer', upload, percent: 100 }],
    [30, { signal, where: `${when} a call took effect`, call, done: when === 'after' }],
    [15, { signal, where: 'at some time', after }],
  ]);
}

function aim(
  { signal, upload, percent = 0, call, done = false, after }: Kill,
  run: WatchedRun,
  service: Service,
): void {
  const act = (): void => run.kill(signal);
  if (after !== undefined) run.killAfter(after, signal);
  service.setFaults(
    (_file, number) => (number === upload ? { kind: 'cut', percent, act } : undefined),
    (_seen, number) => {
      if (number !== call) return undefined;
      act();
      return { kind: 'reset', done };
    },
  );
}

/** A signal that can be caught may also come too late, or when what it cut off was looked for. */
function judgeKilled({ code, stderr }: WatchedEnd, signal: NodeJS.Signals, fail: Say): void {
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
  upload(): UploadFault | undefined;
  readonly call: Decide;
  readonly happened: readonly string[];
}

const NO_TROUBLE: Trouble = { upload: () => undefined, call: () => undefined, happened: [] };

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
    happened,
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
 * How a run has to end by what became of its uploads: 0 where each file went up; 9 where one was refused or cut off; 10 where
 * the service says yes and has nothing. Only what was answered 429 is sent again.
 */
function expectedCodes(puts: readonly Put[]): readonly number[] {
  const last = [...new Map(puts.map((put) => [put.file, put])).values()];
  const lost = last.filter(({ isKept }) => !isKept);
  const saysYes = ({ fault }: Put): boolean =>
    fault?.kind === 'forgotten' || (fault?.kind === 'status' && fault.status < 300);
  if (lost.length === 0) return [0];
  return lost.every(saysYes) ? [10] : [9];
}

function isLimited(fault: UploadFault | undefined): boolean {
  return fault?.kind === 'status' && fault.status === 429;
}

function describePuts(puts: readonly Put[]): string {
  return puts.map(({ file, fault, isKept }) => `\n    ${file}: ${JSON.stringify(fault) ?? '-'} ${isKept}`).join('');
}

function countFiles(puts: readonly Put[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  count(counts, ...puts.map(({ file }) => file ?? '?'));
  return counts;
}
