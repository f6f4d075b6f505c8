import { OrgctlError } from '../errors.ts';
import { removeQuietly } from './durable-file.ts';
import type { OpenRotation } from './journal.ts';
import type { Minting, RotationOrder, RotationWorld } from './order.ts';
import { isSameToken, type PresentToken } from './present-token.ts';
import { type KeptSecret, openRecoveryFile, type RecoveryFile, readRecoveryFile } from './recovery.ts';

/** What an earlier rotation left that did not end. */

export type Former =
  /** Nothing that matters. */
  | { readonly kind: 'none' }
  /** The token in force, which never reached its places, with its secret. */
  | { readonly kind: 'deliverable'; readonly made: Extract<Minting, { kind: 'made' }>; readonly recovery: RecoveryFile }
  /** The token was replaced, or may have been, and nobody has the new one. */
  | { readonly kind: 'lost' }
  /** A secret of which nothing tells whether it is still good. It goes when there is a newer one, not before. */
  | { readonly kind: 'doubtful'; readonly recovery: RecoveryFile };

/** Tidies what is certainly of no use. For the holder of the lock only: what is open is then a dead run's. */
export async function findFormer(
  open: OpenRotation | undefined,
  order: Pick<RotationOrder, 'organization' | 'origin' | 'settle'>,
  world: Pick<RotationWorld, 'token' | 'now' | 'sleep' | 'signal' | 'note' | 'warn'>,
): Promise<Former> {
  if (open === undefined) return { kind: 'none' };
  open.temporaries.forEach(removeQuietly);
  const recovery = openRecoveryFile(open.recovery);
  const kept = readKept(open.recovery, world.warn);
  if (kept === 'damaged') return { kind: 'lost' };
  if (kept === undefined) {
    await recovery.discard();
    if (open.phase === 'preflight') return { kind: 'none' };
    await waitForLateRequest(open, order.settle, world);
    return isSameToken(
      open.before === undefined ? { kind: 'untold' } : toPresent(open.before),
      await world.token.read(),
    )
      ? { kind: 'none' }
      : { kind: 'lost' };
  }
  return await judgeKept(kept, recovery, await world.token.read(), order, world);
}

async function judgeKept(
  { secret, facts }: KeptSecret,
  recovery: RecoveryFile,
  present: PresentToken,
  order: Pick<RotationOrder, 'organization' | 'origin'>,
  { token, note }: Pick<RotationWorld, 'token' | 'note'>,
): Promise<Former> {
  const isOfHere = facts?.origin === order.origin && facts.organization === order.organization;
  if (facts === undefined || !isOfHere) return { kind: 'doubtful', recovery };
  const isInForce =
    present.kind === 'untold'
      ? (await token.tryOut(secret)) === 'accepted'
      : isSameToken(present, { kind: 'found', facts });
  if (isInForce) {
    note('an earlier rotation was interrupted: the token it made is delivered now');
    return { kind: 'deliverable', made: { kind: 'made', secret, facts }, recovery };
  }
  if (present.kind === 'untold') return { kind: 'doubtful', recovery };
  note(`an earlier rotation was interrupted, and the token it made, ${facts.id}, has been replaced since`);
  await recovery.discard();
  return { kind: 'none' };
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

function toPresent(before: NonNullable<OpenRotation['before']> | null): PresentToken {
  return before === null ? { kind: 'absent' } : { kind: 'found', facts: before };
}
