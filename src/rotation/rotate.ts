import { existsSync } from 'node:fs';
import { describeError, OrgctlError, toReason } from '../errors.ts';
import { createToken, type Minted } from './create-token.ts';
import { type CurrentToken, isSameToken, toTimes, UNKNOWN_EXPIRY } from './current-token.ts';
import { checkExpiry, resolveExpiry } from './expiry-check.ts';
import {
  type DeliveredToken,
  type JournalState,
  type OpenRotation,
  type TokenFacts,
  toFingerprint,
} from './journal.ts';
import { holdLock } from './lock.ts';
import { findPreviousRun, listUnremoved } from './previous-run.ts';
import {
  createRecoveryFile,
  type RecoveryFile,
  removeEmptyRecoveryFiles,
  type TokenOrigin,
  toRecoveryPath,
} from './recovery.ts';
import type { PreparedSink, Sink } from './sinks/sink.ts';
import type { Created, RotationOrder, RotationResult, RotationWorld } from './types.ts';
import { describeFound, type Verification, verifyToken } from './verify.ts';

/**
 * Replaces the audit trail token of an organization and brings the new secret to its places. The service has one token,
 * the request that makes a new one kills it, and the secret is in that one answer: so everything that can fail is tried
 * before the request, and after it only delivery is left.
 *
 * Killed at any point, one of these holds: the old token is still valid; the new secret is in a sink or in the recovery
 * file; the journal is open and says that it is not known.
 */
export async function rotate(order: RotationOrder, world: RotationWorld): Promise<void> {
  const options = { ...world, wait: order.lockWait, describe: `rotation of ${order.organization}` };
  await holdLock(world.directory, options, () => rotateAlone(order, world));
}

/** What would be done, as far as it can be told without leaving a trace. Undefined when nothing is due. */
export async function rehearse(
  order: RotationOrder,
  world: RotationWorld,
): Promise<{ readonly expiredAt: string | null } | undefined> {
  const { open, last } = world.journal.read();
  const current = await world.token.read();
  await world.token.refuseOtherMeaning();
  for (const sink of order.sinks) await sink.check();
  if (open !== undefined) world.note('an earlier rotation did not end: this one would begin with what it left');
  const due = await judge(order, world, current, last);
  if (!due.due) world.note('nothing is due');
  return due.due ? { expiredAt: resolveExpiry(order.expires, getFacts(current) ?? last, world.now()) } : undefined;
}

async function rotateAlone(order: RotationOrder, world: RotationWorld): Promise<void> {
  // Plan.
  removeEmptyRecoveryFiles(world.directory);
  const state = world.journal.read();
  const { last } = state;
  const previous = await findPreviousRun(state.open, order, world);
  if (previous.kind === 'deliverable') {
    const { doubtful: _judged, ...left } = requireOpen(state);
    const open = { ...left, recovery: previous.recovery.path, ...(await planFiles(order.sinks, world, state.open)) };
    return await deliverAlone(order, world, { ...previous, isKept: true, posts: 1 }, createLedger(world, state), open);
  }
  const current = await world.token.read();
  await world.token.refuseOtherMeaning();
  const due = previous.kind === 'lost' ? DUE_FOR_LOSS : await judge(order, world, current, last);
  if (!due.due) {
    if (previous.kind === 'none') await closeSettled(state, world);
    return await world.show(toUnchanged(order, due.facts, due.fingerprint));
  }
  if (isConditional(order)) world.note(`a new token is due: ${due.why}`);
  const expiredAt = resolveExpiry(order.expires, getFacts(current) ?? last, world.now());

  // Preflight.
  const ledger = createLedger(world, previous.kind === 'none' ? withoutOpen(state) : state);
  const doubtful = previous.kind === 'none' ? [] : previous.doubtful;
  const open: OpenRotation = {
    run: world.unique,
    startedAt: toInstant(world.now()),
    phase: 'preflight',
    posts: 0,
    recovery: toRecoveryPath(world.directory, world.unique),
    ...(previous.kind === 'lost' ? { lost: true } : {}),
    ...(doubtful.length === 0 ? {} : { doubtful: doubtful.map(({ path }) => path) }),
    ...(await planFiles(order.sinks, world, state.open)),
    ...(current.kind === 'unknown' ? {} : { before: getFacts(current) ?? null }),
  };
  await ledger.note(open);
  const prepared: PreparedSink[] = [];
  let recovery: RecoveryFile | undefined;
  const clear = async (): Promise<void> => {
    for (const sink of prepared) await sink.discard();
    if (recovery !== undefined) await removeRecovery(recovery, world);
  };
  const undo = async (): Promise<void> => {
    await clear();
    // Files that could not be removed stay known, and are all that is left of this run.
    const isCleared = listUnremoved(open).length === 0 && (recovery === undefined || !existsSync(recovery.path));
    await (isCleared ? ledger.tryRevert() : ledger.tryNote(open));
  };
  try {
    recovery = await createRecoveryFile(world.directory, world.unique);
    for (const sink of order.sinks) prepared.push(await sink.prepare(world.unique));
    await refuseReplaced(order, current, world);
    world.signal.throwIfAborted();
  } catch (error) {
    await undo();
    throw error;
  }
  const kept = recovery;

  // From here on signals wait: what has begun is brought to its end.
  await world.deferred(async () => {
    const minted = await createToken(expiredAt, current, order, world, {
      onPost(posts) {
        const minting: OpenRotation = { ...open, phase: 'minting', posts, mintingSince: toInstant(world.now()) };
        // Before the first, nothing has happened that could not be left alone.
        return posts === 1 ? ledger.note(minting) : ledger.tryNote(minting);
      },
      onUnclear: () => ledger.tryNote({ ...open, phase: 'unknown', posts: 1 }),
    }).catch(async (error: unknown) => {
      await (isUnclear(error) ? clear() : undo());
      throw error;
    });
    const isKept = await secure(order, world, minted, kept);
    for (const each of doubtful) await removeRecovery(each, world);
    await deliver(
      order,
      world,
      { ...minted, recovery: kept, isKept },
      ledger,
      { ...open, posts: minted.posts },
      prepared,
    );
  });
}

