import type { Caller } from './callers.ts';
import type { Ids } from './ids.ts';
import type { Rules } from './kinds.ts';
import type { Links } from './links.ts';
import { createMalformedBody, createProblem, Problem } from './problems.ts';
import { findCaller, toHash, touchToken } from './queries/tokens.ts';
import type { ReleaseFiles } from './release-files.ts';
import { readInclude } from './request.ts';
import type { Answer, Context } from './route.ts';
import { createRouter } from './router.ts';
import { ROUTES } from './routes/index.ts';
import type { Store } from './rows.ts';
import { isBusy, isUnstorable } from './store.ts';
import { JSON_API_MEDIA_TYPE } from './wire/json-api.ts';

export interface AppOptions {
  readonly store: Store;
  readonly ids: Ids;
  readonly rules: Rules;
  readonly links: Links;
  readonly files: ReleaseFiles;
  /** The ids of tokens, by a text that this sandbox takes in place of the token while it is open. */
  readonly standIns: ReadonlyMap<string, string>;
  /** Requests a second from one caller; 0 means any number. */
  readonly rateLimit: number;
  now(): number;
  log(line: string): void;
}

/** `address`: where the request came from; callers without a token are counted by it. */
export type App = (request: Request, address?: string) => Promise<Response>;

export function createApp(options: AppOptions): App {
  const { store, ids, rules, links } = options;
  const findRoute = createRouter(
    ROUTES.filter(
      ({ documented, hosted }) =>
        (!rules.documentOnly || documented === true) && (hosted !== true || rules.kind !== 'enterprise'),
    ),
  );
  const countRequest = options.rateLimit > 0 ? createRateLimiter(options.rateLimit) : undefined;

  const limit = (headers: Headers, caller: string, now: number): void => {
    const verdict = countRequest?.(caller, now);
    if (verdict === undefined) return;
    // Assumed: each answer names the rate limit in the headers X-RateLimit-Limit, X-RateLimit-Remaining and
    // X-RateLimit-Reset, which the service's document does not mention.
    headers.set('X-RateLimit-Limit', String(options.rateLimit));
    headers.set('X-RateLimit-Remaining', String(verdict.remaining));
    headers.set('X-RateLimit-Reset', verdict.reset.toFixed(3));
    if (!verdict.accepted) throw createProblem(429);
  };

  const answer = (request: Request, body: string, requestId: string, headers: Headers, address: string): Answer => {
    const url = new URL(request.url);
    const now = options.now();
    const match = findRoute(request.method, url.pathname);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const identified = identify(options, request, now);
    // A route that needs no token counts its callers by address.
    const key = match?.route.open === true ? undefined : identified?.key;
    limit(headers, key ?? `address ${address}`, now);
    // Assumed: a method that a path does not have is answered with 404, like a path that does not exist.
    if (match === undefined) {
      options.log(`no route for ${request.method} ${url.pathname}`);
      throw createProblem(404);
    }
    const { route, params, prefix } = match;
    const work = (): Answer => {
      // Assumed: of several faults of a request the first in this order decides: 401, 415, 400 for an unknown include,
      // then what the route says (404 for a caller without permission, 422 for what was sent, 403 and 400 for what is
      // not possible).
      const caller = identify(options, request, now);
      // Assumed: a request without a token, or with one that is unknown or has expired, is answered with 401, also on a
      // path that does not exist.
      if (caller === undefined && route.open !== true) throw createProblem(401);
      if (!isRead) requireMediaType(JSON_API_MEDIA_TYPE, request);
      // Assumed: a write ignores `include`, like every parameter that it does not know.
      const include = isRead ? readInclude(url, route.includes ?? []) : new Set<string>();
      const context: Context = {
        store,
        ids,
        rules,
        now,
        requestId,
        url,
        prefix,
        params,
        include,
        get caller(): Caller {
          if (caller === undefined) throw createProblem(401);
          return caller;
        },
        body: () => parseBody(body),
        link: (target) => url.origin + links.create(target, now),
      };
      const result = route.handle(context);
      if (isUseNoted(caller, now)) touchToken(store, caller.tokenId, now);
      return result;
    };
    const writes = !isRead || route.writes === true || isUseNoted(identified, now);
    if (!writes) return store.read(work);
    const result = store.write(work);
    if (request.method === 'DELETE') options.files.removeDiscarded();
    return result;
  };

  return async (request, address = 'local') => {
    const requestId = ids.uuid();
    // The date is that of the sandbox's own clock, like the times in its data.
    const date = new Date(options.now()).toUTCString();
    const headers = new Headers({ ...rules.headers, Date: date, 'X-Request-Id': requestId });
    try {
      return toResponse(request, headers, answer(request, await request.text(), requestId, headers, address));
    } catch (error) {
      const problem = error instanceof Problem ? error : toProblem(error);
      if (problem !== error) {
        options.log(`unexpected, at ${request.method}: ${error instanceof Error ? error.message : String(error)}`);
      }
      return toResponse(request, headers, { status: problem.status, body: { errors: problem.errors } });
    }
  };
}

