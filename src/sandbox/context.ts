import { isObject, type JsonObject } from '../lib/json.ts';
import { parseInstant } from '../lib/time.ts';
import { createHttpError } from './errors.ts';
import type { LinkTarget } from './files.ts';
import type { Ids } from './ids.ts';
import type { Rules } from './kinds.ts';
import type { UserRow } from './rows.ts';
import type { Store } from './store.ts';

export interface Principal {
  type: 'user' | 'team' | 'organization' | 'audit-trail';
  /** Rate limits count by the key: a user has one count over all organizations. */
  key: string;
  tokenId: string;
  organization: number | null;
  team: number | null;
  user: UserRow | null;
}

export type Transaction = { store: Store; ids: Ids; now: number };

export interface Context extends Transaction {
  rules: Rules;
  requestId: string;
  url: URL;
  /** The path before the resource's own: `/api/v2`, or empty for a base URL at the root. */
  prefix: string;
  include: Set<string>;
  /** Throws 401 for a request without a valid token. */
  caller: Principal;
  param(name: string): string;
  /** Throws 422 for a body that is not a JSON object. */
  body(): JsonObject;
  link(target: LinkTarget): string;
}

export type Reply = { status: number; body?: unknown; mediaType?: string };

/** HttpError, thrown by a handler, rolls back its writes. */
export type Handle = (ctx: Context) => Reply;

interface RouteOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  documented?: true;
  public?: true;
  /** Whether this GET records an event. All other methods change data. */
  writes?: true;
  includes?: string[];
}

/**
 * The handler names its permission by `withOrganization`, `withTeam` or `withPermission`, or checks access itself. `prepare`
 * does asynchronous work before the transaction.
 */
export type Route = RouteOptions & ({ handle: Handle } | { prepare(body: JsonObject): Promise<Handle> });

export const MEDIA_TYPE = 'application/vnd.api+json';
export const NO_CONTENT: Reply = { status: 204 };

export function replyJson(body: object): Reply {
  return { status: 200, mediaType: 'application/json', body };
}

type Request = Pick<Context, 'url'>;

export function readQuery({ url }: Request, name: string): string | undefined {
  return url.searchParams.getAll(name).at(-1) || undefined;
}

export function readQueryList(request: Request, name: string): string[] | undefined {
  const entries = (readQuery(request, name) ?? '').split(',').map((entry) => entry.trim());
  const nonEmpty = entries.filter((entry) => entry !== '');
  return nonEmpty.length === 0 ? undefined : nonEmpty;
}

export function readChoice<Choice extends string>(request: Request, name: string, choices: readonly Choice[]) {
  const value = readQuery(request, name);
  const choice = choices.find((each) => each === value);
  if (value === choice) return choice;
  throw createHttpError(400, `${name} must be one of: ${choices.join(', ')}`);
}

/** Milliseconds; undefined for text that is not a date, or not a possible one. The default zone is UTC. */
export function parseDate(text: string): number | undefined {
  const [date = '', ...time] = text.split(/[T ]/);
  const day = parseInstant(`${date}T00:00:00Z`);
  // The 30th of February would roll over into March.
  if (day === undefined || formatDate(day).slice(0, 10) !== date) return undefined;
  const instant = [date, ...time].join('T');
  return parseInstant(instant) ?? parseInstant(`${instant}Z`);
}

export function formatDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** An empty object for anything else, so that members of a missing object are reported as missing. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
