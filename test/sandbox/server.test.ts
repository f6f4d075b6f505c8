import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { openTestSandbox, TOKEN, TOKEN_REQUEST } from './harness.ts';

const headers = { authorization: 'Bearer sandbox.owner', 'content-type': 'application/vnd.api+json' };
const generate = { method: 'POST', headers, body: JSON.stringify(TOKEN_REQUEST) };

/** Writes the pieces and resolves with all that came back, once the server closes. The client never does. */
function exchange(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const answer: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    });
    const done = (): void => resolve(Buffer.concat(answer).toString('latin1'));
    socket.on('data', (chunk) => answer.push(chunk));
    socket.on('error', done);
    socket.on('close', done);
  });
}

describe('serving', () => {
  test('HEAD has the length of what GET would get', async () => {
    const { url } = await startService({ sandbox: openTestSandbox() });
    const head = await fetch(`${url}/feature-sets`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
  });

  test('takes a body in chunks, and refuses one that never ends with 413', async () => {
    const { url, port, requests } = await startService({ sandbox: openTestSandbox() });
    const head = `POST /api/v2${TOKEN} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const text = await exchange(port, head + `80000\r\n${' '.repeat(0x80_000)}\r\n`.repeat(3));
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(requests).toEqual([]);
    const body = new Blob([generate.body]).stream();
    expect((await fetch(`${url}${TOKEN}`, { ...generate, body, duplex: 'half' } as RequestInit)).status).toBe(201);
  });

  test('refuses a body over 1 MiB with 413', async () => {
    const { url, sandbox } = await startService({ sandbox: openTestSandbox() });
    const body = `${generate.body}${' '.repeat(1_048_576)}`;
    const response = await fetch(`${url}${TOKEN}`, { ...generate, body });
    const errors = [{ status: '413', title: 'payload too large' }];
    expect([response.status, await response.json()]).toEqual([413, { errors }]);
    expect(sandbox.tokenFor('audit-token', 'acme')).toBe('sandbox.audit-token.acme');
    expect((await fetch(`${url}/ping`)).status).toBe(204);
  });

  const OWN = ['127.0.0.1', 'LOCALHOST:1', 'acme.localhost', '[::1]:8480', '10.0.0.7'];
  const OTHERS = ['rebound.example', '127.0.0.1.rebound.example', 'localhost.rebound.example'];
  const NAMES = [...OWN.map((host) => [host, 204] as const), ...OTHERS.map((host) => [host, 421] as const)];
  test.each(NAMES)('answers a request for %s with %i', async (host, status) => {
    const { port, requests } = await startService({ sandbox: openTestSandbox() });
    const text = await exchange(port, `GET /ping HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(requests).toHaveLength(status === 204 ? 1 : 0);
  });

  test('an unexpected failure is 500 without its reasons', async () => {
    const broken = { ...openTestSandbox(), handle: () => Promise.reject(new Error('the reason')) };
    const { url } = await startService({ sandbox: broken });
    const response = await fetch(`${url}/ping`);
    const errors = [{ status: '500', title: 'internal server error' }];
    expect([response.status, await response.json()]).toEqual([500, { errors }]);
  });
});

describe('faults', () => {
  test('a status has an error document', async () => {
    const { url } = await startService({
      sandbox: openTestSandbox(),
      faults: ['GET teams: 404', 'GET feature-sets: 429', 'GET memberships: 503'],
    });
    const get = async (path: string): Promise<unknown[]> => {
      const response = await fetch(`${url}${path}`, { headers });
      const { headers: got } = response;
      return [response.status, got.get('retry-after'), got.get('x-ratelimit-reset'), await response.json()];
    };
    const refuse = (status: string, title: string) => ({ errors: [{ status, title }] });
    const limit = { detail: "You have exceeded the API's rate limit.", status: 429, title: 'Too many requests' };
    expect(await get('/organizations/acme/teams')).toEqual([404, null, null, refuse('404', 'not found')]);
    expect(await get('/feature-sets')).toEqual([429, '1', '1.000', { errors: [limit] }]);
    expect(await get('/organization-memberships')).toEqual([503, '1', null, refuse('503', 'service unavailable')]);
  });

  test.each([
    ['html', 502, /^<html>.*502 Bad Gateway/],
    ['html=200', 200, /^<html>.*200 OK/],
  ])('%s is a page such as a proxy sends', async (action, status, page) => {
    const { url } = await startService({ sandbox: openTestSandbox(), faults: [`* *: ${action}`] });
    const response = await fetch(`${url}/feature-sets`, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html']);
    expect(await response.text()).toMatch(page);
  });

  test.each([
    ['reset-before', false],
    ['reset-after-commit', true],
    ['503', false],
    ['html', false],
    ['truncate', true],
  ])('%s on the first token: is it acted on: %s', async (action, acted) => {
    const { url, sandbox } = await startService({
      sandbox: openTestSandbox(),
      faults: [`POST authentication-token: nth=1 ${action}`],
    });
    const outcome = await fetch(`${url}${TOKEN}`, generate)
      .then((response) => response.text())
      .then((text) => text.length > 0)
      .catch(() => false);
    expect(outcome).toBe(action === '503' || action === 'html');
    expect(sandbox.tokenFor('audit-token', 'acme') !== 'sandbox.audit-token.acme').toBe(acted);
    expect((await fetch(`${url}${TOKEN}`, generate)).status).toBe(201);
  });
});
