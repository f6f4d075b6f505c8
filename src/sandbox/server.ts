import { once, setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { findRefusal, isLoopback, withoutBrackets } from './allowed-hosts.ts';
import type { Tls } from './certificate.ts';
import { createFaultPlan, type Fault, type FaultAction, type Strike } from './faults.ts';
import type { FileRequest, Refusal } from './file-service.ts';
import { type HttpResponse, readBody, toErrorResponse, toFaultResponse, toRequest, toTarget } from './http.ts';
import { API_PREFIX, CONTROL_PREFIX } from './router.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  port: number;
  listen: string;
  /** Where files are sent to and fetched from; any free one when absent. */
  filePort?: number;
  /** Without it the server speaks plain HTTP. */
  tls?: Tls;
  latencyMs?: number;
  faults?: readonly Fault[];
  /** Names that clients may use, besides `localhost`, addresses, and what the server listens on. */
  allowHosts?: readonly string[];
  limits?: Partial<ServeLimits>;
  /** Called with what goes wrong outside of any request. Nothing secret. */
  log?(line: string): void;
}

export type SandboxServer = Awaited<ReturnType<typeof serveSandbox>>;

/** All but `connections` are milliseconds. */
interface ServeLimits {
  /** From the start of a request to the end of its headers. */
  readonly headers: number;
  /** To the end of its body. */
  readonly request: number;
  /** To the end of a body that is a file. */
  readonly file: number;
  /** How often these two are checked. */
  readonly check: number;
  /** Until a client that does not take its answer is cut. */
  readonly answer: number;
  /** How many there may be at the same time; more are cut. */
  readonly connections: number;
}

const KEEP_ALIVE = 65_000;
const LIMITS: ServeLimits = {
  headers: 20_000,
  request: 60_000,
  file: 3_600_000,
  check: 5_000,
  answer: 60_000,
  connections: 2_000,
};

