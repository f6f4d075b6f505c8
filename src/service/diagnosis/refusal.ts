import type { Method } from '../http.ts';
import {
  findOperation,
  findOrganization,
  OPERATIONS,
  type Operation,
  type OperationName,
  type Reading,
} from '../operations.ts';
import { type Evidence, isAuditToken, isPerson } from './evidence.ts';

/** Which call was refused, and what to read next, so that it is known why. Pure: explain.ts does the asking. */

export interface RefusedCall {
  /** `generic` for a call that has no row of its own. */
  readonly operation: OperationName;
  readonly organization: string | undefined;
  /** It was the reading before the write that was refused. */
  readonly isReading?: boolean;
}

export const MOST_READINGS = 3;

/** `asked`: as the error says; `method`: as it was sent. */
export function toRefusedCall(
  asked: { readonly operation: string; readonly path: string },
  method: string,
): RefusedCall {
  const name = asked.operation in OPERATIONS ? (asked.operation as OperationName) : 'generic';
  const operation = name === 'generic' ? (findOperation(method as Method, asked.path) ?? 'generic') : name;
  const isReading = method === 'GET' && OPERATIONS[operation].request.method !== 'GET';
  return { operation, organization: findOrganization(asked.path), ...(isReading ? { isReading } : {}) };
}

export function toFirstEvidence(call: RefusedCall): Evidence {
  const { operation, isReading = false } = call;
  const { readings }: Operation = OPERATIONS[operation];
  return {
    ...(operation === 'list-own-memberships' ? { own: 'refused' } : {}),
    ...(operation === 'list-members' || operation === 'find-invitees' ? { organization: 'refused' } : {}),
    ...(operation === 'list-providers' ? { providers: 'refused' } : {}),
    ...(isReading && readings.includes('object') ? { object: 'refused' } : {}),
  };
}

/** The reading that would prove most now; undefined when there is nothing more to learn. */
export function chooseReading(call: RefusedCall, evidence: Evidence): Reading | undefined {
  const { own } = evidence;
  if (own === undefined) return 'own';
  if (own === 'unauthorized') return undefined;
  const { operation, organization } = call;
  const { readings }: Operation = OPERATIONS[operation];
  const wanted: readonly Reading[] = isPerson(own)
    ? readings.filter((each) => each === 'object' && (organization === undefined || isMember(call, own)))
    : [
        ...(own === 'refused' && operation !== 'list-audit-trail' ? (['audit-trail'] as const) : []),
        ...(evidence['audit-trail'] === 'events' ? (['account'] as const) : []),
        ...readings.filter((each) => isUseful(each, call, evidence)),
      ];
  return wanted.find((reading) => evidence[reading] === undefined);
}

/** A list of the organization proves nothing where the object is seen already, or to a token that lists nothing. */
function isUseful(reading: Reading, { organization }: RefusedCall, evidence: Evidence): boolean {
  if (reading !== 'organization' && reading !== 'providers') return true;
  return organization !== undefined && evidence.object !== 'reached' && !isAuditToken(evidence);
}

export function findMembership({ organization }: RefusedCall, own: Evidence['own']) {
  if (!isPerson(own) || organization === undefined) return undefined;
  return own.find((membership) => membership.organization.toLowerCase() === organization.toLowerCase());
}

export function isMember(call: RefusedCall, own: Evidence['own']): boolean {
  return findMembership(call, own)?.status === 'active';
}
