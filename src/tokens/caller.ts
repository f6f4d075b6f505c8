import type { Caller } from '../api/account.ts';
import type { Token } from '../api/tokens.ts';
import { type ErrorDetails, UsageError } from '../lib/errors.ts';
import { describeToken, getKind, getTeam } from './token.ts';

/** Whether the requests use this token. `maybe` if the service doesn't say. */
export function matchCaller(caller: Caller, token: Token, id: string | undefined): 'yes' | 'no' | 'maybe' {
  // The audit trail token can read nothing but the trail.
  if (token.kind === 'audit-trail') return 'no';
  if (caller.tokenId !== undefined && id !== undefined) return caller.tokenId === id ? 'yes' : 'no';
  if (caller.type === undefined) return 'maybe';
  const team = getTeam(token);
  return caller.type === `${getKind(token)}s` && (!team || caller.ownerId === team.id) ? 'maybe' : 'no';
}

/** `answer` is that of `matchCaller`. */
export function createCallerError(token: Token, answer: 'yes' | 'maybe', details: ErrorDetails) {
  const is =
    answer === 'yes' ? 'is the token you are using' : "may be the token you are using: the service doesn't say";
  return new UsageError(`${describeToken(token)} ${is}`, details);
}