/** Rejects with the error of listening, such as a port in use. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions) {
  const { allowHosts = [], faults = [], latencyMs = 0, log = () => undefined } = options;
  const limits = { ...LIMITS, ...options.limits };
  const closing = new AbortController();
  // Every delayed answer listens to the signal.
  setMaxListeners(0, closing.signal);
  const setup: Setup = {
    sandbox,
    latencyMs,
    strike: createFaultPlan(faults),
    names: [options.listen, ...allowHosts],
    closing: closing.signal,
    answerTimeout: limits.answer,
  };
  const servers: Server[] = [];
  const listen = async (port: number, limit: number, handle: Handler): Promise<AddressInfo> => {
    const server = await createListener(setup, { ...limits, request: limit }, handle, options.tls);
    servers.push(server);
    server.listen({ port, host: withoutBrackets(options.listen) });
    await once(server, 'listening');
    server.on('error', (error) => log(`a connection could not be taken: ${error.message}`));
    return server.address() as AddressInfo;
  };
  /** Cuts the connections that are open. */
  const close = async (): Promise<void> => {
    closing.abort();
    const closed = servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve())));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  let announceFilePort: (port: number) => void = () => undefined;
  const filePort = new Promise<number>((resolve) => {
    announceFilePort = resolve;
  });
  const serveApi: Handler = async (...exchange) => await serve(await filePort, ...exchange);
  try {
    // The API takes its port first: the port of the files may be any other.
    const { port, address } = await listen(options.port, limits.request, serveApi);
    const files = await listen(options.filePort ?? 0, limits.file, serveFile);
    announceFilePort(files.port);
    const host = toReachableHost(options.listen);
    const scheme = options.tls === undefined ? 'http' : 'https';
    return {
      /** The base URL, `/api/v2` included. */
      url: `${scheme}://${host}:${port}${API_PREFIX}`,
      port,
      /** The origin of the files. */
      fileUrl: `${scheme}://${host}:${files.port}`,
      isExposed: !isLoopback(address),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Handler = (setup: Setup, request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function createListener(
  setup: Setup,
  limits: ServeLimits,
  handle: Handler,
  tls: Tls | undefined,
): Promise<Server> {
  const usual = {
    keepAliveTimeout: KEEP_ALIVE,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    // `toTarget` checks the header, since Node's own answer to a request without it has no body.
    requireHostHeader: false,
  };
  const server = tls === undefined ? createServer(usual) : await createTlsServer({ ...usual, ...tls });
  server.maxConnections = limits.connections;
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => {
    latest.set(request.socket, response);
    handle(setup, request, response).catch(() => fail(setup, request, response));
  });
  server.on('clientError', (error, socket) => refuse(socket, error, latest.get(socket)));
  return server;
}

interface Setup {
  readonly sandbox: Sandbox;
  readonly latencyMs: number;
  readonly strike: (method: string, path: string) => Strike;
  readonly names: readonly string[];
  readonly closing: AbortSignal;
  readonly answerTimeout: number;
}

async function createTlsServer(options: ServerOptions): Promise<Server> {
  const https = await import('node:https');
  return https.createServer(options);
}

interface Admitted {
  readonly target: URL;
  readonly action: FaultAction | undefined;
  /** Waits for as long as latency and faults say. */
  wait(): Promise<void>;
}

/** Undefined where the request was answered or cut already, before anything of its body was read. */
async function admit(setup: Setup, request: IncomingMessage, response: ServerResponse): Promise<Admitted | undefined> {
  const { latencyMs, strike, names, closing } = setup;
  const { method = 'GET', headers, socket } = request;
  const target = toTarget(request);
  if (target === undefined) {
    send(setup, response, closeAfter(toErrorResponse(400)));
    return undefined;
  }
  const { origin, 'sec-fetch-site': fetchSite } = headers;
  const refusal = findRefusal({ host: target.host, origin, fetchSite: fetchSite?.toString() }, names);
  if (refusal !== undefined) {
    send(setup, response, toErrorResponse(refusal.status, refusal.detail));
    return undefined;
  }
  // A Request with this method cannot be made; no route has it either.
  if (method === 'TRACE') {
    send(setup, response, toErrorResponse(404));
    return undefined;
  }
  const isControl = target.pathname.startsWith(CONTROL_PREFIX);
  const struck: Strike = isControl ? { delay: 0, action: undefined } : strike(method, target.pathname);
  const wait = async (): Promise<void> => {
    if (latencyMs + struck.delay > 0) await delay(latencyMs + struck.delay, undefined, { signal: closing });
  };
  if (struck.action?.kind !== 'reset-before') return { target, action: struck.action, wait };
  await wait();
  socket.destroy();
  return undefined;
}

async function serve(
  filePort: number,
  setup: Setup,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const admitted = await admit(setup, request, response);
  if (admitted === undefined) return;
  const { target, action, wait } = admitted;
  const { socket } = request;
  const body = await readBody(request);
  if (body === undefined) return send(setup, response, closeAfter(toErrorResponse(413)));
  const connection = { address: socket.remoteAddress, filePort };
  const answer =
    toFaultResponse(action) ??
    (await toHttpResponse(await setup.sandbox.handle(toRequest(request, target, body), connection)));
  await wait();
  if (action?.kind === 'reset-after-commit') socket.destroy();
  else if (action?.kind === 'truncate') sendHalf(response, answer);
  else send(setup, response, answer);
}

/** Answers at the origin of the files: a link says which file is sent or fetched. No file is held whole in memory. */
async function serveFile(setup: Setup, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const admitted = await admit(setup, request, response);
  if (admitted === undefined) return;
  const { target, action, wait } = admitted;
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
    if ('path' in found) return await sendFile(setup, response, found, action);
    return send(setup, response, toErrorResponse(found.status, found.detail));
  }
  // Leaving the loop must not destroy the request: the connection still carries the answer.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  // Assumed: the address of a file answers 404 to every method but PUT, GET and HEAD.
  const refusal: Refusal | undefined = isUpload ? await receive(body) : { status: 404 };
  // The server reads a refused body to its end: a client that still writes does not see an answer.
  if (!request.readableEnded) for await (const _ of request.iterator({ destroyOnReturn: false }));
  await wait();
  if (action?.kind === 'reset-after-commit') return void socket.destroy();
  send(setup, response, fault ?? (refusal === undefined ? EMPTY : toErrorResponse(refusal.status, refusal.detail)));
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
  setup: Setup,
  response: ServerResponse,
  { path, size }: { readonly path: string; readonly size: number },
  action: FaultAction | undefined,
): Promise<void> {
  if (action?.kind === 'reset-after-commit') return void response.destroy();
  response.setTimeout(setup.answerTimeout);
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

function send(setup: Setup, response: ServerResponse, { status, headers, body }: HttpResponse): void {
  // The timeout has no listener: then Node cuts the connection.
  response.setTimeout(setup.answerTimeout);
  response.writeHead(status, headers);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function sendHalf(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (body.length === 0) return void response.destroy();
  response.writeHead(status, headers);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

function fail(setup: Setup, request: IncomingMessage, response: ServerResponse): void {
  // Nothing is sent to a client that has gone, or that has the answer that its request is malformed.
  if (response.headersSent || response.destroyed || !request.complete) response.destroy();
  else send(setup, response, toErrorResponse(500));
}

/** Answers bytes that are no request, or that take too long to become one. `last`: the answer before, on this connection. */
function refuse(socket: Duplex, error: NodeJS.ErrnoException, last: ServerResponse | undefined): void {
  const { status, headers, body } = closeAfter(toErrorResponse(CLIENT_ERRORS[error.code ?? ''] ?? 400));
  const end = (): void => {
    if (!socket.writable) return void socket.destroy();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body.toString()].join('\r\n'));
  };
  const isPending = last?.req.complete === true && !last.writableFinished && !last.destroyed;
  // Otherwise this answer would be taken for the one before.
  if (isPending) last.once('finish', end);
  else end();
}

/** The codes of Node's parser that do not mean a malformed request. */
const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

function toReachableHost(listen: string): string {
  const host = withoutBrackets(listen);
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
