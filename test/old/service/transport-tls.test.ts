import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AUTHORITY, EARLY, ELSEWHERE, EXPIRED, GOOD, KEY } from '../../support/certificates.ts';
import { openTransport, toRequest } from '../../support/direct.ts';
import { answer, startScripted } from '../../support/scripted.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';

/** What a write to a service with this certificate ends with. */
async function send(cert: string, overrides: Parameters<typeof openTransport>[1] = {}) {
  const server = await startScripted(answer(200, { a: 1 }), { tls: { cert, key: KEY } });
  const { transport } = openTransport(`${server.origin}/api/v2`, overrides);
  const result = await transport.send(toRequest('POST')).catch((error: unknown) => error);
  return { server, result };
}

const TRUSTED = { extraCertificates: AUTHORITY, now: () => Date.UTC(2026, 10, 22) };

describe('a certificate', () => {
  it('of an authority that was named is trusted', async () => {
    const { server, result } = await send(GOOD, TRUSTED);
    expect(result).toMatchObject({ status: 200, text: '{"a":1}' });
    expect(server.requests).toHaveLength(1);
  });

  const trustIt = 'Store its certificate for every command with settings set ca-file <pem>, or add --ca-file <pem>.';
  const renew = "Ask the operator to renew it, or check this machine's clock.";
  it.each<[string, string, Parameters<typeof openTransport>[1], message: string, hint: string]>([
    ['of an unknown authority', GOOD, {}, 'the certificate of HOST is signed by an unknown authority', trustIt],
    [
      'of another authority than the one that is named',
      GOOD,
      { extraCertificates: GOOD, certificatesFrom: 'ca-file /a.pem (stored in config.json)' },
      'the certificate of HOST is not signed by the authority in ca-file /a.pem (stored in config.json)',
      'Store the right one with settings set ca-file <pem>, or name it with --ca-file <pem>.',
    ],
    ['that has expired', EXPIRED, TRUSTED, 'the certificate of HOST has expired', renew],
    [
      'that is self-signed',
      SELF_SIGNED,
      {},
      'HOST has a self-signed certificate',
      'If you trust it, store it for every command with settings set ca-file <pem>, or add --ca-file <pem>.',
    ],
    [
      'that is not valid yet',
      EARLY,
      TRUSTED,
      'the certificate of HOST is not valid yet',
      "Check this machine's clock.",
    ],
    [
      'for another host',
      ELSEWHERE,
      TRUSTED,
      'the certificate of HOST is for another host name',
      'Check the host name.',
    ],
  ])('%s is refused before anything is sent', async (_name, cert, overrides, message, hint) => {
    const { server, result } = await send(cert, overrides);
    expect(result).toMatchObject({
      exit: 'unavailable',
      code: 'tls',
      acted: 'no',
      message: message.replace('HOST', `127.0.0.1:${server.port}`),
      hint,
    });
    expect(server.requests).toEqual([]);
  });

  it('a server that speaks plain http is said to be one', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { transport } = openTransport(`https://127.0.0.1:${port}/api/v2`);
    const error = await transport.send(toRequest('POST')).catch((reason: unknown) => reason);
    server.close();
    expect(error).toMatchObject({
      exit: 'unavailable',
      code: 'tls',
      acted: 'no',
      message: `127.0.0.1:${port} doesn't use TLS`,
      reasons: [],
      hint: 'Use http:// in the base URL, or another port.',
    });
  });

  it('of any kind passes where none is checked', async () => {
    for (const cert of [GOOD, EXPIRED, ELSEWHERE]) {
      expect((await send(cert, { skipVerification: true })).result).toMatchObject({ status: 200 });
    }
  });
});
