import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';

/** Services on a port of this machine: what came, what is answered, and what becomes of answers. */

export interface Seen {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  /** JSON, but for a text. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** What becomes of a request. `done`: it takes effect all the same. */
export type Fault =
  | (Answer & { readonly kind: 'status'; readonly done?: boolean })
  /** The connection breaks before the answer. */
  | { readonly kind: 'reset'; readonly done?: boolean }
  /** It takes effect, and the connection breaks after so many percent of the answer. */
  | { readonly kind: 'cut'; readonly percent: number }
  /** Half of the answer, then this is called, then the rest. */
  | { readonly kind: 'pause'; readonly act: () => void };

/** `number`: of the request, from 1. */
export type Decide = (seen: Seen, number: number) => Fault | undefined;
type Handler = (seen: Seen, exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ServerOptions {
  readonly tls?: TlsOptions | undefined;
  /** Of every answer. */
  readonly headers?: () => Headers;
  /** Milliseconds before anything is done with a request. */
  readonly latency?: number;
  /** The body is left to the handler, byte by byte. */
  readonly streams?: boolean;
}

const JSON_API = 'application/vnd.api+json';

/** Where the handler returns nothing it answers by itself. */
export async function startServer(handle: Handler, options: ServerOptions = {}) {
  const { tls, headers = () => ({}), latency = 0, streams = false } = options;
  const requests: Seen[] = [];
  const sockets = new Set<Socket>();
  const events = new EventEmitter();
  let busy = 0;
  let decide: Decide = () => undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://service');
    const [pieces, { method = '', url: target = '', headers: sent }] = [[] as Buffer[], request];
    if (!streams) for await (const piece of request) pieces.push(piece);
    const seen = { method, target, path, query, headers: sent, body: Buffer.concat(pieces).toString('utf8') };
    requests.push(seen);
    const fault = decide(seen, requests.length);
    events.emit('request');
    if (latency > 0) await setTimeout(latency);
    const isDone = fault === undefined || fault.kind === 'cut' || fault.kind === 'pause' || fault.done === true;
    const answer = isDone ? await handle(seen, { request, response }) : undefined;
    if (fault === undefined && answer !== undefined) send(response, answer);
    else if (fault !== undefined) await fail(request.socket, response, fault, answer);
  }

  function send(response: ServerResponse, answer: Answer): void {
    const bytes = toBytes(answer);
    response.writeHead(answer.status, toHeaders(answer, bytes)).end(bytes);
  }

  async function fail(
    socket: Socket,
    response: ServerResponse,
    fault: Fault,
    answer: Answer = { status: 200 },
  ): Promise<void> {
    if (fault.kind === 'status') return send(response, { ...refuse(fault.status, 'refused'), ...fault });
    if (fault.kind === 'reset') return void socket.resetAndDestroy();
    if (fault.kind === 'cut' && fault.percent === 0) return void socket.destroy();
    // What has no body has nothing that could be cut.
    const whole = answer.body === undefined ? { ...answer, status: 200, body: { data: null } } : answer;
    const bytes = toBytes(whole);
    const part = bytes.subarray(0, Math.floor((bytes.length * (fault.kind === 'cut' ? fault.percent : 50)) / 100));
    response.writeHead(whole.status, toHeaders(whole, bytes));
    await new Promise((written) => response.write(part, written));
    if (fault.kind === 'cut') return void socket.destroy();
    fault.act();
    response.end(bytes.subarray(part.length));
  }

  function toHeaders({ headers: own }: Answer, { length }: Buffer): Headers {
    const body = length === 0 ? undefined : { 'content-type': JSON_API, 'content-length': String(length) };
    return { ...headers(), ...body, ...own };
  }

  async function listener(request: IncomingMessage, response: ServerResponse): Promise<void> {
    busy += 1;
    try {
      await serve(request, response);
    } catch (error) {
      // The client may have gone. A fault of the service itself is said.
      if (!request.destroyed && !response.headersSent) response.writeHead(500).end(String(error));
    } finally {
      busy -= 1;
      events.emit('change');
    }
  }

  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // Broken connections are meant.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      events.emit('change');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;

  return {
    origin,
    /** With `/api/v2`. */
    url: `${origin}/api/v2`,
    port,
    /** Every request that arrived whole, in order, since it was last decided which faults they meet. */
    requests: requests as readonly Seen[],
    /** Which request meets which fault from now on. */
    setFaults(next: Decide): void {
      decide = next;
      requests.length = 0;
    },
    /** Resolves when it is so as a request arrives. */
    async until(isSo: () => boolean): Promise<void> {
      while (!isSo()) await once(events, 'request');
    },
    /** Once clients have ended: resolves when all that they sent has taken effect. */
    async untilIdle(): Promise<void> {
      // Connections are taken in turn: after this one there is none that a client left.
      const last = connect(port, '127.0.0.1', () => last.end());
      await once(last, 'close');
      while (sockets.size + busy > 0) await once(events, 'change');
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}

function toBytes({ body }: Answer): Buffer {
  return Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
}

/** By `GET /teams/*`: a part of a path, decoded, stands for each star. */
export type Routes<Answered> = Readonly<Record<string, (seen: Seen, ...parts: readonly string[]) => Answered>>;

/** What a route answers; undefined where there is none. */
export function route<Answered>(routes: Routes<Answered>, seen: Seen): Answered | undefined {
  for (const [pattern, answer] of Object.entries(routes)) {
    const found = new RegExp(`^${pattern.replaceAll('*', '([^/]+)')}$`).exec(`${seen.method} ${seen.path}`);
    if (found !== null) return answer(seen, ...found.slice(1).map(decodeURIComponent));
  }
  return undefined;
}

/** As the service words a refusal. */
export function refuse(status: number, title = 'not found', detail?: string): Answer {
  return { status, body: { errors: [{ status: String(status), title, ...(detail === undefined ? {} : { detail }) }] } };
}

/** Which page a request asks for. */
export function readPage(query: URLSearchParams, { usual = 20, most = Number.POSITIVE_INFINITY } = {}): Page {
  const size = Math.min(most, Number(query.get('page[size]') ?? usual));
  return { number: Number(query.get('page[number]') ?? 1), size };
}

interface Page {
  readonly number: number;
  readonly size: number;
}

/** What the service says of it. */
export function toPagination({ number, size }: Page, total: number): Readonly<Record<string, number | null>> {
  const pages = Math.ceil(total / size);
  return {
    'current-page': number,
    'page-size': size,
    'prev-page': number > 1 ? number - 1 : null,
    'next-page': number < pages ? number + 1 : null,
    'total-pages': pages,
    'total-count': total,
  };
}
