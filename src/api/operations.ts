import { UsageError } from '../lib/errors.ts';
import { OPERATIONS } from './operation-table.ts';
import type { Query } from './types.ts';

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, `:name` for a parameter. */
  path: string;
  /** The path is below the origin of the base URL, not below the base URL. */
  isAtOrigin?: true;
  /** Completes "can't …" and "you don't have permission to …". */
  action: string;
  /** The callers who may do the operation, if not every member (Authentication in the document, or facts). */
  who?: string;
  /** What a 404 to an owner means, if it is more than "not found". */
  absent?: string;
  query?: Query;
  /** The document's messages for failures, by status. */
  refusals?: Record<number, Refusal>;
}

interface Refusal {
  code: string;
  message?: string;
  hint?: string;
  /** The service's words for it, if the status has other causes too. */
  words?: RegExp;
}

export type OperationName = keyof typeof OPERATIONS;

/** The operations of the document, which every service has. */
const DOCUMENTED = new Set<OperationName>([
  'list-feature-sets',
  'list-organization-feature-sets',
  'list-members',
  'list-own-memberships',
  'show-member',
  'invite-member',
  'remove-member',
  'list-providers',
  'show-provider',
  'create-provider',
  'delete-provider',
  'create-audit-token',
  'delete-audit-token',
]);

export interface Call {
  method: Operation['method'];
  /** Percent-encoded. */
  path: string;
  isAtOrigin?: boolean;
  isDocumented?: boolean;
  /** Replaces the path: a secret address, maybe on another origin, that gets no token. */
  secretUrl?: URL;
  action: string;
  who?: string;
  org?: string;
  /** The path names only the organization, so a 404 is about the organization. */
  isAboutOrg: boolean;
  absent?: string;
  query: Query;
  refusals?: Operation['refusals'];
}

/** Throws UsageError for a parameter that no path segment can carry. */
export function createCall(
  name: OperationName,
  params: Record<string, string | undefined> = {},
  query: Query = [],
): Call {
  const operation: Operation = OPERATIONS[name];
  const fill = (template: string, encode: (value: string) => string): string =>
    template.replace(/:(\w+)/g, (_, param: string) => encode(params[param] ?? ''));
  const names = operation.path.match(/:\w+/g) ?? [];
  return {
    method: operation.method,
    path: fill(operation.path, encodeSegment),
    isAtOrigin: operation.isAtOrigin,
    isDocumented: DOCUMENTED.has(name),
    action: fill(operation.action, (value) => value),
    who: operation.who,
    org: params.org,
    isAboutOrg: names.length === 1 && names[0] === ':org',
    absent: operation.absent && fill(operation.absent, (value) => value),
    query: [...(operation.query ?? []), ...query],
    refusals: operation.refusals,
  };
}

/** Rejects dots, which would change the path, and empty text, which would name the list. */
function encodeSegment(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new UsageError(`'${text}' is not a valid name`);
  return encodeURIComponent(text);
}
