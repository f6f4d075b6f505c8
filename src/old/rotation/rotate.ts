import { OrgctlError, toFault } from '../errors.ts';
import { removeQuietly } from '../files/durable-file.ts';
import { isThere } from '../files/look.ts';
import { checkLockPlace, findHolder, withLock } from '../files/process-lock.ts';
import { toFingerprint } from '../secrets/fingerprint.ts';
import { type CreateSteps, type Creation, createToken } from './create-token.ts';
import { type CurrentToken, isSameToken } from './current-token.ts';
import { type Delivery, deliver, readPlaces, removeRecovery, toTokenOrigin, toUnchangedResult } from './deliver.ts';
import { checkExpiry, type ExpiryCheck, isConditional, resolveExpiry } from './expiry-check.ts';
import type { DeliveredToken, JournalState, OpenRotation, RetiringToken, TokenFacts } from './journal.ts';
import { isTimeUp, toLockPlace } from './journal.ts';
import { createJournalWriter, type JournalWriter, withoutOpen, withRetiring } from './journal-writer.ts';
import { toName, toRotationName } from './names.ts';
import { findPreviousRun, foresee, listUnremoved, type PreviousRun } from './previous-run.ts';
import {
  createRecoveryFile,
  openRecoveryFile,
  type RecoveryFile,
  removeEmptyRecoveryFiles,
  toRecoveryPath,
} from './recovery.ts';
import { isWaiting, lookAtKept, retire, toKept } from './retire.ts';
import type { PreparedSink, Sink } from './sinks/sink.ts';
import type { RetiredToken, RotationInput, RotationResult, RotationWorld, Unfinished } from './types.ts';

/**
 * Replaces a token of an organization and brings the new secret to its places. The service has one token,
 * the request that creates a new one ends it, and the secret is in that one answer: so everything that can fail is tried
 * before the request, and after it only delivery is left.
 *
 * Killed at any point, one of these holds: the old token is still valid; the new secret is in a sink or in the recovery
 * file; the journal is open and says that it is not known.
 */
export async function rotate(input: RotationInput, world: RotationWorld, seen?: Seen): Promise<void> {
  const options = { ...world, wait: input.lockWait, describe: toRotationName(input) };
  await withLock(toLockPlace(world.directory), options, () =>
    rotateLocked(input, world, seen).finally(() => world.step(undefined)),
  );
}

