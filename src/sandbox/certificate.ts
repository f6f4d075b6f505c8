import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { DAY } from './dates.ts';
import type { Companions } from './state.ts';

/** PEM */
export interface Tls {
  key: string;
  cert: string;
}

/** A certificate for this machine and this name, which lies beside the state and is used again. Clients trust its file. */
export async function loadTls(companions: Companions, listen: string, now: number) {
  const [keyFile, authorityFile] = [companions.find('-tls-key.pem'), companions.find('-ca.pem')];
  const names = [...new Set(['localhost', '127.0.0.1', '::1', listen.replace(/^\[|\]$/g, '').toLowerCase()])];
  if (existsSync(keyFile) && existsSync(authorityFile)) {
    const kept = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(authorityFile, 'utf8') };
    if (isUsable(kept.cert, names, now)) return { ...kept, authorityFile };
  }
  const { generate } = await import('selfsigned');
  const altNames = names.map((name) =>
    isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
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
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(authorityFile, cert);
  return { key, cert, authorityFile };
}

/** For these names, and for another month. */
function isUsable(pem: string, names: readonly string[], now: number): boolean {
  const certificate = new X509Certificate(pem);
  const isNamed = (name: string): boolean =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  return Date.parse(certificate.validTo) > now + 30 * DAY && names.every(isNamed);
}
