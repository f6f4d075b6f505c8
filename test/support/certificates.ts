import { generate } from 'selfsigned';

/** Certificates for the servers of tests, and the authority that signed some of them. Only these tests trust them. */

type Made = Awaited<ReturnType<typeof generate>>;

interface CertificateOptions {
  signer?: Made;
  /** Whose key it has; a new one when absent. */
  own?: Made;
  ends?: Date;
}

function create(names: string[], { signer, own, ends = new Date(Date.now() + 1e10) }: CertificateOptions = {}) {
  const altNames = names.map((name) =>
    /^[\d.]+$/.test(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  return generate([{ name: 'commonName', value: names[0] ?? 'orgctl test authority' }], {
    ...{ keyType: 'ec', algorithm: 'sha256', notBeforeDate: new Date('2020-01-01'), notAfterDate: ends },
    extensions: names.length === 0 ? [{ name: 'basicConstraints', cA: true }] : [{ name: 'subjectAltName', altNames }],
    ...(signer && { ca: { key: signer.private, cert: signer.cert } }),
    ...(own && { keyPair: { privateKey: own.private, publicKey: own.public } }),
  });
}

const signer = await create([]);
const own = await create(['127.0.0.1']);

const toPem = ({ cert }: Made): string => `${cert}\n`;

export const AUTHORITY = toPem(signer);
/** The key of every certificate below. */
export const KEY = own.private;
export const GOOD = toPem(await create(['127.0.0.1', 'localhost'], { signer, own }));
export const EXPIRED = toPem(await create(['127.0.0.1'], { signer, own, ends: new Date('2020-01-02') }));
export const ELSEWHERE = toPem(await create(['elsewhere.example'], { signer, own }));
/** Signed by themselves. */
export const SELF_SIGNED = toPem(own);
export const NAMED = toPem(await create(['tfe.example.test', '0.0.0.0'], { own }));
