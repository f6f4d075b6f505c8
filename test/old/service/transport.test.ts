import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTransport, TOKEN, toRequest } from '../../support/direct.ts';
import {
  answer,
  bytes,
  bytesThenReset,
  gzipped,
  reset,
  silence,
  startScripted,
  type Turn,
  toHead,
} from '../../support/scripted.ts';

const GET = toRequest('GET');
const POST = toRequest('POST');
const DELETE = toRequest('DELETE');

/** What a request ended with: the answer or the error. */
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** Sends one request to a server that does this. */
async function meet(turn: Turn, request = GET, overrides: Parameters<typeof openTransport>[1] = {}) {
  const server = await startScripted(turn);
  const { transport, exchanges } = openTransport(`${server.origin}/api/v2`, overrides);
  const result = await outcome(transport.send(request));
  return { server, transport, exchanges, result };
}

describe('a request', () => {
  it.each([
    ['GET', undefined],
    ['POST', '{"data":{"type":"x","attributes":{"name":"Zoë"}}}'],
    ['DELETE', undefined],
  ] as const)('%s carries the token, the media type both ways, and who asks', async (method, body) => {
    const { server } = await meet(answer(200, {}), toRequest(method, { body }));
    const [request] = server.requests;
    expect(request).toMatchObject({ method, target: '/api/v2/things', body: body ?? '' });
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/vnd.api+json',
      'content-type': 'application/vnd.api+json',
      'user-agent': 'orgctl/test',
      'accept-encoding': 'gzip',
    });
    expect(request?.headers.has('cookie')).toBe(false);
  });

  it('carries no token where there is none, and another media type where the route has one', async () => {
    const request = toRequest('GET', { mediaType: 'application/json' });
    const { server } = await meet(answer(200, {}), request, { token: undefined });
    const headers = server.requests[0]?.headers;
    expect(headers?.has('authorization')).toBe(false);
    expect(headers?.get('accept')).toBe('application/json');
    expect(headers?.get('content-type')).toBe('application/json');
  });

  it.each([
    ['/api/v2', '/api/v2/things?a=1'],
    ['/api/v2/', '/api/v2/things?a=1'],
    ['', '/things?a=1'],
  ])('below %j goes to %s', async (path, target) => {
    const server = await startScripted(answer(200, {}));
    const { transport } = openTransport(`${server.origin}${path}`);
    await transport.send(toRequest('GET', { query: 'a=1' }));
    expect(server.requests[0]?.target).toBe(target);
  });
});

describe('an answer', () => {
  it('comes with status, headers, text and the id the service gave it', async () => {
    const { result, server } = await meet(answer(422, '{"errors":["é"]}', { 'X-Request-Id': 'r-1' }), POST);
    expect(result).toEqual({
      origin: server.origin,
      status: 422,
      headers: { 'content-length': '17', 'x-request-id': 'r-1' },
      text: '{"errors":["é"]}',
      request: { method: 'POST', path: '/api/v2/things', id: 'r-1' },
    });
  });

  const inChunks: Turn = (socket) => {
    socket.write(`${toHead(200, [['Transfer-Encoding', 'chunked']])}1\r\n`);
    for (const piece of [Buffer.of(0xc3), '\r\n1\r\n', Buffer.of(0xab), '\r\n0\r\n\r\n']) socket.write(piece);
  };
  const afterOthers: Turn = (socket, request) => {
    socket.write(`${toHead(103, [['Link', '</style>; rel=preload']])}${toHead(102, [])}`);
    answer(201, { a: 1 })(socket, request);
  };
  const repeated: [string, string][] = [
    ['X-A', '1'],
    ['x-a', '2'],
    ['Content-Length', '0'],
  ];
  it.each<[string, Turn, object]>([
    ['have no body', answer(204), { status: 204, text: '' }],
    ['come in chunks that cut characters in two', inChunks, { text: 'ë' }],
    ['be preceded by interim answers', afterOthers, { status: 201, text: '{"a":1}' }],
    ['repeat a header', bytes(toHead(200, repeated)), { headers: { 'x-a': '1, 2' } }],
    ['end with the connection', bytes(`${toHead(200, [])}{"a":1}`), { text: '{"a":1}' }],
  ])('may %s', async (_name, turn, expected) => {
    const { result } = await meet(turn, POST);
    expect(result).toMatchObject(expected);
    expect((result as { headers: object }).headers).not.toHaveProperty('link');
  });
});

