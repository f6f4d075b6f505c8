import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** A request that arrived, and what can be done with it. */
export interface Passing {
  method: string;
  /** Path and query as they were sent. */
  target: string;
  isWrite: boolean;
  /** Where the answer goes; its socket is the real one. */
  outgoing: ServerResponse;
  /** Lets the service act. Its answer is returned, and not sent. */
  act(): Promise<Reply>;
  send(reply: Reply): void;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Front {
  origin: string;
  /** With `/api/v2`. */
  url: string;
  port: number;
  /** Every request that arrived, in order: method and target. */
  requests: { method: string; target: string; isWrite: boolean }[];
  /** The writes that the service did. */
  done: string[];
  /** How many connections were made so far. */
  connections(): number;
  /** Accepts no more connections. An answer in progress ends its connection. */
  stopListening(): void;
  /** New connections get this certificate. */
  showCertificate(tls: SecureContextOptions): void;
}

/** A server on a real socket in front of the service: a test decides whether it forwards, changes or drops what it gets. */
export async function startFront(
  sandbox: Pick<Sandbox, 'handle'>,
  handle: (passing: Passing, front: Front) => void | Promise<void>,
  { tls }: { tls?: SecureContextOptions | undefined } = {},
): Promise<Front> {
  const requests: { method: string; target: string; isWrite: boolean }[] = [];
  const done: string[] = [];
  let connections = 0;
  const listener: Parameters<typeof createServer>[1] = async (incoming, outgoing) => {
    const { method = '', url: target = '' } = incoming;
    const isWrite = method !== 'GET' && method !== 'HEAD';
    requests.push({ method, target, isWrite });
    const chunks: Buffer[] = [];
    // The client has gone.
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      await handle(
        {
          method,
          target,
          isWrite,
          outgoing,
          async act() {
            const answer = await sandbox.handle(
              new Request(`${front.origin}${target}`, {
                method,
                headers: Object.entries(incoming.headers).filter((header): header is [string, string] =>
                  /^(authorization|content-type|accept)$/.test(header[0]),
                ),
                ...(body === '' ? {} : { body }),
              }),
            );
            if (isWrite && answer.ok) done.push(`${method} ${target}`);
            return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
          },
          send: (reply) => send(outgoing, reply),
        },
        front,
      );
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), 'close');
  });
  const { port } = server.address() as AddressInfo;
  const origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const front: Front = {
    origin,
    url: `${origin}/api/v2`,
    port,
    requests,
    done,
    connections: () => connections,
    stopListening: () => server.close(),
    showCertificate(next) {
      if ('setSecureContext' in server) server.setSecureContext(next);
    },
  };
  return front;
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  outgoing.writeHead(status, {
    ...headers,
    ...(status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  });
  outgoing.end(body);
}
