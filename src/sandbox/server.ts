import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { findRefusal, isLoopback } from './allowed-hosts.ts';
import { createFaultPlan, type Fault, type Strike } from './faults.ts';
import { type HttpResponse, readBody, toErrorResponse, toFaultResponse, toRequest, toTarget } from './http.ts';
import { API_PREFIX, CONTROL_PREFIX } from './router.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  port: number;
  listen: string;
  latencyMs?: number;
  faults?: readonly Fault[];
  /** Names it may be asked by, besides `localhost`, addresses, and what it listens on. */
  allowHosts?: readonly string[];
  limits?: Partial<ServeLimits>;
  /** Called with what goes wrong outside of any request. Nothing secret. */
  log?(line: string): void;
}

export type SandboxServer = Awaited<ReturnType<typeof serveSandbox>>;

/** Milliseconds, but for `connections`. */
interface ServeLimits {
  /** From the start of a request to the end of its headers. */
  readonly headers: number;
  /** To the end of its body. */
  readonly request: number;
  /** How often these two are checked. */
  readonly check: number;
  /** Until a client that does not take its answer is cut. */
  readonly answer: number;
  /** At the same time; more are cut. */
  readonly connections: number;
}

const KEEP_ALIVE = 65_000;
const LIMITS: ServeLimits = { headers: 20_000, request: 60_000, check: 5_000, answer: 60_000, connections: 2_000 };

/** Rejects with the error of listening, such as a port in use. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions) {
  const { allowHosts = [], faults = [], latencyMs = 0, log = () => undefined } = options;
  const limits = { ...LIMITS, ...options.limits };
  const closing = new AbortController();
  // Every answer that is delayed listens.
  setMaxListeners(0, closing.signal);
  const setup: Setup = {
    sandbox,
    latencyMs,
    strike: createFaultPlan(faults),
    names: [options.listen, ...allowHosts],
    closing: closing.signal,
    answerTimeout: limits.answer,
  };
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    // Checked in toTarget: Node's own answer has no body.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => {
    latest.set(request.socket, response);
    serve(setup, request, response).catch(() => fail(setup, request, response));
  });
  server.on('clientError', (error, socket) => refuse(socket, error, latest.get(socket)));
  server.listen({ port: options.port, host: withoutBrackets(options.listen) });
  await once(server, 'listening');
  server.on('error', (error) => log(`a connection could not be taken: ${error.message}`));
  const { port, address } = server.address() as AddressInfo;
  return {
    /** The base URL, `/api/v2` included. */
    url: `http://${toReachableHost(options.listen)}:${port}${API_PREFIX}`,
    port,
    isExposed: !isLoopback(address),
    /** Cuts the connections that are open. */
    close: () =>
      new Promise<void>((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Setup {
  readonly sandbox: Sandbox;
  readonly latencyMs: number;
  readonly strike: (method: string, path: string) => Strike;
  readonly names: readonly string[];
  readonly closing: AbortSignal;
  readonly answerTimeout: number;
}

async function serve(setup: Setup, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { sandbox, latencyMs, strike, names, closing } = setup;
  const { method = 'GET', headers, socket } = request;
  const target = toTarget(request);
  if (target === undefined) return send(setup, response, closeAfter(toErrorResponse(400)));
  const { origin, 'sec-fetch-site': fetchSite } = headers;
  const refusal = findRefusal({ host: target.host, origin, fetchSite: fetchSite?.toString() }, names);
  if (refusal !== undefined) return send(setup, response, toErrorResponse(refusal.status, refusal.detail));
  // A Request with this method cannot be made; no route has it either.
  if (method === 'TRACE') return send(setup, response, toErrorResponse(404));
  const isControl = target.pathname.startsWith(CONTROL_PREFIX);
  const struck: Strike = isControl ? { delay: 0, action: undefined } : strike(method, target.pathname);
  const wait = async (): Promise<void> => {
    if (latencyMs + struck.delay > 0) await delay(latencyMs + struck.delay, undefined, { signal: closing });
  };
  if (struck.action?.kind === 'reset-before') return await wait().then(() => void socket.destroy());
  const body = await readBody(request);
  if (body === undefined) return send(setup, response, closeAfter(toErrorResponse(413)));
  const answer =
    toFaultResponse(struck.action) ??
    (await toHttpResponse(await sandbox.handle(toRequest(request, target, body), socket.remoteAddress)));
  await wait();
  if (struck.action?.kind === 'reset-after-commit') socket.destroy();
  else if (struck.action?.kind === 'truncate') sendHalf(response, answer);
  else send(setup, response, answer);
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
  // Without a listener of ours, the server cuts the connection then.
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
  // Where the client has gone, or has been answered already that its request is none, nothing more is sent.
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

/** Codes of Node's parser; all others are a malformed request. */
const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function toReachableHost(listen: string): string {
  const host = withoutBrackets(listen);
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
