import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Client, type ClientOptions } from '../../src/api/client.ts';
import { readResource } from '../../src/api/error-document.ts';
import { Http, type HttpOptions } from '../../src/api/http.ts';
import { RateLimiter } from '../../src/api/rate-limit.ts';
import { createRawCall } from '../../src/api/raw-request.ts';
import { OrgctlError } from '../../src/lib/errors.ts';
import { createRedactor } from '../../src/lib/redact.ts';
import { GOOD, KEY } from '../support/certificates.ts';
import {
  answer,
  bytes,
  bytesThenReset,
  formatHead,
  gzipped,
  reset,
  type ScriptedServer,
  silence,
  startScripted,
  type Turn,
} from '../support/scripted.ts';

const TOKEN = 'secret-token-of-the-test';
const runtime = { now: Date.now, random: () => 0, sleep: async () => undefined };
const OK = answer(200, { data: [] });
const MIB = 1024 * 1024;

function open(origin: string, options: Partial<ClientOptions & HttpOptions> = {}) {
  const { signal } = new AbortController();
  const limiter = new RateLimiter(options.runtime ?? runtime);
  const http = new Http({
    userAgent: 'test',
    token: { value: TOKEN, origin },
    ca: undefined,
    clientCert: undefined,
    clientKey: undefined,
    skipTlsVerify: false,
    allowHttp: [],
    env: {},
    signal,
    now: Date.now,
    onExchange: () => undefined,
    redactor: createRedactor(),
    limiter,
    ...options,
  });
  const baseUrl = new URL(`${origin}/api/v2`);
  return new Client({
    connect: async () => ({ name: baseUrl.host, baseUrl, showsTokens: false, http }),
    runtime,
    limiter,
    signal,
    timeout: 60_000,
    maxRetries: 2,
    isDryRun: false,
    readOnly: undefined,
    writeLog: undefined,
    onProgress: () => undefined,
    onWait: () => undefined,
    ...options,
  });
}

async function attempt<T>(act: Promise<T>): Promise<{ value?: T } & Partial<OrgctlError>> {
  try {
    return { value: await act };
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    const { exit, code, message, reasons, hint } = error;
    return { exit, code, message, reasons, hint };
  }
}

const UNKNOWN = 'unknown whether this happened: send POST /things.';
const read = createRawCall('GET', '/things', [['page[size]', '1']]);
const write = createRawCall('POST', '/things', []);

async function send(
  turns: [Turn, ...Turn[]] | Turn,
  options: Partial<ClientOptions> = {},
  look?: () => Promise<{ value: string } | false | undefined>,
) {
  const server = await startScripted(turns);
  const client = open(server.origin, options);
  const result = await attempt(client.write(write, { body: '{}', read: () => 'done', findOutcome: look }));
  await client.close();
  return { ...result, sent: server.requests.length };
}

async function get(
  turns: [Turn, ...Turn[]] | Turn,
  options: Partial<ClientOptions & HttpOptions> = {},
): Promise<Awaited<ReturnType<typeof attempt>> & { server: ScriptedServer }> {
  const server = await startScripted(turns);
  const client = open(server.origin, options);
  const result = await attempt(client.read(read).then(({ text }) => text));
  await client.close();
  return { ...result, server };
}

test('of a write that waits to be sent again a signal says nothing but that', async () => {
  const controller = new AbortController();
  const stop = new OrgctlError('interrupted', 'Interrupted.');
  const sleep = async (): Promise<void> => {
    controller.abort(stop);
    throw stop;
  };
  const options = { signal: controller.signal, runtime: { ...runtime, sleep } };
  expect(await send(answer(429, undefined, { 'retry-after': '9' }), options)).toMatchObject({ reasons: [], sent: 1 });
});

test('logs no write without a token', async () => {
  const writeLog = { open: () => expect.unreachable() };
  const connect = () => Promise.reject(new OrgctlError('not-authenticated', 'no token'));
  expect(await send(OK, { connect, writeLog })).toMatchObject({ exit: 'not-authenticated', sent: 0 });
});

test('what is waited for is said', async () => {
  const said: string[] = [];
  const { server } = await get([answer(503), OK], { onProgress: said.push.bind(said), onWait: said.push.bind(said) });
  const host = server.origin.slice('http://'.length);
  expect(said).toEqual([`Waiting for ${host}`, `${host} answered 503; trying again (2 of 3)`]);
});

