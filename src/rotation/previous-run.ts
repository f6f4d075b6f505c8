import { existsSync } from 'node:fs';
import { OrgctlError, toReason, UsageError } from '../errors.ts';
import { removeQuietly } from '../files/durable-file.ts';
import { type CurrentToken, isSameToken } from './current-token.ts';
import type { OpenRotation } from './journal.ts';
import { type KeptSecret, openRecoveryFile, type RecoveryFile, readRecoveryFile } from './recovery.ts';
import type { Created, RotationOrder, RotationWorld } from './types.ts';

/** What an earlier rotation left that did not end. */

export type PreviousRun =
  /** Nothing that matters. */
  | { readonly kind: 'none' }
  | Deliverable
  /** The token was replaced, or may have been, and nobody has the new one. */
  | { readonly kind: 'lost'; readonly doubtful: readonly RecoveryFile[] }
  /** Secrets of which nothing tells whether they are still good. They go when there is a newer one, not before. */
  | { readonly kind: 'doubtful'; readonly doubtful: readonly RecoveryFile[] };

/** The token in force, which never reached its places, with its secret. */
interface Deliverable {
  readonly kind: 'deliverable';
  readonly made: Created;
  readonly recovery: RecoveryFile;
}

/** Temporary files that are still there after `findPreviousRun`. */
export function listUnremoved(open: OpenRotation | undefined): readonly string[] {
  return open?.temporaries.filter((path) => existsSync(path)) ?? [];
}

/** What one run left. */
type Judgement =
  | { readonly kind: 'none' | 'lost' }
  | { readonly kind: 'doubtful'; readonly recovery: RecoveryFile }
  | Deliverable;

type Order = Pick<RotationOrder, 'organization' | 'origin' | 'settle'>;
type World = Pick<RotationWorld, 'token' | 'now' | 'sleep' | 'signal' | 'note' | 'warn'>;

/** Tidies what is certainly of no use. For the holder of the lock only: what is open is then a dead run's. */
export async function findPreviousRun(
  open: OpenRotation | undefined,
  order: Order,
  world: World,
): Promise<PreviousRun> {
  if (open === undefined) return { kind: 'none' };
  open.temporaries.forEach(removeQuietly);
  const last = await judgeLast(open, order, world);
  const doubtful = last.kind === 'doubtful' ? [last.recovery] : [];
  const unjudged = (open.doubtful ?? []).map(openRecoveryFile);
  let deliverable = last.kind === 'deliverable' ? last : undefined;
  for (let next = unjudged[0]; deliverable === undefined && next !== undefined; next = unjudged[0]) {
    const judged = await judgeBefore(next, order, world);
    if (judged.kind === 'deliverable') deliverable = judged;
    if (judged.kind === 'doubtful') doubtful.push(next);
    unjudged.shift();
  }
  if (deliverable !== undefined) {
    // There is one token, and these are of others.
    for (const { path, discard } of [...doubtful, ...unjudged]) {
      await discard().catch((error: unknown) => world.warn(`${path} could not be removed: ${toReason(error)}`));
    }
    return deliverable;
  }
  if (last.kind === 'lost' || open.lost === true) return { kind: 'lost', doubtful };
  return doubtful.length === 0 ? { kind: 'none' } : { kind: 'doubtful', doubtful };
}

async function judgeLast(open: OpenRotation, order: Order, world: World): Promise<Judgement> {
  const recovery = openRecoveryFile(open.recovery);
  const kept = readKept(open.recovery, world.warn);
  if (kept === 'damaged') return { kind: 'lost' };
  if (kept === undefined) {
    await removeKept(recovery);
    if (open.phase === 'preflight') return { kind: 'none' };
    await waitForLateRequest(open, order.settle, world);
    return isSameToken(
      open.before === undefined ? { kind: 'unknown' } : toPresent(open.before),
      await world.token.read(),
    )
      ? { kind: 'none' }
      : { kind: 'lost' };
  }
  const judged = await judgeKept(kept, recovery, await world.token.read(), order, world);
  // Of two requests the one without an answer may have been the last to take effect.
  return judged.kind === 'none' && open.posts > 1 ? { kind: 'lost' } : judged;
}

/** One of those that were doubtful when the last run began. */
async function judgeBefore(recovery: RecoveryFile, order: Order, world: World): Promise<Judgement> {
  const kept = readKept(recovery.path, world.warn);
  if (kept === undefined || kept === 'damaged') return { kind: 'none' };
  return await judgeKept(kept, recovery, await world.token.read(), order, world);
}

async function judgeKept(
  { secret, facts }: KeptSecret,
  recovery: RecoveryFile,
  current: CurrentToken,
  order: Pick<RotationOrder, 'organization' | 'origin'>,
  { token, note }: Pick<RotationWorld, 'token' | 'note'>,
): Promise<Judgement> {
  const isOfHere = facts?.origin === order.origin && facts.organization === order.organization;
  if (facts === undefined || !isOfHere) return { kind: 'doubtful', recovery };
  // That none is shown is no proof against a token that was made: the service may show none.
  const trial = current.kind === 'found' ? undefined : await token.tryOut(secret, false);
  if (trial === 'accepted' || isSameToken(current, { kind: 'found', facts })) {
    note('an earlier rotation was interrupted: the token it made is delivered now');
    return { kind: 'deliverable', made: { kind: 'made', secret, facts }, recovery };
  }
  const isReplaced = current.kind === 'found' || (current.kind === 'absent' && trial === 'refused');
  if (!isReplaced) return { kind: 'doubtful', recovery };
  note(`an earlier rotation was interrupted, and the token it made, ${facts.id}, has been replaced since`);
  await removeKept(recovery);
  return { kind: 'none' };
}

/** Throws UsageError: a file that cannot be removed would be forgotten by the run that goes on. */
async function removeKept(recovery: RecoveryFile): Promise<void> {
  try {
    await recovery.discard();
  } catch (error) {
    throw new UsageError(`${recovery.path}, which an earlier rotation left, cannot be removed`, {
      reasons: [toReason(error)],
      hint: 'Let this user change its folder, and run this again. Nothing was sent.',
      cause: error,
    });
  }
}

/** A file that was cut while it was written holds no secret anybody could use. It is left for a person to see. */
function readKept(path: string, warn: (text: string) => void): KeptSecret | undefined | 'damaged' {
  try {
    return readRecoveryFile(path);
  } catch (error) {
    if (!(error instanceof OrgctlError) || error.code !== 'damaged-recovery-file') throw error;
    warn(`${error.message}; it is left as it is`);
    return 'damaged';
  }
}

/** The request of a run that was killed may take effect after it. */
async function waitForLateRequest(
  { mintingSince }: OpenRotation,
  settle: number,
  { now, sleep, signal, note }: Pick<RotationWorld, 'now' | 'sleep' | 'signal' | 'note'>,
): Promise<void> {
  const passed = now() - Date.parse(mintingSince ?? '');
  if (!(passed >= 0 && passed < settle)) return;
  note(
    `an earlier rotation was interrupted moments ago: waiting ${Math.ceil((settle - passed) / 1_000)} s for its request`,
  );
  await sleep(settle - passed, signal);
}

function toPresent(before: NonNullable<OpenRotation['before']> | null): CurrentToken {
  return before === null ? { kind: 'absent' } : { kind: 'found', facts: before };
}
