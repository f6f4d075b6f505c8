import type { ConnectionFailure } from '../errors.ts';
import { toProxyVariable } from './proxy.ts';

/** Milliseconds for a connection to be made. */
export const CONNECT_TIMEOUT = 10_000;

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);
const UNREACHABLE_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);

export interface TlsFailure {
  readonly of: (host: string) => string;
  readonly hint: string;
  /** No authority that is trusted has signed it, so that one that was named is the wrong one. */
  readonly isUntrusted?: true;
  /** The server ended before it read anything, though the request may have left. */
  readonly isUnheard?: true;
}

const RENEW = 'Ask the operator to renew it';
const UNKNOWN_AUTHORITY: TlsFailure = {
  of: (host) => `the certificate of ${host} is signed by an unknown authority`,
  hint: 'Store its certificate for every command with settings set ca-file <pem>, or add --ca-file <pem>.',
  isUntrusted: true,
};
const OTHER_HOST: TlsFailure = {
  of: (host) => `the certificate of ${host} is for another host name`,
  hint: 'Check the host name.',
};
const NOT_VALID: TlsFailure = {
  of: (host) => `the certificate of ${host} is not valid`,
  hint: 'Ask the operator to replace it.',
};
const NO_TLS: TlsFailure = {
  of: (host) => `${host} doesn't use TLS`,
  hint: 'Use http:// in the base URL, or another port.',
};
export const ASKS_FOR_CLIENT: TlsFailure = {
  of: (host) => `${host} asks for a client certificate`,
  hint: 'Name it with --client-cert, and its key with --client-key.',
  isUnheard: true,
};
export const CLIENT_NOT_ACCEPTED: TlsFailure = {
  of: (host) => `${host} doesn't accept the client certificate`,
  hint: 'Check with its operator which authority has to sign it, and that it has not expired.',
  isUnheard: true,
};
/** Some servers say so of none, too. */
const NONE_OR_BAD: TlsFailure = {
  of: (host) => `${host} asks for a client certificate, or doesn't accept this one`,
  hint: 'Name one with --client-cert, and check with its operator which authority has to sign it.',
  isUnheard: true,
};
const MAY_ASK =
  'It may ask for a client certificate that it accepts: name one with --client-cert, and its key with --client-key.';
const TLS_FAILURES: Readonly<Record<string, TlsFailure>> = {
  CERT_HAS_EXPIRED: {
    of: (host) => `the certificate of ${host} has expired`,
    hint: `${RENEW}, or check this machine's clock.`,
  },
  CERT_NOT_YET_VALID: {
    of: (host) => `the certificate of ${host} is not valid yet`,
    hint: "Check this machine's clock.",
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    of: (host) => `${host} has a self-signed certificate`,
    hint: 'If you trust it, store it for every command with settings set ca-file <pem>, or add --ca-file <pem>.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  // Of two authorities with one name the other has signed it.
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  CERT_REJECTED: UNKNOWN_AUTHORITY,
  CERT_CHAIN_TOO_LONG: NOT_VALID,
  ERROR_IN_CERT_NOT_AFTER_FIELD: NOT_VALID,
  ERROR_IN_CERT_NOT_BEFORE_FIELD: NOT_VALID,
  INVALID_CA: NOT_VALID,
  INVALID_PURPOSE: NOT_VALID,
  PATH_LENGTH_EXCEEDED: NOT_VALID,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: NOT_VALID,
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: NOT_VALID,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_HOST,
  HOSTNAME_MISMATCH: OTHER_HOST,
  CERT_REVOKED: { of: (host) => `the certificate of ${host} was revoked`, hint: `${RENEW}.` },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ASKS_FOR_CLIENT,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CLIENT_NOT_ACCEPTED,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: NONE_OR_BAD,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: CLIENT_NOT_ACCEPTED,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: CLIENT_NOT_ACCEPTED,
  // What a server says by TLS 1.2 of a client without a certificate, and of one that it shares no cipher with.
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: { of: (host) => `${host} refuses the secure connection`, hint: MAY_ASK },
  // What a server says that speaks plain http, by the versions of OpenSSL.
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
};

type Failed = Error & { readonly code?: string | undefined; readonly cause?: unknown };

/** No connection to the proxy itself, whose TLS is not the service's. */
export class ProxyFailure extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * Whether it is a mistake in orgctl or in a package, and says nothing of any connection. `started`: the request had left,
 * and undici's parser checks what comes by assertions, too.
 */
export function isOwnFault(error: Failed, started: boolean): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) return true;
  const code = toCode(error);
  if (isAssertion(error)) return !started;
  return OWN_FAULTS.has(code) || (code === '' && !isParserError(error));
}

