import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { DAY } from '../lib/time.ts';

/** Creates a certificate for this machine and `listen`. Clients trust `authorityFile`. */
export async function createTls(authorityFile: string, listen: string, now: number) {
  const { generate } = await import('selfsigned');
  const names = [...new Set(['localhost', '127.0.0.1', '::1', listen.replace(/^\[|\]$/g, '').toLowerCase()])];
  const altNames = names.map((name) =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  );
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'orgctl sandbox' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + 365 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  writeFileSync(authorityFile, cert);
  return { key, cert, authorityFile };
}
