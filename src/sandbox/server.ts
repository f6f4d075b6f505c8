import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { findRefusal, isLoopback } from './allowed-hosts.ts';
import { createFaultPlan, type Fault, type FaultPlan } from './faults.ts';
import { type Held, hasHeaderNames, isTooLong, LARGEST_BODY, readBody, toHeaders, toTarget } from './http-request.ts';
import { type Reply, toErrorReply, toFaultReply } from './http-response.ts';
import { API_PREFIX, CONTROL_PREFIX } from './router.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  /** 0 for any free one. */
  port: number;
  listen: string;
  /** Added before every answer. */
  latencyMs?: number;
  faults?: readonly Fault[];
  /** Names it may be asked by, besides `localhost`, addresses, and what it listens on. */
  allowHosts?: readonly string[];
  limits?: Partial<ServeLimits>;
  /** Told of what goes wrong outside of any request. Nothing secret. */
  log?(line: string): void;
}

/** What keeps clients that are slow, large or many from the others. Times are milliseconds. */
interface ServeLimits {
  /** From the start of a request to the end of its headers. */
  readonly headers: number;
  /** To the end of its body. */
  readonly request: number;
  /** How often these two are looked at. */
  readonly check: number;
  /** Until a client that does not take its answer is cut. */
  readonly answer: number;
  /** So many at once. */
  readonly connections: number;
  /** Bytes of all bodies that are held at once. */
  readonly bodies: number;
}

export interface SandboxServer {
  /** The base URL, `/api/v2` included. */
  url: string;
  port: number;
  /** Whether other machines can reach it. */
  isExposed: boolean;
  /** Cuts the connections that are open. */
  close(): Promise<void>;
}

/** So much of a body that is too large is read after the answer: a client that still writes does not see one before. */
const LINGERING_BYTES = 16 * LARGEST_BODY;
const KEEP_ALIVE = 65_000;
const LIMITS: ServeLimits = {
  headers: 20_000,
  request: 60_000,
  check: 5_000,
  answer: 60_000,
  connections: 2_000,
  bodies: 64 * LARGEST_BODY,
};
/** Methods of which no Request can be made; no route has them either. */
const UNROUTABLE: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

/** Rejects with the error of listening, such as a port in use. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions): Promise<SandboxServer> {
  const { latencyMs = 0, faults = [], allowHosts = [], log = () => undefined } = options;
  const limits = { ...LIMITS, ...options.limits };
  const closing = new AbortController();
  // Every answer that is delayed listens.
  setMaxListeners(0, closing.signal);
  const shared: Shared = {
    sandbox,
    latencyMs,
    limits,
    plan: createFaultPlan(faults),
    names: [options.listen, ...allowHosts],
    closing: closing.signal,
    bodies: { bytes: 0 },
  };
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    // Checked by us: Node's own answer has no body.
    requireHostHeader: false,
  });
  const latest = new WeakMap<Duplex, Exchange>();
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const exchange = { ...shared, incoming, outgoing };
    latest.set(incoming.socket, exchange);
    serve(exchange).catch(() => fail(exchange));
  };
  server.on('request', take);
  // Asked beforehand, a client is not told to send what will not be taken.
  server.on('checkContinue', (incoming, outgoing) => {
    if (!isTooLong(incoming)) outgoing.writeContinue();
    take(incoming, outgoing);
  });
  server.on('clientError', (error, socket) => refuse(socket, error, latest.get(socket)));
  limitConnections(server, limits.connections);
  await listen(server, options);
  server.on('error', (error) => log(`a connection could not be taken: ${error.message}`));
  const { port, address } = server.address() as AddressInfo;
  return {
    url: `http://${toHost(options.listen)}:${port}${API_PREFIX}`,
    port,
    isExposed: !isLoopback(address),
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Above the limit, the connection goes that has waited longest without a request that is whole: slow clients do not keep
 * others out. Where all are at work, it is the new one.
 */
function limitConnections(server: Server, limit: number): void {
  // In the order they came.
  const connections = new Map<Socket, IncomingMessage | undefined>();
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
    if (connections.size <= limit) return;
    const waiting = [...connections].find(([, request]) => request?.complete !== true)?.[0] ?? socket;
    connections.delete(waiting);
    waiting.destroy();
  });
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    connections.set(socket, incoming);
    outgoing.once('finish', () => {
      if (connections.get(socket) === incoming) connections.set(socket, undefined);
    });
  });
}

interface Shared {
  readonly sandbox: Sandbox;
  readonly plan: FaultPlan;
  readonly latencyMs: number;
  readonly limits: ServeLimits;
  readonly names: readonly string[];
  readonly closing: AbortSignal;
  readonly bodies: Held;
}

