import type { Caller } from './callers.ts';
import { createProblem } from './errors.ts';
import type { LinkTarget } from './files.ts';
import type { Ids } from './ids.ts';
import type { Rules } from './kinds.ts';
import type { Operation } from './permissions.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';
import type { Store } from './store.ts';

export type Change = { store: Store; ids: Ids; now: number };

export type Members = Readonly<Record<string, unknown>>;

export interface Call extends Change {
  rules: Rules;
  requestId: string;
  url: URL;
  /** The path before the resource's own: `/api/v2`, or nothing when the service is asked at the root. */
  prefix: string;
  include: ReadonlySet<string>;
  readonly caller: Caller;
  prepared: unknown;
  param(name: string): string;
  body(): Members;
  link(target: LinkTarget): string;
}

export type Answer = { status: number; body?: unknown; mediaType?: string };

interface RouteOptions {
  /** Whether the service's document knows it. */
  documented?: true;
  /** Whether the hosted edition alone has it. */
  hosted?: true;
  /** At the origin itself, below neither `/api/v2` nor a base URL. */
  atOrigin?: true;
  open?: true;
  /** Whether this GET changes data. All other methods do. */
  writes?: true;
  includes?: readonly string[];
  /** Work that must wait for something, done before the transaction. */
  prepare?(body: Members): Promise<unknown>;
}

/**
 * The handler gets the organization and the team that the path names, if the caller may do the operation there. Without an
 * operation it looks itself. It answers or throws a Problem; a write that throws leaves nothing behind.
 */
export type Route = readonly [
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  operation: Operation | undefined,
  handle: (call: Call, organization: OrganizationRow, team: TeamRow) => Answer,
  options?: RouteOptions,
];

export const JSON_API = 'application/vnd.api+json';
export const NO_CONTENT: Answer = { status: 204 };

export function answerPlain(body: object): Answer {
  return { status: 200, mediaType: 'application/json', body };
}

type Asked = Pick<Call, 'url'>;

export function readQuery({ url }: Asked, name: string): string | undefined {
  return url.searchParams.getAll(name).at(-1) || undefined;
}

export function readQueryList(asked: Asked, name: string): string[] | undefined {
  const entries = (readQuery(asked, name) ?? '').split(',').map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== '');
  return given.length === 0 ? undefined : given;
}

export function readChoice<Choice extends string>(asked: Asked, name: string, known: readonly Choice[]) {
  const value = readQuery(asked, name);
  const choice = known.find((each) => each === value);
  if (value === choice) return choice;
  throw createProblem(400, `${name} must be one of: ${known.join(', ')}`);
}

/** The members of a JSON object; none for anything else, so that what is missing inside is reported as missing. */
export function asMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
