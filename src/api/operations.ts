import { type ErrorCode, UsageError } from '../lib/errors.ts';
import type { Query } from './types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of the service. `Text` is the path and the sentences, whose `:name` are its parameters. */
export interface Operation<Text extends string = string> extends Details<Text> {
  method: Method;
  /** Below the base URL. */
  path: Text;
  /** Completes "can't …" and "you don't have permission to …". */
  action: Text;
}

interface Details<Text extends string> {
  /** The document has the operation, so every service has it. */
  isDocumented?: boolean;
  /** The path is below the origin of the base URL, not below the base URL. */
  isAtOrigin?: boolean;
  /** The callers who may do the operation, if not every member (Authentication in the document, or facts). */
  who?: string;
  /** What a 404 to an owner means, if it is more than "not found". */
  absent?: Text;
  query?: Query;
  /** The document's messages for failures, by status. */
  refusals?: Record<number, KnownRefusal>;
}

interface KnownRefusal {
  code: ErrorCode;
  message?: string;
  hint?: string;
  /** The service's words for it, if the status has other causes too. */
  words?: RegExp;
}

type Before<Text extends string, End extends string> = Text extends `${infer Name}${End}${string}` ? Name : Text;

/** The names after the colons of a text. A text that is no literal has a parameter that nobody can mean. */
type Name<Text extends string> = Text extends `${string}:${infer Rest}`
  ? Before<Before<Before<Before<Rest, '/'>, ' '>, '@'>, "'"> | Name<Rest>
  : string extends Text
    ? 'this text is not a literal'
    : never;

/** `org` is for explanations too, so it may be given without being in a text. */
type Params<Text extends string> = Record<Name<Text>, string> & { org?: string };

export const ORG = '/organizations/:org';
export const DOCUMENTED = { isDocumented: true };

export function operation<Text extends string>(method: Method, path: Text, action: Text, details: Details<Text> = {}) {
  return { method, path, action, ...details };
}

/** An operation with its parameters; the path is percent-encoded. */
export interface Call extends Operation {
  query: Query;
  /** Replaces the path: a secret address, maybe on another origin, that gets no token. */
  secretUrl?: URL;
  /** Whom the action counts. */
  people?: string[];
  org?: string;
  /** What is waited for, if it is more than an answer. */
  progress?: string;
  /** The path names only the organization, so a 404 is about the organization. */
  isAboutOrg: boolean;
}

/** Throws UsageError for a parameter that no path segment can carry. */
export function createCall<Text extends string>(
  { path, action, absent, ...operation }: Operation<Text>,
  params: Params<Text>,
  query: Query = [],
): Call {
  const fill = (text: string, encode: (value: string) => string): string =>
    text.replace(/:(\w+)/g, (_, name: Name<Text>) => encode(params[name]));
  const keep = (value: string): string => value;
  return {
    ...operation,
    path: fill(path, encodeSegment),
    action: fill(action, keep),
    org: params.org,
    isAboutOrg: path.includes(':org') && path.split(':').length === 2,
    absent: absent && fill(absent, keep),
    query: [...(operation.query ?? []), ...query],
  };
}

/** Rejects dots, which would change the path, and empty text, which would name the list. */
function encodeSegment(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new UsageError(`'${text}' is not a valid name`);
  return encodeURIComponent(text);
}
