import { isObject } from '../json-object.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import type { TokenFacts } from './journal.ts';

/** What the service says of its one token. */
export type CurrentToken =
  | { readonly kind: 'found'; readonly facts: TokenFacts }
  /** The service has the route, and no token. */
  | { readonly kind: 'absent' }
  /** The route is missing, or what is there may not be seen. */
  | { readonly kind: 'unknown' };

export function toTokenFacts({ data }: ResourceDocument): TokenFacts {
  const { 'created-at': createdAt, 'expired-at': expiredAt } = data.attributes ?? {};
  const creator = data.relationships?.['created-by']?.data;
  return {
    id: data.id,
    ...(isInstant(createdAt) ? { createdAt } : {}),
    ...(isInstant(expiredAt) || expiredAt === null ? { expiredAt } : {}),
    ...(isObject(creator) && typeof creator['id'] === 'string' ? { createdBy: creator['id'] } : {}),
  };
}

/** What is no instant could be anything, and what is remembered is shown. */
function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Whether both say the same, and both say something. */
export function isSameToken(one: CurrentToken, other: CurrentToken): boolean {
  if (one.kind === 'found') return other.kind === 'found' && one.facts.id === other.facts.id;
  return one.kind === 'absent' && other.kind === 'absent';
}
