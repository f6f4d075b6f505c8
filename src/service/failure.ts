import type { ConnectionFailure } from '../errors.ts';
import { toProxyVariable } from './proxy.ts';

/** Milliseconds for a connection to be made. */
export const CONNECT_TIMEOUT = 10_000;

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);
const UNREACHABLE_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);
const TLS_CAUSES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check this machine’s clock',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an authority this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority this machine does not know',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  CERT_REVOKED: 'its certificate was revoked',
};

/** Plain words for a failed connection. The codes of Node, OpenSSL and undici are read here and nowhere else. */
export function explainFailure(
  error: Error & { code?: string; cause?: unknown },
  url: URL,
  /** The proxy that was on the way when no request had left yet. */
  proxy: URL | undefined,
  answered: boolean,
): { failure: ConnectionFailure; message: string; hint: string } {
  const code = error.code ?? (error.cause as { code?: string } | undefined)?.code ?? '';
  const again = 'Try again; if it stays so, check the base URL, the network and the proxy settings.';
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
    return { failure: 'unreachable', message: `${url.host} cannot be reached from here`, hint: again };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return {
      failure: 'timeout',
      message: `${url.host} did not accept a connection within ${CONNECT_TIMEOUT / 1000} s`,
      hint: again,
    };
  }
  if (isTls) {
    return {
      failure: 'tls',
      message: `no trusted connection to ${url.host}: ${TLS_CAUSES[code] ?? `TLS failed (${code})`}`,
      hint: 'Name your authority’s certificate with --ca-file, or check the host name.',
    };
  }
  if (answered) {
    return { failure: 'truncated', message: `the answer of ${url.host} was cut off`, hint: again };
  }
  // undici has no code for some of what its parser refuses.
  if (error.name === 'HTTPParserError') {
    return {
      failure: 'not-the-service',
      message: `${url.host} does not speak HTTP`,
      hint: 'Check the base URL: is it https, and the right port?',
    };
  }
  return { failure: 'reset', message: `the connection to ${url.host} broke before an answer came`, hint: again };
}
