import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { DAY } from '../lib/time.ts';
import type { Sidecars } from './state.ts';

/** Creates a certificate for this machine and `listen`, and keeps it beside the state. Clients trust `authorityFile`. */
export async function loadTls(sidecars: Sidecars, listen: string, now: number) {
  const [path, authorityFile] = [sidecars.find('-tls.pem'), sidecars.find('-ca.pem')];
  const names = [...new Set(['localhost', '127.0.0.1', '::1', listen.replace(/^\[|\]$/g, '').toLowerCase()])];
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (stored !== undefined && isUsable(new X509Certificate(stored), names, now)) {
    return { key: stored, cert: stored, authorityFile };
  }
  const { generate } = await import('selfsigned');
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
  writeFileSync(path, `${key.trim()}\n${cert}`, { mode: 0o600 });
  writeFileSync(authorityFile, cert);
  return { key, cert, authorityFile };
}

function isUsable(certificate: X509Certificate, names: string[], now: number): boolean {
  const isNamed = (name: string): boolean =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  return Date.parse(certificate.validTo) > now + 30 * DAY && names.every(isNamed);
}
