import { createRandom, type Random } from '../../campaign/random.ts';

/** What happens in one trial: the service it meets, the places it serves, and what goes wrong. All of it from the seed. */
export interface Plan {
  readonly seed: number;
  readonly service: ServicePlan;
  /** The token there is at first, by when it expires. */
  readonly before: 'none' | 'near' | 'far' | 'never';
  readonly sinks: readonly [SinkKind, ...SinkKind[]];
  /** Whether the files and the store of machine b are those of machine a. */
  readonly shared: boolean;
  readonly printsJson: boolean;
  /** A rotation without faults comes first, so that a delivered token is known. */
  readonly warmUp: boolean;
  readonly stages: readonly Stage[];
  /** After the next run, one that has nothing to do. */
  readonly idle: boolean;
}

export interface ServicePlan {
  readonly kind: TokenKind;
  /** Whether the routes outside the service's document are there. */
  readonly metadata: boolean;
  readonly account: boolean;
  readonly trail: 'events' | 'empty' | 'missing';
  /** Whether its answers name the API version. */
  readonly identified: boolean;
  readonly framing: 'length' | 'chunked' | 'close';
}

/**
 * Which token is rotated: a new one takes the place of the old, but of one with a description, which stands beside it. `self`:
 * such a one that asks for its own rotation.
 */
export type TokenKind = 'audit-trail' | 'organization' | 'team' | 'described' | 'self';

export function standsBeside(kind: TokenKind): boolean {
  return kind === 'described' || kind === 'self';
}

export type SinkKind = 'file' | 'env-file' | 'exec' | 'github-output' | 'stdout';
export type MachineName = 'a' | 'b';

/** Runs that go on at the same time. */
export type Stage = readonly [RunPlan] | readonly [RunPlan, RunPlan];

export interface RunPlan {
  readonly machine: MachineName;
  readonly options: readonly string[];
  /** What the POSTs of this run meet, in order; those beyond are answered well. */
  readonly posts: readonly PostFault[];
  readonly reads: ReadFault | undefined;
  readonly file: FileFault | undefined;
  readonly kill: ExchangeKill | undefined;
  readonly signal:
    | { readonly name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; readonly twice: boolean; readonly at: Moment }
    | undefined;
  readonly foreign: { readonly at: Moment; readonly sameCreator: boolean } | undefined;
  readonly local: LocalFault | undefined;
  /** What the DELETEs of this run meet, in order. */
  readonly deletes?: readonly DeleteFault[];
  /** The organization limits how long tokens are valid from then on. */
  readonly policy?: { readonly at: Moment; readonly how: PolicyEffect } | undefined;
}

/** What becomes of a token that is to be valid longer. `ends`: also of one that a run made before. */
export type PolicyEffect = 'ends' | 'refuses' | 'shortens';

/** `done`: whether it takes effect all the same. */
export interface DeleteFault {
  readonly kind: 'kill' | 'reset' | 'status';
  readonly status: number;
  readonly done: boolean;
}

/** When the request of a broken exchange takes effect. */
export type Commit = 'at-once' | 'never' | LateCommit;
/** Before the answer to the first or second metadata read after it, or as the second POST arrives or has taken effect,
 * or before the first metadata read after that. Where none of them comes, as the next run begins. */
type LateCommit = 'look-1' | 'look-2' | 'account' | 'post-2' | 'post-2-done' | 'verify' | 'next-run';

export type PostFault =
  | { readonly kind: 'none' }
  | { readonly kind: 'reset'; readonly commit: Commit }
  /** Cut after so many thousandths of the answer, with a reset or a plain end. */
  | { readonly kind: 'cut'; readonly at: number; readonly reset: boolean }
  | { readonly kind: 'stall'; readonly commit: Commit; readonly resets: boolean }
  | { readonly kind: 'status'; readonly status: number; readonly html: boolean; readonly commit: Commit }
  | { readonly kind: 'no-token'; readonly commit: 'at-once' | 'never' }
  | { readonly kind: 'redirect'; readonly commit: Commit }
  /** The answer is there, behind something that HTTP does not allow before it. */
  | { readonly kind: 'breaks-http'; readonly before: string; readonly commit: Commit }
  /** Behind another 1xx, which HTTP allows and a client has to pass over. */
  | { readonly kind: 'informed' }
  /** Another token has this description. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'refusal'; readonly status: number }
  | { readonly kind: 'limited'; readonly status: 429 }
  /** Nobody listens while the POST is to leave. */
  | { readonly kind: 'unreachable' };

