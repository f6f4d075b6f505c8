import { once, setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopback, isServedAs, withoutBrackets } from './allowed-hosts.ts';
import type { Tls } from './certificate.ts';
import { createFaultPlan, type Fault, type FaultAction, type Strike } from './faults.ts';
import type { FileRequest, Refusal } from './file-service.ts';
import { type HttpResponse, readBody, toErrorResponse, toFaultResponse, toRequest, toTarget } from './http.ts';
import { FILE_PATH } from './links.ts';
import { API_PREFIX } from './router.ts';
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

const KEEP_ALIVE = 65_000;

/** Rejects with the error of listening, such as a port in use. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions) {
  const { faults = [], latencyMs = 0, listen, log = () => undefined, tls } = options;
  const closing = new AbortController();
  // Every delayed answer listens to the signal.
  setMaxListeners(0, closing.signal);
  const setup: Setup = { sandbox, latencyMs, listen, strike: createFaultPlan(faults), closing: closing.signal };
  // The upload of a file takes as long as it takes.
  const usual = { keepAliveTimeout: KEEP_ALIVE, requestTimeout: 0 };
  const server =
    tls === undefined ? createServer(usual) : (await import('node:https')).createServer({ ...usual, ...tls });
  server.on('request', (request, response) => {
    serve(setup, request, response).catch(() => fail(request, response));
  });
  server.listen({ port: options.port, host: withoutBrackets(listen) });
  await once(server, 'listening');
  server.on('error', (error) => log(`a connection could not be taken: ${error.message}`));
  const { port, address } = server.address() as AddressInfo;
  return {
    /** The base URL, `/api/v2` included. */
    url: `${tls === undefined ? 'http' : 'https'}://${toReachableHost(listen)}:${port}${API_PREFIX}`,
    port,
    isExposed: !isLoopback(address),
    /** Cuts the connections that are open. */
    async close(): Promise<void> {
      closing.abort();
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Setup {
  readonly sandbox: Sandbox;
  readonly latencyMs: number;
  readonly listen: string;
  readonly strike: (method: string, path: string) => Strike;
  readonly closing: AbortSignal;
}

interface Admitted {
  readonly target: URL;
  readonly action: FaultAction | undefined;
  /** Waits for as long as latency and faults say. */
  wait(): Promise<void>;
}

/** Undefined where the request was answered or cut already, before anything of its body was read. */
async function admit(setup: Setup, request: IncomingMessage, response: ServerResponse): Promise<Admitted | undefined> {
  const { latencyMs, strike, listen, closing } = setup;
  const { method = 'GET', socket } = request;
  const target = toTarget(request);
  if (target === undefined) {
    send(response, closeAfter(toErrorResponse(400)));
    return undefined;
  }
  if (!isServedAs(target.host, listen)) {
    send(response, toErrorResponse(421, `This sandbox is not served as ${target.hostname}`));
    return undefined;
  }
  // A Request with this method cannot be made; no route has it either.
  if (method === 'TRACE') {
    send(response, toErrorResponse(404));
    return undefined;
  }
  const struck: Strike = strike(method, target.pathname);
  const wait = async (): Promise<void> => {
    if (latencyMs + struck.delay > 0) await delay(latencyMs + struck.delay, undefined, { signal: closing });
  };
  if (struck.action?.kind !== 'reset-before') return { target, action: struck.action, wait };
  await wait();
  socket.destroy();
  return undefined;
}

async function serve(setup: Setup, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const admitted = await admit(setup, request, response);
  if (admitted === undefined) return;
  if (admitted.target.pathname.startsWith(FILE_PATH)) return await serveFile(setup, admitted, request, response);
  const { target, action, wait } = admitted;
  const { socket } = request;
  const body = await readBody(request);
  if (body === undefined) return send(response, closeAfter(toErrorResponse(413)));
  const answer =
    toFaultResponse(action) ??
    (await toHttpResponse(await setup.sandbox.handle(toRequest(request, target, body), socket.remoteAddress)));
  await wait();
  if (action?.kind === 'reset-after-commit') socket.destroy();
  else if (action?.kind === 'truncate') sendHalf(response, answer);
  else send(response, answer);
}

/** A link says which file is sent or fetched. No file is held whole in memory. */
async function serveFile(
  setup: Setup,
  { target, action, wait }: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers, socket } = request;
  const asked: FileRequest = { method, path: target.pathname, authorization: headers.authorization };
  const fault = toFaultResponse(action);
  const receive = async (body: AsyncIterable<Buffer>): Promise<Refusal | undefined> =>
    fault === undefined ? await setup.sandbox.files.receive(asked, body) : undefined;
  const isUpload = method === 'PUT';
  if (isUpload && action?.kind === 'truncate') return await cutHalfway(request);
  if (fault === undefined && ['GET', 'HEAD'].includes(method)) {
    const found = setup.sandbox.files.find(asked);
    await wait();
    if ('path' in found) return await sendFile(response, found, action);
    return send(response, toErrorResponse(found.status, found.detail));
  }
  // Leaving the loop must not destroy the request: the connection still carries the answer.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  // Assumed: the address of a file answers 404 to every method but PUT, GET and HEAD.
  const refusal: Refusal | undefined = isUpload ? await receive(body) : { status: 404 };
  // The server reads a refused body to its end: a client that still writes does not see an answer.
  if (!request.readableEnded) for await (const _ of request.iterator({ destroyOnReturn: false }));
  await wait();
  if (action?.kind === 'reset-after-commit') return void socket.destroy();
  send(response, fault ?? (refusal === undefined ? EMPTY : toErrorResponse(refusal.status, refusal.detail)));
}

const EMPTY: HttpResponse = { status: 200, headers: { 'content-length': '0' }, body: Buffer.alloc(0) };

/** Cuts the connection once half of the body has come. */
async function cutHalfway(request: IncomingMessage): Promise<void> {
  const half = Number(request.headers['content-length'] ?? 0) / 2;
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length >= half) break;
  }
  request.socket.destroy();
}

async function sendFile(
  response: ServerResponse,
  { path, size }: { readonly path: string; readonly size: number },
  action: FaultAction | undefined,
): Promise<void> {
  if (action?.kind === 'reset-after-commit') return void response.destroy();
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(size) });
  if (response.req.method === 'HEAD') return void response.end();
  const sent = action?.kind === 'truncate' ? Math.floor(size / 2) : size;
  if (sent > 0) await pipeline(createReadStream(path, { end: sent - 1 }), response, { end: sent === size });
  if (sent === size) response.end();
  else response.destroy();
}

function closeAfter(answer: HttpResponse): HttpResponse {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

async function toHttpResponse(answer: Response): Promise<HttpResponse> {
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.writeHead(status, headers);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function sendHalf(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (body.length === 0) return void response.destroy();
  response.writeHead(status, headers);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

function fail(request: IncomingMessage, response: ServerResponse): void {
  // Nothing is sent to a client that has gone, or that has the answer that its request is malformed.
  if (response.headersSent || response.destroyed || !request.complete) response.destroy();
  else send(response, toErrorResponse(500));
}

function toReachableHost(listen: string): string {
  const host = withoutBrackets(listen);
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
