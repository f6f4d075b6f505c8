import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type AddressInfo, isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { API_PREFIX } from './app.ts';
import { MEDIA_TYPE } from './context.ts';
import { createHttpError, HttpError } from './errors.ts';
import { createFaultMatcher, type Fault } from './faults.ts';
import { FILE_PATH } from './files.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  port: number;
  listen: string;
  /** PEM. Without it the server speaks plain HTTP. */
  tls?: { key: string; cert: string };
  latencyMs?: number;
  faults?: Fault[];
  log?(line: string): void;
}

export type SandboxServer = Awaited<ReturnType<typeof serveSandbox>>;

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
  app.onError((error) => formatError(error instanceof HttpError ? error : createHttpError(500)));
  app.use(assertHost(options.listen));
  app.use(injectFaults(options));
  app.all(`${FILE_PATH}*`, (c) => serveFile(sandbox, c));
  app.all('*', (c) => {
    if (Number(c.req.header('content-length') ?? 0) > MAX_BODY) throw createHttpError(413);
    return sandbox.handle(c.req.raw, c.env.incoming.socket.remoteAddress);
  });
  return app;
}

function formatError({ status, errors }: HttpError): Response {
  const headers = new Headers({ 'content-type': MEDIA_TYPE });
  if (status === 429 || status === 503) headers.set('retry-after', '1');
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

const HTML = '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n';

function injectFaults({ faults = [], latencyMs = 0 }: ServeOptions): MiddlewareHandler<Env> {
  const findFault = createFaultMatcher(faults);
  return async (c, next) => {
    const { delay: delayMs, action } = findFault(c.req.method, new URL(c.req.url).pathname);
    const kind = action?.kind;
    if (kind === 'truncate' && c.req.method === 'PUT') await readHalf(c);
    else if (action?.kind === 'status') c.res = formatError(createHttpError(action.status));
    else if (kind === 'html') c.res = new Response(HTML, { status: 502, headers: { 'content-type': 'text/html' } });
    else if (kind !== 'reset-before') await next();
    if (delayMs + latencyMs > 0) await delay(delayMs + latencyMs, undefined, { ref: false });
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
  const request = { method, path, authorization: c.req.header('authorization') };
  if (method === 'PUT') {
    await files.receive(request, c.env.incoming);
    return new Response(null, { headers: { 'content-length': '0' } });
  }
  if (method !== 'GET' && method !== 'HEAD') throw createHttpError(404);
  const file = files.find(request);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(file.size) };
  const content = method === 'HEAD' ? null : Readable.toWeb(createReadStream(file.path));
  return new Response(content as ReadableStream | null, { headers });
}
