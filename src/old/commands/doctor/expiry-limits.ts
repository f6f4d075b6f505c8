import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { findEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { createPolicyReader, toLatest } from '../../service/token-policy.ts';
import { parseDuration, parseWhen } from '../../when.ts';
import { attention, type Finding, ok } from './finding.ts';

/** What limits how long a new token is valid, and whether the stored `expires` of rotations keeps to it. */

const FIX = 'Store a shorter one: rotations are refused with it.';

/** Nothing where the setting is not set. */
export function examineMaxExpires(context: Context): readonly Finding[] {
  const { identity, places } = context;
  const { value: limit, source } = identity.settings['max-expires'];
  if (limit === undefined) return [];
  const now = places.host.now();
  const stored = readStoredExpiry(context);
  const of = `at most ${limit} (max-expires, from ${source})`;
  return stored !== undefined && stored.at > now + parseDuration(limit, 'max-expires', now)
    ? [attention('settings', `the setting expires is ${stored.text}, and tokens may be valid for ${of}`, FIX)]
    : [ok('settings', `new tokens may be valid for ${of}`)];
}

/** Nothing where the service does not show one. */
export async function examineTokenPolicy(
  context: Context,
  service: Service,
  organization: string,
): Promise<readonly Finding[]> {
  const policies = createPolicyReader(service, organization);
  const policy = await policies.find();
  if (policy === undefined) return [];
  const check = 'token-policy';
  const kind = findEvidence(service) === undefined ? 'audit trail tokens' : 'organization tokens';
  const force = await policies.findForce(policy);
  if (force === 'none') return [ok(check, `${organization} doesn't limit how long ${kind} are valid`)];
  if (force === 'unknown') {
    return [ok(check, `${organization}'s policy for ${kind} is ${policy.words} at most, and possibly off`)];
  }
  const detail = `${organization} allows ${kind} of at most ${policy.words}`;
  const stored = readStoredExpiry(context);
  if (stored !== undefined && Number.isFinite(stored.at) && stored.at > toLatest(policy, context.places.host.now())) {
    return [attention(check, `${detail}, and the setting expires is ${stored.text}`, FIX)];
  }
  return [ok(check, detail)];
}

/** Milliseconds since 1970, without end for never. Undefined where it is not set, or depends on the current token. */
function readStoredExpiry({ identity, places }: Context): { readonly text: string; readonly at: number } | undefined {
  const text = identity.settings.expires.value?.trim();
  // The sandbox uses none.
  if (text === undefined || text === 'same' || identity.isSandbox) return undefined;
  try {
    const when = parseWhen(text, places.host.now());
    return { text, at: when === 'never' ? Number.POSITIVE_INFINITY : when.at.getTime() };
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
