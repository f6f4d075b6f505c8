import { OrgctlError, toFault, toOneLine, toReason } from '../errors.ts';
import { toFingerprint } from '../secrets/fingerprint.ts';
import { toSentence } from '../text/sentence.ts';
import { type CurrentToken, lookAt, toTimes, UNKNOWN_EXPIRY } from './current-token.ts';
import type { DeliveredToken, OpenRotation, TokenFacts } from './journal.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { RecoveryFile, TokenOrigin } from './recovery.ts';
import { createUndelivered, type PreparedSink, type Sink, shortenName } from './sinks/sink.ts';
import type { Check, NewToken, RotationInput, RotationResult, RotationWorld } from './types.ts';
import { checkSecret, describeFound, type Verification, verifyToken } from './verify.ts';

/** Brings a new secret to its places, verifies it and reports. Until both succeed the secret stays in the recovery file. */

export interface Delivery {
  readonly token: NewToken;
  readonly posts: number;
  /** Whether this run created the token. */
  readonly isNew: boolean;
  readonly recovery: RecoveryFile;
  readonly isKept: boolean;
  readonly open: OpenRotation;
  readonly journal: JournalWriter;
  readonly prepared: readonly PreparedSink[];
  /** What the places held before the request, those that can be read. */
  readonly held: Held;
  /** Of a token that stands beside others: closes the journal, and deletes the old one. Never throws. */
  readonly retire?: (last: DeliveredToken, secret: string) => Promise<Retirement>;
}

export type Held = ReadonlyMap<Sink, string | undefined>;

export async function readPlaces(sinks: readonly Sink[]): Promise<Held> {
  const held = new Map<Sink, string | undefined>();
  for (const sink of sinks.filter(({ isReadable }) => isReadable)) held.set(sink, await sink.read());
  return held;
}

/** Throws `not-delivered` where the secret did not reach its places, or is not the current token's. */
export async function deliver(delivery: Delivery, input: RotationInput, world: RotationWorld): Promise<void> {
  const { token, posts, recovery, journal, prepared } = delivery;
  const fingerprint = toFingerprint(token.secret);
  const { lost: _found, ...open } = delivery.open;
  const toCreated = (facts: TokenFacts): OpenRotation => ({
    ...open,
    phase: 'minted',
    minted: { ...facts, fingerprint },
  });
  await journal.tryNote(toCreated(token.facts));
  world.step('Delivering the new token');

  // A first request without an answer may take effect after the second, and end the token that it created: that is waited
  // for even where the user wants this run to end.
  if (posts > 1) await world.sleep(input.settle);
  // Another machine may have replaced the token since: the places are not to get a secret that no longer works.
  const shown = await lookAt(world.token, token.facts.id).catch(() => ({ kind: 'unknown' }) as const);
  const conflict = await findConflict(delivery, shown, input, world);
  const facts = shown.kind === 'found' && conflict === undefined ? { ...shown.facts, ...token.facts } : token.facts;

  const failures = new Map<Sink, unknown>();
  const isLate = ({ sink }: PreparedSink): boolean => input.printsResult && sink.isLast;
  const serve = async (sinks: readonly PreparedSink[]): Promise<void> => {
    for (const one of conflict === undefined ? sinks : []) {
      await one.deliver(token.secret).catch((error: unknown) => failures.set(one.sink, error));
    }
  };
  await serve(prepared.filter((one) => !isLate(one)));
  world.step('Verifying the new token');

  const verification =
    conflict?.verification ??
    (posts === 1 && world.isStopping()
      ? { verified: null, checks: [] }
      : await verifyToken(token.secret, facts, shown, world));
  if (conflict === undefined) {
    for (const [sink, secret] of await readPlaces(input.sinks)) {
      const isOther = secret !== undefined && secret !== token.secret && !failures.has(sink);
      if (isOther) failures.set(sink, createUndelivered(sink.name, TAKEN));
    }
    noteUnreadable(shown, input, world);
  }
  let retirement: Retirement | undefined;
  const toResult = (): RotationResult => ({
    ...toUnchangedResult(input, facts, fingerprint),
    changed: true,
    sinks: input.sinks.map((sink) => ({ sink: sink.name, delivered: conflict === undefined && !failures.has(sink) })),
    ...verification,
    ...(retirement === undefined ? {} : { retired: retirement.retired }),
  });
  world.onResult(toResult());
  await serve(prepared.filter(isLate));
  for (const sink of prepared) await sink.discard();

  if (facts.expiredAt === undefined) world.warn(UNKNOWN_EXPIRY);
  const problem =
    conflict === undefined
      ? await findProblem(delivery, failures, verification, input)
      : await createConflictError(delivery, conflict, input);
  if (problem === undefined) {
    const last: DeliveredToken = {
      ...facts,
      fingerprint,
      deliveredAt: new Date(world.now()).toISOString(),
      verified: verification.verified,
      sinks: input.sinks.map(({ label }) => label),
    };
    // What is left to be done is known before the only proof that it may be done is gone.
    if (delivery.retire !== undefined) await journal.tryNote({ ...toCreated(facts), proven: last });
    await removeRecovery(recovery, world);
    if (delivery.retire === undefined) await journal.tryClose(last);
    else retirement = await delivery.retire(last, token.secret);
  } else {
    await journal.tryNote({ ...toCreated(facts), undelivered: [...failures.keys()].map(({ label }) => label) });
  }
  const reasons = input.sinks.flatMap((sink) =>
    conflict !== undefined || failures.has(sink)
      ? [[sink.name, conflict?.why ?? toFailure(failures.get(sink))] as const]
      : [],
  );
  const isFirst = delivery.isNew && delivery.open.before === null;
  await world.show(toResult(), { failures: new Map(reasons), isNew: delivery.isNew, isFirst });
  const failure = problem ?? retirement?.problem;
  if (failure !== undefined) throw failure;
}

