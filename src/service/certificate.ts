import type { Socket } from 'node:net';
import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate } from './connection.ts';
import { withoutBrackets } from './proxy.ts';

// Milliseconds. The failure is known already: this only explains it.
const PATIENCE = 3_000;

/** Milliseconds after the handshake in which a server refuses a client. By TLS 1.3 it does so one round trip later. */
const LONGEST_REFUSAL = 500;

const LATE = 'ETIMEDOUT';

/**
 * What the certificate of a server says of itself, in a sentence, and when it expires; undefined when it cannot be seen.
 * Connects without trusting anything, sends nothing, and hangs up.
 */
export async function describeCertificate(
  url: URL,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly validTo: number } | undefined> {
  const seen = await connectTo(url, {}, signal, (socket) => describe(socket.getPeerCertificate()));
  return seen instanceof Error ? undefined : seen;
}

/**
 * How it is connected: `authorities` are trusted, or what Node trusts; `client` is presented to a server that is verified, or
 * to any where `skipVerification`; `tunnel`: a connection by a proxy.
 */
export interface From {
  readonly authorities?: string[];
  readonly client?: ClientCertificate | undefined;
  readonly skipVerification?: boolean;
  readonly tunnel?: Socket;
}

export interface SeenCertificate {
  readonly names: string;
  readonly issuers: readonly string[];
  readonly validTo: number;
  /** Code of Node or OpenSSL; undefined where it is trusted. */
  readonly fault: string | undefined;
}

/** An error where no connection is made. */
export async function inspectCertificate(url: URL, from: From, signal: AbortSignal): Promise<SeenCertificate | Error> {
  return await connectTo(url, from, signal, (socket) => {
    const certificate = socket.getPeerCertificate(true);
    // Typed as an error, it is the code; before Node 24 it could be null.
    const fault = socket.authorizationError as unknown;
    return {
      names: namesOf(certificate),
      issuers: listIssuers(certificate),
      validTo: Date.parse(certificate.valid_to),
      fault: socket.authorized ? undefined : String(fault instanceof Error ? fault.message : fault),
    };
  });
}

/** How a server ends a connection that was just made, on which nothing was sent; undefined where it doesn't. */
export async function findEarlyEnd(url: URL, from: From, signal: AbortSignal): Promise<Error | undefined> {
  const stayed = await connectTo(url, from, signal, () => undefined, LONGEST_REFUSAL);
  return stayed instanceof Error && (stayed as NodeJS.ErrnoException).code !== LATE ? stayed : undefined;
}

/** `stay`: milliseconds before the look. An error where the connection ended before. */
async function connectTo<Seen>(
  url: URL,
  { authorities, client, skipVerification = false, tunnel }: From,
  signal: AbortSignal,
  look: (socket: TLSSocket) => Seen,
  stay?: number,
): Promise<Seen | Error> {
  const [tls, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = withoutBrackets(url.hostname);
  return await new Promise((resolve) => {
    const socket = tls.connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      rejectUnauthorized: client !== undefined && !skipVerification,
      ...(authorities === undefined ? {} : { ca: authorities }),
      ...client,
      ...(tunnel === undefined ? {} : { socket: tunnel }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    let timer: NodeJS.Timeout | undefined;
    const finish = (seen: Seen | Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(seen);
    };
    const giveUp = (): void => finish(Object.assign(new Error('no answer in time'), { code: LATE }));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.setTimeout(PATIENCE, giveUp);
    socket.once('secureConnect', () => {
      if (stay === undefined) return finish(look(socket));
      timer = setTimeout(() => finish(look(socket)), stay);
      socket.resume().once('end', () => finish(new Error('the connection ended')));
    });
    socket.on('error', finish);
  });
}

const LONGEST_CHAIN = 10;

function listIssuers(certificate: DetailedPeerCertificate): readonly string[] {
  const issuers: string[] = [];
  // A root is its own issuer, and the last of a chain that ends early has none.
  for (
    let each: DetailedPeerCertificate | undefined = certificate;
    each !== undefined && issuers.length < LONGEST_CHAIN;
  ) {
    const issuer = nameOf(each.issuer);
    if (issuers.at(-1) !== issuer) issuers.push(issuer);
    each = each.issuerCertificate === each ? undefined : (each.issuerCertificate as typeof each | undefined);
  }
  return issuers;
}

function namesOf({ subject, subjectaltname }: PeerCertificate): string {
  const names = subjectaltname?.split(', ').map((name) => toHost(name.replace(/^(?:DNS|IP Address):/, '')));
  return names?.join(', ') ?? nameOf(subject);
}

/** Node writes out every part of an IPv6 address. */
function toHost(name: string): string {
  const url = `http://[${name}]`;
  return URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : name;
}

function describe(certificate: PeerCertificate): { readonly text: string; readonly validTo: number } {
  const { issuer, valid_from: from, valid_to: to } = certificate;
  return {
    text: `It is for ${namesOf(certificate)}, issued by ${nameOf(issuer)}, valid from ${toDay(from)} to ${toDay(to)}.`,
    validTo: Date.parse(to),
  };
}

/** OpenSSL writes `Nov 21 09:00:00 2026 GMT`, or what is no date at all. */
function toDay(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString().slice(0, 10);
}

function nameOf(name: PeerCertificate['issuer'] | undefined): string {
  const parts = [name?.CN, name?.O].flatMap((part) => part ?? []);
  return parts.length === 0 ? 'an authority without a name' : parts.join(', ');
}
