import { X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { withoutBrackets } from './allowed-hosts.ts';
import type { Companions } from './companions.ts';
import type { Ids } from './ids.ts';
import { DAY } from './iso-date.ts';

/** What a server needs to speak TLS; PEM. */
export interface Tls {
  readonly key: string;
  readonly cert: string;
}

export interface OwnTls extends Tls {
  /** The file of the authority that clients have to trust. */
  readonly authorityFile: string;
}

const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];
const EVERYWHERE = ['0.0.0.0', '::'];
const VALID_FOR = 365 * DAY;
/** The sandbox makes another certificate so long before this one ends. */
const RENEWED_BEFORE = 30 * DAY;
/** A certificate begins so long before it is made, since clocks differ. */
const VALID_SINCE = DAY;

/**
 * A certificate for this machine and this name, signed by an authority of its own, which lie beside the state and are used
 * again. The authority's own key is kept nowhere: it signs this one certificate.
 */
export async function loadOwnTls(companions: Companions, listen: string, now: number, ids: Ids): Promise<OwnTls> {
  const names = toNames(listen);
  const path = companions.toPath('-tls.pem');
  const authorityFile = companions.toPath('-ca.pem');
  const replace = (file: string, text: string, mode: number): void => {
    const draft = `${file}.${ids.uuid()}`;
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, file);
  };
  const kept = readKept(path, names, now);
  const { key, cert, authority } = kept ?? (await create(names, now, ids));
  if (kept === undefined) replace(path, key + cert + authority, 0o600);
  replace(authorityFile, authority, 0o644);
  return { key, cert, authorityFile };
}

/** Leaves out the addresses that mean all addresses: no client asks for them. */
function toNames(listen: string): readonly string[] {
  const name = withoutBrackets(listen).toLowerCase();
  return [...new Set([...OWN_NAMES, ...(EVERYWHERE.includes(name) ? [] : [name])])];
}

interface Kept extends Tls {
  readonly authority: string;
}

/** Undefined where no kept certificate serves these names, or it ends soon. */
function readKept(path: string, names: readonly string[], now: number): Kept | undefined {
  try {
    const [key, cert, authority] =
      readFileSync(path, 'utf8').match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g) ?? [];
    if (key === undefined || cert === undefined || authority === undefined) return undefined;
    const read = new X509Certificate(cert);
    const isNamed = (name: string): boolean =>
      (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined;
    const isValid = Date.parse(read.validTo) - now > RENEWED_BEFORE && Date.parse(read.validFrom) <= now;
    return isValid && names.every(isNamed) ? { key, cert, authority } : undefined;
  } catch {
    return undefined;
  }
}

async function create(names: readonly string[], now: number, ids: Ids): Promise<Kept> {
  const { generate } = await import('selfsigned');
  const usual = {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - VALID_SINCE),
    notAfterDate: new Date(now + VALID_FOR),
  } as const;
  // Clients find an authority by its name: two sandboxes can both be trusted.
  const authority = await generate([{ name: 'commonName', value: `orgctl sandbox authority #${ids.uuid()}` }], {
    ...usual,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'orgctl sandbox' }], {
    ...usual,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  return { key: toLine(key), cert: toLine(cert), authority: toLine(authority.cert) };
}

/** PEM ends with a newline. */
function toLine(pem: string): string {
  return `${pem.trim()}\n`;
}
