import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { AUTHORITY, ELSEWHERE, EXPIRED, GOOD, KEY, NAMED, SELF_SIGNED } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { pass, startFront } from '../support/front.ts';
import { isInstalled } from '../support/programs.ts';
import { SQUID, startSquid } from '../support/proxies.ts';
import { run as runHere } from '../support/run.ts';
import { answer, startScripted, type Turn } from '../support/scripted.ts';
import { startService } from '../support/service.ts';

/** The way to the service: real proxies, real certificates. */

const LIST = ['feature-sets', 'list', '-o', 'json'];
const API = ['api', 'organizations/acme/feature-sets'];

type Environment = Record<string, string>;

/** Runs with an environment and files of its own. */
function prepare(env: Environment = {}) {
  const home = createFolder();
  const put = (name: string, text: string): string => {
    writeFileSync(join(home, name), text, { mode: 0o600 });
    return join(home, name);
  };
  const run = (argv: string[], more: Environment = {}) =>
    runHere(argv, { home, env: { ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme', ...env, ...more } });
  return { put, run };
}

describe('a proxy', () => {
  // This machine is never asked by proxy. So the service has a name that only squid knows, or 0.0.0.0, which leads here too.
  const NAME = 'tfe.example.test';
  const ADDRESS = '0.0.0.0';
  const LOGIN: [name: string, password: string] = ['ana', 'p@ss/%word'];
  const isHere = isInstalled(SQUID, 'NO TEST RUNS THROUGH THIS PROXY');

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
      run: (argv: string[], env: Environment) => run(argv, { ORGCTL_CA_FILE: ca, ...env }),
    };
  }

  test.skipIf(!isHere)('gets every connection except to loopback and to NO_PROXY', async () => {
    const proxy = await startSquid({}, [NAME]);
    const url = `http://127.0.0.1:${proxy.port}`;
    const env = { HTTPS_PROXY: url, HTTP_PROXY: url };
    const [named, plain, beside, here] = [
      await startTarget(NAME),
      await startTarget(NAME, 'http'),
      await startTarget(ADDRESS),
      await startService(),
    ];
    expect(await named.run(LIST, env)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"fs-') });
    expect(await plain.run(LIST, env)).toMatchObject({ code: 2, stderr: expect.stringContaining('uses plain http') });
    expect(await plain.run([...LIST, '--allow-http', NAME], env)).toMatchObject({ code: 0 });
    expect(await beside.run(LIST, { ...env, NO_PROXY: `other.test,${ADDRESS}` })).toMatchObject({ code: 0 });
    expect(await here.run(LIST, { env })).toMatchObject({ code: 0 });
    const targets = [named, plain].flatMap(({ front, target }) => Array(front.connections()).fill(target));
    expect((await proxy.stop()).map(({ target }) => target)).toEqual(targets);
  });

  test.skipIf(!isHere)('over TLS is used if its certificate is trusted, and gets name and password', async () => {
    const proxy = await startSquid({ tls: true, login: LOGIN }, [NAME]);
    const { front, target, run } = await startTarget(NAME);
    const env = { HTTPS_PROXY: `https://${LOGIN.map(encodeURIComponent).join(':')}@localhost:${proxy.port}` };
    expect(await run(LIST, { ...env, ORGCTL_CA_FILE: '' })).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('unknown authority'),
    });
    expect(front.connections()).toBe(0);
    expect(await run(LIST, env)).toMatchObject({ code: 0, stderr: '' });
    expect(await proxy.stop()).toEqual(Array(front.connections()).fill({ target, user: LOGIN[0] }));
  });

  test.skipIf(!isHere)('is named without the password if it rejects the login', async () => {
    const proxy = await startSquid({ login: LOGIN }, [NAME]);
    const { front, target, run } = await startTarget(NAME);
    const password = 'wrong&password%';
    const env = { HTTPS_PROXY: `http://ana:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}` };
    for (const argv of [LIST, API, ['auth', 'status']]) {
      const { code, stdout, stderr } = await run([...argv, '--debug'], env);
      expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
      const sentence = `can't reach ${target} through the proxy 127.0.0.1:${proxy.port}: the proxy answered 407`;
      expect(stderr).toContain(sentence);
      for (const secret of [password, encodeURIComponent(password), btoa(`ana:${password}`)])
        expect(stderr).not.toContain(secret);
    }
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
    const { server, put, run, ca } = await startTls({});
    expect(await run(LIST.slice(0, 2))).toEqual({
      code: 9,
      stdout: '',
      stderr: `orgctl: can't reach 127.0.0.1:${server.port}: its certificate is signed by an unknown authority\n  → If you trust it, run orgctl settings set ca-file <pem>, or add --ca-file <pem>.\n`,
    });
    expect(server.requests).toEqual([]);
    expect(await run([...LIST, '--ca-file', ca])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await run(API, { ORGCTL_CA_FILE: ca })).toMatchObject({ code: 0 });
    const beside = { ORGCTL_CA_FILE: put('other.pem', SELF_SIGNED), NODE_EXTRA_CA_CERTS: ca };
    expect(await run(LIST, beside)).toMatchObject({ code: 0 });
    await run(['settings', 'set', 'ca-file', ca]);
    expect(await run(LIST)).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(ca, `\ufeff${readFileSync(ca, 'utf8')}`, 'utf16le');
    expect(await run(LIST)).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toHaveLength(5);
  });

  test.each([
    ['that expired', EXPIRED, 'the certificate expired on 2020-01-02'],
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

  test('is required: refuses plain http before it sends anything', async () => {
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

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const exportKey = (options: object) =>
  privateKey.export({ type: 'pkcs8', format: 'pem', ...options }).toString('latin1');
const LOCKED = exportKey({ cipher: 'aes-256-cbc', passphrase: 'secret' });
const BROKEN = '-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n';
const DER = Buffer.from(new X509Certificate(GOOD).raw);

test.each<[option: string, file: string | Buffer | undefined, message: string]>([
  ['ca-file', BROKEN, 'not usable as PEM: '],
  ['ca-file', DER, 'not usable as PEM: '],
  ['ca-file', KEY, 'not usable as PEM: '],
  ['client-cert', '', 'not usable as PEM: '],
  ['client-cert', undefined, "it doesn't exist"],
  ['client-cert', AUTHORITY, 'not usable as PEM: '],
  ['client-key', GOOD, 'not usable as PEM: '],
  ['client-key', LOCKED, 'not usable as PEM: '],
  ['client-key', exportKey({}), 'not usable as PEM: '],
  ['client-key', undefined, "it doesn't exist"],
])('a wrong file of %s is named, and nothing is sent: 2', async (option, file, message) => {
  const { put, run } = prepare({ ORGCTL_BASE_URL: 'https://127.0.0.1:1/api/v2' });
  const env = { ORGCTL_CLIENT_CERT: put('cert.pem', GOOD), ORGCTL_CLIENT_KEY: put('key.pem', KEY) };
  const path = put('wrong.pem', '');
  if (file === undefined) rmSync(path);
  else writeFileSync(path, file);
  const { code, stderr } = await run([...LIST, `--${option}`, path], env);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  expect(stderr).toContain(path);
});

test('a client certificate is used with a key that others can not read', async () => {
  const { server, put, run, ca } = await startTls({ ca: AUTHORITY, requestCert: true });
  const key = put('key.pem', KEY);
  const withPair = (argv: string[], pem: string, env: Environment = { ORGCTL_CA_FILE: ca }) =>
    run([...argv, '--client-cert', put('cert.pem', pem), '--client-key', key], env);
  expect(await withPair(LIST, GOOD)).toMatchObject({ code: 0, stderr: '' });
  const env = { ORGCTL_CA_FILE: ca, ORGCTL_CLIENT_CERT: put('good.pem', GOOD), ORGCTL_CLIENT_KEY: key };
  expect(await run(API, env)).toMatchObject({ code: 0, stderr: '' });
  expect(server.requests).toHaveLength(2);

  // Most servers say so after the handshake, and close: the reason is lost.
  const once = [...LIST, '--max-retries', '0'];
  for (const refused of [await run(once, { ORGCTL_CA_FILE: ca }), await withPair(once, SELF_SIGNED)])
    expect(refused).toMatchObject({ code: 9, stdout: '' });
  // A pod's group may read a key of root.
  chmodSync(key, process.getuid?.() === 0 ? 0o640 : 0o600);
  expect(await run(LIST, env)).toMatchObject({ code: 0 });
  chmodSync(key, 0o644);
  expect(await run(LIST, env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`other users can read ${key}`),
  });
  expect(server.requests).toHaveLength(3);
});
