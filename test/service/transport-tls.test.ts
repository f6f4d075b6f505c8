import { describe, expect, it } from 'vitest';
import { AUTHORITY, EARLY, ELSEWHERE, EXPIRED, GOOD, KEY } from '../support/certificates.ts';
import { openTransport, toRequest } from '../support/direct.ts';
import { answer, startScripted } from '../support/scripted.ts';

/** What a write to a service with this certificate ends with. */
async function send(cert: string, overrides: Parameters<typeof openTransport>[1] = {}) {
  const server = await startScripted(answer(200, { a: 1 }), { tls: { cert, key: KEY } });
  const { transport } = openTransport(`${server.origin}/api/v2`, overrides);
  const result = await transport.send(toRequest('POST')).catch((error: unknown) => error);
  return { server, result };
}

const TRUSTED = { extraCertificates: AUTHORITY };

describe('a certificate', () => {
  it('of an authority that was named is trusted', async () => {
    const { server, result } = await send(GOOD, TRUSTED);
    expect(result).toMatchObject({ status: 200, text: '{"a":1}' });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, string, Parameters<typeof openTransport>[1], string]>([
    ['of an unknown authority', GOOD, {}, 'its certificate comes from an authority this machine does not know'],
    ['that has expired', EXPIRED, TRUSTED, 'its certificate has expired'],
    ['that is not valid yet', EARLY, TRUSTED, "its certificate is not valid yet; check this machine's clock"],
    ['for another host', ELSEWHERE, TRUSTED, 'its certificate is for another host name'],
  ])('%s is refused before anything is sent', async (_name, cert, overrides, reason) => {
    const { server, result } = await send(cert, overrides);
    expect(result).toMatchObject({
      exit: 'unavailable',
      code: 'tls',
      acted: 'no',
      message: `no trusted connection to 127.0.0.1:${server.port}: ${reason}`,
      reasons: [expect.stringMatching(/^the certificate is for .+, issued by .+, valid from [\d-]{10} to [\d-]{10}$/)],
    });
    expect(server.requests).toEqual([]);
  });

  it('of any kind passes where none is checked', async () => {
    for (const cert of [GOOD, EXPIRED, ELSEWHERE]) {
      expect((await send(cert, { skipVerification: true })).result).toMatchObject({ status: 200 });
    }
  });
});
