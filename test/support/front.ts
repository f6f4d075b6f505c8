import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** A request that arrived, and what can be done with it. */
interface Passing {
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

export type Front = Awaited<ReturnType<typeof startFront>>;

/** What can go wrong with one request on its way there and back. */
export type Fault = (passing: Passing) => void | Promise<void>;

/** A server on a real socket in front of the service: a test decides whether it forwards, changes or drops what it gets. */
export async function startFront(
  sandbox: Pick<Sandbox, 'handle'>,
  handle: Fault = pass,
  { tls }: { tls?: SecureContextOptions | undefined } = {},
) {
  /** Every request that arrived, in order. */
  const requests: Pick<Passing, 'method' | 'target' | 'isWrite'>[] = [];
  /** The writes that the service did. */
  const done: string[] = [];
  let connections = 0;
  let origin = '';
  const listener: Parameters<typeof createServer>[1] = async (incoming, outgoing) => {
    const { method = '', url: target = '' } = incoming;
    const isWrite = method !== 'GET' && method !== 'HEAD';
    requests.push({ method, target, isWrite });
    const chunks: Buffer[] = [];
    // The client has gone.
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(incoming, 'end').catch(() => undefined);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = Object.entries(incoming.headers).filter((header): header is [string, string] =>
      /^(authorization|content-type|accept)$/.test(header[0]),
    );
    const request = { method, headers, ...(body === '' ? {} : { body }) };
    const act = async (): Promise<Reply> => {
      const answer = await sandbox.handle(new Request(`${origin}${target}`, request));
      if (isWrite && answer.ok) done.push(`${method} ${target}`);
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
    };
    await handle({ method, target, isWrite, outgoing, act, send: (reply) => send(outgoing, reply) });
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
  origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return {
    ...{ origin, port, requests, done, url: `${origin}/api/v2` },
    connections: () => connections,
    /** Accepts no more connections. An answer in progress ends its connection. */
    stopListening: () => void server.close(),
    /** New connections get this certificate. */
    showCertificate(next: SecureContextOptions): void {
      if ('setSecureContext' in server) server.setSecureContext(next);
    },
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  outgoing.writeHead(status, {
    ...headers,
    ...(status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  });
  outgoing.end(body);
}

const MEBIBYTE = 1024 * 1024;
const JSON_API = { 'content-type': 'application/vnd.api+json' };

/** The service's own answer. */
export const pass: Fault = async ({ act, send }) => send(await act());

export const resetBefore: Fault = ({ outgoing }) => {
  outgoing.socket?.resetAndDestroy();
};

export const resetAfter: Fault = async (passing) => {
  await passing.act();
  await resetBefore(passing);
};

export const silenceBefore: Fault = () => undefined;

export const silenceAfter: Fault = async ({ act }) => {
  await act();
};

/** The service acts, and an unexpected answer comes before its own. */
export const continueUnasked: Fault = async (passing) => {
  passing.outgoing.writeContinue();
  await pass(passing);
};

/** This status instead of an answer; the request does not reach the service. */
export function refuse(status: number, headers: Record<string, string> = {}): Fault {
  const body = JSON.stringify({ errors: [{ status: String(status), title: 'scripted' }] });
  return ({ send }) => send({ status, headers: { ...JSON_API, ...headers }, body });
}

/** The service acts, and something else answers in its place. */
export function replaceAnswer(reply: Reply): Fault {
  return async ({ act, send }) => {
    await act();
    send(reply);
  };
}

export const htmlOf502: Fault = ({ send }) =>
  send({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<html><head><title>502 Bad Gateway</title></head></html>',
  });

/** The service acts, and its answer is cut off in the middle. */
export const truncate: Fault = async ({ act, outgoing }) => {
  const { status, headers, body } = await act();
  const text = body === '' ? '{"data":null}' : body;
  outgoing.writeHead(status === 204 ? 200 : status, { ...headers, 'content-length': String(text.length) });
  outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy());
};

/** The service acts, and its answer never ends: pieces of a mebibyte until the caller goes away. */
export const oversize: Fault = async ({ act, outgoing }) => {
  await act();
  const piece = Buffer.alloc(MEBIBYTE, ' ');
  outgoing.writeHead(200, JSON_API);
  const pour = (): void => {
    while (!outgoing.destroyed && outgoing.write(piece));
  };
  outgoing.on('drain', pour);
  pour();
};

export function redirectTo(origin: string): Fault {
  return ({ target, send }) => send({ status: 307, headers: { location: `${origin}${target}` }, body: '' });
}

/** For the first requests; later ones reach the service. */
export function times(count: number, fault: Fault): Fault {
  let left = count;
  return (passing) => {
    left -= 1;
    return (left >= 0 ? fault : pass)(passing);
  };
}
