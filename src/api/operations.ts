import { UsageError } from '../lib/errors.ts';
import { OPERATIONS } from './operation-table.ts';
import type { Query } from './types.ts';

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, `:name` for a parameter. */
  path: string;
  /** Below the origin of the base URL, and maybe a prefix. */
  isAtOrigin?: true;
  /** Completes "can't …" and "you don't have permission to …". */
  what: string;
  /** Who may do it, if not every member; from the document's section Authentication unless a comment says otherwise. */
  who?: string;
  /** In every request. */
  query?: Query;
  /** What the document says of an answer without success, by status. */
  refusals?: Record<number, { code: string; message?: string; hint?: string }>;
}

export type OperationName = keyof typeof OPERATIONS;

/** A request of an operation: its method, path and query with the parameters filled in. */
export interface Call {
  method: Operation['method'];
  /** Percent-encoded. */
  path: string;
  isAtOrigin?: boolean | undefined;
  /** In place of the path: a secret address, maybe on another origin, that gets no token. */
  address?: URL;
  what: string;
  who?: string | undefined;
  org?: string | undefined;
  /** Whether the path names nothing but the organization, which decides what a 404 means. */
  isAboutOrg: boolean;
  query: Query;
  refusals?: Operation['refusals'] | undefined;
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
    isAtOrigin: operation.isAtOrigin,
    what: fill(operation.what, (value) => value),
    who: operation.who,
    org: params.org,
    isAboutOrg: names.length === 1 && names[0] === ':org',
    query: [...(operation.query ?? []), ...query],
    refusals: operation.refusals,
  };
}

/** Dots alone would lead to another path, and an empty segment to a list. */
function encodeSegment(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new UsageError(`'${text}' is no valid name`);
  return encodeURIComponent(text);
}
