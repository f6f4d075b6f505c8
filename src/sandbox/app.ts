import { JSON_API_MEDIA_TYPE } from '../wire/json-api.ts';
import type { Caller } from './callers.ts';
import type { Ids } from './ids.ts';
import {
  createBusy,
  createInternal,
  createMalformedBody,
  createNotFound,
  createTooManyRequests,
  createUnauthorized,
  createUnstorable,
  createUnsupportedMediaType,
  Problem,
} from './problems.ts';
import { findCaller, toHash, touchToken } from './queries/tokens.ts';
import { readInclude } from './query.ts';
import { createRateLimiter, type RateVerdict } from './rate-limit.ts';
import { type Answer, type Context, PLAIN_JSON } from './route.ts';
import { createRouter, type Match } from './router.ts';
import { createRoutes } from './routes/index.ts';
import { isBusy, isUnstorable, type Store } from './store.ts';

export interface AppOptions {
  readonly store: Store;
  readonly ids: Ids;
  readonly documentOnly: boolean;
  /** Where the public registry's proxy is, as the discovery document names it; undefined for the usual place. */
  readonly publicPrefix: string | undefined;
  /** Texts that stand for a token while this sandbox is open, with the ids of the tokens. */
  readonly passes: ReadonlyMap<string, string>;
  /** Requests a second from one caller; 0 means any number. */
  readonly rateLimit: number;
  now(): number;
  log(line: string): void;
}

/** `address` is where the request came from; callers without a token are counted by it. */
export type App = (request: Request, address?: string) => Promise<Response>;

/** Counts the request, and throws 429 where it is one too many. Routes that need no token count by address. */
type Limit = (match: Match | undefined) => void;

const API_VERSION = '2.6';
const APP_NAME = 'HCP Terraform';
const NOTHING: ReadonlySet<string> = new Set();

export function createApp(options: AppOptions): App {
  const { store, ids } = options;
  const routes = createRoutes(options.publicPrefix);
  const route = createRouter(
    options.documentOnly ? routes.filter(({ documented, control }) => documented || control === true) : routes,
  );
  const limiter = options.rateLimit > 0 ? createRateLimiter(options.rateLimit) : undefined;

  const answer = (request: Request, body: string, requestId: string, now: number, limit: Limit): Answer => {
    const url = new URL(request.url);
    const match = route(request.method, url.pathname);
    limit(match);
    // Assumed: 404 for a method that a path does not have, too.
    if (match === undefined) {
      options.log(`no route for ${request.method} ${url.pathname}`);
      throw createNotFound();
    }
    const work = (): Answer => {
      // Assumed: the order in which faults are found: 401, 415, an include that is none, then what the route says (404
      // for who may not, 422 for what was sent, 403 and 400 for what cannot be).
      const caller = identify(options, request, now);
      requireToken(match, caller);
      requireMediaType(match, request);
      // Assumed: a write passes over `include`, like every parameter that it does not know.
      const include = isRead(request) ? readInclude(url, match.route.includes ?? []) : NOTHING;
      const result = match.route.handle(toContext(options, { match, url, body, requestId, now, caller, include }));
      if (caller?.holder === 'audit-trail') {
        touchToken(store, caller.tokenId, now);
      }
      return result;
    };
    const writes = !isRead(request) || match.route.writes === true;
    return writes || identify(options, request, now)?.holder === 'audit-trail' ? store.write(work) : store.read(work);
  };

  return async (request, address = 'local') => {
    const requestId = ids.uuid();
    const headers = new Headers({ 'X-Request-Id': requestId });
    if (!options.documentOnly) {
      headers.set('TFP-API-Version', API_VERSION);
      headers.set('TFP-AppName', APP_NAME);
    }
    try {
      const body = await request.text();
      const now = options.now();
      const limit: Limit = (match) => {
        if (match?.route.control === true) return;
        const caller = match?.route.open === true ? undefined : identify(options, request, now);
        const verdict = limiter?.take(caller?.key ?? `address ${address}`, now);
        if (verdict !== undefined) {
          setLimitHeaders(headers, verdict);
          if (!verdict.accepted) {
            throw createTooManyRequests();
          }
        }
      };
      return toResponse(request, headers, answer(request, body, requestId, now, limit));
    } catch (error) {
      if (!(error instanceof Problem)) {
        options.log(`unexpected, at ${request.method}: ${error instanceof Error ? error.message : String(error)}`);
      }
      const problem = error instanceof Problem ? error : toProblem(error);
      return toResponse(request, headers, { status: problem.status, body: { errors: problem.errors } });
    }
  };
}

function toProblem(error: unknown): Problem {
  if (isUnstorable(error)) {
    return createUnstorable(error.message);
  }
  return isBusy(error) ? createBusy() : createInternal();
}

/** Assumed: the token comes as a bearer token; the service's document does not show how. */
function identify({ store, passes }: AppOptions, request: Request, now: number): Caller | undefined {
  const text = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (text === undefined) return undefined;
  const id = passes.get(text);
  return findCaller(store, id === undefined ? { hash: toHash(text) } : { id }, now);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Assumed: 401 without a token, or with one that is unknown or has expired, also for what is not there. */
function requireToken(match: Match, caller: Caller | undefined): void {
  if (caller === undefined && match.route.open !== true) {
    throw createUnauthorized();
  }
}

/** Assumed: 415 where it is another, on DELETE too, body or not. */
function requireMediaType({ route }: Match, request: Request): void {
  if (isRead(request)) {
    return;
  }
  const wanted = route.control === true ? PLAIN_JSON : JSON_API_MEDIA_TYPE;
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== wanted) {
    throw createUnsupportedMediaType(wanted);
  }
}

interface Asked {
  readonly match: Match;
  readonly url: URL;
  readonly body: string;
  readonly requestId: string;
  readonly now: number;
  readonly caller: Caller | undefined;
  readonly include: ReadonlySet<string>;
}

function toContext(options: AppOptions, asked: Asked): Context {
  const { match, url, requestId, now, caller, include } = asked;
  return {
    store: options.store,
    ids: options.ids,
    now,
    requestId,
    url,
    prefix: match.prefix,
    params: match.params,
    include,
    get caller(): Caller {
      if (caller === undefined) {
        throw createUnauthorized();
      }
      return caller;
    },
    body: () => parseBody(asked.body),
  };
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw createMalformedBody();
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw createMalformedBody();
  }
  return body as Readonly<Record<string, unknown>>;
}

/** Assumed: these headers, which the service's document does not have. */
function setLimitHeaders(headers: Headers, verdict: RateVerdict): void {
  headers.set('X-RateLimit-Limit', String(verdict.limit));
  headers.set('X-RateLimit-Remaining', String(verdict.remaining));
  headers.set('X-RateLimit-Reset', verdict.reset.toFixed(3));
}

function toResponse(request: Request, headers: Headers, answer: Answer): Response {
  if (answer.body === undefined) {
    return new Response(null, { status: answer.status, headers });
  }
  const text = JSON.stringify(answer.body);
  headers.set('Content-Type', answer.mediaType ?? JSON_API_MEDIA_TYPE);
  headers.set('Content-Length', String(Buffer.byteLength(text)));
  return new Response(request.method === 'HEAD' ? null : text, { status: answer.status, headers });
}