/** Metadata reads from the n-th on fail, so many of them. */
export interface ReadFault {
  readonly from: number;
  readonly count: number;
  readonly status: number;
}

/** At a counted operation on files. `span`: per cent of the write that is done, or operations that fail. */
export type FileFault =
  | { readonly mode: 'kill'; readonly at: number }
  | { readonly mode: 'torn'; readonly at: number; readonly span: number }
  | { readonly mode: 'fail'; readonly at: number; readonly span: number; readonly code: string };

/** SIGKILL as the service sees the n-th POST, or any request: before or after it takes effect, or within the answer. */
export type ExchangeKill =
  | { readonly at: 'request'; readonly request: number }
  | { readonly at: 'post'; readonly post: number; readonly commit: Commit }
  | { readonly at: 'answer'; readonly post: number; readonly thousandth: number };

/** The n-th request of a run arrives, or the n-th POST arrives or has taken effect. */
export type Moment = `request:${number}` | `post:${number}` | `done:${number}` | 'verify';

type LocalFault =
  /** A small disk with so many pages left when the run begins, or none from its POST on. */
  | { readonly kind: 'full'; readonly where: 'state' | 'sinks'; readonly pages: number | 'at-post' }
  | { readonly kind: 'exec-fails' | 'exec-closes' | 'stdout-closes' | 'folder-instead' | 'immutable' };

/** Points, and operations, of a rotation with several sinks. */
const POINTS = 210;
const OPERATIONS = 105;
const CODES = ['ENOSPC', 'EIO', 'EROFS', 'EDQUOT'] as const;

/** `isTwo`: two machines rotate at once in every stage. */
export function createPlan(seed: number, kind: TokenKind = 'audit-trail', isTwo = false): Plan {
  const plan = limit(extend(createBasis(seed), createRandom(seed ^ 0x2bad), isTwo), createRandom(seed ^ 0x11417));
  return kind === 'audit-trail' ? plan : toKind(plan, kind, createRandom(seed ^ 0x0b51de));
}

function limit(plan: Plan, random: Random): Plan {
  const stages = plan.stages.map((stage) =>
    stage.map((run) => {
      if (!random.chance(8)) return run;
      const policy = { at: chooseMoment(random), how: random.pick(['ends', 'ends', 'refuses', 'shortens']) } as const;
      return { ...run, policy };
    }),
  );
  return { ...plan, stages: stages as unknown as Plan['stages'] };
}

/** The routes of the other kinds are everywhere. */
function toKind(plan: Plan, kind: TokenKind, random: Random): Plan {
  // A token that asks is known by its account.
  const account = kind === 'self' || plan.service.account;
  const service: ServicePlan = { ...plan.service, kind, metadata: true, account, trail: 'missing' };
  if (!standsBeside(kind)) return { ...plan, service };
  const chooseDelete = (): DeleteFault => {
    const status = random.pick([403, 500, 503]);
    return { kind: random.pick(['kill', 'reset', 'status']), status, done: status !== 403 && random.chance(50) };
  };
  const extended = plan.stages.map((stage) =>
    stage.map((run) => ({
      ...run,
      options: [...run.options, ...(random.chance(15) ? ['--keep-old', '1s'] : [])],
      deletes: random.chance(25) ? [chooseDelete()] : [],
      posts: random.chance(6) ? [{ kind: 'taken' } as const, ...run.posts] : run.posts,
    })),
  ) as unknown as Plan['stages'];
  // One that is missing is not created unasked.
  return { ...plan, service, before: plan.before === 'none' ? 'near' : plan.before, stages: extended, idle: false };
}