interface Exchange extends Shared {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function serve(exchange: Exchange): Promise<void> {
  const { incoming, outgoing, plan, closing, latencyMs, names, bodies, limits } = exchange;
  const method = incoming.method ?? 'GET';
  const target = hasHeaderNames(incoming) ? toTarget(incoming) : undefined;
  if (target === undefined) {
    outgoing.setHeader('connection', 'close');
    send(exchange, toErrorReply(400));
    return;
  }
  const { origin, 'sec-fetch-site': fetchSite } = incoming.headers;
  const refusal = findRefusal({ host: target.host, origin, fetchSite: fetchSite?.toString() }, names);
  if (refusal !== undefined) {
    send(exchange, toErrorReply(refusal.status, refusal.detail));
    return;
  }
  if (UNROUTABLE.includes(method)) {
    send(exchange, toErrorReply(404));
    return;
  }
  const actions = target.pathname.startsWith(CONTROL_PREFIX) ? [] : plan.strike(method, target.pathname);
  const final = actions.find((action) => action.kind !== 'delay');
  const wait = actions.reduce((sum, action) => sum + (action.kind === 'delay' ? action.milliseconds : 0), latencyMs);
  if (final?.kind === 'reset-before') {
    await pause(wait, closing);
    incoming.socket.destroy();
    return;
  }
  const held: Held = { bytes: 0 };
  try {
    const body = isTooLong(incoming) ? 413 : await readBody(incoming, bodies, limits.bodies, held);
    if (typeof body === 'number') {
      sendBeforeEnd(exchange, toErrorReply(body));
      return;
    }
    const reply = toFaultReply(final) ?? (await ask(exchange.sandbox, incoming, method, target, body));
    await pause(wait, closing);
    if (final?.kind === 'reset-after-commit') {
      incoming.socket.destroy();
    } else if (final?.kind === 'truncate') {
      sendHalf(outgoing, reply);
    } else {
      send(exchange, reply);
    }
  } finally {
    bodies.bytes -= held.bytes;
  }
}

/** What the service says, as soon as it says it. */
async function ask(
  sandbox: Sandbox,
  incoming: IncomingMessage,
  method: string,
  target: URL,
  body: Buffer,
): Promise<Reply> {
  const bodiless = method === 'GET' || method === 'HEAD';
  const request = new Request(target, {
    method,
    headers: toHeaders(incoming),
    ...(bodiless ? {} : { body: new Uint8Array(body) }),
  });
  const response = await sandbox.handle(request, incoming.socket.remoteAddress);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

function send({ incoming, outgoing, limits }: Exchange, reply: Reply): void {
  // Without a listener of ours the server cuts the connection then.
  outgoing.setTimeout(limits.answer);
  outgoing.writeHead(reply.status, reply.headers);
  outgoing.end(incoming.method === 'HEAD' ? undefined : reply.body);
}

/** While the client still sends. What it sends is dropped, until it ends or it is too much of it. */
function sendBeforeEnd({ incoming, outgoing }: Exchange, reply: Reply): void {
  outgoing.writeHead(reply.status, { ...reply.headers, connection: 'close' });
  outgoing.write(reply.body);
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > LINGERING_BYTES) outgoing.end();
  });
  incoming.once('end', () => outgoing.end());
  // Nothing comes from one that waits to be told to send.
  if (incoming.headers.expect !== undefined) outgoing.end();
}

function sendHalf(outgoing: ServerResponse, reply: Reply): void {
  if (reply.body.length === 0) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(reply.status, reply.headers);
  outgoing.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)), () => outgoing.destroy());
}

function fail(exchange: Exchange): void {
  const { incoming, outgoing } = exchange;
  // Who went away, or was told already why the request is none, is told nothing more.
  if (outgoing.headersSent || outgoing.destroyed || !incoming.complete) {
    outgoing.destroy();
  } else {
    send(exchange, toErrorReply(500));
  }
}

/** Of bytes that are no request, or that take too long to become one. `last`: the request before, on this connection. */
function refuse(socket: Duplex, error: NodeJS.ErrnoException, last: Exchange | undefined): void {
  const { status, headers, body } = toErrorReply(CLIENT_ERRORS[error.code ?? ''] ?? 400);
  const end = (): void => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body.toString()].join('\r\n'));
  };
  const isDue = last?.incoming.complete === true && !last.outgoing.writableFinished && !last.outgoing.destroyed;
  // Its answer is due first: another in its place would be taken for it.
  if (isDue) last.outgoing.once('finish', end);
  else if (last?.incoming.complete === false && last.outgoing.headersSent) socket.destroy();
  else end();
}

/** What Node's parser calls what is not simply malformed. */
const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

async function pause(milliseconds: number, closing: AbortSignal): Promise<void> {
  if (milliseconds > 0) {
    await delay(milliseconds, undefined, { signal: closing });
  }
}

function listen(server: Server, { port, listen: host }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: host.replace(/^\[|\]$/g, '') }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A name a client can connect to: listening everywhere is not one. */
function toHost(listen: string): string {
  const host = listen.replace(/^\[|\]$/g, '');
  if (host === '0.0.0.0') {
    return '127.0.0.1';
  }
  if (host === '::') {
    return '[::1]';
  }
  return host.includes(':') ? `[${host}]` : host;
}
