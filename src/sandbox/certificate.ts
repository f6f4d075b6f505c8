import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { DAY } from './dates.ts';
import type { Companions } from './state.ts';

/** A certificate for this machine and this name, which lies beside the state and is used again. Clients trust its file. */
export async function loadTls(companions: Companions, listen: string, now: number) {
  const [path, authorityFile] = [companions.find('-tls.pem'), companions.find('-ca.pem')];
  const names = [...new Set(['localhost', '127.0.0.1', '::1', listen.replace(/^\[|\]$/g, '').toLowerCase()])];
  const kept = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (kept !== undefined && isUsable(new X509Certificate(kept), names, now))
    return { key: kept, cert: kept, authorityFile };
  const { generate } = await import('selfsigned');
  const altNames = names.map((name) =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  );
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'orgctl sandbox' }], {
    ...({ keyType: 'ec', algorithm: 'sha256' } as const),
    ...{ notBeforeDate: new Date(now - DAY), notAfterDate: new Date(now + 365 * DAY) },
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  writeFileSync(path, `${key.trim()}\n${cert}`, { mode: 0o600 });
  writeFileSync(authorityFile, cert);
  return { key, cert, authorityFile };
}

/** For these names, and for another month. */
function isUsable(kept: X509Certificate, names: readonly string[], now: number): boolean {
  const isNamed = (name: string): boolean =>
    (isIP(name) === 0 ? kept.checkHost(name) : kept.checkIP(name)) !== undefined;
  return Date.parse(kept.validTo) > now + 30 * DAY && names.every(isNamed);
}
