import type { ConnectionFailure } from '../errors.ts';
import { toProxyVariable } from './proxy.ts';

/** Milliseconds for a connection to be made. */
export const CONNECT_TIMEOUT = 10_000;

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);
const UNREACHABLE_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);
const TLS_CAUSES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: "its certificate is not valid yet; check this machine's clock",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an authority this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority this machine does not know',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  CERT_REVOKED: 'its certificate was revoked',
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

function toCode(error: Failed): string {
  return error.code ?? (error.cause as { code?: string } | undefined)?.code ?? '';
}

/** To say what was asserted Node reads the source, and from version 22 on fails at what is minified: it throws that instead. */
function isAssertion(error: Failed): boolean {
  return toCode(error) === 'ERR_ASSERTION' || error.name === 'SyntaxError';
}

/** undici has no code for what its parser refuses. */
function isParserError(error: Failed): boolean {
  return error.name === 'HTTPParserError';
}

const AGAIN = 'Try again; if it stays so, check the base URL, the network and the proxy settings.';

/** Plain words for a failed connection. The codes of Node, OpenSSL and undici are read here and nowhere else. */
export function explainFailure(
  error: Failed,
  url: URL,
  /** The proxy that was on the way when no request had left yet. */
  proxy: URL | undefined,
  answered: boolean,
): { failure: ConnectionFailure; message: string; hint: string } {
  const code = toCode(error);
  const isTls =
    code in TLS_CAUSES ||
    code.startsWith('CERT_') ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL') ||
    code === 'EPROTO';
  if (proxy !== undefined && !isTls) {
    const status = /\((\d{3})\) !== 200/.exec(error.message)?.[1];
    return {
      failure: 'proxy',
      message:
        status === undefined
          ? `the proxy ${proxy.host} cannot be used to reach ${url.host}${code === '' ? '' : ` (${code})`}`
          : `the proxy ${proxy.host} answered ${status} instead of connecting to ${url.host}`,
      hint: `Check ${toProxyVariable(url)} and NO_PROXY.`,
    };
  }
  if (DNS_CODES.has(code)) {
    return {
      failure: 'dns',
      message: `the name ${url.hostname} was not found`,
      hint: 'Check the base URL, and that this machine can look up names.',
    };
  }
  if (code === 'ECONNREFUSED') {
    return {
      failure: 'refused',
      message: `${url.host} refused the connection`,
      hint: 'Check the host and port of the base URL, and that the service runs.',
    };
  }
  if (UNREACHABLE_CODES.has(code))
    return { failure: 'unreachable', message: `${url.host} cannot be reached from here`, hint: AGAIN };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return {
      failure: 'timeout',
      message: `${url.host} did not accept a connection within ${CONNECT_TIMEOUT / 1000} s`,
      hint: AGAIN,
    };
  }
  if (isTls) {
    return {
      failure: 'tls',
      message: `no trusted connection to ${error instanceof ProxyFailure ? `the proxy ${proxy?.host}` : url.host}: ${TLS_CAUSES[code] ?? `TLS failed (${code})`}`,
      hint: "Name your authority's certificate with --ca-file, or check the host name.",
    };
  }
  const broken = describeBrokenHttp(error, code, answered);
  if (broken !== undefined) return { failure: 'breaks-http', message: `${url.host} ${broken.what}`, hint: broken.hint };
  if (answered) {
    const isDamaged = code.startsWith('Z_') && code !== 'Z_BUF_ERROR';
    const how = isDamaged ? 'is damaged: it cannot be decompressed' : 'was cut off';
    return { failure: 'truncated', message: `the answer of ${url.host} ${how}`, hint: AGAIN };
  }
  return { failure: 'reset', message: `the connection to ${url.host} broke before an answer came`, hint: AGAIN };
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
      ? { what: 'does not speak HTTP', hint: 'Check the base URL: is it https, and the right port?' }
      : notHttp(reason);
  }
  if (isAssertion(error)) return notHttp('no valid status');
  switch (code) {
    case 'UND_ERR_SOCKET':
      if (error.message === 'bad response') {
        return {
          what: 'sent "100 Continue", which was not asked for and which orgctl cannot read',
          hint: 'The network is not the cause. Have the service, or the proxy before it, send it only where it is asked for.',
        };
      }
      return error.message === 'bad upgrade'
        ? { what: 'changed to another protocol, which was not asked for', hint }
        : undefined;
    case 'UND_ERR_HEADERS_OVERFLOW':
      return { what: 'sent headers that are too large', hint };
    // The same of an answer that has begun means that it was cut off.
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return answered ? undefined : notHttp('contradictory lengths');
    default:
      return undefined;
  }
}
