import { UsageError } from '../errors.ts';
import { toFingerprint } from '../secrets/fingerprint.ts';
import { toFullTime } from '../text/time.ts';
import { toUtcText } from '../when.ts';
import type { CurrentToken } from './current-token.ts';
import type { DeliveredToken, TokenFacts } from './journal.ts';
import { shortenName } from './sinks/sink.ts';
import type { RotationInput, TokenService } from './types.ts';

/** Whether a new token is needed, and when it expires. */

const SECOND = 1_000;
/** Milliseconds since 1970: beyond it a time has no UTC text of the usual form. */
const LATEST = Date.UTC(9999, 11, 31);

/** `why` as a person reads it: a clause where a token is needed, else a sentence. */
export type ExpiryCheck =
  | { readonly needed: true; readonly why: string }
  | { readonly needed: false; readonly facts: TokenFacts; readonly fingerprint: string | null }
  /** `isSettled`: whether it can be known after a rotation without conditions. */
  | { readonly needed: 'unknown'; readonly why: string; readonly isSettled: boolean };

type Conditions = Pick<RotationInput, 'ifExpiresWithin' | 'ifOlderThan' | 'noun' | 'sinks'>;

/** Whether a new token may not be needed. */
export function isConditional({
  ifExpiresWithin,
  ifOlderThan,
}: Pick<RotationInput, 'ifExpiresWithin' | 'ifOlderThan'>): boolean {
  return ifExpiresWithin !== undefined || ifOlderThan !== undefined;
}

/**
 * None is needed only while there is time and the delivered token is the current one: known by its id, or because the
 * service accepts what a sink holds. `last`: the token created last, as far as is remembered here.
 */
export async function checkExpiry(
  conditions: Conditions,
  current: CurrentToken,
  last: DeliveredToken | undefined,
  now: number,
  tryOut: TokenService['tryOut'],
): Promise<ExpiryCheck> {
  const held = await Promise.all(
    conditions.sinks
      .filter(({ isReadable }) => isReadable)
      .map(async (sink) => ({ name: shortenName(sink.name), secret: await sink.read() })),
  );
  const secrets = held.flatMap(({ secret }) => secret ?? []);
  // A secret that works proves that there is a token, even where no metadata are shown.
  if (
    current.kind === 'absent' &&
    !(await Promise.all(secrets.map((each) => tryOut(each, false, last?.id)))).includes('accepted')
  )
    return { needed: true, why: `no ${conditions.noun} exists` };
  const facts = current.kind === 'found' ? current.facts : last;
  const byTime = facts === undefined ? undefined : judgeTime(conditions, facts, now);
  if (byTime !== undefined) return byTime;

  const empty = held.find(({ secret }) => secret === undefined);
  if (empty !== undefined) return { needed: true, why: `${empty.name} has no token that can be read` };
  if (current.kind === 'found' && last?.id === current.facts.id && last.sinks.length > 0) {
    const other = held.find(({ secret = '' }) => toFingerprint(secret) !== last.fingerprint);
    if (other !== undefined) return { needed: true, why: `${other.name} holds another token` };
    return { needed: false, facts: current.facts, fingerprint: last.fingerprint };
  }
  return await judgeByTrial(current, facts, last, secrets, tryOut);
}

/** For a token that is not the one delivered from here, or where the service does not say which it is. */
async function judgeByTrial(
  current: CurrentToken,
  facts: TokenFacts | undefined,
  last: DeliveredToken | undefined,
  secrets: readonly string[],
  tryOut: TokenService['tryOut'],
): Promise<ExpiryCheck> {
  const trials = await Promise.all(secrets.map((each) => tryOut(each, false, facts?.id)));
  if (trials.includes('refused')) return { needed: true, why: 'the delivered token no longer works' };
  const [secret] = secrets;
  // Where the service shows none, the times are those of the token delivered last: it must be that one.
  const isKnown = current.kind === 'found' || secrets.every((each) => toFingerprint(each) === last?.fingerprint);
  if (facts !== undefined && secret !== undefined && isKnown && trials.every((trial) => trial === 'accepted')) {
    return { needed: false, facts, fingerprint: toFingerprint(secret) };
  }
  if (current.kind === 'found' && last !== undefined) {
    const isPrinted = current.facts.id === last.id;
    const why = isPrinted ? 'was printed by generate, and not delivered' : 'was replaced elsewhere';
    return { needed: true, why: `the current token ${why}` };
  }
  return {
    needed: 'unknown',
    // Where one was made from here and it is unknown all the same, making another changes nothing.
    isSettled: last === undefined || current.kind === 'found' || trials.includes('accepted'),
    why:
      facts === undefined
        ? "The service doesn't show its token, and none was delivered from here before."
        : 'Unknown: whether the delivered token is the current one.',
  };
}

function judgeTime(
  { ifExpiresWithin, ifOlderThan }: Conditions,
  facts: TokenFacts,
  now: number,
): ExpiryCheck | undefined {
  const { createdAt, expiredAt } = facts;
  if (ifExpiresWithin !== undefined && expiredAt !== null) {
    const end = Date.parse(expiredAt ?? '');
    if (Number.isNaN(end)) return { needed: 'unknown', why: 'Unknown: when the token expires.', isSettled: false };
    if (end - now <= ifExpiresWithin)
      return { needed: true, why: `the current token ${toExpiry(expiredAt ?? '', now)}` };
  }
  if (ifOlderThan !== undefined) {
    const start = Date.parse(createdAt ?? '');
    if (Number.isNaN(start))
      return { needed: 'unknown', why: 'Unknown: when the token was created.', isSettled: false };
    if (now - start >= ifOlderThan)
      return { needed: true, why: `the current token was created ${toFullTime(createdAt ?? '', now)}` };
  }
  return undefined;
}

/** `expires in 12 days (2026-12-04 00:00 UTC)` */
export function toExpiry(expiredAt: string, now: number): string {
  return `${Date.parse(expiredAt) > now ? 'expires' : 'expired'} ${toFullTime(expiredAt, now)}`;
}

/** UTC text, or null for never. Throws UsageError where the lifetime of the current token is not known. */
export function resolveExpiry(
  expires: RotationInput['expires'],
  facts: TokenFacts | undefined,
  now: number,
): string | null {
  if (expires !== 'same') return expires;
  if (facts?.expiredAt === null) return null;
  const lifetime = Date.parse(facts?.expiredAt ?? '') - Date.parse(facts?.createdAt ?? '');
  if (!(lifetime > 0 && now + lifetime < LATEST)) {
    throw new UsageError('--expires same: unknown how long the current token is valid', {
      hint: 'Say when the new one expires, for example: --expires 90d',
    });
  }
  // Expiries are whole seconds and creations are not: without this each rotation would lose one.
  return toUtcText(new Date(now + Math.ceil(lifetime / SECOND) * SECOND));
}
