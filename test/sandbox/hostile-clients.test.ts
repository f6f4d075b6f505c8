import { once } from 'node:events';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tryRequests } from '../crash/requests.ts';
import { exchange, open, type RawAnswer, toAnswers, untilClosed } from '../support/raw-http.ts';
import { openTestSandbox, serve, TOKEN_REQUEST } from './harness.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** The next client is served. Where limits are as short as in some tests, a busy machine lets a few be too slow for them. */
async function expectServing(port: number): Promise<void> {
  const ping = 'GET /ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  let answer = await exchange(port, ping);
  for (let tries = 1; tries < 100 && answer.startsWith('HTTP/1.1 408 '); tries += 1)
    answer = await exchange(port, ping);
  expect(answer).toMatch(/^HTTP\/1\.1 204 /);
}

const SITE = 'Host: 127.0.0.1\r\n';
const CLOSE = 'Connection: close\r\n';
const OWNER = 'Authorization: Bearer sandbox.owner\r\n';
const JSON_API = `Content-Type: ${MEDIA_TYPE}\r\n`;
const POST = `POST /api/v2/organizations/acme/authentication-token?token=audit-trails HTTP/1.1\r\n${SITE}${OWNER}${JSON_API}`;
const BODY = JSON.stringify(TOKEN_REQUEST);
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
/** Must not be taken for a second request. */
const HIDDEN = `DELETE /api/v2/organizations/acme/authentication-token?token=audit-trails HTTP/1.1\r\n${SITE}${OWNER}${JSON_API}\r\n`;

function expectError(answer: RawAnswer | undefined, status: number, title: string): void {
  expect(answer).toMatchObject({ status, headers: { 'content-type': MEDIA_TYPE } });
  expect(JSON.parse(answer?.body ?? '')).toEqual({ errors: [{ status: String(status), title }] });
}