const DUE_FOR_LOSS = {
  due: true,
  why: 'an earlier rotation did not end, and the secret of the token it may have created is lost',
} as const;

async function judge(
  order: RotationOrder,
  world: RotationWorld,
  current: CurrentToken,
  last: DeliveredToken | undefined,
) {
  if (!isConditional(order)) return { due: true, why: 'it was asked for' } as const;
  const due = await checkExpiry(order, current, last, world.now(), world.token.tryOut);
  if (due.due !== 'unknown') return due;
  throw new OrgctlError('attention', `it is unknown whether a new audit trail token of ${order.organization} is due`, {
    code: 'unknown',
    reasons: [due.why],
    hint: 'Rotate once without --if-expires-within and --if-older-than: then it is known which token was delivered.',
  });
}

/** Delivers what an earlier run made. */
async function deliverAlone(
  order: RotationOrder,
  world: RotationWorld,
  token: Deliverable,
  ledger: Ledger,
  open: OpenRotation,
): Promise<void> {
  await ledger.note(open);
  const prepared: PreparedSink[] = [];
  try {
    for (const sink of order.sinks) prepared.push(await sink.prepare(world.unique));
    world.signal.throwIfAborted();
  } catch (error) {
    for (const sink of prepared) await sink.discard();
    throw error;
  }
  await world.deferred(() => deliver(order, world, token, ledger, open, prepared));
}

/** For when nothing that matters is left of the run that the journal calls open. What it says of files stays known. */
async function closeSettled(state: JournalState, world: RotationWorld): Promise<void> {
  if (state.open === undefined || listUnremoved(state.open).length > 0) return;
  await createLedger(world, state).close();
}

/** Somebody else who rotates does it from a machine that our lock does not reach. */
async function refuseReplaced(order: RotationOrder, before: CurrentToken, { token }: RotationWorld): Promise<void> {
  const current = await token.read();
  await token.refuseOtherMeaning();
  if (before.kind === current.kind && (before.kind !== 'found' || isSameToken(before, current))) return;
  throw new OrgctlError(
    'busy',
    `the audit trail token of ${order.organization} was changed by somebody else a moment ago`,
    {
      code: 'changed-meanwhile',
      hint: 'Nothing was done. Find out who else rotates it, then run this again.',
    },
  );
}

/** The secret reaches the disk before anything else is done with it. False where it does not. */
async function secure(
  order: RotationOrder,
  world: RotationWorld,
  { made }: Minted,
  recovery: RecoveryFile,
): Promise<boolean> {
  try {
    await recovery.keep(made.secret, toOrigin(order, made));
    return true;
  } catch (error) {
    world.warn(`the new token could not be kept in ${recovery.path}: ${toReason(error)}`);
    return false;
  }
}

function toOrigin({ organization, origin }: RotationOrder, { facts }: Created): TokenOrigin {
  return { ...facts, organization, origin };
}

