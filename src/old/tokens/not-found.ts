import { OrgctlError } from '../errors.ts';
import type { Service } from '../service/service.ts';
import { capitalize } from '../text/sentence.ts';
import type { Replaced } from './describe.ts';

/** What it means that a token was not found: there is none, or this caller, or this service, is not shown it. */

export interface NotFound {
  /** Assumed: a caller who can replace the tokens of an organization can see them. */
  readonly maySee: boolean;
  /** Whether the service is known to show such tokens, or the organization to have none. */
  readonly hasRoute: boolean;
  /** The answer was not that there is none. */
  readonly isRefused?: boolean;
}

export const maySeeTokens = async ({ permits }: Pick<Service, 'permits'>, organization: string): Promise<boolean> =>
  (await permits.permits('generate-organization-token', organization)) === true;

/** What a plan says that a new token replaces. */
export async function toKnown(
  service: Pick<Service, 'permits'>,
  organization: string,
  replaced: Replaced,
): Promise<Exclude<Replaced, undefined> | 'hidden'> {
  if (replaced === undefined) return 'hidden';
  return replaced !== 'nothing' || (await maySeeTokens(service, organization)) ? replaced : 'hidden';
}

/** Those where there may be a token all the same. `isShown`: such a one was shown, which proves that the service shows them. */
export function listHidden<One extends NotFound>(all: readonly One[], isShown: (one: One) => boolean): readonly One[] {
  return all.filter((one) => !one.maySee || one.isRefused === true || !(one.hasRoute || isShown(one)));
}

/** A watch must not say that all is well where it does not see. */
export function toUnknownExpiry(
  message: string,
  hidden: readonly NotFound[],
  { reasons, otherwise }: { readonly reasons: readonly string[]; readonly otherwise: string },
): OrgctlError {
  // To an owner the hint would be no help.
  const isOfCaller = hidden.some(({ maySee }) => !maySee);
  return new OrgctlError('incomplete', message, {
    reasons: [...reasons, ...(isOfCaller || hidden.length === 0 ? [] : ['Perhaps this service shows no tokens.'])],
    hint: isOfCaller ? `Use the token of an owner, or ${otherwise}.` : `${capitalize(otherwise)}.`,
  });
}