/** Drawn apart from the rest, so that a seed that once showed something goes on showing it. */
function extend(plan: Plan, random: Random, isTwo: boolean): Plan {
  const { metadata, identified } = plan.service;
  const shared = random.chance(60);
  return {
    ...plan,
    // Also answers of services without the route name the API version.
    service: { ...plan.service, identified: identified || (!metadata && random.chance(60)) },
    shared,
    stages: plan.stages.map((stage) => {
      const [one, two] = stage.map((run) => breakHttp(run, random)) as [RunPlan, RunPlan?];
      const join = (): RunPlan => breakHttp(chooseRun(random, plan.sinks, 'b', 0), random);
      const isJoined = two === undefined && random.chance(15);
      const other = isJoined || (isTwo && two?.machine !== 'b') ? join() : two;
      return other === undefined ? [one] : [one, shared ? spareSinks(other) : other];
    }),
  };
}

/** What happens to places of both machines happens by the run of machine a. */
function spareSinks(run: RunPlan): RunPlan {
  return run.machine === 'b' ? { ...run, local: undefined } : run;
}

const BROKEN = ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 2x1 Made\r\n', 'Made: yes\r\n\r\n'] as const;

function breakHttp(run: RunPlan, random: Random): RunPlan {
  if (!random.chance(5)) return run;
  const fault = random.weigh<() => PostFault>([
    [1, () => ({ kind: 'informed' })],
    [4, () => ({ kind: 'breaks-http', before: random.pick(BROKEN), commit: chooseCommit(random) })],
  ])();
  return { ...run, posts: [fault, ...run.posts.slice(1)] };
}

function createBasis(seed: number): Plan {
  const random = createRandom(seed);
  const metadata = random.chance(72);
  const sinks = chooseSinks(random);
  return {
    seed,
    service: {
      kind: 'audit-trail',
      metadata,
      account: random.chance(80),
      trail: random.name({ events: 6, empty: 2, missing: 2 }),
      identified: metadata && random.chance(75),
      framing: random.pick(['length', 'chunked', 'close']),
    },
    before: random.pick(['none', 'near', 'far', 'never']),
    sinks,
    shared: false,
    printsJson: random.chance(60),
    warmUp: random.chance(15),
    stages: Array.from({ length: random.chance(30) ? 2 : 1 }, (_, index) => chooseStage(random, sinks, index)),
    idle: random.chance(15),
  };
}

function chooseSinks(random: Random): readonly [SinkKind, ...SinkKind[]] {
  const kinds: readonly SinkKind[] = ['file', 'env-file', 'exec', 'github-output', 'stdout'];
  const [first = 'file', ...rest] = kinds
    .map((kind) => ({ kind, rank: random.int(1_000) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ kind }) => kind);
  return [first, ...rest.slice(0, random.int(3))];
}

function chooseStage(random: Random, sinks: readonly SinkKind[], index: number): Stage {
  const one = chooseRun(random, sinks, 'a', index);
  if (!random.chance(10)) return [one];
  return [one, chooseRun(random, sinks, random.chance(50) ? 'a' : 'b', index)];
}

function chooseRun(random: Random, sinks: readonly SinkKind[], machine: MachineName, index: number): RunPlan {
  const count = Number(random.name({ '0': 5, '1': 65, '2': 30 }));
  const weights = { file: 28, kill: 14, signal: 8, posts: 28, foreign: 8, reads: 4, local: 14 };
  const chosen = new Set(Array.from({ length: count }, () => random.name(weights)));
  return {
    machine,
    options: chooseOptions(random, index),
    posts: chosen.has('posts') ? [choosePost(random), ...(random.chance(40) ? [choosePost(random)] : [])] : [],
    reads: chosen.has('reads')
      ? { from: 1 + random.int(5), count: 1 + random.int(3), status: random.pick([500, 502, 503]) }
      : undefined,
    file: chosen.has('file') ? chooseFileFault(random) : undefined,
    kill: chosen.has('kill') ? chooseKill(random) : undefined,
    signal: chosen.has('signal')
      ? { name: random.pick(['SIGINT', 'SIGTERM', 'SIGHUP']), twice: random.chance(20), at: chooseMoment(random) }
      : undefined,
    foreign: chosen.has('foreign') ? { at: chooseMoment(random), sameCreator: random.chance(40) } : undefined,
    local: chosen.has('local') ? chooseLocal(random, sinks) : undefined,
  };
}

