import type { Context } from '../context/context.ts';
import { UsageError } from '../errors.ts';
import type { Service } from '../service/service.ts';
import { createPolicyReader, toLatest } from '../service/token-policy.ts';
import { MINUTE, parseDuration } from '../when.ts';

/** What limits how long a new token is valid: your own setting `max-expires`, and the organization's token policy. */

/** The expiry that is asked for. `text` is how, such as `--expires 1y`. */
export interface AskedExpiry {
  readonly text: string;
  /** UTC text, null for never, undefined to leave it to the service. */
  readonly expiredAt: string | null | undefined;
  /** It is that of another token: the clocks here and there differ, so that it may be off by a little. */
  readonly isCopied: boolean;
}

/** Milliseconds. */
const COPY_TOLERANCE = 5 * MINUTE;

/** Throws UsageError where the setting `max-expires` does not allow it. */
export function refuseBeyondSetting({ identity, places }: Context, asked: AskedExpiry): void {
  const { value: limit } = identity.settings['max-expires'];
  if (limit === undefined) return;
  const hint = (use: string): string => `${use} ${limit} or less, or change the limit with settings set max-expires.`;
  if (asked.expiredAt === undefined) {
    throw new UsageError(`missing --expires: your setting max-expires allows at most ${limit}`, {
      hint: hint('Add --expires'),
    });
  }
  const now = places.host.now();
  if (!isBeyond(asked, now + parseDuration(limit, 'max-expires', now))) return;
  throw new UsageError(`${asked.text} is too long: your setting max-expires allows at most ${limit}`, {
    hint: hint('Use --expires'),
  });
}

/**
 * Reads the policy, where the service shows it, and whether it is on, where that matters. Throws UsageError for an expiry
 * beyond it; warns where none or never is asked for, or where it is unknown whether it limits. `undecided`: what the token gets
 * is the service's choice.
 */
export async function checkTokenPolicy(
  { identity, screen, places }: Context,
  service: Service,
  asked: AskedExpiry,
  policies = createPolicyReader(service, identity.organization()),
): Promise<'decided' | 'undecided'> {
  const organization = identity.organization();
  const policy = await policies.find();
  if (policy === undefined || !isBeyond(asked, toLatest(policy, places.host.now()))) return 'decided';
  const { words, text, isDefault } = policy;
  const hasEnd = asked.expiredAt !== undefined && asked.expiredAt !== null;
  // Every organization has it that set none: it says nothing that the service's own answer doesn't.
  if (isDefault && !hasEnd) return 'decided';
  const force = await policies.findForce(policy);
  if (force === 'none') return 'decided';
  if (force === 'limits' && hasEnd) {
    throw new UsageError(`${asked.text} is too long: ${organization} allows at most ${words}`, {
      hint: `Use --expires ${text} or less. An owner of ${organization} can change its token policy.`,
    });
  }
  const limit =
    force === 'limits'
      ? `${organization} allows at most ${words}`
      : `${organization}'s token policy is ${words} at most, and possibly off`;
  const which = hasEnd
    ? asked.text
    : asked.expiredAt === null
      ? 'a token that never expires'
      : 'a token without --expires';
  screen.warn(`${limit}: the service decides what becomes of ${which}`);
  return hasEnd ? 'decided' : 'undecided';
}

function isBeyond({ expiredAt, isCopied }: AskedExpiry, latest: number): boolean {
  if (expiredAt === null || expiredAt === undefined) return true;
  return Date.parse(expiredAt) > latest + (isCopied ? COPY_TOLERANCE : 0);
}