/** What became of old tokens. */
export interface Retirement {
  readonly retired: NonNullable<RotationResult['retired']>;
  /** Why one could not be deleted. */
  readonly problem?: OrgctlError;
}

/** Why nothing is delivered: another machine has created a token after ours, or may have. */
interface Conflict {
  readonly message: string;
  /** Of each place. */
  readonly why: string;
  readonly verification: Verification;
}

const TAKEN = 'another token was put there meanwhile';

async function findConflict(
  { token, prepared, held }: Delivery,
  shown: CurrentToken,
  { organization }: RotationInput,
  world: RotationWorld,
): Promise<Conflict | undefined> {
  const replaced = {
    message: `${organization}'s new token was replaced before it was delivered, so nothing was delivered`,
    why: 'another token is current',
  };
  if (shown.kind === 'found') {
    const check = describeFound(shown.facts, token.facts);
    return check.passed === true ? undefined : { ...replaced, verification: { verified: false, checks: [check] } };
  }
  if (shown.kind === 'absent' && world.token.beside !== undefined) {
    const check = await checkSecret(token.secret, token.facts.id, world);
    if (check.passed === false) return { ...replaced, verification: { verified: false, checks: [check] } };
  }
  // What the service does not show, the places may.
  const now = await readPlaces(prepared.map(({ sink }) => sink));
  const taken = [...now].find(
    ([sink, secret]) => secret !== undefined && secret !== held.get(sink) && secret !== token.secret,
  );
  if (taken === undefined) return undefined;
  const check = await checkSecret(token.secret, token.facts.id, world);
  if (check.passed === true) return undefined;
  const verification = { verified: check.passed, checks: [check] };
  if (check.passed === false) return { ...replaced, verification };
  return {
    message: `${organization}'s new token was not delivered: another was put in ${shortenName(taken[0].name)} meanwhile`,
    why: TAKEN,
    verification,
  };
}

/** Neither the service nor the place says then what another machine does. */
function noteUnreadable(shown: CurrentToken, { sinks }: RotationInput, { note, token }: RotationWorld): void {
  const unreadable = sinks.find(({ isReadable }) => !isReadable);
  if (shown.kind === 'found' || unreadable === undefined || token.beside !== undefined) return;
  note(
    `The service doesn't show which token is current, and ${shortenName(unreadable.name)} can't be read: let one machine alone rotate this token. Another one's token could be replaced there by one that no longer works.`,
  );
}

async function createConflictError(
  delivery: Delivery,
  { message, verification: { checks } }: Conflict,
  input: RotationInput,
): Promise<OrgctlError> {
  return new OrgctlError('not-delivered', message, {
    code: 'replaced',
    reasons: [...checks.map(({ detail }) => toSentence(detail)), (await restoreSecret(delivery, input, false)).where],
    hint: 'Find out what else rotates this token. Then run the same command again: it creates a token.',
  });
}

