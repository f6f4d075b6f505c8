import { OrgctlError, toFault, toReason, UsageError } from '../errors.ts';
import { removeQuietly } from '../files/durable-file.ts';
import { isThere } from '../files/look.ts';
import { isSecretless } from './create-token.ts';
import { type CurrentToken, isSameToken, lookAt } from './current-token.ts';
import type { OpenRotation, TokenFacts } from './journal.ts';
import { type KeptSecret, openRecoveryFile, type RecoveryFile, readRecoveryFile } from './recovery.ts';
import type { NewToken, RotationInput, RotationWorld } from './types.ts';

/** What an earlier rotation left that did not end. */

export type PreviousRun =
  /** Nothing that matters. */
  | { readonly kind: 'none' }
  | Deliverable
  /** The token was replaced, or may have been, and the new secret is nowhere. `lost`: it stands beside the old one. */
  | { readonly kind: 'secret-lost'; readonly unverified: readonly RecoveryFile[]; readonly lost?: SecretlessToken }
  /** Secrets that may still work: nothing proves it either way. They are removed when there is a newer one, not before. */
  | { readonly kind: 'unverified'; readonly unverified: readonly RecoveryFile[] };

interface SecretlessToken {
  readonly facts: TokenFacts;
  /** Whether its secret is kept, and the service rejects it. */
  readonly isRefused: boolean;
}

interface Deliverable {
  readonly kind: 'deliverable';
  readonly token: NewToken;
  readonly recovery: RecoveryFile;
}

/** Temporary files that are still there after `findPreviousRun`. */
export function listUnremoved(open: OpenRotation | undefined): readonly string[] {
  return open?.temporaries.filter(isThere) ?? [];
}

type Remainder =
  | { readonly kind: 'none' }
  | { readonly kind: 'secret-lost'; readonly lost?: SecretlessToken; readonly recovery?: RecoveryFile }
  | { readonly kind: 'unverified'; readonly recovery: RecoveryFile }
  | Deliverable;

type Input = Pick<RotationInput, 'organization' | 'origin' | 'settle'>;
type World = Pick<RotationWorld, 'token' | 'now' | 'sleep' | 'signal' | 'note' | 'warn'>;

/** Removes what is certainly of no use. For the holder of the lock only: what is open is then a killed run's. */
export async function findPreviousRun(
  open: OpenRotation | undefined,
  input: Input,
  world: World,
): Promise<PreviousRun> {
  if (open === undefined) return { kind: 'none' };
  open.temporaries.forEach(removeQuietly);
  const last = await judgeLast(open, input, world);
  const unverified = 'recovery' in last && last.recovery && last.kind !== 'deliverable' ? [last.recovery] : [];
  const unjudged = (open.doubtful ?? []).map(openRecoveryFile);
  let deliverable = last.kind === 'deliverable' ? last : undefined;
  for (let next = unjudged[0]; deliverable === undefined && next !== undefined; next = unjudged[0]) {
    const judged = await judgeBefore(next, input, world);
    if (judged.kind === 'deliverable') deliverable = judged;
    if (judged.kind === 'unverified' || judged.kind === 'secret-lost') unverified.push(next);
    unjudged.shift();
  }
  if (deliverable !== undefined) {
    // There is one token, so these secrets are of others.
    for (const { path, discard } of [...unverified, ...unjudged]) {
      await discard().catch((error: unknown) => world.warn(`can't remove ${path}: ${toFault(error)}`));
    }
    return deliverable;
  }
  if (last.kind === 'secret-lost') {
    return { kind: last.kind, unverified, ...(last.lost === undefined ? {} : { lost: last.lost }) };
  }
  if (open.lost === true) return { kind: 'secret-lost', unverified };
  return unverified.length === 0 ? { kind: 'none' } : { kind: 'unverified', unverified };
}

async function judgeLast(open: OpenRotation, input: Input, world: World): Promise<Remainder> {
  const recovery = openRecoveryFile(open.recovery);
  const kept = readKept(open.recovery, world.warn);
  if (kept === 'damaged') return await judgeSecretless(open, world);
  if (kept === undefined) {
    await removeKept(recovery);
    if (open.phase === 'preflight') return { kind: 'none' };
    await waitForLateRequest(open, input.settle, world);
    if (world.token.beside !== undefined) return await judgeSecretless(open, world);
    return isSameToken(
      open.before === undefined ? { kind: 'unknown' } : toCurrent(open.before),
      await world.token.read(),
    )
      ? { kind: 'none' }
      : { kind: 'secret-lost' };
  }
  const judged = await judgeKept(kept, recovery, input, world);
  // Of two requests the one without an answer may have been the last to take effect.
  if (judged.kind !== 'none' || open.posts === 1) return judged;
  return await judgeSecretless(open, world);
}