interface Deliverable {
  readonly made: Created;
  readonly posts: number;
  readonly recovery: RecoveryFile;
  /** Whether the secret is in it. */
  readonly isKept: boolean;
}

async function deliver(
  order: RotationOrder,
  world: RotationWorld,
  { made, posts, recovery, isKept }: Deliverable,
  ledger: Ledger,
  open: OpenRotation,
  prepared: readonly PreparedSink[],
): Promise<void> {
  const { secret } = made;
  const fingerprint = toFingerprint(secret);
  const { lost: _found, ...rest } = open;
  const toMinted = (facts: TokenFacts): OpenRotation => ({
    ...rest,
    phase: 'minted',
    minted: { ...facts, fingerprint },
  });
  await ledger.tryNote(toMinted(made.facts));

  // A first request without an answer may take effect after the second, and end the token that it made: that is waited
  // for even where a person wants this run to end.
  if (posts > 1) await world.sleep(order.settle);
  // Another machine may have replaced the token since: its places are not to get a dead one.
  const shown = await world.token.read().catch(() => ({ kind: 'unknown' }) as const);
  const isReplaced = shown.kind === 'found' && shown.facts.id !== made.facts.id;
  const facts = shown.kind === 'found' && !isReplaced ? { ...shown.facts, ...made.facts } : made.facts;

  const failures = new Map<Sink, unknown>();
  const isLate = ({ sink }: PreparedSink): boolean => order.printsResult && sink.kind === 'stdout';
  const serve = async (sinks: readonly PreparedSink[]): Promise<void> => {
    for (const one of isReplaced ? [] : sinks) {
      await one.deliver(secret).catch((error: unknown) => failures.set(one.sink, error));
    }
  };
  await serve(prepared.filter((one) => !isLate(one)));

  const verification = isReplaced
    ? { verified: false, checks: [describeFound(shown.facts, facts)] }
    : posts === 1 && world.isStopping()
      ? { verified: null, checks: [] }
      : await verifyToken(secret, facts, world);
  const toResult = (): RotationResult => ({
    ...toUnchanged(order, facts, fingerprint),
    changed: true,
    sinks: order.sinks.map((sink) => ({ sink: sink.name, delivered: !isReplaced && !failures.has(sink) })),
    ...verification,
  });
  world.onResult(toResult());
  await serve(prepared.filter(isLate));
  for (const sink of prepared) await sink.discard();

  if (facts.expiredAt === undefined) world.warn(UNKNOWN_EXPIRY);
  const findKept = () => findKeptSecret(order, made, recovery, isKept);
  const problem = isReplaced
    ? await toReplaced(order, verification, findKept)
    : await findProblem(order, failures, verification, findKept);
  if (problem === undefined) {
    await removeRecovery(recovery, world);
    await ledger.tryClose({
      ...facts,
      fingerprint,
      deliveredAt: toInstant(world.now()),
      verified: verification.verified,
      sinks: order.sinks.map(toLabel),
    });
  } else {
    await ledger.tryNote({ ...toMinted(facts), undelivered: [...failures.keys()].map(toLabel) });
  }
  if (verification.verified === null) warnOfUnverified(world, verification);
  await world.show(toResult());
  if (problem !== undefined) throw problem;
}

/** What is left says less than why the run ends, and the next one removes it. */
async function removeRecovery(recovery: RecoveryFile, { warn }: RotationWorld): Promise<void> {
  await recovery.discard().catch((error: unknown) => warn(`${recovery.path} could not be removed: ${toReason(error)}`));
}

/** Where the secret is, in words, and whether it is. Its file may have vanished: then it is written once more. */
interface Kept {
  readonly isKept: boolean;
  readonly where: string;
}

async function findKeptSecret(
  order: RotationOrder,
  made: Created,
  { path, restore }: RecoveryFile,
  wasKept: boolean,
): Promise<Kept> {
  try {
    await restore(made.secret, toOrigin(order, made));
    return { isKept: true, where: `the secret is kept in ${path}` };
  } catch (error) {
    const why = wasKept ? `${path} has vanished, and cannot be written again` : `${path} cannot be written`;
    return { isKept: false, where: `the secret is lost: ${why}: ${toReason(error)}` };
  }
}

