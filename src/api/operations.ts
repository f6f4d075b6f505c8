import { UsageError } from '../lib/errors.ts';
import type { Query } from './types.ts';

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, `:name` for a parameter. */
  path: string;
  /** Completes "can't …" and "you don't have permission to …". */
  what: string;
  /** Who may do it, if not every member; from the document's section Authentication unless a comment says otherwise. */
  who?: string;
  /** In every request. */
  query?: Query;
}

const ORG = '/organizations/:org';

/** Every operation that has a command of its own. */
const OPERATIONS = {
  'list-feature-sets': { method: 'GET', path: '/feature-sets', what: 'list the feature sets' },
  'list-organization-feature-sets': {
    method: 'GET',
    path: `${ORG}/feature-sets`,
    what: 'list the feature sets of :org',
  },
  'list-members': { method: 'GET', path: `${ORG}/organization-memberships`, what: 'list the members of :org' },
  'list-own-memberships': { method: 'GET', path: '/organization-memberships', what: 'list your organizations' },
  // Outside the document, as go-tfe and the public documentation have them (facts).
  'show-account': { method: 'GET', path: '/account/details', what: 'show your account' },
  'show-entitlements': { method: 'GET', path: `${ORG}/entitlement-set`, what: 'show the entitlements of :org' },
  'show-subscription': { method: 'GET', path: `${ORG}/subscription`, what: 'show the subscription of :org' },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** A request of an operation: its method, path and query with the parameters filled in. */
export interface Call {
  method: Operation['method'];
  /** Percent-encoded. */
  path: string;
  what: string;
  who?: string | undefined;
  org?: string | undefined;
  /** Whether the path names nothing but the organization, which decides what a 404 means. */
  isAboutOrg: boolean;
  query: Query;
}

/** Throws UsageError for a parameter that no path segment can carry. */
export function createCall(name: OperationName, params: Record<string, string> = {}, query: Query = []): Call {
  const operation: Operation = OPERATIONS[name];
  const fill = (template: string, encode: (value: string) => string): string =>
    template.replace(/:(\w+)/g, (_, param: string) => encode(params[param] ?? ''));
  const names = operation.path.match(/:\w+/g) ?? [];
  return {
    method: operation.method,
    path: fill(operation.path, encodeSegment),
    what: fill(operation.what, (value) => value),
    who: operation.who,
    org: params.org,
    isAboutOrg: names.length === 1 && names[0] === ':org',
    query: [...(operation.query ?? []), ...query],
  };
}

/** Dots alone would lead to another path, and an empty segment to a list. */
function encodeSegment(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new UsageError(`'${text}' is no valid name`);
  return encodeURIComponent(text);
}
