import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { createNextCommand } from '../../../src/old/input/next-command.ts';
import { explainFailure } from '../../../src/old/service/failure.ts';
import { AUTHORITY, GOOD, KEY } from '../../support/certificates.ts';
import { openTransport, toRequest } from '../../support/direct.ts';
import { createFolder } from '../../support/files.ts';
import { answer, startScripted, type Turn, toHead } from '../../support/scripted.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';
import { start } from '../../support/shipped.ts';

const CLIENT = { cert: GOOD, key: KEY };
const TRUSTED = { extraCertificates: AUTHORITY, now: () => Date.UTC(2026, 10, 22) };

/** A server that asks for a client certificate, and notes whose it was given on each connection. */
async function startAsking(turn: Turn = answer(200, { a: 1 }), more: TlsOptions = {}) {
  const shown: unknown[] = [];
  const tls = { cert: GOOD, key: KEY, ca: AUTHORITY, requestCert: true, ...more };
  const onConnect = (socket: Socket) => void shown.push((socket as TLSSocket).getPeerCertificate().subject?.CN);
  return { shown, ...(await startScripted(turn, { tls, onConnect })) };
}

it('is presented to the service that demands one', async () => {
  const { origin, shown } = await startAsking();
  const { transport } = openTransport(`${origin}/api/v2`, { ...TRUSTED, clientCertificate: CLIENT });
  expect(await transport.send(toRequest('POST'))).toMatchObject({ status: 200, text: '{"a":1}' });
  expect(shown).toEqual(['good']);
});

const MISSING = [
  'asks for a client certificate',
  'Name it with --client-cert, and its key with --client-key.',
] as const;
const WRONG = [
  "doesn't accept the client certificate",
  'Check with its operator which authority has to sign it, and that it has not expired.',
] as const;

const OTHER = { cert: SELF_SIGNED, key: KEY };
/** OpenSSL's own server, which says why it ends a connection; that of Node only breaks it. */
async function startOpenSsl(version: string): Promise<number> {
  const folder = createFolder();
  for (const [name, text] of Object.entries({ cert: GOOD, key: KEY, ca: AUTHORITY })) {
    writeFileSync(join(folder, `${name}.pem`), text, { mode: 0o600 });
  }
  const files = ['-cert', 'cert.pem', '-key', 'key.pem', '-CAfile', 'ca.pem'];
  const asking = ['-Verify', '1', '-verify_return_error', version, '-www', '-accept', '127.0.0.1:0'];
  const server = start('openssl', ['s_server', ...files, ...asking], {
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
  });
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  await server.untilStdout((text) => /ACCEPT \S+:\d+/.test(text));
  return Number(/ACCEPT \S+:(\d+)/.exec(server.stdout())?.[1]);
}

const hasOpenSsl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenSsl) process.stderr.write('\n*** OPENSSL IS NOT INSTALLED: NO SERVER OF ITS REFUSES A CLIENT ***\n\n');

it.skipIf(!hasOpenSsl)('of another authority: the server says so, and a write has not been heard', async () => {
  const port = await startOpenSsl('-tls1_2');
  const { transport } = openTransport(`https://127.0.0.1:${port}`, { ...TRUSTED, clientCertificate: OTHER });
  const error = await transport.send(toRequest('POST')).catch((reason: unknown) => reason);
  const [what, hint] = WRONG;
  expect(error).toMatchObject({ code: 'tls', acted: 'no', message: `127.0.0.1:${port} ${what}`, hint });
});

// By TLS 1.3 a server may say it after the request has left, and the connection may break before it is read.
it.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', MISSING],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', WRONG],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', WRONG],
  // The same by OpenSSL 3.2 and later, as in Node 22.
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', WRONG],
] as const)('%s is told in words', (code, [what, hint]) => {
  const error = Object.assign(new Error('alert'), { code });
  const told = explainFailure(error, new URL('https://tfe.example.com'), undefined, false);
  expect(told).toEqual({ failure: 'tls', message: `tfe.example.com ${what}`, hint, isUnheard: true });
});

it('never goes to an address that the service gives, at its own origin either', async () => {
  const [service, files] = [
    await startAsking(undefined, { rejectUnauthorized: false }),
    await startAsking(undefined, { rejectUnauthorized: false }),
  ];
  const { transport } = openTransport(service.origin, { ...TRUSTED, clientCertificate: CLIENT });
  await transport.send(toRequest('GET'));
  for (const { origin } of [service, files]) {
    const address = new URL(`${origin}/upload?signature=x`);
    expect(await transport.send(toRequest('PUT', { address, body: 'x' }))).toMatchObject({ status: 200 });
  }
  await transport.send(toRequest('GET'));
  expect({ service: service.shown, files: files.shown }).toEqual({ service: ['good', undefined], files: [undefined] });
});

it('goes through a proxy, and not to it', async () => {
  const service = await startAsking();
  const tunnel: Turn = (socket) => {
    const onward = connect(service.port, '127.0.0.1', () => {
      socket.write(toHead(200, []));
      socket.removeAllListeners('data');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('close', () => onward.destroy());
  };
  const proxy = await startAsking(tunnel, { rejectUnauthorized: false });
  const { transport } = openTransport('https://app.example.com', {
    skipVerification: true,
    proxies: { https: proxy.origin },
    clientCertificate: CLIENT,
  });
  expect(await transport.send(toRequest('GET'))).toMatchObject({ status: 200 });
  expect({ proxy: proxy.shown, service: service.shown }).toEqual({ proxy: [undefined], service: ['good'] });
});

it('stands in printed commands', () => {
  const given = { clientCert: 'me.pem', clientKey: 'my key.pem' };
  const print = createNextCommand({ given, organization: () => undefined, platform: 'linux' });
  expect(print(['orgctl', 'auth', 'status'])).toBe("orgctl --client-cert me.pem --client-key 'my key.pem' auth status");
});
