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
import { createProblem, Problem } from './errors.ts';
import { createFaultPlan, type Fault } from './faults.ts';
import { FILE_PATH, type Refusal } from './files.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  port: number;
  listen: string;
  /** PEM. Without it the server speaks plain HTTP. */
  tls?: { key: string; cert: string };
  latencyMs?: number;
  faults?: readonly Fault[];
  log?(line: string): void;
}

export type SandboxServer = Awaited<ReturnType<typeof serveSandbox>>;

type Env = { Bindings: HttpBindings };

const MAX_BODY = 1_048_576;

export async function serveSandbox(sandbox: Sandbox, options: ServeOptions) {
  const { listen, log = () => undefined, tls } = options;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const app = new Hono<Env>();
  app.onError((error) => formatError(error instanceof Problem ? error : createProblem(500)));
  app.use(assertHost(listen));
  app.use(injectFaults(options, closing.signal));
  app.all(`${FILE_PATH}*`, (c) => serveFile(sandbox, c));
  app.all('*', (c) => {
    if (Number(c.req.header('content-length') ?? 0) > MAX_BODY) throw createProblem(413);
    return sandbox.handle(c.req.raw, c.env.incoming.socket.remoteAddress);
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    // The upload of a file takes as long as it takes.
    serverOptions: { keepAliveTimeout: 65_000, requestTimeout: 0, ...tls },
    ...(tls && { createServer: (await import('node:https')).createServer }),
  });
  const host = listen.replace(/^\[|\]$/g, '');
  server.listen({ port: options.port, host });
  await once(server, 'listening');
  server.on('error', (error) => log(`a connection could not be taken: ${error.message}`));
  const { port, address } = server.address() as AddressInfo;
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return {
    url: `http${tls ? 's' : ''}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}${API_PREFIX}`,
    port,
    isExposed: !/^(?:::ffff:)?127\.|^::1$/.test(address),
    async close(): Promise<void> {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
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
    const name = new URL(c.req.url).hostname.replace(/^\[|\]$|\.$/g, '');
    const isServed = isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || name === listen.toLowerCase();
    if (!isServed) throw createProblem(421, `This sandbox is not served as ${name}`);
    await next();
  };
}

const PAGE = '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n';

function injectFaults({ faults = [], latencyMs = 0 }: ServeOptions, signal: AbortSignal): MiddlewareHandler<Env> {
  const strike = createFaultPlan(faults);
  return async (c, next) => {
    const { delay: late, action } = strike(c.req.method, new URL(c.req.url).pathname);
    const kind = action?.kind;
    if (kind === 'truncate' && c.req.method === 'PUT') await readHalf(c);
    else if (action?.kind === 'status') c.res = formatError(createProblem(action.status));
    else if (kind === 'html') c.res = new Response(PAGE, { status: 502, headers: { 'content-type': 'text/html' } });
    else if (kind !== 'reset-before') await next();
    if (late + latencyMs > 0) await delay(late + latencyMs, undefined, { signal });
    if (kind === 'truncate') await sendHalf(c);
    else if (kind === 'reset-before' || kind === 'reset-after-commit') c.env.incoming.socket.destroy();
    else return;
    c.res = undefined;
    c.res = RESPONSE_ALREADY_SENT;
  };
}

async function sendHalf({ res, env: { outgoing } }: Context<Env>): Promise<void> {
  const body = Buffer.from(await res.arrayBuffer());
  if (body.length === 0) return void outgoing.destroy();
  outgoing.writeHead(res.status, { ...Object.fromEntries(res.headers), 'content-length': body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
}

async function readHalf({ env: { incoming } }: Context<Env>): Promise<void> {
  let rest = Number(incoming.headers['content-length'] ?? 0) / 2;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    rest -= chunk.length;
    if (rest <= 0) break;
  }
}

async function serveFile({ files }: Sandbox, c: Context<Env>): Promise<Response> {
  const { method, path } = c.req;
  const asked = { method, path, authorization: c.req.header('authorization') };
  if (method === 'PUT') return formatRefusal(await files.receive(asked, c.env.incoming));
  const found = method === 'GET' || method === 'HEAD' ? files.find(asked) : { status: 404 };
  if ('status' in found) return formatRefusal(found);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(found.size) };
  const content = method === 'HEAD' ? null : Readable.toWeb(createReadStream(found.path));
  return new Response(content as ReadableStream | null, { headers });
}

function formatRefusal(refusal: Refusal | undefined): Response {
  if (refusal === undefined) return new Response(null, { headers: { 'content-length': '0' } });
  return formatError(createProblem(refusal.status, refusal.detail));
}