// What undici says when it is called wrongly. A failure of a connection has another code.
const OWN_FAULTS = new Set(['UND_ERR', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** By the names of OpenSSL before 3.2, which calls the oldest alerts otherwise. */
function toCode(error: Failed): string {
  const code = error.code ?? (error.cause as { code?: string } | undefined)?.code ?? '';
  return code.replace('ERR_SSL_SSL/TLS_', 'ERR_SSL_SSLV3_');
}

/** To say what was asserted Node reads the source, and from version 22 on fails at what is minified: it throws that instead. */
function isAssertion(error: Failed): boolean {
  return toCode(error) === 'ERR_ASSERTION' || error.name === 'SyntaxError';
}

/** undici has no code for what its parser refuses. */
function isParserError(error: Failed): boolean {
  return error.name === 'HTTPParserError';
}

const AGAIN = 'Try again. If it happens again, check the base URL, the network and the proxy settings.';

/** Plain words for a failed connection. The codes of Node, OpenSSL and undici are read here and nowhere else. */
export function explainFailure(
  error: Failed,
  url: URL,
  /** The proxy that was on the way when no request had left yet. */
  proxy: URL | undefined,
  answered: boolean,
  certificatesFrom?: string,
): { failure: ConnectionFailure; message: string; hint: string; reasons?: readonly string[]; isUnheard?: true } {
  const code = toCode(error);
  const isTls =
    code in TLS_FAILURES ||
    code.startsWith('CERT_') ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL') ||
    code === 'EPROTO';
  if (proxy !== undefined && !isTls) {
    const status = /\((\d{3})\) !== 200/.exec(error.message)?.[1];
    return {
      failure: 'proxy',
      message: `can't reach ${url.host} through the proxy ${proxy.host} (from ${toProxyVariable(url)})`,
      reasons: describeProxyFailure(code, status),
      hint: `Check ${toProxyVariable(url)} and NO_PROXY.`,
    };
  }
  if (DNS_CODES.has(code)) {
    return {
      failure: 'dns',
      message: `can't find the host ${url.hostname}`,
      hint: "Check the spelling of the host, and this machine's DNS.",
    };
  }
  if (code === 'ECONNREFUSED') {
    return {
      failure: 'refused',
      message: `${url.host} refused the connection`,
      hint: 'Check the host and the port, and that the service is running.',
    };
  }
  if (UNREACHABLE_CODES.has(code))
    return { failure: 'unreachable', message: `can't reach ${url.host} from here`, hint: AGAIN };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return {
      failure: 'timeout',
      message: `${url.host} didn't accept a connection within ${CONNECT_TIMEOUT / 1000} s`,
      hint: AGAIN,
    };
  }
  if (isTls) {
    const host = error instanceof ProxyFailure ? `the proxy ${proxy?.host}` : url.host;
    const known = TLS_FAILURES[/wrong version number/i.test(error.message) ? 'ERR_SSL_WRONG_VERSION_NUMBER' : code];
    if (certificatesFrom !== undefined && known?.isUntrusted === true) {
      return {
        failure: 'tls',
        message: `the certificate of ${host} is not signed by the authority in ${certificatesFrom}`,
        hint: 'Store the right one with settings set ca-file <pem>, or name it with --ca-file <pem>.',
      };
    }
    return {
      failure: 'tls',
      message: known?.of(host) ?? `can't make a secure connection to ${host} (${code})`,
      hint: known?.hint ?? 'Check the host name and the port, and any proxy in between.',
      ...(known?.isUnheard === true ? { isUnheard: true } : {}),
    };
  }
  const broken = describeBrokenHttp(error, code, answered);
  if (broken !== undefined) return { failure: 'breaks-http', message: `${url.host} ${broken.what}`, hint: broken.hint };
  if (answered) {
    const isDamaged = code.startsWith('Z_') && code !== 'Z_BUF_ERROR';
    const how = isDamaged ? "is damaged: it can't be decompressed" : 'was cut off';
    return { failure: 'truncated', message: `the answer of ${url.host} ${how}`, hint: AGAIN };
  }
  return { failure: 'reset', message: `the connection to ${url.host} broke before an answer came`, hint: AGAIN };
}

const PROXY_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'It refused the connection.',
  UND_ERR_CONNECT_TIMEOUT: "It didn't accept a connection.",
  ETIMEDOUT: "It didn't accept a connection.",
  ECONNRESET: 'It closed the connection.',
};

function describeProxyFailure(code: string, status: string | undefined): readonly string[] {
  if (status !== undefined) return [`It answered ${status} instead of connecting.`];
  if (DNS_CODES.has(code)) return ["Its host can't be found."];
  return PROXY_FAILURES[code] === undefined ? (code === '' ? [] : [`The error was ${code}.`]) : [PROXY_FAILURES[code]];
}

/** What came that HTTP does not allow, or that undici cannot read; undefined where the connection itself broke. */
function describeBrokenHttp(
  error: Failed,
  code: string,
  answered: boolean,
): { readonly what: string; readonly hint: string } | undefined {
  const hint = 'The network is not the cause: what answers breaks HTTP. Check the base URL, and any proxy in between.';
  const notHttp = (why: string) => ({ what: `sent an answer that is not HTTP (${why})`, hint });
  if (isParserError(error)) {
    // After words of undici's own, in brackets.
    const reason = error.message.slice(error.message.indexOf('(') + 1, -1);
    if (reason.endsWith('EOF state')) return undefined;
    return reason.startsWith('Expected HTTP/')
      ? { what: "doesn't speak HTTP", hint: 'Check the base URL: is it https, and the right port?' }
      : notHttp(reason);
  }
  if (isAssertion(error)) return notHttp('no valid status');
  switch (code) {
    case 'UND_ERR_SOCKET':
      if (error.message === 'bad response') {
        return {
          what: 'sent "100 Continue" without being asked, which orgctl can\'t read',
          hint: 'The network is not the cause. Have the service, or the proxy before it, send it only where it is asked for.',
        };
      }
      return error.message === 'bad upgrade'
        ? { what: 'changed to another protocol, which was not asked for', hint }
        : undefined;
    case 'UND_ERR_HEADERS_OVERFLOW':
      return { what: 'sent headers that are too large', hint };
    // In an answer that has begun, contradictory lengths mean that it was cut off.
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return answered ? undefined : notHttp('contradictory lengths');
    default:
      return undefined;
  }
}
