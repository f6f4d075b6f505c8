import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../../src/old/service/transport.ts';
import { AUTHORITY, GOOD, KEY } from '../../support/certificates.ts';
import { openTransport, TOKEN, toRequest } from '../../support/direct.ts';
import { findFreePort } from '../../support/ports.ts';
import { answer, reset, startScripted, type Turn, toHead } from '../../support/scripted.ts';

const GET = toRequest('GET');
const POST = toRequest('POST');
// Every address of this machine is reached directly, so the service goes by a name that only the proxy knows.
const HOST = 'app.example.com';

const fail = (transport: Transport) => transport.send(POST).catch((error: unknown) => error);

/** Connects to this port of this machine, whatever was asked for. */
function tunnelTo(port: number): Turn {
  return (socket: Socket) => {
    const onward = connect(port, '127.0.0.1', () => {
      socket.write(toHead(200, []));
      socket.removeAllListeners('data');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  };
}

describe('by a proxy', () => {
  it('plain http goes through a tunnel: the proxy gets its own login, the service the token', async () => {
    const service = await startScripted(answer(200, { a: 1 }));
    const proxy = await startScripted(tunnelTo(service.port));
    const { transport } = openTransport(`http://${HOST}/api/v2`, {
      allowHttp: [HOST],
      proxies: { http: proxy.origin.replace('//', '//ana:p%40ss@') },
    });
    expect(await transport.send(POST)).toMatchObject({ status: 200, text: '{"a":1}' });
    const [tunnel] = proxy.requests;
    expect(tunnel).toMatchObject({ method: 'CONNECT', target: `${HOST}:80` });
    expect(tunnel?.headers.get('proxy-authorization')).toBe(`Basic ${Buffer.from('ana:p@ss').toString('base64')}`);
    expect(tunnel?.headers.has('authorization')).toBe(false);
    const [request] = service.requests;
    expect(request?.headers.get('host')).toBe(HOST);
    expect(request?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(request?.headers.has('proxy-authorization')).toBe(false);
  });

  it("https goes through a tunnel, and the certificate is the service's to show", async () => {
    const service = await startScripted(answer(200, {}), { tls: { cert: GOOD, key: KEY } });
    const proxy = await startScripted(tunnelTo(service.port));
    const proxies = { https: proxy.origin };
    const { transport } = openTransport(`https://${HOST}`, { extraCertificates: AUTHORITY, proxies });
    expect(await fail(transport)).toMatchObject({
      code: 'tls',
      acted: 'no',
      message: `the certificate of ${HOST} is for another host name`,
      hint: 'Check the host name.',
    });
    expect(service.requests).toEqual([]);
    const unchecked = openTransport(`https://${HOST}`, { skipVerification: true, proxies });
    expect(await unchecked.transport.send(POST)).toMatchObject({ status: 200 });
    expect(proxy.requests.map(({ target }) => target)).toEqual([`${HOST}:443`, `${HOST}:443`]);
  });

  it.each<[string, Turn, string]>([
    ['refuses', answer(407, ''), 'It answered 407 instead of connecting.'],
    ['cannot connect', answer(502, ''), 'It answered 502 instead of connecting.'],
    ['breaks off', reset, 'It closed the connection.'],
  ])('that %s: a write has not left', async (_name, turn, reason) => {
    const proxy = await startScripted(turn);
    const proxies = { https: `http://ana:s3cret@127.0.0.1:${proxy.port}` };
    expect(await fail(openTransport(`https://${HOST}`, { proxies }).transport)).toMatchObject({
      exit: 'unavailable',
      code: 'proxy',
      acted: 'no',
      message: `can't reach ${HOST} through the proxy 127.0.0.1:${proxy.port} (from HTTPS_PROXY)`,
      reasons: [reason],
      hint: 'Check HTTPS_PROXY and NO_PROXY.',
    });
  });

  it('that is not there is named as the fault, not the service', async () => {
    const port = await findFreePort();
    const proxies = { https: `http://127.0.0.1:${port}` };
    expect(await fail(openTransport(`https://${HOST}`, { proxies }).transport)).toMatchObject({
      code: 'proxy',
      acted: 'no',
      message: `can't reach ${HOST} through the proxy 127.0.0.1:${port} (from HTTPS_PROXY)`,
      reasons: ['It refused the connection.'],
    });
  });

  it("a request that broke behind the proxy is the service's", async () => {
    const service = await startScripted(reset);
    const proxy = await startScripted(tunnelTo(service.port));
    const { transport } = openTransport(`http://${HOST}`, { allowHttp: [HOST], proxies: { http: proxy.origin } });
    expect(await fail(transport)).toMatchObject({
      code: 'reset',
      acted: 'maybe',
      message: `the connection to ${HOST} broke before an answer came`,
    });
    expect(service.requests).toHaveLength(1);
  });

  it('this machine is reached directly', async () => {
    const service = await startScripted(answer(200, {}));
    const proxy = await startScripted(answer(502, ''));
    const { transport } = openTransport(service.origin, { proxies: { http: proxy.origin, https: proxy.origin } });
    expect(await transport.send(GET)).toMatchObject({ status: 200 });
    expect(proxy.connections()).toBe(0);
  });

  it.each(['socks5://127.0.0.1', 'http://ana:s%cret@127.0.0.1:PORT', 'http://ana:1/2@127.0.0.1:PORT'])(
    '%s is refused before anything is sent',
    async (text) => {
      const proxy = await startScripted(answer(502, ''));
      const proxies = { https: text.replace('PORT', String(proxy.port)) };
      const error = await fail(openTransport(`https://${HOST}`, { proxies }).transport);
      expect(error).toMatchObject({ exit: 'usage', hint: expect.stringContaining('HTTPS_PROXY') });
      expect(proxy.connections()).toBe(0);
    },
  );
});
