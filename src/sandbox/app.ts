import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { authorize } from './access.ts';
import { type Answer, asMembers, type Call, JSON_API, type Members, type Route, readQueryList } from './call.ts';
import type { Caller } from './callers.ts';
import { createProblem, Problem } from './errors.ts';
import type { ServiceOptions } from './files.ts';
import type { Rules } from './kinds.ts';
import { ROUTES } from './routes/index.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';
import { isBusy, isFull } from './state.ts';
import { findCaller, hashToken } from './tokens.ts';

interface AppOptions extends ServiceOptions {
  rules: Rules;
  files: { removeDiscarded(): void };
  standIns: ReadonlyMap<string, string>;
  rateLimit: number;
}

interface Env {
  /** Where the request came from; callers without a token are counted by it. */
  Bindings: { address: string };
  Variables: { requestId: string; now: number };
}

type AppContext = Context<Env>;

/** Where the service lives below its origin; the same routes answer without it, for a base URL at the root. */
export const API_PREFIX = '/api/v2';

export function createApp(options: AppOptions) {
  const { rules, log, rateLimit } = options;
  const app = new Hono<Env>();
  app.onError((error, c) => {
    const problem = error instanceof Problem ? error : createUnexpected(error);
    if (problem !== error) log(`unexpected, at ${c.req.method}: ${error.message}`);
    return respond(c, { status: problem.status, body: { errors: problem.errors } });
  });
  app.use(async (c, next) => {
    c.set('now', options.now());
    c.set('requestId', options.ids.uuid());
    // The date is that of the sandbox's own clock, like the times in its data.
    const headers = { ...rules.headers, Date: new Date(c.var.now).toUTCString(), 'X-Request-Id': c.var.requestId };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  });
  if (rateLimit > 0) app.use(limitRate(options));
  for (const route of ROUTES) {
    const [method, path, , , { documented, hosted, atOrigin } = {}] = route;
    const isThere = (documented || !rules.documentOnly) && !(hosted && rules.kind === 'enterprise');
    const paths = atOrigin ? [path] : [API_PREFIX + path, path];
    if (isThere) app.on(method, paths, createHandler(options, route));
  }
  app.notFound((c) => {
    log(`no route for ${c.req.method} ${new URL(c.req.url).pathname}`);
    throw createProblem(404);
  });
  return async (request: Request, address = 'local') => await app.fetch(request, { address });
}

const OPEN_PATHS = ROUTES.filter(([, , , , options]) => options?.open).map(([, path]) => path);

/** At most so many requests in any one second from each caller. The service says how many are left (facts). */
function limitRate(options: AppOptions): MiddlewareHandler<Env> {
  const { rateLimit } = options;
  const requests = new Map<string, number[]>();
  return async (c, next) => {
    const { now } = c.var;
    const isOpen = OPEN_PATHS.includes(c.req.path.replace(API_PREFIX, ''));
    const key = (isOpen ? undefined : identify(options, c)?.key) ?? `address ${c.env.address}`;
    // Requests with a later time do not count: a clock that is set back must not lock a caller out.
    const counted = (requests.get(key) ?? []).filter((time) => time > now - 1_000 && time <= now);
    const isAccepted = counted.length < rateLimit;
    if (isAccepted) counted.push(now);
    requests.set(key, counted);
    c.header('X-RateLimit-Limit', String(rateLimit));
    c.header('X-RateLimit-Remaining', String(rateLimit - counted.length));
    c.header('X-RateLimit-Reset', (((counted[0] ?? now) + 1_000 - now) / 1_000).toFixed(3));
    if (!isAccepted) throw createProblem(429);
    await next();
  };
}

function identify({ store, standIns, rules }: AppOptions, c: AppContext): Caller | undefined {
  const text = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (text === undefined) return undefined;
  const id = standIns.get(text);
  const caller = findCaller(store, id === undefined ? 'hash' : 'id', id ?? hashToken(text), c.var.now);
  // The token was made while the state was served as another kind of service.
  return caller?.holder === 'audit-trail' && !rules.hasAuditTokens ? undefined : caller;
}