/** A token that stands beside others is looked for, by its description. */
async function judgeSecretless(open: OpenRotation, { token: { beside }, warn }: World): Promise<Remainder> {
  const found = beside === undefined ? undefined : await beside.find(open.description ?? '');
  if (beside === undefined) return { kind: 'secret-lost' };
  if (found === undefined) return { kind: 'none' };
  if (isSecretless(found, Date.parse(open.mintingSince ?? open.startedAt))) {
    return { kind: 'secret-lost', lost: { facts: found, isRefused: false } };
  }
  warn(`${found.id} (${open.description}) was created by an unfinished rotation and used since: it is not deleted`);
  return { kind: 'secret-lost' };
}

async function judgeBefore(recovery: RecoveryFile, input: Input, world: World): Promise<Remainder> {
  const kept = readKept(recovery.path, world.warn);
  if (kept === undefined || kept === 'damaged') return { kind: 'none' };
  return await judgeKept(kept, recovery, input, world);
}

async function judgeKept(
  kept: KeptSecret,
  recovery: RecoveryFile,
  input: Pick<RotationInput, 'organization' | 'origin'>,
  { token, note }: Pick<RotationWorld, 'token' | 'note'>,
): Promise<Remainder> {
  const { secret, facts } = kept;
  const state = await compareKept(kept, input, token);
  if (facts === undefined || state === 'unknown') return { kind: 'unverified', recovery };
  if (state === 'current') {
    note('Delivering the token of an unfinished rotation.');
    return { kind: 'deliverable', token: { kind: 'created', secret, facts }, recovery };
  }
  if (state === 'refused') {
    note(`The service rejects the token of an unfinished rotation, ${facts.id}, so another is created.`);
    return {
      kind: 'secret-lost',
      recovery,
      ...(token.beside === undefined ? {} : { lost: { facts, isRefused: true } }),
    };
  }
  note(`The token of an unfinished rotation, ${facts.id}, was replaced since.`);
  await removeKept(recovery);
  return { kind: 'none' };
}

/** What became of the token of a kept secret. */
async function compareKept(
  { secret, facts }: KeptSecret,
  input: Pick<RotationInput, 'organization' | 'origin'>,
  token: RotationWorld['token'],
): Promise<'current' | 'refused' | 'replaced' | 'unknown'> {
  const current = await lookAt(token, facts?.id ?? '');
  const isOurs = facts?.origin === input.origin && facts.organization === input.organization;
  if (facts === undefined || !isOurs) return 'unknown';
  const isShown = isSameToken(current, { kind: 'found', facts });
  if (current.kind === 'found' && !isShown) return 'replaced';
  // A service that shows no token may have one all the same, and one that is shown may have ended.
  const trial = await token.tryOut(secret, isShown, facts.id);
  if (isShown) return trial === 'refused' ? 'refused' : 'current';
  if (trial === 'accepted') return 'current';
  return current.kind === 'absent' && trial === 'refused' ? 'replaced' : 'unknown';
}

/** What the next run would do with the kept secrets, found without leaving a trace: the token that it delivers, or deletes. */
export async function foresee(
  { recovery, doubtful = [] }: OpenRotation,
  input: Pick<RotationInput, 'organization' | 'origin'>,
  { token, warn }: Pick<RotationWorld, 'token' | 'warn'>,
): Promise<{ readonly undelivered?: TokenFacts; readonly lost?: SecretlessToken }> {
  let lost: SecretlessToken | undefined;
  for (const path of [recovery, ...doubtful]) {
    const kept = readKept(path, warn);
    if (kept === undefined || kept === 'damaged') continue;
    const state = await compareKept(kept, input, token);
    if (kept.facts === undefined) continue;
    if (state === 'current') return { undelivered: kept.facts };
    const isRefused = state === 'refused' && token.beside !== undefined && path === recovery;
    if (isRefused) lost = { facts: kept.facts, isRefused: true };
  }
  return lost === undefined ? {} : { lost };
}

/** Throws UsageError: a file that cannot be removed would be forgotten by the run that goes on. */
async function removeKept(recovery: RecoveryFile): Promise<void> {
  try {
    await recovery.discard();
  } catch (error) {
    throw new UsageError(`can't remove ${recovery.path}, which an unfinished rotation left`, {
      reasons: [toReason(error)],
      hint: 'Get write permission for its folder, and run this again. Nothing was sent.',
      cause: error,
    });
  }
}

/** A file that was cut short while it was written holds no secret that could be used. It is left for the user to see. */
function readKept(path: string, warn: (text: string) => void): KeptSecret | undefined | 'damaged' {
  try {
    return readRecoveryFile(path);
  } catch (error) {
    if (!(error instanceof OrgctlError) || error.code !== 'damaged-recovery-file') throw error;
    warn(`${error.message}; it was not changed`);
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
  note(`An unfinished rotation ended moments ago. Waiting ${Math.ceil((settle - passed) / 1_000)} s for its request.`);
  await sleep(settle - passed, signal);
}

function toCurrent(before: NonNullable<OpenRotation['before']> | null): CurrentToken {
  return before === null ? { kind: 'absent' } : { kind: 'found', facts: before };
}
