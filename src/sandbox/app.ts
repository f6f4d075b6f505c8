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
import { findCaller, touchToken } from './queries/tokens.ts';
import { createRateLimiter, type RateVerdict } from './rate-limit.ts';
import type { Answer, Context } from './route.ts';
import { createRouter, type Match } from './router.ts';
import { ROUTES } from './routes/index.ts';
import { isBusy, isUnstorable, type Store } from './store.ts';

export interface AppOptions {
  readonly store: Store;
  readonly ids: Ids;
  readonly documentOnly: boolean;
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
const WRITES: readonly string[] = ['POST', 'PATCH', 'PUT', 'DELETE'];

export function createApp(options: AppOptions): App {
  const { store, ids } = options;
  const route = createRouter(options.documentOnly ? ROUTES.filter((candidate) => candidate.documented) : ROUTES);
  const limiter = options.rateLimit > 0 ? createRateLimiter(options.rateLimit) : undefined;

  const answer = (request: Request, body: string, requestId: string, now: number, limit: Limit): Answer => {
    const url = new URL(request.url);
    const match = route(request.method, url.pathname);
    limit(match);
    if (match === undefined) {
      options.log(`no route for ${request.method} ${url.pathname}`);
      throw createNotFound();
    }
    const work = (): Answer => {
      const caller = identify(store, request, now);
      requireToken(match, caller);
      requireMediaType(request);
      const result = match.route.handle(toContext(options, { match, url, body, requestId, now, caller }));
      if (caller?.kind === 'audit-token') {
        touchToken(store, caller.tokenId, now);
      }
      return result;
    };
    const writes = request.method === 'POST' || request.method === 'DELETE' || match.route.writes === true;
    return writes || identify(store, request, now)?.kind === 'audit-token' ? store.write(work) : store.read(work);
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
        const caller = match?.route.open === true ? undefined : identify(store, request, now);
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

function identify(store: Store, request: Request, now: number): Caller | undefined {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '');
  return match?.[1] === undefined ? undefined : findCaller(store, match[1], now);
}

function requireToken(match: Match, caller: Caller | undefined): void {
  if (caller === undefined && match.route.open !== true) {
    throw createUnauthorized();
  }
}

/** On DELETE too, body or not. */
function requireMediaType(request: Request): void {
  if (!WRITES.includes(request.method)) {
    return;
  }
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== JSON_API_MEDIA_TYPE) {
    throw createUnsupportedMediaType(JSON_API_MEDIA_TYPE);
  }
}

interface Asked {
  readonly match: Match;
  readonly url: URL;
  readonly body: string;
  readonly requestId: string;
  readonly now: number;
  readonly caller: Caller | undefined;
}

function toContext(options: AppOptions, asked: Asked): Context {
  const { match, url, requestId, now, caller } = asked;
  return {
    store: options.store,
    ids: options.ids,
    now,
    requestId,
    url,
    prefix: match.prefix,
    params: match.params,
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
