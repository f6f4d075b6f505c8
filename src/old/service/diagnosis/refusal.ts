import type { Asked } from '../../errors.ts';
import { isSameName } from '../../names.ts';
import type { Method } from '../http.ts';
import {
  findOperation,
  findOrganization,
  findParameters,
  OPERATIONS,
  type Operation,
  type OperationName,
  type Reading,
} from '../operations.ts';
import { type Evidence, isAuditToken, isPerson } from './evidence.ts';

/** Which call was refused, and what to read next, so that it is known why. Pure: explain.ts does the asking. */

/** What decides which readings prove something. */
export interface Question {
  /** `generic` for a call that has no row of its own. */
  readonly operation: OperationName;
  readonly organization: string | undefined;
  /** It was the reading before the write that was refused. */
  readonly isReading?: boolean;
}

export interface RefusedCall extends Question {
  /** Completes the sentence "you can't …". */
  readonly what: string;
  /** The id or the address of what it is about; empty where the path has none. */
  readonly object: string;
  /** Nothing but the path says what it is about, so that nothing of it was read before. */
  readonly isByPath?: boolean;
}

export const MOST_READINGS = 3;

/** `asked`: as the error says; `method`: as it was sent. */
export function toRefusedCall(asked: Asked, method: string): RefusedCall {
  const { what, path, query = [] } = asked;
  const name = asked.operation in OPERATIONS ? (asked.operation as OperationName) : 'generic';
  const operation = name === 'generic' ? (findOperation(method as Method, path, query) ?? 'generic') : name;
  const isReading = method === 'GET' && OPERATIONS[operation].request.method !== 'GET';
  const { organization: _, ...others } = findParameters(operation, path);
  return {
    operation,
    what,
    organization: findOrganization(path),
    object: Object.values(others).join('/'),
    ...(isReading ? { isReading } : {}),
    ...(name === 'generic' ? { isByPath: true } : {}),
  };
}

export function toFirstEvidence(call: Question): Evidence {
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
export function chooseReading(call: Question, evidence: Evidence): Reading | undefined {
  const { own } = evidence;
  if (own === undefined) return 'own';
  if (own === 'unauthorized') return undefined;
  const { operation } = call;
  const { readings }: Operation = OPERATIONS[operation];
  const wanted: readonly Reading[] = isPerson(own)
    ? readings.filter((each) => isUsefulToPerson(each, call, evidence))
    : [
        ...(own === 'refused' && operation !== 'list-audit-trail' ? (['audit-trail'] as const) : []),
        ...(evidence['audit-trail'] === 'events' ? (['account'] as const) : []),
        ...readings.filter((each) => isUseful(each, call, evidence)),
      ];
  return wanted.find((reading) => evidence[reading] === undefined);
}

/** For an organization that the person is no member of, the reason is known already. */
function isUsefulToPerson(reading: Reading, call: Question, evidence: Evidence): boolean {
  if (call.organization !== undefined && !isMember(call, evidence.own)) return false;
  return reading === 'object' || (reading === 'providers' && isUseful(reading, call, evidence));
}

/** A list of the organization proves nothing where the object is seen already, or to a token that lists nothing. */
function isUseful(reading: Reading, { organization }: Question, evidence: Evidence): boolean {
  if (reading !== 'organization' && reading !== 'providers') return true;
  return organization !== undefined && evidence.object !== 'reached' && !isAuditToken(evidence);
}

export function findMembership({ organization }: Question, own: Evidence['own']) {
  if (!isPerson(own) || organization === undefined) return undefined;
  return own.find((membership) => isSameName(membership.organization, organization));
}

export function isMember(call: Question, own: Evidence['own']): boolean {
  return findMembership(call, own)?.status === 'active';
}
