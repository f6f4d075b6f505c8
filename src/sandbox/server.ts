import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { API_PREFIX } from './app.ts';
import { MEDIA_TYPE } from './context.ts';
import { createHttpError, type HttpError, normalizeError } from './errors.ts';
import { createFaultMatcher, type Fault, type FaultAction } from './faults.ts';
import { FILE_PATH } from './files.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  port: number;
  listen: string;
  /** PEM. Without it the server speaks plain HTTP. */
  tls?: { key: string; cert: string };
  faults?: Fault[];
  log?(line: string): void;
}

type Env = { Bindings: HttpBindings };

const MAX_BODY = 1_048_576;

export async function serveSandbox(sandbox: Sandbox, options: ServeOptions) {
  const { log = () => undefined, tls } = options;
  const server = createAdaptorServer({
    fetch: createServerApp(sandbox, options).fetch,
    overrideGlobalObjects: false,
    // An upload may take longer than any limit.
    serverOptions: { keepAliveTimeout: 65_000, requestTimeout: 0, ...tls },
    createServer: tls && (await import('node:https')).createServer,
  });
  const host = options.listen.replace(/^\[|\]$/g, '');
  server.listen({ port: options.port, host });
  await once(server, 'listening');
  server.on('error', (error) => log(`can't accept a connection: ${error.message}`));
  const { port, address } = server.address() as AddressInfo;
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return {
    url: `http${tls ? 's' : ''}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}${API_PREFIX}`,
    port,
    isExposed: !/^(?:::ffff:)?127\.|^::1$/.test(address),
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function createServerApp(sandbox: Sandbox, options: ServeOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error) => formatError(normalizeError(error)));
  app.use(assertHost(options.listen));
  app.use(injectFaults(options));
  app.all(`${FILE_PATH}*`, (c) => serveFile(sandbox, c));
  app.all('*', async (c) => sandbox.handle(await readRequest(c), c.env.incoming.socket.remoteAddress));
  return app;
}

/** Throws 413. A body in chunks does not say its length. */
async function readRequest({ req, env: { incoming } }: Context<Env>): Promise<Request> {
  if (req.method === 'GET' || req.method === 'HEAD') return req.raw;
  let body = Buffer.alloc(0);
  // The connection stays open, for an answer to half a request.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    body = Buffer.concat([body, chunk]);
    if (body.length > MAX_BODY) throw createHttpError(413);
  }
  return new Request(req.url, { method: req.method, headers: req.raw.headers, body });
}

function formatError({ status, errors }: HttpError): Response {
  const headers = new Headers({ 'content-type': MEDIA_TYPE });
  if (status === 429 || status === 503) headers.set('retry-after', '1');
  if (status === 413) headers.set('connection', 'close');
  if (status === 429) headers.set('x-ratelimit-reset', '1.000');
  return new Response(JSON.stringify({ errors }), { status, headers });
}

/** The owner of a web page can point its host name to 127.0.0.1. */
function assertHost(listen: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    const name = new URL(c.req.url).hostname.replace(/^\[|\]$|\.$/g, '');
    const isServed = isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || name === listen.toLowerCase();
    if (!isServed) throw createHttpError(421, `This sandbox is not served as ${name}`);
    await next();
  };
}

function createPage(status: number): Response {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const html = `<html><head><title>${title}</title></head><body>${title}</body></html>\n`;
  return new Response(html, { status, headers: { 'content-type': 'text/html' } });
}

function injectFaults({ faults = [] }: ServeOptions): MiddlewareHandler<Env> {
  const findActions = createFaultMatcher(faults);
  return async (c, next) => {
    const actions = findActions(c.req.method, new URL(c.req.url).pathname);
    const has = (kind: FaultAction['kind']): boolean => actions.some((action) => action.kind === kind);
    const page = actions.find((action) => action.kind === 'status' || action.kind === 'html');
    if (page?.kind === 'status') c.res = formatError(createHttpError(page.status));
    else if (page !== undefined) c.res = createPage(page.status);
    else if (!has('reset-before')) await next();
    const changes = actions.filter((action) => action.kind === 'with');
    if (changes.length > 0) await changeResponse(c, changes);
    const delays = actions.map((action) => (action.kind === 'delay' ? action.milliseconds : 0));
    const delayMs = delays.reduce((sum, each) => sum + each, 0);
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    if (has('truncate')) await sendHalf(c);
    else if (has('reset-before') || has('reset-after-commit')) c.env.incoming.socket.destroy();
    else return;
    c.res = undefined;
    c.res = RESPONSE_ALREADY_SENT;
  };
}

async function changeResponse(c: Context<Env>, changes: { members: string[]; value: unknown }[]): Promise<void> {
  const isJson = c.res.headers.get('content-type')?.includes('json');
  if (!isJson) return;
  let text = await c.res.text();
  for (const { members, value: shown } of changes) {
    text = JSON.stringify(JSON.parse(text, (name, value) => (members.includes(name) ? shown : value)));
  }
  const response = new Response(text, c.res);
  response.headers.set('content-length', String(Buffer.byteLength(text)));
  // Hono would keep the length of the response that it has.
  c.res = undefined;
  c.res = response;
}

async function sendHalf({ res, env: { outgoing } }: Context<Env>): Promise<void> {
  const body = Buffer.from(await res.arrayBuffer());
  if (body.length === 0) return void outgoing.destroy();
  outgoing.writeHead(res.status, { ...Object.fromEntries(res.headers), 'content-length': body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
}

async function serveFile({ files }: Sandbox, c: Context<Env>): Promise<Response> {
  const { method, path } = c.req;
  const request = { method, path, authorization: c.req.header('authorization') };
  if (method === 'PUT') {
    await files.receive(request, c.env.incoming);
    return new Response(null, { headers: { 'content-length': '0' } });
  }
  if (method !== 'GET' && method !== 'HEAD') throw createHttpError(404);
  const file = files.find(request);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(file.size) };
  return new Response(method === 'HEAD' ? null : file, { headers });
}
