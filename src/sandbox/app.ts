import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { type Context, MEDIA_TYPE, type Principal, type Reply, type Route, readQueryList } from './context.ts';
import { createHttpError, HttpError, normalizeError } from './errors.ts';
import type { Services } from './files.ts';
import type { Rules } from './kinds.ts';
import { FEATURE_SETS } from './routes/feature-sets.ts';
import { API_ROUTES, ORIGIN_ROUTES } from './routes/index.ts';
import { findCaller, hashToken } from './tokens.ts';

interface AppOptions extends Services {
  rules: Rules;
  /** Ids of tokens, by the aliases that are accepted in place of their secrets. */
  tokenAliases: Map<string, string>;
  rateLimit: number;
}

interface Env {
  Bindings: { address: string };
  Variables: { requestId: string; now: number };
}

type AppContext = HonoContext<Env>;

/** The same routes answer without the prefix, for a base URL at the root. */
export const API_PREFIX = '/api/v2';

export function createApp(options: AppOptions) {
  const { rules, log, rateLimit } = options;
  const app = new Hono<Env>();
  app.onError((error, c) => {
    if (!(error instanceof HttpError)) log(`unexpected error in ${c.req.method}: ${error.message}`);
    const { status, errors } = normalizeError(error);
    return respond(c, { status, body: { errors } });
  });
  app.use(async (c, next) => {
    c.set('now', options.now());
    c.set('requestId', options.ids.uuid());
    const headers = { ...rules.headers, Date: new Date(c.var.now).toUTCString(), 'X-Request-Id': c.var.requestId };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  });
  if (rateLimit > 0) app.use(limitRate(options));
  const serve = (route: Route, paths: string[]): void => {
    if (route.documented || !rules.documentOnly) app.on(route.method, paths, createHandler(options, route));
  };
  const apiRoutes = rules.kind === 'enterprise' ? API_ROUTES : [...API_ROUTES, ...FEATURE_SETS];
  for (const route of apiRoutes) serve(route, [API_PREFIX + route.path, route.path]);
  for (const route of ORIGIN_ROUTES) serve(route, [route.path]);
  app.notFound((c) => {
    log(`no route for ${c.req.method} ${new URL(c.req.url).pathname}`);
    throw createHttpError(404);
  });
  return async (request: Request, address = 'local') => await app.fetch(request, { address });
}

/** Limits the requests of each caller in any one second. The service says how many are left (facts). */
function limitRate(options: AppOptions): MiddlewareHandler<Env> {
  const { rateLimit } = options;
  const requests = new Map<string, number[]>();
  return async (c, next) => {
    const { now } = c.var;
    const key = findRequestCaller(options, c)?.key ?? `address ${c.env.address}`;
    // Requests with a later time do not count: a clock that is set back must not lock a caller out.
    const counted = (requests.get(key) ?? []).filter((time) => time > now - 1_000 && time <= now);
    const isAccepted = counted.length < rateLimit;
    if (isAccepted) counted.push(now);
    requests.set(key, counted);
    c.header('X-RateLimit-Limit', String(rateLimit));
    c.header('X-RateLimit-Remaining', String(rateLimit - counted.length));
    c.header('X-RateLimit-Reset', (((counted[0] ?? now) + 1_000 - now) / 1_000).toFixed(3));
    if (!isAccepted) throw createHttpError(429);
    await next();
  };
}

function findRequestCaller({ store, tokenAliases, rules }: AppOptions, c: AppContext): Principal | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (token === undefined) return undefined;
  const id = tokenAliases.get(token);
  const caller = findCaller(store, id === undefined ? 'hash' : 'id', id ?? hashToken(token), c.var.now);
  // The token may have been created while the state was served as another kind of service.
  return caller?.type === 'audit-trail' && !rules.hasAuditTokens ? undefined : caller;
}

/**
 * Runs the route's handler inside a transaction. If several errors apply to a request, the first in this order is sent: 401,
 * 415, 400 for an unknown include, 404 for a caller without the permission, then the handler's own.
 */
function createHandler(options: AppOptions, route: Route) {
  const { store } = options;
  return async (c: AppContext): Promise<Response> => {
    const { method } = c.req;
    const isRead = method === 'GET' || method === 'HEAD';
    const json = parseJson(await c.req.text());
    const body = isObject(json) ? json : undefined;
    const handle = 'prepare' in route ? await route.prepare(body ?? {}) : route.handle;
    const work = (): Reply => {
      const caller = findRequestCaller(options, c);
      if (caller === undefined && !route.public) throw createHttpError(401);
      if (!isRead) assertMediaType(c);
      const include = new Set(isRead ? readQueryList({ url: new URL(c.req.url) }, 'include') : []);
      const isKnown = [...include].every((name) => route.includes?.includes(name));
      if (!isKnown) throw createHttpError(400, 'Invalid include parameter');
      const ctx = createContext(options, c, { caller, body, include });
      const reply = handle(ctx);
      if (isUseRecorded(caller)) {
        store.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', c.var.now, caller.tokenId);
      }
      return reply;
    };
    // A read by others than people notes the use of its token.
    const isWrite = !isRead || route.writes || isUseRecorded(findRequestCaller(options, c));
    return respond(c, isWrite ? store.write(work) : store.read(work));
  };
}

function isUseRecorded(caller: Principal | undefined): caller is Principal {
  return caller !== undefined && caller.type !== 'user';
}

type RequestParts = { caller?: Principal; body?: JsonObject; include: Set<string> };

function createContext({ store, ids, rules, links }: AppOptions, c: AppContext, request: RequestParts): Context {
  const { now, requestId } = c.var;
  const { caller, body, include } = request;
  const url = new URL(c.req.url);
  return {
    store,
    ids,
    rules,
    now,
    requestId,
    url,
    prefix: url.pathname.startsWith(`${API_PREFIX}/`) ? API_PREFIX : '',
    include,
    get caller() {
      if (caller === undefined) throw createHttpError(401);
      return caller;
    },
    param: (name) => c.req.param(name) ?? '',
    body() {
      if (body !== undefined) return body;
      const detail = 'The request body must be a JSON object';
      throw new HttpError(422, { status: '422', title: 'malformed body', detail });
    },
    link: (target) => url.origin + links.create(target, now),
  };
}

/** Every write needs the media type, also without a body (facts). */
function assertMediaType(c: AppContext): void {
  const mediaType = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== MEDIA_TYPE) throw createHttpError(415, `The content type of a write must be ${MEDIA_TYPE}`);
}

function respond(c: AppContext, { status, body, mediaType = MEDIA_TYPE }: Reply): Response {
  c.status(status as StatusCode);
  if (body === undefined) return c.body(null);
  const text = JSON.stringify(body);
  return c.body(text, { headers: { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(text)) } });
}
