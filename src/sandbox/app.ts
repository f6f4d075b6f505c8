import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { authorize } from './access.ts';
import { type Answer, asMembers, type Call, JSON_API, type Members, type Route, readQueryList } from './call.ts';
import type { Caller } from './callers.ts';
import { createProblem, Problem } from './errors.ts';
import type { Ids } from './ids.ts';
import type { Rules } from './kinds.ts';
import type { Links } from './links.ts';
import { ROUTES } from './routes/index.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';
import { isBusy, isFull } from './state.ts';
import type { Store } from './store.ts';
import { findCaller, hashToken } from './tokens.ts';

interface AppOptions {
  store: Store;
  ids: Ids;
  rules: Rules;
  links: Links;
  files: { removeDiscarded(): void };
  /** The ids of tokens, by a text that this sandbox takes in place of the token while it is open. */
  standIns: ReadonlyMap<string, string>;
  /** Requests a second from one caller; 0 means any number. */
  rateLimit: number;
  now(): number;
  log(line: string): void;
}

interface Env {
  /** Where the request came from; callers without a token are counted by it. */
  Bindings: { address: string };
  Variables: { requestId: string; now: number };
}

/** Where the service lives below its origin; the same routes answer without it, for a base URL at the root. */
export const API_PREFIX = '/api/v2';

export function createApp(options: AppOptions) {
  const { rules, log } = options;
  const app = new Hono<Env>();
  const limit = createLimiter(options);
  const add = (isOpen: boolean): void => {
    for (const route of ROUTES) {
      const [method, path, , , { documented, hosted, atOrigin, open = false } = {}] = route;
      const isThere = (documented || !rules.documentOnly) && !(hosted && rules.kind === 'enterprise');
      if (!isThere || open !== isOpen) continue;
      const paths = atOrigin ? [path] : [API_PREFIX + path, path];
      if (isOpen)
        app.on(
          method,
          paths,
          limit(() => undefined),
        );
      app.on(method, paths, createHandler(options, route));
    }
  };
  app.onError((error, c) => respond(c, describeError(error, c, log)));
  app.use(async (c, next) => {
    c.set('now', options.now());
    c.set('requestId', options.ids.uuid());
    // The date is that of the sandbox's own clock, like the times in its data.
    const headers = { ...rules.headers, Date: new Date(c.var.now).toUTCString(), 'X-Request-Id': c.var.requestId };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  });
  add(true);
  app.use(limit((c) => identify(options, c)?.key));
  add(false);
  app.notFound((c) => {
    log(`no route for ${c.req.method} ${new URL(c.req.url).pathname}`);
    throw createProblem(404);
  });
  return async (request: Request, address = 'local') => await app.fetch(request, { address });
}

/** At most so many requests in any one second from each caller. The service says how many are left (facts). */
function createLimiter({ rateLimit }: AppOptions) {
  const requests = new Map<string, number[]>();
  return (findKey: (c: Context<Env>) => string | undefined): MiddlewareHandler<Env> =>
    async (c, next) => {
      if (rateLimit === 0) return await next();
      const { now } = c.var;
      const key = findKey(c) ?? `address ${c.env.address}`;
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

function identify({ store, standIns, rules }: AppOptions, c: Context<Env>): Caller | undefined {
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
  return async (c: Context<Env>): Promise<Response> => {
    const { method } = c.req;
    const isRead = method === 'GET' || method === 'HEAD';
    const body = parseBody(await c.req.text());
    const prepared = await route.prepare?.(body ?? {});
    const work = (): Answer => {
      const caller = identify(options, c);
      if (caller === undefined && !route.open) throw createProblem(401);
      if (!isRead) assertMediaType(c);
      const include = isRead ? readQueryList({ url: new URL(c.req.url) }, 'include') : [];
      const isKnown = include?.every((name) => route.includes?.includes(name)) ?? true;
      if (!isKnown) throw createProblem(400, 'Invalid include parameter');
      const call = createCall(options, c, { caller, body, prepared, include: new Set(include) });
      const { organization, team } = operation === undefined ? {} : authorize(call, operation);
      const answer = handle(call, organization as OrganizationRow, team as TeamRow);
      if (isUseNoted(caller, c.var.now)) noteUse(store, caller, c.var.now);
      return answer;
    };
    if (isRead && !route.writes && !isUseNoted(identify(options, c), c.var.now)) return respond(c, store.read(work));
    const answer = store.write(work);
    if (method === 'DELETE') files.removeDiscarded();
    return respond(c, answer);
  };
}

interface Asked extends Pick<Call, 'include' | 'prepared'> {
  caller: Caller | undefined;
  body: Members | undefined;
}

function createCall({ store, ids, rules, links }: AppOptions, c: Context<Env>, asked: Asked): Call {
  const { now, requestId } = c.var;
  const url = new URL(c.req.url);
  const { include, prepared } = asked;
  const prefix = url.pathname.startsWith(`${API_PREFIX}/`) ? API_PREFIX : '';
  return {
    ...{ store, ids, rules, now, requestId, url, prefix, include, prepared },
    get caller() {
      if (asked.caller === undefined) throw createProblem(401);
      return asked.caller;
    },
    param: (name) => c.req.param(name) ?? '',
    body() {
      if (asked.body !== undefined) return asked.body;
      const detail = 'The request body must be a JSON object';
      throw new Problem(422, { status: '422', title: 'malformed body', detail });
    },
    link: (target) => url.origin + links.create(target, now),
  };
}

/** A use of the audit trail token sets when it was last used; one of another token without a person does so once a minute. */
function isUseNoted(caller: Caller | undefined, now: number): caller is Caller {
  if (caller === undefined || caller.holder === 'user') return false;
  return caller.holder === 'audit-trail' || (caller.tokenUsedAt ?? 0) <= now - 60_000;
}

function noteUse(store: Store, { tokenId }: Caller, now: number): void {
  store.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', now, tokenId);
}

/** Every write needs it, also without a body (facts). */
function assertMediaType(c: Context<Env>): void {
  const mediaType = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== JSON_API) throw createProblem(415, `The content type of a write must be ${JSON_API}`);
}

/** Undefined unless it is a JSON object. */
function parseBody(text: string): Members | undefined {
  try {
    const body = JSON.parse(text) as unknown;
    return asMembers(body) === body ? asMembers(body) : undefined;
  } catch {
    return undefined;
  }
}

function describeError(error: Error, c: Context<Env>, log: AppOptions['log']): Answer {
  const problem = error instanceof Problem ? error : createUnexpected(error);
  if (problem !== error) log(`unexpected, at ${c.req.method}: ${error.message}`);
  return { status: problem.status, body: { errors: problem.errors } };
}

function createUnexpected(error: Error): Problem {
  if (isFull(error)) return createProblem(507, `The sandbox cannot store its state: ${error.message}`);
  const isWaiting = isBusy(error);
  return isWaiting
    ? createProblem(503, 'Another process has held the state of the sandbox too long')
    : createProblem(500);
}

function respond(c: Context<Env>, { status, body, mediaType = JSON_API }: Answer): Response {
  if (body === undefined) return c.newResponse(null, status as 204);
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(text)) };
  return c.newResponse(text, status as 200, headers);
}