async function findProblem(
  delivery: Delivery,
  failures: ReadonlyMap<Sink, unknown>,
  { verified, checks }: Verification,
  input: RotationInput,
): Promise<OrgctlError | undefined> {
  // A run that is to end tries nothing, and the next one may find out.
  const isTried = checks.length > 0;
  const isOldDone = delivery.retire === undefined || (isTried && input.retireUnverified === true);
  const old = isOldDone ? undefined : delivery.open.before;
  const isOldAtStake = old !== undefined && old !== null;
  const isCurrent = checks.some(({ check, passed }) => check === 'metadata' && passed === true);
  if (failures.size > 0) {
    const { isKept, where } = await restoreSecret(delivery, input, isCurrent);
    const undelivered = [...failures].map(
      ([sink, error]) => `not delivered to ${shortenName(sink.name)}: ${toFailure(error)}`,
    );
    const isOne = undelivered.length === 1;
    const isRejected = checks.some(({ check, passed }) => check !== 'command' && passed === false);
    const places = `not delivered to ${undelivered.length} of ${input.sinks.length} places`;
    return new OrgctlError('not-delivered', `the new token was ${isOne ? undelivered[0] : places}`, {
      reasons: [...(isOne ? [] : undelivered.map(toSentence)), where],
      hint: `Fix the problem and run the same command again: it ${isRejected ? FINDS_OUT : isKept ? DELIVERS : 'creates another token'}.`,
      cause: [...failures.values()][0],
    });
  }
  if (verified === true || (verified === null && !input.requireVerified && !isOldAtStake)) return undefined;
  const doubts = checks.filter(({ passed }) => passed === verified);
  if (verified === null && isOldAtStake && !input.requireVerified) {
    return new OrgctlError(
      'attention',
      `${isTried ? 'nothing shows that the new token works' : 'the new token was not tried'}, so the old one, ${old.id}, was not deleted`,
      {
        code: 'not-verified',
        reasons: [
          ...doubts.map(({ detail }) => toSentence(detail)),
          (await restoreSecret(delivery, input, isCurrent)).where,
        ],
        hint: `Run the same command again${isTried ? ' with --verify-command, or with --retire-unverified' : ''}: it delivers this token again, deletes the old one, and creates no other.`,
      },
    );
  }
  const [doubt] = doubts;
  const isRefused = verified === false && doubt !== undefined;
  return new OrgctlError(
    'not-delivered',
    `the new token was delivered, but ${isRefused ? DOUBTS[doubt.check] : 'not verified'}`,
    {
      code: 'not-verified',
      reasons: [
        // What a command says begins with its name.
        ...doubts.map(({ check, detail }) => (check === 'command' ? `${detail}.` : toSentence(detail))),
        (await restoreSecret(delivery, input, isCurrent)).where,
      ],
      hint:
        isCurrent && isRefused && doubt.check === 'command'
          ? `Fix the problem and run the same command again: it ${DELIVERS}.`
          : `Run the same command again: it ${FINDS_OUT}.`,
    },
  );
}

const DELIVERS = 'delivers this token, and creates no other';
const FINDS_OUT = 'finds out which token is current';

/** What a check that failed proves: completes the sentence "the new token was delivered, but …". */
const DOUBTS: Readonly<Record<Check['check'], string>> = {
  metadata: 'another token is current',
  account: 'the service rejects it',
  'audit-trail': 'the service rejects it',
  command: '--verify-command failed',
};

/** Why a place did not get the token. */
function toFailure(error: unknown): string {
  return error instanceof OrgctlError && error.reasons.length > 0 ? toOneLine(error.reasons) : toReason(error);
}

/** Makes sure that the recovery file holds the secret: it may have vanished, or never have taken it. Says where it is. */
async function restoreSecret(
  { token, recovery: { path, restore }, isKept: wasKept }: Delivery,
  input: RotationInput,
  isCurrent: boolean,
): Promise<{ readonly isKept: boolean; readonly where: string }> {
  try {
    await restore(token.secret, toTokenOrigin(input, token));
    const what = `The new token is ${isCurrent ? 'the current one, and ' : ''}kept in ${path}, only for this rotation`;
    return { isKept: true, where: what };
  } catch (error) {
    const why = wasKept ? `${path} has vanished, and can't be written again` : `can't write ${path}`;
    return { isKept: false, where: `The new token is lost: ${why}: ${toFault(error)}` };
  }
}

/** Warns of a file that cannot be removed: why the run ends matters more, and the next run removes it. */
export async function removeRecovery(recovery: RecoveryFile, { warn }: RotationWorld): Promise<void> {
  await recovery.discard().catch((error: unknown) => warn(`can't remove ${recovery.path}: ${toFault(error)}`));
}

export function toTokenOrigin({ organization, origin }: RotationInput, { facts }: NewToken): TokenOrigin {
  return { ...facts, organization, origin };
}

export function toUnchangedResult(
  input: RotationInput,
  facts: TokenFacts | undefined,
  fingerprint: string | null,
): RotationResult {
  return {
    organization: input.organization,
    ...input.about,
    ...(facts?.description === undefined ? {} : { description: facts.description }),
    id: facts?.id ?? '',
    ...toTimes(facts ?? {}),
    fingerprint,
    changed: false,
    sinks: [],
    verified: null,
    checks: [],
  };
}