function chooseOptions(random: Random, index: number): readonly string[] {
  const expires = random.name({ '90d': 8, never: 1, same: 1 });
  return [
    ...['--expires', expires],
    ...(random.chance(15) ? ['--if-expires-within', '30d'] : []),
    ...(index > 0 && random.chance(20) ? ['--if-older-than', '30d'] : []),
    ...(random.chance(12) ? ['--require-verified'] : []),
    ...(random.chance(12) ? ['--verify-command', random.chance(70) ? 'VERIFY ok' : 'VERIFY fails'] : []),
    ...(random.chance(20) ? ['--lock-wait', '5s'] : []),
    ...(random.chance(20) ? ['--debug'] : []),
  ];
}

function choosePost(random: Random): PostFault {
  const commit = (): Commit => chooseCommit(random);
  const { chance, int, pick } = random;
  return random.weigh<() => PostFault>([
    [18, () => ({ kind: 'reset', commit: commit() })],
    [24, () => ({ kind: 'cut', at: int(1_001), reset: chance(60) })],
    [6, () => ({ kind: 'stall', commit: commit(), resets: chance(75) })],
    [16, () => ({ kind: 'status', status: pick([500, 502, 503, 504]), html: chance(50), commit: commit() })],
    [6, () => ({ kind: 'no-token', commit: chance(80) ? 'at-once' : 'never' })],
    [5, () => ({ kind: 'redirect', commit: commit() })],
    [10, () => ({ kind: 'refusal', status: pick([401, 403, 404, 422]) })],
    [6, () => ({ kind: 'limited', status: 429 })],
    [4, () => ({ kind: 'unreachable' })],
    [4, () => ({ kind: 'none' })],
  ])();
}

function chooseCommit(random: Random): Commit {
  const late = { 'look-1': 1, 'look-2': 1, account: 1, 'post-2': 1, 'post-2-done': 1, verify: 1, 'next-run': 1 };
  return random.name<Commit>({ 'at-once': 7, never: 6, ...late });
}

function chooseFileFault({ int, pick, weigh }: Random): FileFault {
  return weigh<() => FileFault>([
    [60, () => ({ mode: 'kill', at: 1 + int(POINTS) })],
    [20, () => ({ mode: 'torn', at: 1 + int(OPERATIONS), span: int(101) })],
    [20, () => ({ mode: 'fail', at: 1 + int(OPERATIONS), span: pick([1, 1, 3, 10, 1_000]), code: pick(CODES) })],
  ])();
}

function chooseKill(random: Random): ExchangeKill {
  return random.weigh<() => ExchangeKill>([
    [2, () => ({ at: 'request', request: 1 + random.int(8) })],
    [3, () => ({ at: 'post', post: 1, commit: chooseCommit(random) })],
    [5, () => ({ at: 'answer', post: 1, thousandth: random.int(1_001) })],
  ])();
}

function chooseMoment(random: Random): Moment {
  return random.weigh<() => Moment>([
    [4, () => `request:${1 + random.int(8)}`],
    [3, () => 'post:1'],
    [3, () => 'done:1'],
    [1, () => 'done:2'],
    [2, () => 'verify'],
  ])();
}

function chooseLocal(random: Random, sinks: readonly SinkKind[]): LocalFault {
  const has = (kind: SinkKind): number => (sinks.includes(kind) ? 1 : 0);
  return random.weigh<() => LocalFault>([
    [3, () => ({ kind: 'full', where: 'state', pages: random.chance(40) ? 'at-post' : random.int(9) })],
    [2, () => ({ kind: 'full', where: 'sinks', pages: random.chance(40) ? 'at-post' : random.int(6) })],
    [3 * has('exec'), () => ({ kind: 'exec-fails' })],
    [2 * has('exec'), () => ({ kind: 'exec-closes' })],
    [3 * has('stdout'), () => ({ kind: 'stdout-closes' })],
    [3 * has('file'), () => ({ kind: 'folder-instead' })],
    [1 * has('file'), () => ({ kind: 'immutable' })],
  ])();
}
