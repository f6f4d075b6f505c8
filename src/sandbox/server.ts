import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { JSON_API_MEDIA_TYPE } from '../wire/json-api.ts';
import { createFaultPlan, type Fault, type FaultAction, type FaultPlan } from './faults.ts';
import { API_PREFIX } from './router.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServeOptions {
  /** 0 for any free one. */
  port: number;
  listen: string;
  /** Added before every answer. */
  latencyMs?: number;
  faults?: readonly Fault[];
}

export interface SandboxServer {
  /** The base URL, `/api/v2` included. */
  url: string;
  port: number;
  /** Cuts the connections that are open. */
  close(): Promise<void>;
}

const LARGEST_BODY = 1_048_576;
const KEEP_ALIVE = 65_000;
/** Methods of which no Request can be made; no route has them either. */
const UNROUTABLE: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

/** Rejects with the error of listening, such as a port in use. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions): Promise<SandboxServer> {
  const { latencyMs = 0, faults = [] } = options;
  const closing = new AbortController();
  const plan = createFaultPlan(faults);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, (incoming, outgoing) => {
    const exchange: Exchange = { sandbox, incoming, outgoing, plan, latencyMs, closing: closing.signal };
    serve(exchange).catch(() => fail(outgoing));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    } else {
      socket.destroy();
    }
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${toHost(options.listen)}:${port}${API_PREFIX}`,
    port,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly sandbox: Sandbox;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly plan: FaultPlan;
  readonly latencyMs: number;
  readonly closing: AbortSignal;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

async function serve(exchange: Exchange): Promise<void> {
  const { incoming, outgoing, plan, closing, latencyMs } = exchange;
  const method = incoming.method ?? 'GET';
  const target = toTarget(incoming);
  if (target === undefined) {
    send(outgoing, method, toErrorReply(400));
    return;
  }
  if (UNROUTABLE.includes(method)) {
    send(outgoing, method, toErrorReply(404));
    return;
  }
  const actions = plan.strike(method, target.pathname);
  const final = actions.find((action) => action.kind !== 'delay');
  const wait = actions.reduce((sum, action) => sum + (action.kind === 'delay' ? action.milliseconds : 0), latencyMs);
  if (final?.kind === 'reset-before') {
    await pause(wait, closing);
    incoming.socket.destroy();
    return;
  }
  const body = await readBody(incoming);
  if (body === undefined) {
    incoming.resume();
    outgoing.setHeader('Connection', 'close');
    send(outgoing, method, toErrorReply(413));
    return;
  }
  const reply = toFaultReply(final) ?? (await ask(exchange.sandbox, incoming, method, target, body));
  await pause(wait, closing);
  if (final?.kind === 'reset-after-commit') {
    incoming.socket.destroy();
  } else if (final?.kind === 'truncate') {
    sendHalf(outgoing, reply);
  } else {
    send(outgoing, method, reply);
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

/** The address that was asked for, as the client wrote it, so that links lead back to it; undefined when it is none. */
function toTarget(incoming: IncomingMessage): URL | undefined {
  const path = incoming.url ?? '/';
  try {
    return path.startsWith('/') ? new URL(`http://${incoming.headers.host ?? 'localhost'}${path}`) : new URL(path);
  } catch {
    return undefined;
  }
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const name of ['authorization', 'content-type', 'accept', 'user-agent']) {
    const value = incoming.headers[name];
    if (typeof value === 'string') {
      headers.set(name, value);
    }
  }
  return headers;
}

/** Undefined when there is more of it than the service takes. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Left unread rather than destroyed, which would take the answer with it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toFaultReply(action: FaultAction | undefined): Reply | undefined {
  if (action?.kind === 'html') {
    const body = Buffer.from('<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n');
    return { status: 502, headers: { 'content-type': 'text/html', 'content-length': String(body.length) }, body };
  }
  return action?.kind === 'status' ? toErrorReply(action.status) : undefined;
}

function toErrorReply(status: number): Reply {
  const title = (STATUS_CODES[status] ?? 'error').toLowerCase();
  const error =
    status === 429
      ? { detail: "You have exceeded the API's rate limit.", status: 429, title: 'Too many requests' }
      : { status: String(status), title };
  const body = Buffer.from(JSON.stringify({ errors: [error] }));
  return {
    status,
    headers: {
      'content-type': JSON_API_MEDIA_TYPE,
      'content-length': String(body.length),
      ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
      ...(status === 429 ? { 'x-ratelimit-reset': '1.000' } : {}),
    },
    body,
  };
}

function send(outgoing: ServerResponse, method: string, reply: Reply): void {
  outgoing.writeHead(reply.status, reply.headers);
  outgoing.end(method === 'HEAD' ? undefined : reply.body);
}

function sendHalf(outgoing: ServerResponse, reply: Reply): void {
  if (reply.body.length === 0) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(reply.status, reply.headers);
  outgoing.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)), () => outgoing.destroy());
}

function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
  } else {
    send(outgoing, 'GET', toErrorReply(500));
  }
}

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
