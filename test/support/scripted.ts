import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** A request as its bytes arrived. */
export interface SeenRequest {
  method: string;
  /** Path and query as they were sent. */
  target: string;
  headers: Map<string, string>;
  body: string;
}

/** When what a test opened is closed: tests that run side by side give their own, since one of the module is any test's. */
export type After = (act: () => Promise<void> | void) => void;

/** What a scripted server does with one request. */
export type Turn = (socket: Socket, request: SeenRequest) => unknown;

export type ScriptedServer = Awaited<ReturnType<typeof startScripted>>;

/**
 * A server on a raw socket of this machine that does what its turns say, however wrong that is.
 * Turns are used in order, the last one for all later requests. `resets`: so many connections are broken as they are made.
 */
export async function startScripted(
  turns: [Turn, ...Turn[]] | Turn,
  options: {
    tls?: TlsOptions;
    onConnect?: (socket: Socket) => void;
    after?: After;
    resets?: number;
  } = {},
) {
  const { after = onTestFinished } = options;
  const script = typeof turns === 'function' ? [turns] : turns;
  /** Every request that arrived whole, in order. */
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // These servers break connections.
    socket.on('error', () => undefined);
    options.onConnect?.(socket);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let request = takeRequest(received); request !== undefined; request = takeRequest(received)) {
        received = request.rest;
        requests.push(request.seen);
        const turn = script[Math.min(requests.length, script.length) - 1];
        void act(turn, socket, request.seen);
      }
    });
  };
  const server: Server =
    options.tls === undefined ? createTcpServer(serve) : createTlsServer({ ...options.tls }, serve);
  server.on('tlsClientError', () => undefined);
  let left = options.resets ?? 0;
  server.prependListener('connection', (socket: Socket) => {
    if (left > 0) socket.resetAndDestroy();
    left -= 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
  };
}

/** A turn that fails ends the connection, and the test. */
async function act(turn: Turn | undefined, socket: Socket, request: SeenRequest): Promise<void> {
  try {
    await turn?.(socket, request);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Turns. */

/** A whole answer. A body other than text or bytes is sent as JSON. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): Turn {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const whole = isRaw ? Buffer.from(body) : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const lines = {
    ...(status === 204 ? {} : { 'content-length': String(whole.length) }),
    ...(isRaw ? {} : { 'content-type': 'application/vnd.api+json' }),
    ...headers,
  };
  return (socket) => {
    socket.write(Buffer.concat([Buffer.from(formatHead(status, Object.entries(lines))), whole]));
  };
}

/** A whole answer in JSON, compressed. `spoil` may change the bytes of the body. */
export function gzipped(body: unknown, spoil: (body: Buffer) => Buffer = (whole) => whole): Turn {
  const whole = spoil(gzipSync(JSON.stringify(body)));
  return answer(200, whole, { 'content-type': 'application/vnd.api+json', 'content-encoding': 'gzip' });
}

/** These bytes, and then the end. */
export function bytes(text: string): Turn {
  return (socket) => {
    socket.end(text);
  };
}

/** These bytes, and then the connection is reset. */
export function bytesThenReset(text: string): Turn {
  return (socket) => {
    socket.write(text, () => socket.resetAndDestroy());
  };
}

/** Reset without an answer. */
export const reset: Turn = (socket) => {
  socket.resetAndDestroy();
};

/** Never an answer. */
export const silence: Turn = () => undefined;

export function formatHead(status: number, headers: [string, string][]): string {
  return [`HTTP/1.1 ${status} Scripted`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

function takeRequest(received: Buffer): { seen: SeenRequest; rest: Buffer<ArrayBuffer> } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const start = end + 4;
  const length = Number(headers.get('content-length') ?? 0);
  if (received.length < start + length) return undefined;
  const [method = '', target = ''] = first.split(' ');
  const body = received.subarray(start, start + length).toString('utf8');
  return { seen: { method, target, headers, body }, rest: Buffer.from(received.subarray(start + length)) };
}