describe('a compressed answer', () => {
  const DOCUMENT = { data: [{ id: 'é', type: 'x'.repeat(100_000) }] };
  const GZIP = ['Content-Encoding', 'GZIP'] as const;

  it('is read byte by byte, and traced as it is read', async () => {
    const { result, exchanges } = await meet((socket) => {
      const body = gzipSync(JSON.stringify(DOCUMENT));
      socket.write(toHead(200, [GZIP, ['Content-Length', String(body.length)]]));
      for (const byte of body) socket.write(Buffer.of(byte));
    });
    expect(result).toMatchObject({ status: 200, text: JSON.stringify(DOCUMENT) });
    expect(exchanges).toMatchObject([{ result: { body: JSON.stringify(DOCUMENT) } }]);
  });

  const NONE = Object.entries({ identity: '{}', '': '{}', gzip: '', br: '' });
  it.each(NONE)('may be none: encoding %j, body %j', async (encoding, body) => {
    expect((await meet(answer(200, body, { 'content-encoding': encoding }))).result).toMatchObject({ text: body });
  });

  it('in an encoding that was not asked for is no answer of the service', async () => {
    const { server, result } = await meet(answer(200, 'x', { 'content-encoding': 'br' }), POST);
    expect(result).toMatchObject({
      failure: 'not-the-service',
      acted: 'maybe',
      message: `127.0.0.1:${server.port} answered in the encoding "br", which was not asked for`,
    });
  });

  it.each([
    ['cut off', (body: Buffer) => body.subarray(0, -20), 'was cut off'],
    ['changed on its way', (body: Buffer) => body.fill(0xff, 10, 20), "is damaged: it can't be decompressed"],
    ['not compressed at all', () => Buffer.from('{"data":[]}'), "is damaged: it can't be decompressed"],
  ])('that is %s is not whole', async (_name, spoil, how) => {
    const { server, result } = await meet(gzipped(DOCUMENT, spoil), POST);
    expect(result).toMatchObject({
      failure: 'truncated',
      acted: 'maybe',
      message: `the answer of 127.0.0.1:${server.port} ${how}`,
    });
  });

  it('cut off by the end of its connection is not whole', async () => {
    const { result } = await meet((socket) => {
      socket.write(toHead(200, [GZIP, ['Connection', 'close']]));
      socket.end(gzipSync(JSON.stringify(DOCUMENT)).subarray(0, -20));
    });
    expect(result).toMatchObject({ failure: 'truncated' });
  });

  it('of few bytes that become too many is given up while it comes', async () => {
    // 100 KiB on the wire for each 100 MiB; the end never comes.
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const { server, result } = await meet((socket) => {
      socket.write(toHead(200, [GZIP]));
      socket.write(bomb.subarray(0, -100));
    });
    expect(result).toMatchObject({
      failure: 'too-large',
      message: `127.0.0.1:${server.port} answered with more than 64 MiB`,
    });
  });
});

