import type { Caller } from './callers.ts';
import type { Ids } from './ids.ts';
import type { Rules } from './kinds.ts';
import type { LinkTarget } from './links.ts';
import type { Operation } from './permissions.ts';
import type { Store } from './rows.ts';

export interface ChangeContext {
  readonly store: Store;
  readonly ids: Ids;
  readonly now: number;
}

/** What a route is handed. Problems are thrown; a write that throws leaves nothing behind. */
export interface Context extends ChangeContext {
  readonly rules: Rules;
  readonly requestId: string;
  readonly url: URL;
  /** The path before the resource's own: `/api/v2`, or nothing when the service is asked at the root. */
  readonly prefix: string;
  readonly params: Readonly<Record<string, string>>;
  /** What the request asks for beside the data. The route knows all of it. */
  readonly include: ReadonlySet<string>;
  /** An address at the origin of the files, which needs no token. */
  link(target: LinkTarget): string;
  /** Throws 401 where there is none. Open routes do not read it. */
  readonly caller: Caller;
  /** Throws 422 unless the body is a JSON object. */
  body(): Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly mediaType?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Segments beginning with a colon are parameters. */
  readonly path: string;
  /** At the origin itself, below neither `/api/v2` nor a base URL. */
  readonly atOrigin?: boolean;
  /** Whether the service's document knows it. */
  readonly documented?: boolean;
  /** Whether the hosted edition alone has it. */
  readonly hosted?: boolean;
  readonly open?: boolean;
  /** Whether this GET changes data. All other methods do. */
  readonly writes?: boolean;
  /** What `include` may name; nothing when absent. */
  readonly includes?: readonly string[];
  handle(context: Context): Answer;
}

/**
 * Makes routes about one kind of thing. `require` finds the thing, and throws 404 where it is absent, or where the caller may
 * not do this with it.
 */
export function routesAbout<Subject, Act = Operation>(require: (context: Context, act: Act) => Subject) {
  return (
    method: Route['method'],
    path: string,
    act: Act,
    handle: (context: Context, subject: Subject) => Answer,
    more: Omit<Route, 'method' | 'path' | 'handle'> = {},
  ): Route => ({ method, path, ...more, handle: (context) => handle(context, require(context, act)) });
}

/** Paths that others begin with. */
export const ORGANIZATION = '/organizations/:organization_name';
export const TEAM = '/teams/:team_id';

export const NO_CONTENT: Answer = { status: 204 };
export const PLAIN_JSON = 'application/json';

export function answerPlain(body: object): Answer {
  return { status: 200, mediaType: PLAIN_JSON, body };
}