/**
 * Answers a request of the route inside a transaction. Of several faults of a request the first in this order decides: 401,
 * 415, 400 for an unknown include, 404 for who may not do it, then what the handler says.
 */
function createHandler(options: AppOptions, [, , operation, handle, route = {}]: Route) {
  const { store, files } = options;
  return async (c: AppContext): Promise<Response> => {
    const { method } = c.req;
    const { now } = c.var;
    const isRead = method === 'GET' || method === 'HEAD';
    const body = parseBody(await c.req.text());
    const prepared = await route.prepare?.(body ?? {});
    const work = (): Answer => {
      const caller = identify(options, c);
      if (caller === undefined && !route.open) throw createProblem(401);
      if (!isRead) assertMediaType(c);
      const include = new Set(isRead ? readQueryList({ url: new URL(c.req.url) }, 'include') : []);
      const isKnown = [...include].every((name) => route.includes?.includes(name));
      if (!isKnown) throw createProblem(400, 'Invalid include parameter');
      const call = createCall(options, c, { caller, body, prepared, include });
      const { organization, team } = operation === undefined ? {} : authorize(call, operation);
      const answer = handle(call, organization as OrganizationRow, team as TeamRow);
      const sql = 'UPDATE tokens SET last_used_at = ? WHERE id = ?';
      if (isUseNoted(caller, now)) store.run(sql, now, caller.tokenId);
      return answer;
    };
    const writes = !isRead || route.writes || isUseNoted(identify(options, c), now);
    const answer = writes ? store.write(work) : store.read(work);
    if (method === 'DELETE') files.removeDiscarded();
    return respond(c, answer);
  };
}

type Asked = Pick<Call, 'include' | 'prepared'> & { caller: Caller | undefined; body: Members | undefined };

function createCall({ store, ids, rules, links }: AppOptions, c: AppContext, asked: Asked): Call {
  const { now, requestId } = c.var;
  const url = new URL(c.req.url);
  const prefix = url.pathname.startsWith(`${API_PREFIX}/`) ? API_PREFIX : '';
  const malformed = { status: '422', title: 'malformed body', detail: 'The request body must be a JSON object' };
  return {
    ...{ store, ids, rules, now, requestId, url, prefix, include: asked.include, prepared: asked.prepared },
    get caller() {
      if (asked.caller === undefined) throw createProblem(401);
      return asked.caller;
    },
    param: (name) => c.req.param(name) ?? '',
    body() {
      if (asked.body === undefined) throw new Problem(422, malformed);
      return asked.body;
    },
    link: (target) => url.origin + links.create(target, now),
  };
}

/** A use of the audit trail token sets when it was last used; one of another token without a person does so once a minute. */
function isUseNoted(caller: Caller | undefined, now: number): caller is Caller {
  if (caller === undefined || caller.holder === 'user') return false;
  return caller.holder === 'audit-trail' || (caller.tokenUsedAt ?? 0) <= now - 60_000;
}

/** Every write needs it, also without a body (facts). */
function assertMediaType(c: AppContext): void {
  const mediaType = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== JSON_API) throw createProblem(415, `The content type of a write must be ${JSON_API}`);
}

function parseBody(text: string): Members | undefined {
  try {
    const body = JSON.parse(text) as unknown;
    return asMembers(body) === body ? asMembers(body) : undefined;
  } catch {
    return undefined;
  }
}

function createUnexpected(error: Error): Problem {
  if (isFull(error)) return createProblem(507, `The sandbox cannot store its state: ${error.message}`);
  const reason = 'Another process has held the state of the sandbox too long';
  return isBusy(error) ? createProblem(503, reason) : createProblem(500);
}

function respond(c: AppContext, { status, body, mediaType = JSON_API }: Answer): Response {
  if (body === undefined) return c.newResponse(null, status as 204);
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(text)) };
  return c.newResponse(text, status as 200, headers);
}
