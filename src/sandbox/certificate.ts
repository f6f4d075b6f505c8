import { X509Certificate } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { withoutBrackets } from './allowed-hosts.ts';
import type { Companions } from './companions.ts';
import type { Ids } from './ids.ts';
import { createForeign } from './input-error.ts';
import { DAY } from './iso-date.ts';
import { isThere } from './marked-folder.ts';

/** What a server needs to speak TLS; PEM. */
export interface Tls {
  readonly key: string;
  readonly cert: string;
}

export interface OwnTls extends Tls {
  /** The file of the authority that clients have to trust. */
  readonly authorityFile: string;
}

/** The sandbox recognizes its certificates by these names. */
const [AUTHORITY, HOLDER] = ['orgctl sandbox authority', 'orgctl sandbox'];

const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];
const EVERYWHERE = ['0.0.0.0', '::'];
const VALID_FOR = 365 * DAY;
/** The sandbox makes another certificate so long before this one ends. */
const RENEWED_BEFORE = 30 * DAY;
/** A certificate begins so long before it is made, since clocks differ. */
const VALID_SINCE = DAY;

/**
 * A certificate for this machine and this name, signed by an authority of its own, which lie beside the state and are used
 * again. The authority's own key is kept nowhere: it signs this one certificate. Throws SandboxStateError where something
 * else lies there.
 */
export async function loadOwnTls(companions: Companions, listen: string, now: number, ids: Ids): Promise<OwnTls> {
  const names = toNames(listen);
  const path = companions.toPath('-tls.pem');
  const authorityFile = companions.toPath('-ca.pem');
  refuseOtherAuthority(authorityFile);
  const { key, cert, authority } = readKept(path, names, now) ?? (await replace(path, names, now, ids));
  const draft = `${authorityFile}.${ids.uuid()}`;
  writeFileSync(draft, authority, { flag: 'wx' });
  renameSync(draft, authorityFile);
  return { key, cert, authorityFile };
}

function refuseOtherAuthority(path: string): void {
  const [certificate, ...others] = readBlocks(path) ?? [];
  const isOurs = certificate !== undefined && others.length === 0 && isMadeFor(AUTHORITY, certificate);
  if (isThere(path) && !isOurs) throw createForeign(path);
}

/** The parts of a PEM file; undefined where it is absent, cannot be read, or has anything else in it. */
function readBlocks(path: string): readonly string[] | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g) ?? [];
    return blocks.join('') === text ? blocks : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the certificate is the one that the sandbox's authority gave to that name. */
function isMadeFor(name: string, certificate: string): boolean {
  try {
    const { subject, issuer } = new X509Certificate(certificate);
    const isOwn = (text: string | undefined, own: string): boolean => text?.split(' #')[0] === `CN=${own}`;
    return isOwn(subject, name) && isOwn(issuer, AUTHORITY);
  } catch {
    return false;
  }
}

/** Leaves out the addresses that mean all addresses: no client asks for them. */
function toNames(listen: string): readonly string[] {
  const name = withoutBrackets(listen).toLowerCase();
  return [...new Set([...OWN_NAMES, ...(EVERYWHERE.includes(name) ? [] : [name])])];
}

interface Kept extends Tls {
  readonly authority: string;
}

/** Undefined where no kept certificate serves these names, or it ends soon. Throws for a file that is not the sandbox's. */
function readKept(path: string, names: readonly string[], now: number): Kept | undefined {
  if (!isThere(path)) return undefined;
  const [key, cert, authority, ...others] = readBlocks(path) ?? [];
  if (key === undefined || cert === undefined || authority === undefined || others.length > 0)
    throw createForeign(path);
  if (!isMadeFor(HOLDER, cert) || !isMadeFor(AUTHORITY, authority)) throw createForeign(path);
  chmodSync(path, 0o600);
  const kept = { key, cert, authority };
  return serves(kept, names, now) ? kept : undefined;
}

function serves({ cert }: Kept, names: readonly string[], now: number): boolean {
  try {
    const read = new X509Certificate(cert);
    const isNamed = (name: string): boolean =>
      (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined;
    return Date.parse(read.validTo) - now > RENEWED_BEFORE && Date.parse(read.validFrom) <= now && names.every(isNamed);
  } catch {
    return false;
  }
}

/** Uses the certificate of another process that makes one at the same time. */
async function replace(path: string, names: readonly string[], now: number, ids: Ids): Promise<Kept> {
  const made = await create(names, now, ids);
  rmSync(path, { force: true });
  const draft = `${path}.${ids.uuid()}`;
  writeFileSync(draft, made.key + made.cert + made.authority, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return made;
  } catch {
    const other = readKept(path, names, now);
    // Not every disk has hard links.
    if (other === undefined) renameSync(draft, path);
    return other ?? made;
  } finally {
    rmSync(draft, { force: true });
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
  const authority = await generate([{ name: 'commonName', value: `${AUTHORITY} #${ids.uuid()}` }], {
    ...usual,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const { private: key, cert } = await generate([{ name: 'commonName', value: HOLDER }], {
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