/** Nothing was delivered: the token was replaced again before. */
async function toReplaced(
  { organization }: RotationOrder,
  { checks }: Verification,
  findKept: () => Promise<Kept>,
): Promise<OrgctlError> {
  return new OrgctlError(
    'not-delivered',
    `the new token of ${organization} was replaced before it was delivered, so nothing was delivered`,
    {
      code: 'replaced',
      reasons: [...checks.map(({ detail }) => detail), (await findKept()).where],
      hint: 'Find out what else rotates this token. Then run the same rotation again: it creates a token.',
    },
  );
}

async function findProblem(
  order: RotationOrder,
  failures: ReadonlyMap<Sink, unknown>,
  { verified, checks }: Verification,
  findKept: () => Promise<Kept>,
): Promise<OrgctlError | undefined> {
  if (failures.size > 0) {
    const { isKept, where } = await findKept();
    const places = failures.size === 1 ? 'one place' : `${failures.size} places`;
    const next = isKept ? 'it delivers this token and creates no other' : 'it creates another token';
    return new OrgctlError('not-delivered', `the new token of ${order.organization} did not reach ${places}`, {
      reasons: [...[...failures.values()].map(describeError), where],
      hint: `Fix what failed and run the same rotation again: ${next}.`,
      cause: [...failures.values()][0],
    });
  }
  if (verified === true || (verified === null && !order.requireVerified)) return undefined;
  const doubts = checks.filter(({ passed }) => passed === verified).map(({ detail }) => detail);
  return new OrgctlError(
    'not-delivered',
    verified === false
      ? `the new token of ${order.organization} was delivered, and is not the one in force`
      : `the new token of ${order.organization} was delivered, and nothing could verify it`,
    {
      code: 'not-verified',
      reasons: [...doubts, (await findKept()).where],
      hint: 'Run the same rotation again: it finds out which token is in force.',
    },
  );
}

function warnOfUnverified(world: RotationWorld, { checks }: Verification): void {
  const why = checks.length === 0 ? 'the run was told to stop' : checks.map(({ detail }) => detail).join('; ');
  world.warn(`the new token could not be verified: ${why}`);
}

interface Ledger {
  note(open: OpenRotation): Promise<void>;
  /** For when a token was made: a journal that cannot be written must not stop its delivery. */
  tryNote(open: OpenRotation): Promise<void>;
  /** As it was found, where that can be. */
  tryRevert(): Promise<void>;
  close(): Promise<void>;
  tryClose(last: DeliveredToken): Promise<void>;
}

function createLedger({ journal, token, warn }: RotationWorld, found: JournalState): Ledger {
  const orWarn = (error: unknown): void => warn(toReason(error));
  const write = (state: JournalState): Promise<void> => {
    const metadata = token.isShown();
    return journal.write(metadata === undefined ? state : { ...state, metadata });
  };
  return {
    note: (open) => write({ ...found, open }),
    tryNote: (open) => write({ ...found, open }).catch(orWarn),
    tryRevert: () => journal.write(found).catch(orWarn),
    close: () => write(withoutOpen(found)),
    tryClose: (last) => write({ ...withoutOpen(found), last }).catch(orWarn),
  };
}

function withoutOpen({ open: _open, ...rest }: JournalState): JournalState {
  return rest;
}

function requireOpen({ open }: JournalState): OpenRotation {
  if (open === undefined) throw new Error('there is no open rotation');
  return open;
}

/** Also those of the run before that could not be removed: nobody else remembers them. */
async function planFiles(
  sinks: readonly Sink[],
  { unique }: RotationWorld,
  before: OpenRotation | undefined,
): Promise<{ temporaries: readonly string[] }> {
  const own = await Promise.all(sinks.map((sink) => sink.temporaries(unique)));
  return { temporaries: [...listUnremoved(before), ...own.flat()] };
}

function toUnchanged(order: RotationOrder, facts: TokenFacts | undefined, fingerprint: string | null): RotationResult {
  return {
    organization: order.organization,
    id: facts?.id ?? '',
    ...toTimes(facts ?? {}),
    fingerprint,
    changed: false,
    sinks: [],
    verified: null,
    checks: [],
  };
}

/** `exec` without its command line, which may hold credentials. */
function toLabel({ kind, name }: Sink): string {
  return kind === 'exec' ? kind : name;
}

function getFacts(current: CurrentToken): TokenFacts | undefined {
  return current.kind === 'found' ? current.facts : undefined;
}

function isConditional({ ifExpiresWithin, ifOlderThan }: RotationOrder): boolean {
  return ifExpiresWithin !== undefined || ifOlderThan !== undefined;
}

function isUnclear(error: unknown): boolean {
  return error instanceof OrgctlError && error.exit === 'outcome-unknown';
}

function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
