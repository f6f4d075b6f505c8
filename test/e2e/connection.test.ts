import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { AUTHORITY, ELSEWHERE, EXPIRED, GOOD, KEY, NAMED } from '../support/certificates.ts';
import { pass } from '../support/faults.ts';
import { startFront } from '../support/front.ts';
import { isInstalled, type ProxyOptions, SQUID, startSquid, startTinyproxy, TINYPROXY } from '../support/proxies.ts';
import { answer, silence, startScripted, type Turn } from '../support/scripted.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';
import { startService } from '../support/service.ts';
import { createPlace, type Environment, orgctl } from '../support/shipped.ts';

/** The built orgctl, its way to the service, and what it says if there is none. */

const LIST = ['feature-sets', 'list', '-o', 'json'];
const API = ['api', 'organizations/acme/feature-sets'];

/** Runs with an environment and files of its own. */
function prepare(env: Environment = {}) {
  const place = createPlace();
  const put = (name: string, text: string): string => {
    writeFileSync(join(place.home, name), text, { mode: 0o600 });
    return join(place.home, name);
  };
  const run = (argv: readonly string[], more: Environment = {}) =>
    orgctl(argv, { env: { ...place.env, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme', ...env, ...more } });
  return { put, run };
}

describe('a proxy', () => {
  // This machine is never asked by proxy. So the service has a name that only squid knows, or 0.0.0.0, which leads here too.
  const NAME = 'tfe.example.test';
  const ADDRESS = '0.0.0.0';

  async function startTarget(host: string, scheme: 'https' | 'http' = 'https') {
    const { sandbox } = await startService({ now: Date.now });
    const front = await startFront(sandbox, pass, scheme === 'https' ? { tls: { key: KEY, cert: NAMED } } : {});
    const { put, run } = prepare({
      ORGCTL_BASE_URL: `${scheme}://${host}:${front.port}/api/v2`,
      ORGCTL_TOKEN: sandbox.tokenFor('owner', 'acme') ?? '',
    });
    const ca = put('authorities.pem', AUTHORITY + NAMED);
    return {
      front,
      target: `${host}:${front.port}`,
      run: (argv: readonly string[], env: Environment) => run(argv, { ORGCTL_CA_FILE: ca, ...env }),
    };
  }

  const formatUrl = (port: number, { login, tls }: ProxyOptions): string =>
    `${tls ? 'https' : 'http'}://${login ? `${login.map(encodeURIComponent).join(':')}@` : ''}${tls ? 'localhost' : '127.0.0.1'}:${port}`;

  describe.each([
    ['squid', SQUID, NAME, (options: ProxyOptions) => startSquid(options, [NAME]), ['ana', 'p@ss/%word']],
    // It takes letters and digits only.
    ['tinyproxy', TINYPROXY, ADDRESS, startTinyproxy, ['ana', 'longpassword']],
  ] as const)('%s', (name, program, host, startProxy, login) => {
    const isHere = isInstalled(program);

    test
      .skipIf(!isHere)
      .each<[string, ProxyOptions]>([
        ['as it is', {}],
        ['with name and password', { login }],
        ...(name === 'squid' ? [['over TLS, with both', { tls: true, login }] as [string, ProxyOptions]] : []),
      ])('%s: every connection goes through it', async (_name, options) => {
      const proxy = await startProxy(options);
      const { front, target, run } = await startTarget(host);
      const env = { HTTPS_PROXY: formatUrl(proxy.port, options) };
      expect(await run(LIST, env)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"fs-') });
      expect(await run([...API, '--all'], env)).toMatchObject({ code: 0, stderr: '' });
      const user = options.login && name === 'squid' ? login[0] : undefined;
      expect(front.connections()).toBeGreaterThanOrEqual(2);
      expect(await proxy.stop()).toEqual(Array(front.connections()).fill({ target, user }));
    });

    test.skipIf(!isHere)('that refuses the password is named, the password nowhere', async () => {
      const proxy = await startProxy({ login });
      const { front, run } = await startTarget(host);
      const password = 'wrong&password%';
      const env = { HTTPS_PROXY: formatUrl(proxy.port, { login: [login[0], password] }) };
      for (const argv of [LIST, ['feature-sets', 'list'], API, ['auth', 'status']]) {
        const { code, stdout, stderr } = await run([...argv, '--debug'], env);
        expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
        expect(stderr).toContain(
          `can't reach ${host}:${front.port} through the proxy 127.0.0.1:${proxy.port}: the proxy answered ${name === 'squid' ? 407 : 401}`,
        );
        for (const secret of [password, encodeURIComponent(password), btoa(`ana:${password}`)])
          expect(stderr).not.toContain(secret);
      }
      expect(front.connections()).toBe(0);
    });
  });

  test.skipIf(!isInstalled(SQUID))('is passed by for this machine, and for what NO_PROXY names', async () => {
    const proxy = await startSquid({}, [NAME]);
    const env = { HTTPS_PROXY: formatUrl(proxy.port, {}), HTTP_PROXY: formatUrl(proxy.port, {}) };
    const named = await startTarget(ADDRESS);
    expect(await named.run(LIST, { ...env, NO_PROXY: `other.test,${ADDRESS}` })).toMatchObject({ code: 0 });
    const { url, run } = await startService();
    expect(url).toContain('//127.0.0.1:');
    expect(await run(LIST, { env })).toMatchObject({ code: 0 });
    expect(await proxy.stop()).toEqual([]);
  });

  test.skipIf(!isInstalled(SQUID))('of HTTP_PROXY is for plain http that is allowed', async () => {
    const proxy = await startSquid({}, [NAME]);
    const { target, run } = await startTarget(NAME, 'http');
    const env = { HTTP_PROXY: formatUrl(proxy.port, {}) };
    expect(await run(LIST, env)).toMatchObject({ code: 2, stderr: expect.stringContaining('uses plain http') });
    expect(await run([...LIST, '--allow-http', NAME], env)).toMatchObject({ code: 0 });
    expect(await proxy.stop()).toEqual([{ target, user: undefined }]);
  });

  test.skipIf(!isInstalled(SQUID))('with a certificate that is not trusted is not used', async () => {
    const proxy = await startSquid({ tls: true }, [NAME]);
    const { front, run } = await startTarget(NAME);
    const env = { ORGCTL_CA_FILE: '', HTTPS_PROXY: formatUrl(proxy.port, { tls: true }) };
    expect(await run(LIST, env)).toMatchObject({ code: 9, stderr: expect.stringContaining('unknown authority') });
    expect(front.connections()).toBe(0);
  });

  test.each(['http://ana:12/34@127.0.0.1:1', 'http://ana:100%@127.0.0.1:1', 'ftp://127.0.0.1:1'])(
    '%s is refused, unseen',
    async (text) => {
      const { run } = prepare({ HTTPS_PROXY: text, ORGCTL_BASE_URL: 'https://0.0.0.0:1/api/v2' });
      const { code, stderr } = await run(['feature-sets', 'list']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^orgctl: HTTPS_PROXY /) });
      expect(stderr).not.toContain(text);
    },
  );
});

const DATA = answer(200, { data: [] });

async function startTls(tls: TlsOptions, turn: Turn = DATA) {
  const server = await startScripted(turn, { tls: { cert: GOOD, key: KEY, ...tls } });
  const { put, run } = prepare({ ORGCTL_BASE_URL: `${server.origin}/api/v2` });
  const ca = put('ca.pem', AUTHORITY);
  return { server, put, run, ca };
}

describe('the certificate of the service', () => {
  test('is trusted by --ca-file, ORGCTL_CA_FILE and the setting, and not without them', async () => {
    const { server, run, ca } = await startTls({});
    expect(await run(LIST.slice(0, 2))).toEqual({
      code: 9,
      stdout: '',
      stderr: `orgctl: can't reach 127.0.0.1:${server.port}: its certificate is signed by an unknown authority\n  → If you trust it, run orgctl settings set ca-file <pem>, or add --ca-file <pem>.\n`,
    });
    expect(server.requests).toEqual([]);
    expect(await run([...LIST, '--ca-file', ca])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await run(API, { ORGCTL_CA_FILE: ca })).toMatchObject({ code: 0 });
    await run(['settings', 'set', 'ca-file', ca]);
    expect(await run(LIST)).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    ['that expired', EXPIRED, 'the certificate expired'],
    ['of another host', ELSEWHERE, 'the certificate is for another host name'],
    ['that is self-signed', SELF_SIGNED, 'its certificate is self-signed'],
  ])('%s: 9, and nothing is sent', async (_name, cert, sentence) => {
    const { server, run, ca } = await startTls({ cert });
    const { code, stderr } = await run(LIST.slice(0, 2), { ORGCTL_CA_FILE: ca });
    expect(code).toBe(9);
    expect(stderr).toContain(`orgctl: can't reach 127.0.0.1:${server.port}: ${sentence}\n`);
    expect(server.requests).toEqual([]);
    expect(await run([...LIST, '--insecure-skip-tls-verify'])).toMatchObject({ code: 0 });
  });

  test('is needed: plain http is refused before anything leaves', async () => {
    const server = await startScripted(DATA);
    const { run } = prepare({ ORGCTL_BASE_URL: `http://0.0.0.0:${server.port}/api/v2` });
    for (const argv of [LIST, API, ['api', 'POST', 'things']]) {
      const { code, stderr } = await run(argv);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('uses plain http: anyone') });
    }
    expect(server.connections()).toBe(0);
    expect(await run([...LIST, '--allow-http', '0.0.0.0'])).toMatchObject({ code: 0 });
    const web = await startScripted(DATA, { onConnect: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') });
    const { stderr } = await run(LIST, { ORGCTL_BASE_URL: `https://127.0.0.1:${web.port}` });
    expect(stderr).toContain('it does not speak TLS');
  });
});

test('a client certificate is given, missing, wrong, or no pair with its key', async () => {
  const { server, put, run, ca } = await startTls({ ca: AUTHORITY, requestCert: true });
  const key = put('key.pem', KEY);
  const withPair = (argv: readonly string[], pem: string, env: Environment = { ORGCTL_CA_FILE: ca }) =>
    run([...argv, '--client-cert', put('cert.pem', pem), '--client-key', key], env);
  expect(await withPair(LIST, GOOD)).toMatchObject({ code: 0, stderr: '' });
  const env = { ORGCTL_CA_FILE: ca, ORGCTL_CLIENT_CERT: put('good.pem', GOOD), ORGCTL_CLIENT_KEY: key };
  expect(await run(API, env)).toMatchObject({ code: 0, stderr: '' });
  expect(server.requests).toHaveLength(2);

  // Most servers say so after the handshake, and close: the reason is lost.
  const once = [...LIST, '--max-retries', '0'];
  for (const refused of [await run(once, { ORGCTL_CA_FILE: ca }), await withPair(once, SELF_SIGNED)])
    expect(refused).toMatchObject({ code: 9, stdout: '' });
  const write = await withPair(['api', 'POST', 'things'], AUTHORITY);
  expect(write).toMatchObject({ code: 9, stderr: expect.stringContaining('the secure connection failed') });
  expect(await run([...LIST, '--client-cert', key])).toMatchObject({ code: 2 });
  chmodSync(key, 0o640);
  expect(await run(LIST, env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`other users can read ${key}`),
  });
  expect(server.requests).toHaveLength(2);
});

describe('a service that does not answer as it should', () => {
  const LIMIT = answer(429, { errors: [] }, { 'x-ratelimit-reset': '0.1' });
  const start = async (turns: readonly [Turn, ...Turn[]] | Turn) => {
    const server = await startScripted(turns);
    return { server, ...prepare({ ORGCTL_BASE_URL: `${server.origin}/api/v2` }) };
  };

  test('is asked again', async () => {
    const { server, run } = await start([LIMIT, answer(502, ''), answer(503, ''), DATA]);
    expect(await run(LIST)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(server.requests).toHaveLength(4);
  });

  test.each<[name: string, turn: Turn, code: number, sentence: string, more?: string[]]>([
    ['429', LIMIT, 8, "can't list the feature sets: too many requests"],
    ['503', answer(503, ''), 9, "can't list the feature sets: 127.0.0.1:PORT answered 503"],
    ['nothing', silence, 9, '127.0.0.1:PORT did not answer within 0.3 s', ['--timeout', '300ms']],
  ])('is given up after %s', async (_name, turn, code, sentence, more = []) => {
    const { server, run } = await start(turn);
    const result = await run(['feature-sets', 'list', '--max-retries', '2', ...more]);
    expect({ ...result, sent: server.requests.length }).toEqual({
      code,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^orgctl: ${sentence.replace('PORT', String(server.port))}\n`)),
      sent: 3,
    });
  });

  test('is sent a write once, whose end is then unknown', async () => {
    for (const turn of [silence, answer(503, '')]) {
      const { server, run } = await start(turn);
      const { code } = await run(['api', 'POST', 'things', '--timeout', '1s']);
      expect({ code, sent: server.requests.length }).toEqual({ code: 11, sent: 1 });
    }
  });
});
