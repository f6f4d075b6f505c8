import { once, setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { type AddressInfo, isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { API_PREFIX } from './app.ts';
import { JSON_API } from './call.ts';
import type { Tls } from './certificate.ts';
import { createProblem, Problem } from './errors.ts';
import { createFaultPlan, type Fault } from './faults.ts';
import type { FileRequest, Refusal } from './files.ts';
import { FILE_PATH } from './links.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  port: number;
  listen: string;
  /** Without it the server speaks plain HTTP. */
  tls?: Tls;
  latencyMs?: number;
  faults?: readonly Fault[];
  /** Called with what goes wrong outside of any request. Nothing secret. */
  log?(line: string): void;
}

export type SandboxServer = Awaited<ReturnType<typeof serveSandbox>>;

type Env = { Bindings: HttpBindings };

const MAX_BODY = 1_048_576;

/** Rejects with the error of listening, such as a port in use. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions) {
  const { listen, log = () => undefined, tls } = options;
  const closing = new AbortController();
  // Every delayed answer listens to the signal.
  setMaxListeners(0, closing.signal);
  const app = new Hono<Env>();
  app.onError((error) => formatError(error instanceof Problem ? error : createProblem(500)));
  app.use(assertHost(listen));
  app.use(injectFaults(options, closing.signal));
  app.all(`${FILE_PATH}*`, (c) => serveFile(sandbox, c));
  app.use(limitBody);
  app.all('*', (c) => sandbox.handle(c.req.raw, c.env.incoming.socket.remoteAddress));
  const host = listen.replace(/^\[|\]$/g, '');
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    // The upload of a file takes as long as it takes.
    serverOptions: { keepAliveTimeout: 65_000, requestTimeout: 0, ...tls },
    ...(tls && { createServer: (await import('node:https')).createServer }),
  });
  server.listen({ port: options.port, host });
  await once(server, 'listening');
  server.on('error', (error) => log(`a connection could not be taken: ${error.message}`));
  const { port, address } = server.address() as AddressInfo;
  return {
    /** The base URL, `/api/v2` included. */
    url: `${tls === undefined ? 'http' : 'https'}://${findReachableHost(host)}:${port}${API_PREFIX}`,
    port,
    isExposed: !/^(?:::ffff:)?127\.|^::1$/.test(address),
    /** Cuts the connections that are open. */
    async close(): Promise<void> {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function findReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function formatError({ status, errors }: Problem): Response {
  const headers = {
    'content-type': JSON_API,
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
    ...(status === 429 ? { 'x-ratelimit-reset': '1.000' } : {}),
  };
  return new Response(JSON.stringify({ errors }), { status, headers });
}

/** Keeps web pages out, whose owner can point a name to 127.0.0.1. */
function assertHost(listen: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    const name = new URL(c.req.url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const isServed = isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || name === listen.toLowerCase();
    if (!isServed) throw createProblem(421, `This sandbox is not served as ${name}`);
    await next();
  };
}

/** Breaks answers as it was asked for, and makes them late. */
function injectFaults({ faults = [], latencyMs = 0 }: ServeOptions, signal: AbortSignal): MiddlewareHandler<Env> {
  const strike = createFaultPlan(faults);
  return async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const { delay: late, action } = strike(c.req.method, pathname);
    if (action?.kind === 'truncate' && c.req.method === 'PUT') await readHalf(c);
    else if (action?.kind === 'status') c.res = formatError(createProblem(action.status));
    else if (action?.kind === 'html') c.res = createProxyPage();
    else if (action?.kind !== 'reset-before') await next();
    if (late + latencyMs > 0) await delay(late + latencyMs, undefined, { signal });
    if (action?.kind === 'truncate') await sendHalf(c);
    else if (action?.kind === 'reset-before' || action?.kind === 'reset-after-commit') c.env.incoming.socket.destroy();
    else return;
    c.res = undefined;
    c.res = RESPONSE_ALREADY_SENT;
  };
}

function createProxyPage(): Response {
  const page = '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n';
  return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
}

/** The headers of the answer and half of its body, and cuts the connection. */
async function sendHalf(c: Context<Env>): Promise<void> {
  const { outgoing } = c.env;
  const body = Buffer.from(await c.res.arrayBuffer());
  if (body.length === 0) outgoing.destroy();
  else {
    outgoing.writeHead(c.res.status, { ...Object.fromEntries(c.res.headers), 'content-length': body.length });
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  }
}

async function readHalf({ env: { incoming } }: Context<Env>): Promise<void> {
  let rest = Number(incoming.headers['content-length'] ?? 0) / 2;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    rest -= chunk.length;
    if (rest <= 0) break;
  }
}

const limitBody: MiddlewareHandler<Env> = async (c, next) => {
  if (Number(c.req.header('content-length') ?? 0) > MAX_BODY) throw createProblem(413);
  await next();
};

/** A link says which file is sent or fetched. No file is held whole in memory. */
async function serveFile({ files }: Sandbox, c: Context<Env>): Promise<Response> {
  const { method } = c.req;
  const asked: FileRequest = { method, path: c.req.path, authorization: c.req.header('authorization') };
  if (method === 'PUT') return formatRefusal(await files.receive(asked, c.env.incoming));
  if (method !== 'GET' && method !== 'HEAD') return formatRefusal({ status: 404 });
  const found = files.find(asked);
  if ('status' in found) return formatRefusal(found);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(found.size) };
  const content = method === 'HEAD' ? null : Readable.toWeb(createReadStream(found.path));
  return new Response(content as ReadableStream | null, { headers });
}

function formatRefusal(refusal: Refusal | undefined): Response {
  if (refusal === undefined) return new Response(null, { headers: { 'content-length': '0' } });
  return formatError(createProblem(refusal.status, refusal.detail));
}