describe('no answer', () => {
  const breaksHttp = (what: string) => ({ failure: 'breaks-http', message: `HOST ${what}` });
  const notHttp = (why: string) => `sent an answer that is not HTTP (${why})`;
  const broken = { failure: 'reset', message: 'the connection to HOST broke before an answer came' };
  const cut = { failure: 'truncated', message: 'the answer of HOST was cut off' };
  const part = `${toHead(200, [['Content-Length', '100']])}{"da`;
  const chunked = toHead(200, [['Transfer-Encoding', 'chunked']]);
  const upgrade = ['Connection', 'upgrade'] as const;
  const [two, three] = [['Content-Length', '2'] as const, ['Content-Length', '3'] as const];
  const unasked = 'sent "100 Continue" without being asked, which orgctl can\'t read';
  const switched = 'changed to another protocol, which was not asked for';
  const badChunk = notHttp('Invalid character in chunk size');
  const failures: readonly [string, Turn, object][] = [
    ['reset', reset, broken],
    ['closed', bytes(''), broken],
    ['cut in the head', bytes('HTTP/1.1 20'), broken],
    ['reset in the body', bytesThenReset(part), cut],
    ['closed in the body', bytes(part), cut],
    ['closed in a chunk', bytes(`${chunked}ff\r\n{"da`), cut],
    ['other bytes', bytes('SSH-2.0-OpenSSH_9.6\r\n\r\n'), breaksHttp("doesn't speak HTTP")],
    ['100 that was not asked for', bytes(`${toHead(100, [])}${toHead(200, [two])}`), breaksHttp(unasked)],
    ['101', bytes(toHead(101, [upgrade, ['Upgrade', 'x']])), breaksHttp(switched)],
    ['a broken status', bytes('HTTP/1.1 2xx OK\r\n\r\n'), breaksHttp(notHttp('Invalid status code'))],
    ['two lengths', bytes(toHead(200, [two, three])), breaksHttp(notHttp('contradictory lengths'))],
    ['long headers', bytes(toHead(200, [['X-A', 'a'.repeat(17_408)]])), breaksHttp('sent headers that are too large')],
    ['a broken chunk', bytes(`${chunked}zz\r\n{"da`), breaksHttp(badChunk)],
  ];

  it.each(failures)('%s: unavailable, and a write may have been acted on', async (_name, turn, expected) => {
    for (const request of [GET, POST, DELETE]) {
      const { server, exchanges, result } = await meet(turn, request);
      const plain = (text: string) => text.replaceAll(`127.0.0.1:${server.port}`, 'HOST');
      const error = result as { message: string };
      expect({ ...error, message: plain(error.message) }).toMatchObject({
        exit: 'unavailable',
        acted: 'maybe',
        request: { method: request.method, path: '/api/v2/things' },
        ...expected,
      });
      // One request, whatever it was: trying again is somebody else's decision.
      expect(server.requests).toHaveLength(1);
      expect(exchanges).toMatchObject([{ method: request.method, result: { failure: error.message } }]);
    }
  });

  // undici's parser meets it with an assertion of its own.
  it('101 without a protocol: breaks HTTP', async () => {
    const { server, result } = await meet(bytes(`${toHead(101, [])}${toHead(200, [])}`), POST);
    expect(result).toMatchObject({
      failure: 'breaks-http',
      acted: 'maybe',
      message: `127.0.0.1:${server.port} ${notHttp('no valid status')}`,
    });
  });

  it("a request that cannot be made is a mistake in orgctl, and not the network's", async () => {
    const { result, server } = await meet(answer(200, {}), POST, { token: 'no\nheader' });
    expect(result).toBeInstanceOf(Error);
    expect(result).not.toHaveProperty('exit');
    expect(server.requests).toEqual([]);
  });

  it('TLS spoken to a port without it', async () => {
    const server = await startScripted(silence, {
      onConnect: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    });
    const { transport } = openTransport(`https://127.0.0.1:${server.port}`);
    expect(await outcome(transport.send(POST))).toMatchObject({ failure: 'tls', acted: 'no', exit: 'unavailable' });
    expect(server.requests).toEqual([]);
  });

  it('no TLS spoken to a port with it', async () => {
    const { server, result } = await meet(bytes('\u0015\u0003\u0001\u0000\u0002\u0002\u0046'));
    expect(result).toMatchObject({ failure: 'breaks-http', exit: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });

  it('none in time: half a body does not count', async () => {
    const { result } = await meet((socket) => socket.write(part), toRequest('GET', { timeout: 500 }));
    expect(result).toMatchObject({ failure: 'timeout' });
  });

  it('none in time: what still waits for a connection never leaves', async () => {
    const server = await startScripted(silence);
    const { transport } = openTransport(server.origin);
    const held = Array.from({ length: 8 }, () => outcome(transport.send(toRequest('GET', { timeout: 10_000 }))));
    const late = await outcome(transport.send(toRequest('POST', { timeout: 100 })));
    expect(late).toMatchObject({ failure: 'timeout', acted: 'no' });
    await transport.close();
    expect(await Promise.all(held)).toHaveLength(8);
    expect(server.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('an answer without end', () => {
  it('is given up after 64 MiB', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const pour = (socket: Socket): void => {
      if (socket.destroyed || sent > 512 * chunk.length) return;
      sent += chunk.length;
      if (socket.write(chunk)) setImmediate(pour, socket);
      else socket.once('drain', () => pour(socket));
    };
    const { server, result } = await meet((socket) => {
      socket.write(toHead(200, []));
      pour(socket);
    });
    expect(result).toMatchObject({
      exit: 'unavailable',
      failure: 'too-large',
      message: `127.0.0.1:${server.port} answered with more than 64 MiB`,
    });
    expect(sent).toBeGreaterThan(64 * chunk.length);
    expect(sent).toBeLessThan(128 * chunk.length);
  });

  it('of exactly 64 MiB is taken', async () => {
    const { result } = await meet(answer(200, 'x'.repeat(64 * 1024 * 1024)));
    expect((result as { text: string }).text).toHaveLength(64 * 1024 * 1024);
  });
});

describe('a redirect', () => {
  const to = (location: string, status = 302): Turn => answer(status, '', { location });

  it.each([301, 302, 303, 307, 308])('%i within the origin is followed for a read', async (status) => {
    const server = await startScripted([to('/else?where=1', status), answer(200, { a: 1 })]);
    const { transport, exchanges } = openTransport(`${server.origin}/api/v2`);
    expect(await transport.send(GET)).toMatchObject({
      status: 200,
      text: '{"a":1}',
      request: { method: 'GET', path: '/else?where=1' },
    });
    expect(server.requests.map(({ target }) => target)).toEqual(['/api/v2/things', '/else?where=1']);
    expect(server.requests[1]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(exchanges.map(({ url }) => url.replace(server.origin, ''))).toEqual(['/api/v2/things', '/else?where=1']);
  });

  it.each([
    ['another scheme', (origin: string) => origin.replace('http:', 'https:')],
    ['another host name for the same machine', (origin: string) => origin.replace('127.0.0.1', 'localhost')],
    ['no web address', () => 'ftp://127.0.0.1/'],
  ])('to %s is not followed', async (_name, change) => {
    const server = await startScripted((socket, request) => to(change(server.origin))(socket, request));
    const { transport } = openTransport(server.origin);
    expect(await outcome(transport.send(GET))).toMatchObject({ code: 'redirect' });
    expect(server.requests).toHaveLength(1);
  });

  it('to nowhere, or to something unreadable, ends a read', async () => {
    for (const turn of [answer(302, ''), to('http://[')]) {
      expect((await meet(turn)).result).toMatchObject({ exit: 'unavailable', code: 'redirect' });
    }
  });

  it.each([300, 304, 305, 306])('%i is none, and no answer of the service', async (status) => {
    const { server, result } = await meet(to('/else', status));
    expect(result).toMatchObject({
      exit: 'unavailable',
      code: 'not-the-service',
      message: `127.0.0.1:${server.port} answered GET /api/v2/things with ${status}, which the service never does`,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('in a circle ends', async () => {
    const { server, result } = await meet(to('/api/v2/things'));
    expect(result).toMatchObject({ exit: 'unavailable', code: 'redirect' });
    expect(server.requests).toHaveLength(6);
  });

  it.each([300, 301, 302, 303, 304, 307, 308])('%i of a write leaves its outcome unknown', async (status) => {
    for (const request of [POST, DELETE]) {
      const { server, result } = await meet(to('/else', status), request);
      expect(result).toMatchObject({ exit: 'outcome-unknown' });
      expect(server.requests).toHaveLength(1);
    }
  });
});

describe('a connection', () => {
  it('is used again', async () => {
    const server = await startScripted(answer(200, {}));
    const { transport } = openTransport(server.origin);
    for (let count = 0; count < 5; count += 1) await transport.send(GET);
    // The next request may come before the answer to the one before is quite over.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('that the service closed meanwhile is replaced', async () => {
    const sockets: Socket[] = [];
    const server = await startScripted(answer(200, {}), { onConnect: (socket) => sockets.push(socket) });
    const { transport } = openTransport(server.origin);
    await transport.send(GET);
    await once((sockets[0] as Socket).end(), 'close');
    expect(await transport.send(POST)).toMatchObject({ status: 200 });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(server.connections()).toBe(2);
  });

  it('that the service resets when the next request comes: that request was sent once', async () => {
    for (const request of [GET, POST]) {
      const server = await startScripted([answer(200, {}), reset, answer(200, {})]);
      const { transport } = openTransport(server.origin);
      await transport.send(GET);
      expect(await outcome(transport.send(request))).toMatchObject({ failure: 'reset', acted: 'maybe' });
      expect(server.requests).toHaveLength(2);
      expect(await transport.send(GET)).toMatchObject({ status: 200 });
    }
  });

  it('after an answer that says "close" is not used again', async () => {
    const server = await startScripted((socket, request) => {
      answer(200, {}, { connection: 'close' })(socket, request);
      socket.end();
    });
    const { transport } = openTransport(server.origin);
    for (const request of [GET, POST, GET]) expect(await transport.send(request)).toMatchObject({ status: 200 });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  it('of eight at most serves more requests than that', async () => {
    let underway = 0;
    let most = 0;
    const http = createServer((_incoming, outgoing) => {
      underway += 1;
      most = Math.max(most, underway);
      setImmediate(() => {
        underway -= 1;
        outgoing.end('{}');
      });
    });
    await once(http.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const { transport } = openTransport(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    const answers = await Promise.all(Array.from({ length: 40 }, () => transport.send(GET)));
    expect(answers.map((each) => each?.status)).toEqual(Array(40).fill(200));
    expect(most).toBeLessThanOrEqual(8);
  });
});

describe('a signal to stop', () => {
  const reason = new Error('enough');

  it('before: nothing is sent', async () => {
    const { server, result } = await meet(answer(200, {}), POST, { signal: AbortSignal.abort(reason) });
    expect(result).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['while waiting for the answer', reason, ''],
    ['while waiting, with a reason that is no error of ours', undefined, ''],
    ['in the middle of the answer', reason, `${toHead(200, [['Content-Length', '10']])}{`],
  ])('%s: with the reason', async (_name, why, part) => {
    const stop = new AbortController();
    const { result, exchanges } = await meet((socket) => void socket.write(part, () => stop.abort(why)), POST, {
      signal: stop.signal,
    });
    expect(result).toBe(stop.signal.reason);
    expect(exchanges).toHaveLength(1);
  });

  it('closing ends what is underway', async () => {
    const server = await startScripted(() => opened.transport.close());
    const opened = openTransport(server.origin);
    expect(await outcome(opened.transport.send(GET))).toMatchObject({ exit: 'unavailable' });
  });
});

describe('plain http', () => {
  const HOSTS = ['app.example.com', '10.0.0.1', 'localhost.example.com', '[fd00::1]'];
  it.each(HOSTS)('to %s is refused before any connection', async (host) => {
    const { transport, exchanges } = openTransport(`http://${host}:81/api/v2`);
    const message = `http://${host}:81 uses plain http: anyone on the network could read your token`;
    const hint = `Use https, or allow this host with --allow-http ${host}.`;
    expect(await outcome(transport.send(POST))).toMatchObject({ exit: 'usage', message, hint });
    expect(exchanges).toEqual([]);
  });

  // The proxy stands in for the network: it sees what would go there.
  it.each([
    ['http://app.example.com', 'app.example.com', true],
    ['http://app.example.com:8080', 'app.example.com', true],
    ['http://app.example.com:8080', 'APP.example.com:8080', true],
    ['http://app.example.com:8080', 'app.example.com:9090', false],
    ['http://app.example.com', 'example.com', false],
    ['http://app.example.com', '', false],
  ])('to %s with --allow-http %s: %s', async (origin, allowed, goes) => {
    const proxy = await startScripted(answer(502, ''));
    const { transport } = openTransport(origin, { allowHttp: [allowed], proxies: { http: proxy.origin } });
    expect(await outcome(transport.send(GET))).toMatchObject({ exit: goes ? 'unavailable' : 'usage' });
    expect(proxy.requests.map(({ method }) => method)).toEqual(goes ? ['CONNECT'] : []);
  });
});

describe('the trace', () => {
  it('says how long each exchange took', async () => {
    let time = 0;
    const { exchanges } = await meet(answer(200, {}), GET, { now: () => (time += 5) });
    expect(exchanges[0]?.milliseconds).toBe(5);
  });
});