/** What a preview saw: a rotation that begins soon after need not look again. */
export interface Seen {
  readonly state: JournalState;
  readonly current: CurrentToken;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Milliseconds. */
const SOON = 60_000;

/** The token as it was seen, where no run from here can have changed it since. It is read again just before the request. */
function recall(seen: Seen | undefined, state: JournalState, now: number): CurrentToken | undefined {
  if (seen === undefined || state.open !== undefined || state.retiring !== undefined) return undefined;
  const age = now - seen.at;
  const isSame = age >= 0 && age < SOON && JSON.stringify(seen.state) === JSON.stringify(state);
  return isSame ? seen.current : undefined;
}

/** What a rotation would do, as far as it can be known without leaving a trace. */
export interface Preview {
  /** Undefined where a new token is needed. */
  readonly unchanged: RotationResult | undefined;
  /** The expiry that a new token would get; undefined where the service decides. */
  readonly expiredAt: string | null | undefined;
  /** Old tokens that would be deleted: at once, and once a new one works. */
  readonly deletions: { readonly now: readonly RetiringToken[]; readonly later: readonly RetiringToken[] };
  /** What was found to be in order, in words. */
  readonly checked: readonly string[];
  readonly seen: Seen;
  readonly unfinished?: Unfinished;
}

/** `known`: the token as it was read just before; it is read here when left out. */
export async function previewRotation(
  input: RotationInput,
  world: RotationWorld,
  known?: CurrentToken,
): Promise<Preview> {
  const state = world.journal.read();
  const { open, last } = state;
  const at = world.now();
  const current = known ?? (await world.token.read());
  const seen: Seen = { state, current, at };
  await world.token.refuseOtherMeaning();
  checkLockPlace(toLockPlace(world.directory));
  for (const sink of input.sinks) await sink.check();
  const holder = await findHolder(toLockPlace(world.directory), world.now());
  if (holder !== undefined) world.note(`Another ${toRotationName(input)} is running (${holder}).`);
  const checked = [
    ...input.sinks.map(({ ready }) => ready),
    ...(holder === undefined ? ['no other rotation runs'] : []),
  ];
  const { retiring = [] } = state;
  const waiting = retiring.filter((each) => isWaiting(state, each));
  const earlier = retiring.filter((each) => !waiting.includes(each));
  const selectEnded = (all: readonly RetiringToken[]) => all.filter((each) => isTimeUp(each, world.now()));
  const now = selectEnded(earlier);
  const left = open?.phase === 'preflight' ? undefined : open;
  const { undelivered, lost } = left?.proven === undefined && left ? await foresee(left, input, world) : {};
  const toUnfinished = (next: 'deliver' | 'find-out') =>
    open && { unfinished: { startedAt: open.startedAt, next: left === undefined ? 'start-over' : next } as const };
  const toLater = (before: TokenFacts | null | undefined): readonly RetiringToken[] => {
    if (world.token.beside === undefined) return [];
    const old = { ...toKeeping(input, left), ...(before === undefined ? {} : { before }) };
    return selectEnded(toRetiring(withSecretless({ retiring: waiting }, lost, world), old, input, world.now()));
  };
  if (undelivered !== undefined) {
    return {
      unchanged: undefined,
      expiredAt: undelivered.expiredAt,
      deletions: { now, later: toLater(left?.before) },
      checked,
      seen,
      ...toUnfinished('deliver'),
    };
  }
  const check = lost === undefined ? await checkNeed(input, world, current, last) : NEEDED_FOR_LOSS;
  if (!check.needed) {
    const { beside } = world.token;
    const kept: RetiredToken[] = [];
    for (const each of earlier.filter((one) => !now.includes(one))) {
      const isShown = beside === undefined || (await lookAtKept(beside, each.id, true)) !== undefined;
      if (isShown) kept.push(toKept(each));
    }
    const unchanged = toUnchangedResult(input, check.facts, check.fingerprint);
    return {
      unchanged: kept.length === 0 ? unchanged : { ...unchanged, retired: kept },
      expiredAt: null,
      deletions: { now, later: [] },
      checked,
      seen,
      ...toUnfinished('find-out'),
    };
  }
  if (isConditional(input)) world.note(`Due: ${check.why}.`);
  const expiredAt = resolveExpiry(input.expires, getFacts(current) ?? last, world.now());
  const isUndecided = (await world.token.checkExpiry(expiredAt)) === 'undecided';
  return {
    unchanged: undefined,
    expiredAt: isUndecided ? undefined : expiredAt,
    deletions: { now, later: toLater(getFacts(current)) },
    checked,
    seen,
    ...toUnfinished('find-out'),
  };
}

async function rotateLocked(input: RotationInput, world: RotationWorld, seen: Seen | undefined): Promise<void> {
  removeEmptyRecoveryFiles(world.directory);
  const found = world.journal.read();
  const closed = await closeDelivered(found, input, world);
  const kept = found.retiring ?? [];
  const { state, retired, problem } = await retireEarlier(closed, input, world, 'others', kept);
  if (problem?.exit === 'busy') throw problem;
  const previous = await findPreviousRun(state.open, input, world);
  if (previous.kind === 'deliverable') return await deliverPrevious(previous, state, input, world);

  const current = recall(seen, found, world.now()) ?? (await world.token.read());
  await world.token.refuseOtherMeaning();
  const check = previous.kind === 'secret-lost' ? NEEDED_FOR_LOSS : await checkNeed(input, world, current, state.last);
  if (!check.needed) {
    if (previous.kind === 'none') await closeSettled(state, world);
    const own = await retireEarlier(world.journal.read(), input, world, 'own', kept);
    const unchanged = toUnchangedResult(input, check.facts, check.fingerprint);
    const all = [...retired, ...own.retired];
    await world.show(all.length === 0 ? unchanged : { ...unchanged, retired: all });
    const failure = problem ?? own.problem;
    if (failure !== undefined) throw failure;
    return;
  }
  if (isConditional(input)) world.note(`Due: ${check.why}.`);
  const lost = previous.kind === 'secret-lost' ? previous.lost : undefined;
  await replaceToken({ state: withSecretless(state, lost, world), previous, current }, input, world);
}

/** Old tokens of earlier runs whose time has come: all but the one that asks, which is needed, or that one alone. */
async function retireEarlier(
  state: JournalState,
  input: RotationInput,
  world: RotationWorld,
  which: 'others' | 'own',
  kept: readonly RetiringToken[],
) {
  const { beside } = world.token;
  if (beside === undefined) return { state, retired: [], problem: undefined };
  const own = { ...world, token: { ...world.token, beside } };
  const isWanted = (id: string): boolean => beside.isSelf(id) === (which === 'own');
  return { problem: undefined, ...(await retire(state, input, own, undefined, isWanted, kept)) };
}

/** With the token that a killed run created and whose secret is lost: it is deleted as the old one is, after it. */
function withSecretless(
  state: JournalState,
  lost: Extract<PreviousRun, { readonly kind: 'secret-lost' }>['lost'],
  world: Pick<RotationWorld, 'now'>,
): JournalState {
  if (lost === undefined) return state;
  const { id, description = '' } = lost.facts;
  const others = (state.retiring ?? []).filter((each) => each.id !== id);
  const refused = lost.isRefused ? ({ refused: true } as const) : {};
  return withRetiring(state, [...others, { id, description, from: toInstant(world.now()), lost: true, ...refused }]);
}

/** For a token that stands beside others: closes the journal with what is still to be deleted, and deletes it. */
function toRetire(
  state: JournalState,
  open: OpenRotation,
  input: RotationInput,
  world: RotationWorld,
): Pick<Delivery, 'retire'> {
  const { beside } = world.token;
  if (beside === undefined) return {};
  return {
    async retire(last, secret) {
      const closed = withRetiring({ ...withoutOpen(state), last }, toRetiring(state, open, input, world.now()));
      await createJournalWriter(world, closed).trySave();
      return await retire(closed, input, { ...world, token: { ...world.token, beside } }, secret);
    },
  };
}

function toRetiring(
  { retiring = [] }: JournalState,
  { before, minted, keepOld = 0 }: Pick<OpenRotation, 'before' | 'keepOld' | 'minted'>,
  { keepOld: asked = keepOld }: Pick<RotationInput, 'keepOld'>,
  /** When the new one was delivered, in milliseconds. */
  since: number,
): readonly RetiringToken[] {
  if (before === undefined || before === null || before.id === minted?.id) return retiring;
  const { id, description } = before;
  const old = { id, ...(description === undefined ? {} : { description }), from: toInstant(since + asked) };
  return [...retiring.filter((each) => each.id !== id), old];
}

const NEEDED_FOR_LOSS = {
  needed: true,
  why: 'an unfinished rotation may have created a token whose secret is lost',
} as const;

async function checkNeed(
  input: RotationInput,
  world: RotationWorld,
  current: CurrentToken,
  last: DeliveredToken | undefined,
): Promise<Exclude<ExpiryCheck, { readonly needed: 'unknown' }>> {
  if (!isConditional(input)) return { needed: true, why: 'it was asked for' };
  const check = await checkExpiry(input, current, last, world.now(), world.token.tryOut);
  if (check.needed !== 'unknown') return check;
  throw new OrgctlError('attention', `unknown whether ${toName(input)} is due for rotation`, {
    code: 'unknown',
    reasons: [check.why],
    hint: check.isSettled
      ? 'Run it once without --if-expires-within and --if-older-than: later runs then know which token was delivered.'
      : "This service doesn't show it. Rotate on a schedule, without --if-expires-within and --if-older-than.",
  });
}

/**
 * For a run that was killed when all was delivered, before the journal said so: its recovery file is gone, every place holds the
 * secret, and it is the current token's. Without this proof the token counts as lost.
 */
async function closeDelivered(state: JournalState, input: RotationInput, world: RotationWorld): Promise<JournalState> {
  const { open } = state;
  const { minted } = open ?? {};
  if (open?.proven !== undefined) return await closeProven(state, open, open.proven, input, world);
  if (open === undefined || open.phase !== 'minted' || minted === undefined || open.posts !== 1) return state;
  if (
    (open.undelivered?.length ?? 0) > 0 ||
    isThere(open.recovery) ||
    !input.sinks.every(({ isReadable }) => isReadable)
  )
    return state;
  const held = await Promise.all(input.sinks.map((sink) => sink.read()));
  if (!held.every((secret) => secret !== undefined && toFingerprint(secret) === minted.fingerprint)) return state;
  const [secret = ''] = held;
  const current = await world.token.read();
  const isCurrent =
    current.kind === 'found'
      ? current.facts.id === minted.id
      : (await world.token.tryOut(secret, false, minted.id)) === 'accepted';
  if (!isCurrent) return state;
  open.temporaries.forEach(removeQuietly);
  if (listUnremoved(open).length > 0) return state;
  const last: DeliveredToken = {
    ...minted,
    deliveredAt: toInstant(world.now()),
    verified: null,
    sinks: input.sinks.map(({ label }) => label),
  };
  await createJournalWriter(world, state).tryClose(last);
  return { ...withoutOpen(state), last };
}

/** For a run that was killed when its token was known to work. Its recovery file may still be there. */
async function closeProven(
  state: JournalState,
  { proven: _proven, ...open }: OpenRotation,
  last: DeliveredToken,
  input: RotationInput,
  world: RotationWorld,
): Promise<JournalState> {
  // Without the new one the old one stays.
  if ((await world.token.beside?.look(last.id)) === undefined) {
    world.warn(`${last.id}, which an unfinished rotation delivered, was deleted elsewhere`);
    return { ...state, open };
  }
  open.temporaries.forEach(removeQuietly);
  await removeRecovery(openRecoveryFile(open.recovery), world);
  const since = Date.parse(last.deliveredAt);
  const closed = withRetiring({ ...withoutOpen(state), last }, toRetiring(state, open, input, since));
  await createJournalWriter(world, closed).trySave();
  return closed;
}

/** For when nothing that matters is left of the run that the journal calls open. The files it names stay known. */
async function closeSettled(state: JournalState, world: RotationWorld): Promise<void> {
  if (state.open === undefined || listUnremoved(state.open).length > 0) return;
  await createJournalWriter(world, state).close();
}

async function deliverPrevious(
  previous: Extract<PreviousRun, { readonly kind: 'deliverable' }>,
  state: JournalState,
  input: RotationInput,
  world: RotationWorld,
): Promise<void> {
  if (state.open === undefined) throw new Error('there is no open rotation');
  const { doubtful: _removed, ...left } = state.open;
  const files = await planFiles(input.sinks, world, state.open);
  const open: OpenRotation = { ...left, recovery: previous.recovery.path, ...files };
  const journal = createJournalWriter(world, state);
  await journal.note(open);
  const prepared: PreparedSink[] = [];
  const held = await readPlaces(input.sinks);
  try {
    for (const sink of input.sinks) prepared.push(await sink.prepare(world.unique));
    world.signal.throwIfAborted();
  } catch (error) {
    for (const sink of prepared) await sink.discard();
    throw error;
  }
  const { token, recovery } = previous;
  await world.defer(() =>
    deliver(
      {
        ...{ token, posts: 1, isNew: false, recovery, isKept: true, open, journal, prepared, held },
        ...toRetire(state, open, input, world),
      },
      input,
      world,
    ),
  );
}

interface Findings {
  readonly state: JournalState;
  readonly previous: Exclude<PreviousRun, { readonly kind: 'deliverable' }>;
  readonly current: CurrentToken;
}

async function replaceToken(findings: Findings, input: RotationInput, world: RotationWorld): Promise<void> {
  const { state, previous, current } = findings;
  const expiredAt = resolveExpiry(input.expires, getFacts(current) ?? state.last, world.now());
  await world.token.checkExpiry(expiredAt);
  const journal = createJournalWriter(world, previous.kind === 'none' ? withoutOpen(state) : state);
  const unverified = previous.kind === 'none' ? [] : previous.unverified;
  const open = await planRun(findings, unverified, input, world);
  await journal.note(open);
  world.step('Checking the places of the new token');
  const { prepared, held, recovery, clear, undo } = await prepare(open, journal, current, input, world);

  // From here on signals wait: what has begun is brought to its end.
  await world.defer(async () => {
    world.step('Creating the new token');
    const steps: CreateSteps = {
      onPost(posts) {
        const creating: OpenRotation = { ...open, phase: 'minting', posts, mintingSince: toInstant(world.now()) };
        // Before the first request, failing changes nothing.
        return posts === 1 ? journal.note(creating) : journal.tryNote(creating);
      },
      onUnclear: () => journal.tryNote({ ...open, phase: 'unknown', posts: 1 }),
    };
    const creation = await createToken(expiredAt, current, input, world, steps, open.description).catch(
      async (error: unknown) => {
        await (isUnclear(error) ? clear() : undo());
        throw error;
      },
    );
    const isKept = await keepSecret(creation, recovery, input, world);
    creation.token.noteAnswer?.();
    for (const each of unverified) await removeRecovery(each, world);
    const delivery: Delivery = {
      ...creation,
      isNew: true,
      recovery,
      isKept,
      open: { ...open, posts: creation.posts },
      journal,
      prepared,
      held,
      ...toRetire(state, open, input, world),
    };
    await deliver(delivery, input, world);
  });
}

async function planRun(
  { state, previous, current }: Findings,
  unverified: readonly RecoveryFile[],
  input: RotationInput,
  world: RotationWorld,
): Promise<OpenRotation> {
  return {
    run: world.unique,
    startedAt: toInstant(world.now()),
    phase: 'preflight',
    posts: 0,
    recovery: toRecoveryPath(world.directory, world.unique),
    ...(previous.kind === 'secret-lost' ? { lost: true } : {}),
    ...(unverified.length === 0 ? {} : { doubtful: unverified.map(({ path }) => path) }),
    ...(await planFiles(input.sinks, world, state.open)),
    ...(current.kind === 'unknown' ? {} : { before: getFacts(current) ?? null }),
    ...toKeeping(input, previous.kind === 'none' ? undefined : state.open),
    // Nothing else says afterwards which token is of a request that got no answer.
    ...(world.token.beside === undefined ? {} : { description: world.token.beside.describe() }),
  };
}

/** How long the old token stays: as it was asked now, else as the run that did not end was. */
function toKeeping({ keepOld }: Pick<RotationInput, 'keepOld'>, before: OpenRotation | undefined) {
  const kept = keepOld ?? before?.keepOld;
  return kept === undefined ? {} : { keepOld: kept };
}

/** The temporary files of this run, and those of the run before that could not be removed: no other place names them. */
async function planFiles(
  sinks: readonly Sink[],
  { unique }: RotationWorld,
  before: OpenRotation | undefined,
): Promise<{ temporaries: readonly string[] }> {
  const own = await Promise.all(sinks.map((sink) => sink.temporaries(unique)));
  return { temporaries: [...listUnremoved(before), ...own.flat()] };
}

async function prepare(
  open: OpenRotation,
  journal: JournalWriter,
  current: CurrentToken,
  input: RotationInput,
  world: RotationWorld,
) {
  const prepared: PreparedSink[] = [];
  let recovery: RecoveryFile | undefined;
  const clear = async (): Promise<void> => {
    for (const sink of prepared) await sink.discard();
    if (recovery !== undefined) await removeRecovery(recovery, world);
  };
  /** The same, and takes this run out of the journal. */
  const undo = async (): Promise<void> => {
    await clear();
    // Files that could not be removed stay known, and are all that is left of this run.
    const isCleared = listUnremoved(open).length === 0 && (recovery === undefined || !isThere(recovery.path));
    await (isCleared ? journal.tryRevert() : journal.tryNote(open));
  };
  try {
    recovery = await createRecoveryFile(world.directory, world.unique);
    for (const sink of input.sinks) prepared.push(await sink.prepare(world.unique));
    const held = await readPlaces(input.sinks);
    await refuseReplaced(input, current, world);
    world.signal.throwIfAborted();
    return { prepared, held, recovery, clear, undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Another machine may rotate too: our lock does not reach it. */
async function refuseReplaced(input: RotationInput, before: CurrentToken, { token }: RotationWorld): Promise<void> {
  const current = await token.read();
  await token.refuseOtherMeaning();
  if (before.kind === current.kind && (before.kind !== 'found' || isSameToken(before, current))) return;
  throw new OrgctlError('busy', `${toName(input)} was just replaced elsewhere`, {
    code: 'changed-meanwhile',
    hint: 'Nothing was changed. Find out what else rotates it, then run this again.',
  });
}

/** The secret reaches the disk before anything else is done with it. False where it does not. */
async function keepSecret(
  { token }: Creation,
  recovery: RecoveryFile,
  input: RotationInput,
  world: RotationWorld,
): Promise<boolean> {
  try {
    await recovery.keep(token.secret, toTokenOrigin(input, token));
    return true;
  } catch (error) {
    world.warn(`can't keep the new token in ${recovery.path}: ${toFault(error)}`);
    return false;
  }
}

function getFacts(current: CurrentToken): TokenFacts | undefined {
  return current.kind === 'found' ? current.facts : undefined;
}

function isUnclear(error: unknown): boolean {
  return error instanceof OrgctlError && error.exit === 'outcome-unknown';
}

function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