test('a request has the token, the media type of JSON:API, and an encoded query', async () => {
  const { server } = await get(OK);
  const [request] = server.requests;
  expect(request?.target).toBe('/api/v2/things?page%5Bsize%5D=1');
  expect(request?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
  expect(request?.headers.get('accept')).toBe('application/vnd.api+json');
});

describe('a write is never sent twice blindly', () => {
  test.each<[name: string, turn: Turn, exit: string]>([
    ['the answer breaks off', bytesThenReset('HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{'), 'outcome-unknown'],
    ['something else answers', answer(200, '<html>', { 'content-type': 'text/html' }), 'outcome-unknown'],
    ['it is refused', answer(422, { errors: [] }), 'rejected'],
  ])('%s', async (_name, turn, exit) => {
    const server = await startScripted(turn);
    const client = open(server.origin, { timeout: 300 });
    const result = await attempt(client.write(write, { body: '{}', read: readResource }));
    await client.close();
    expect({ exit: result.exit, sent: server.requests.length }).toEqual({ exit, sent: 1 });
  });

  test('one look tells what became of an unclear end', async () => {
    let looks = 0;
    const look = (found: { value: string } | false | undefined) => async () => {
      looks += 1;
      return found;
    };
    expect(await send(reset, {}, look({ value: 'found' }))).toMatchObject({ value: 'found', sent: 1 });
    expect(await send(reset, {}, look(false))).toMatchObject({ exit: 'unavailable', sent: 1 });
    expect(await send(reset, {}, look(undefined))).toMatchObject({ exit: 'outcome-unknown', sent: 1 });
    expect(looks).toBe(3);
    const interrupted = async () => Promise.reject(new OrgctlError('interrupted', 'Interrupted.'));
    expect(await send(reset, {}, interrupted)).toMatchObject({ exit: 'interrupted', reasons: [UNKNOWN] });
    const failing = async () => Promise.reject(new OrgctlError('forbidden', 'no'));
    expect(await send(reset, {}, failing)).toMatchObject({ exit: 'outcome-unknown', sent: 1 });
  });
});

describe('a read', () => {
  test.each<[name: string, turn: Turn]>([
    ['a broken connection', reset],
    ['a failing service', answer(502, '<html>')],
    ['a limit', answer(429)],
    ['an answer that breaks off', bytesThenReset('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{')],
  ])('is retried after %s', async (_name, turn) => {
    const { value, server } = await get([turn, turn, OK]);
    expect({ value, sent: server.requests.length }).toEqual({ value: '{"data":[]}', sent: 3 });
  });

  test.each<[name: string, turn: Turn, expected: object]>([
    [
      'a web page',
      answer(403, '<html><title>Log in</title>', { 'content-type': 'text/html' }),
      {
        exit: 'unavailable',
        code: 'not-the-service',
        message: expect.stringContaining('"Log in"'),
        hint: expect.stringContaining('Check the base URL'),
      },
    ],
    ['the web page of a failing service', answer(502, '<html>'), { exit: 'unavailable', hint: 'Try again later.' }],
    ['what is not HTTP', bytes('SSH-2.0\r\n'), { exit: 'unavailable' }],
    [
      'more than 64 MiB',
      (socket) => void socket.write(formatHead(200, [['Content-Length', String(65 * MIB)]]) + 'x'.repeat(65 * MIB)),
      { code: 'too-large' },
    ],
    ['more than 64 MiB once unpacked', gzipped('x'.repeat(65 * MIB)), { code: 'too-large' }],
    ['gzip that is damaged', gzipped('x', (body) => body.fill(0, 10)), { exit: 'unavailable' }],
  ])('%s', async (_name, turn, expected) => {
    expect(await get(turn, { maxRetries: 0 })).toMatchObject(expected);
  });

  test('ends in time although no connection stands', async () => {
    const { origin } = await startScripted(silence);
    const client = open(origin.replace('http:', 'https:'), { timeout: 300, maxRetries: 0 });
    expect(await attempt(client.read(read))).toMatchObject({ exit: 'unavailable', code: 'timeout' });
    await client.close();
  });

  test.each<[name: string, turn: Turn, text: string]>([
    ['gzip', gzipped({ data: ['é'] }), '{"data":["é"]}'],
    ['GZIP, in capitals', answer(200, gzipSync('{"data":[]}'), { 'content-encoding': 'GZIP' }), '{"data":[]}'],
    ['text that begins with a BOM', answer(200, '\ufeff{"data":[]}'), '{"data":[]}'],
    ['204, and a body all the same', bytes('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'), ''],
  ])('of %s', async (_name, turn, text) => {
    expect(await get(turn, { maxRetries: 0 })).toMatchObject({ value: text });
  });

  test('that is refused says why, also where the errors are an object', async () => {
    const errors = { name: ['has already been taken'], email: 'is invalid' };
    expect(await get(answer(422, { errors }))).toMatchObject({
      reasons: ['name: has already been taken', 'email: is invalid'],
    });
  });
});

describe('a token stays with its origin', () => {
  test('a redirect within the origin is followed', async () => {
    const { value, server } = await get([answer(302, undefined, { location: '/elsewhere?a=1' }), OK]);
    expect(value).toBe('{"data":[]}');
    expect(server.requests[1]).toMatchObject({ target: '/elsewhere?a=1' });
  });

  test('a redirect to another origin is not', async () => {
    const other = await startScripted(OK);
    expect(await get(answer(302, undefined, { location: `${other.origin}/api/v2/things` }))).toMatchObject({
      code: 'redirect',
      exit: 'unavailable',
    });
    expect(other.requests).toEqual([]);
  });

  test('a circle of redirects ends', async () => {
    const { code, server } = await get(answer(302, undefined, { location: '/api/v2/things' }));
    expect({ code, sent: server.requests.length }).toEqual({ code: 'redirect', sent: 6 });
  });

  test('a request to another origin has no token', async () => {
    const { server } = await get(OK, { token: { value: TOKEN, origin: 'https://app.terraform.io' } });
    expect(server.requests[0]?.headers.has('authorization')).toBe(false);
  });
});

test('sends a write again if it never connected', async () => {
  const server = await startScripted(answer(201, {}), { tls: { cert: GOOD, key: KEY }, resets: 1 });
  const client = open(server.origin, { skipTlsVerify: true });
  expect(await attempt(client.write(write, { read: () => 'done' }))).toEqual({ value: 'done' });
  await client.close();
  expect(server.requests).toHaveLength(1);
});