describe('what is no request', () => {
  const BIG = 'a'.repeat(65_536);
  const CHUNKS = 'Transfer-Encoding: chunked\r\n';
  const get = (target: string, headers = SITE): string => `GET ${target} HTTP/1.1\r\n${headers}${CLOSE}\r\n`;
  test.each<[name: string, text: string, status?: number, title?: string]>([
    ['a word', 'hello\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
    ['an unknown version', `GET /ping HTTP/9.9\r\n${SITE}\r\n`],
    ['NUL in a header', `GET /ping HTTP/1.1\r\n${SITE}A: b\0c\r\n\r\n`],
    ['one header of 64 kB', get('/ping', `${SITE}A: ${BIG}\r\n`), 431, 'request header fields too large'],
    ['two lengths', `${POST}${LENGTH}Content-Length: 0\r\n\r\n${BODY}${HIDDEN}`],
    ['a length and chunks', `${POST}${LENGTH}${CHUNKS}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk without a size', `${POST}${CHUNKS}\r\nxyz\r\n${BODY}\r\n0\r\n\r\n`],
    ['64 kB beside a size', `${POST}${CHUNKS}\r\n2;a=${BIG}\r\n{}\r\n0\r\n\r\n`, 413, 'payload too large'],
    ['no host', 'GET /ping HTTP/1.1\r\n\r\n'],
    ['two hosts', get('/ping', `${SITE}Host: localhost\r\n`)],
    ['a host with a path', get('/ping', 'Host: 127.0.0.1/api\r\n')],
    ['a host with a user', get('/ping', 'Host: a@127.0.0.1\r\n')],
    ['a target with a user', get('http://a:b@127.0.0.1/ping')],
    ['an impossible target', get('http://[')],
    ['the target of a server itself', `OPTIONS * HTTP/1.1\r\n${SITE}${CLOSE}\r\n`],
    ['a path that begins with two slashes', get('//ping'), 404, 'not found'],
  ])('%s is answered with an error, not acted on, and does no harm', async (_name, text, status, title) => {
    const { port, handled } = await serve();
    const [answer, ...more] = toAnswers(await exchange(port, text));
    expectError(answer, status ?? 400, title ?? 'bad request');
    expect(more).toEqual([]);
    expect(handled().filter((line) => line !== 'GET //ping')).toEqual([]);
    await expectServing(port);
  });

  test('after a request: that request is answered first, and nothing after is acted on', async () => {
    const { port, handled } = await serve({ faults: ['GET ping: delay=20ms'] });
    const answers = toAnswers(await exchange(port, `GET /ping HTTP/1.1\r\n${SITE}\r\nhello\r\n\r\n${HIDDEN}`));
    expect(answers.map(({ status }) => status)).toEqual([204, 400]);
    expect(handled()).toEqual(['GET /ping']);
  });

  test('a body with two requests in it stays a body', async () => {
    const { port, handled } = await serve();
    const text = `${POST}${CLOSE}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`;
    expect(toAnswers(await exchange(port, text)).map(({ status }) => status)).toEqual([422]);
    expect(handled()).toEqual(['POST /api/v2/organizations/acme/authentication-token']);
  });
});

test('requests that are nearly right are answered or cut, and never with a 5xx status', async () => {
  const lines: string[] = [];
  const { port } = await serve({ sandbox: openTestSandbox({ log: (line) => lines.push(line) }) });
  expect(await tryRequests(port, { runs: 150, firstSeed: 1 })).toEqual([]);
  expect(lines.filter((line) => !line.startsWith('no route for '))).toEqual([]);
  await expectServing(port);
});

describe('methods', () => {
  const request = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\n${SITE}${OWNER}${CLOSE}\r\n`;
  const LIST = '/api/v2/organizations/acme/organization-memberships';

  const OTHERS = ['OPTIONS', 'PUT', 'PATCH', 'TRACE', 'PURGE', 'PROPFIND', 'DELETE'];
  test.each(OTHERS)('%s on a list is 404: the service has no such route', async (method) => {
    const { port } = await serve();
    const [answer] = toAnswers(await exchange(port, request(method, LIST)));
    expectError(answer, 404, 'not found');
  });

  test('CONNECT is cut', async () => {
    const { port } = await serve();
    expect(await exchange(port, `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`)).toBe('');
    await expectServing(port);
  });

  test('HEAD is GET without a body, also for errors; an offer of another protocol is ignored', async () => {
    const { port } = await serve();
    const head = await exchange(port, request('HEAD', LIST));
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head).toMatch(/\r\n\r\n$/);
    expect(await exchange(port, request('HEAD', '/nothing'))).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\n$/s);
    const upgrade = `GET /ping HTTP/1.1\r\n${SITE}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(await exchange(port, upgrade)).toMatch(/^HTTP\/1\.1 204 /);
  });
});

describe('slow clients', () => {
  const limits = { headers: 30, request: 60, check: 5 };

  const HALF_CHUNK = `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{`;
  const HALVES = ['', `GET /ping HTTP/1.1\r\n${SITE}A: `, `${POST}${LENGTH}\r\n${BODY.slice(0, 5)}`, HALF_CHUNK];
  test.each(HALVES)('one that sends nothing more than %j is answered 408 and cut', async (text) => {
    const { port, handled } = await serve({ limits });
    const [answer] = toAnswers(await exchange(port, text));
    expectError(answer, 408, 'request timeout');
    expect(handled()).toEqual([]);
    await expectServing(port);
  });

  test('one that drips headers is cut all the same, while others are served', async () => {
    const { port } = await serve({ limits });
    const socket = await open(port);
    socket.write(`GET /ping HTTP/1.1\r\n${SITE}`);
    const dripping = setInterval(() => socket.write('A: b\r\n'), 3);
    onTestFinished(() => clearInterval(dripping));
    await expectServing(port);
    socket.resume();
    await untilClosed(socket);
  });

  test('one that takes no answers is cut', async () => {
    const { port } = await serve({ limits: { answer: 30 } });
    const socket = await open(port);
    socket.pause();
    const list = `GET /api/v2/feature-sets HTTP/1.1\r\n${SITE}${OWNER}\r\n`;
    // It would not see its end, did it not write.
    const asking = setInterval(() => socket.write(list.repeat(100)), 3);
    onTestFinished(() => clearInterval(asking));
    await untilClosed(socket);
    await expectServing(port);
  });

  test('a delay that was ordered is not held against the client', async () => {
    const long = { headers: 1_000, request: 1_000, check: 50 };
    const { url } = await serve({ limits: long, faults: ['GET ping: delay=1500ms'] });
    expect((await fetch(`${url}/ping`)).status).toBe(204);
  });
});

describe('large bodies', () => {
  const MEBIBYTE = 1_048_576;

  test('one in chunks is 413, and not acted on', async () => {
    const { port, handled } = await serve();
    const piece = `100000\r\n${' '.repeat(MEBIBYTE)}\r\n`;
    const pieces = Array.from({ length: 8 }, () => piece);
    const text = await exchange(port, `${POST}Transfer-Encoding: chunked\r\n\r\n`, ...pieces, '0\r\n\r\n');
    expectError(toAnswers(text)[0], 413, 'payload too large');
    expect(handled()).toEqual([]);
  });

  test('one without an end is cut after some of it', async () => {
    const { port } = await serve();
    const socket = await open(port);
    const piece = Buffer.from(`100000\r\n${' '.repeat(MEBIBYTE)}\r\n`);
    let sent = 0;
    socket.resume();
    socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
    const send = (error?: Error | null): void => {
      // What fails was not sent, and the socket is not yet destroyed by then.
      if (error || socket.destroyed) return;
      sent += 1;
      if (sent < 1_000) socket.write(piece, send);
    };
    send();
    await untilClosed(socket);
    expect(sent).toBeLessThan(100);
    await expectServing(port);
  });

  test('one that waits to be asked for is asked for', async () => {
    const { port } = await serve();
    const text = await exchange(port, `${POST}${CLOSE}Expect: 100-continue\r\n${LENGTH}\r\n${BODY}`);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  test('one of nothing but brackets is no JSON object', async () => {
    const { port } = await serve();
    const brackets = '['.repeat(1_000_000);
    const text = await exchange(port, `${POST}${CLOSE}Content-Length: ${brackets.length}\r\n\r\n`, brackets);
    expect(toAnswers(text)[0]?.status).toBe(422);
  });
});

describe('many connections', () => {
  test('above the limit, new ones are cut', async () => {
    const { port } = await serve({ limits: { connections: 50 } });
    const ping = `GET /ping HTTP/1.1\r\n${SITE}\r\n`;
    const sockets: Socket[] = [];
    for (let count = 0; count < 50; count += 1) {
      const socket = await open(port);
      socket.write(ping);
      await once(socket, 'data');
      sockets.push(socket);
    }
    expect(await exchange(port, ping)).toBe('');
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
    for (const socket of sockets) socket.destroy();
    // The server hears of their end a little later.
    while ((await exchange(port, ping.replace('\r\n', `\r\n${CLOSE}`))) === '');
    await expectServing(port);
  });

  test('none of them keeps the server from closing', async () => {
    const { port, close } = await serve({ faults: ['* *: delay=3600s'] });
    const ping = `GET /ping HTTP/1.1\r\n${SITE}`;
    const closed: Promise<void>[] = [];
    for (const text of ['', ping, `${ping}\r\n`, `${POST}${LENGTH}\r\n{`]) {
      const socket = await open(port);
      socket.write(text);
      closed.push(untilClosed(socket.resume()));
    }
    await close();
    await Promise.all(closed);
  });
});

describe('web pages', () => {
  const ask = async (options: Parameters<typeof serve>[0], host: string, headers = '') => {
    const { port, handled } = await serve(options);
    const text = `GET /ping HTTP/1.1\r\nHost: ${host}\r\n${headers}${CLOSE}\r\n`.replaceAll('PORT', String(port));
    const [answer] = toAnswers(await exchange(port, text));
    expect(handled()).toEqual(answer?.status === 204 ? ['GET /ping'] : []);
    return [answer?.status ?? 0, answer?.body ?? ''] as const;
  };

  const NEAR =
    '127.0.0.1:PORT 127.0.0.1 localhost:PORT LOCALHOST acme.localhost:PORT [::1]:PORT 10.0.0.7:8480 localhost.';
  test.each(NEAR.split(' '))('a client may ask for %s', async (host) => {
    expect(await ask({}, host)).toEqual([204, '']);
  });

  const FAR = ['localhost.rebound.example', '127.0.0.1.rebound.example', '0x7f.1.rebound.example:80'];
  const FOREIGN = ['rebound.example', 'sandbox', '2130706433.example', ...FAR];
  test.each(FOREIGN)('a foreign name that leads here, %s, is not served', async (host) => {
    const name = host.replace(/:80$/, '');
    const [status, body] = await ask({}, host);
    expect(status).toBe(421);
    expect(JSON.parse(body).errors[0]).toEqual({
      status: '421',
      title: 'misdirected request',
      detail: `This sandbox is not served as ${name}. Start it with --allow-host ${name} if it should be.`,
    });
  });

  test('a name is served that was allowed, or is listened on, and no other', async () => {
    const options = { allowHosts: ['Sandbox', 'ci.example:8480'] };
    expect((await ask(options, 'sandbox:PORT'))[0]).toBe(204);
    expect((await ask(options, 'CI.example'))[0]).toBe(204);
    expect((await ask(options, 'x.ci.example'))[0]).toBe(421);
  });

  test('the target counts where it names a host of its own', async () => {
    const { port } = await serve();
    const text = `GET http://rebound.example/ping HTTP/1.1\r\n${SITE}${CLOSE}\r\n`;
    expect(toAnswers(await exchange(port, text))[0]?.status).toBe(421);
  });

  test.each([
    ['a foreign page', 'Origin: https://evil.example\r\n', 403],
    ['another port', 'Origin: http://127.0.0.1:1\r\n', 403],
    ['a page without an origin', 'Origin: null\r\n', 403],
    ['a picture', 'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n', 403],
    ['a page beside it', 'Sec-Fetch-Site: same-site\r\n', 403],
    ['its own page', 'Origin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: same-origin\r\n', 204],
    ['the address bar', 'Sec-Fetch-Site: none\r\n', 204],
  ])('a request of %s', async (_name, headers, status) => {
    expect((await ask({}, '127.0.0.1:PORT', headers))[0]).toBe(status);
  });

  test('a page cannot ask whether it may, nor use up a fault', async () => {
    const { port } = await serve({ faults: ['* *: nth=1 503'] });
    const preflight = `OPTIONS /api/v2/feature-sets HTTP/1.1\r\n${SITE}${CLOSE}Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`;
    const answer = await exchange(port, preflight);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer.toLowerCase()).not.toContain('access-control');
    const first = await exchange(port, `GET /ping HTTP/1.1\r\n${SITE}${CLOSE}\r\n`);
    expect(first).toMatch(/^HTTP\/1\.1 503 /);
  });
});

describe('other machines', () => {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');

  test.runIf(outer !== undefined)('by default it does not listen on an address that they know', async () => {
    const { port } = await serve();
    await expect(fetch(`http://${outer?.address}:${port}/ping`)).rejects.toThrow();
  });
});