/**
 * Assumed: each use of the audit trail token sets when it was last used, and a use of another token that belongs to no
 * person does so once a minute.
 */
function isUseNoted(caller: Caller | undefined, now: number): caller is Caller {
  if (caller === undefined || caller.holder === 'user') return false;
  return caller.holder === 'audit-trail' || (caller.tokenUsedAt ?? 0) <= now - 60_000;
}

/** Assumed: a service that cannot store answers 507 or 503; the document does not say what it answers. */
function toProblem(error: unknown): Problem {
  if (isUnstorable(error)) return createProblem(507, `The sandbox cannot store its state: ${error.message}`);
  return isBusy(error)
    ? createProblem(503, 'Another process has held the state of the sandbox too long')
    : createProblem(500);
}

/**
 * Assumed: a request carries its token in the header Authorization, as a bearer token; the service's document does not
 * show how.
 */
function identify({ store, standIns, rules }: AppOptions, request: Request, now: number): Caller | undefined {
  const text = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (text === undefined) return undefined;
  const id = standIns.get(text);
  const caller = findCaller(store, id === undefined ? { hash: toHash(text) } : { id }, now);
  // The token was made while the state was served as another kind of service.
  return caller?.holder === 'audit-trail' && !rules.hasAuditTokens ? undefined : caller;
}

/**
 * Assumed: every request needs the media type of its route in Content-Type, also a DELETE and a request without a body;
 * another one is answered with 415.
 */
function requireMediaType(wanted: string, request: Request): void {
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== wanted) throw createProblem(415, `The content type of a write must be ${wanted}`);
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw createMalformedBody();
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw createMalformedBody();
  return body as Readonly<Record<string, unknown>>;
}

function toResponse(request: Request, headers: Headers, { status, body, mediaType }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const text = JSON.stringify(body);
  headers.set('Content-Type', mediaType ?? JSON_API_MEDIA_TYPE);
  headers.set('Content-Length', String(Buffer.byteLength(text)));
  return new Response(request.method === 'HEAD' ? null : text, { status, headers });
}

const WINDOW = 1_000;

/**
 * At most `limit` requests in any one second from each caller, counted in memory. Assumed: the service limits the
 * requests of each caller within one second; the document shows no limit.
 */
function createRateLimiter(limit: number) {
  const requests = new Map<string, number[]>();
  return (caller: string, now: number) => {
    // Requests with a later time do not count: a clock that is set back must not lock a caller out.
    const counted = (requests.get(caller) ?? []).filter((time) => time > now - WINDOW && time <= now);
    const accepted = counted.length < limit;
    if (accepted) counted.push(now);
    requests.set(caller, counted);
    const oldest = counted[0] ?? now;
    // Seconds until the oldest request counted leaves the window.
    return { accepted, remaining: limit - counted.length, reset: (oldest + WINDOW - now) / 1_000 };
  };
}
