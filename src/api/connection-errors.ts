import { ConnectionError, formatReason, type RequestReference, readErrorCode } from '../lib/errors.ts';

interface Problem {
  code: string;
  what: string;
  hint?: string;
}

const DNS: Problem = { code: 'dns', what: 'the host name was not found' };
const UNTRUSTED: Problem = {
  code: 'tls',
  what: 'its certificate is signed by an unknown authority',
  hint: 'If you trust it, run `orgctl settings set ca-file <pem>`, or add --ca-file <pem>.',
};
const CLIENT_CERTIFICATE: Problem = {
  code: 'tls',
  what: 'it asks for a client certificate that it accepts',
  hint: 'Name one with --client-cert, and its key with --client-key.',
};
const CONNECT_TIMEOUT: Problem = { code: 'timeout', what: 'it did not accept a connection in time' };
const UNREACHABLE: Problem = { code: 'unreachable', what: 'the network does not reach it' };

/** By the codes of Node, OpenSSL and undici. */
const PROBLEMS: Record<string, Problem> = {
  ENOTFOUND: DNS,
  EAI_AGAIN: DNS,
  ECONNREFUSED: { code: 'refused', what: 'it refused the connection' },
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  CERT_HAS_EXPIRED: { code: 'tls', what: 'the certificate expired' },
  CERT_NOT_YET_VALID: { code: 'tls', what: 'the certificate is not valid yet', hint: "Check this machine's clock." },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: 'tls', what: 'the certificate is for another host name' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { ...UNTRUSTED, what: 'its certificate is self-signed' },
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CLIENT_CERTIFICATE,
  ERR_SSL_WRONG_VERSION_NUMBER: {
    code: 'tls',
    what: 'it does not speak TLS',
    hint: 'Check the port, or use http:// in the base URL.',
  },
};

/**
 * A failed exchange in words. `proxy` is the proxy on the way. `isConnected`: the request may have left. `isAnswered`: the
 * answer had begun.
 */
export function describeConnectionError(
  error: unknown,
  to: { url: URL; request: RequestReference; proxy: string | undefined; isConnected: boolean; isAnswered: boolean },
): ConnectionError {
  const { url, request, proxy, isConnected, isAnswered } = to;
  const code = findCode(error);
  const way = proxy ? ` through the proxy ${proxy}` : '';
  const known = PROBLEMS[code];
  // With TLS 1.3 a client hears only after its first bytes that its certificate is refused; the server read none of them.
  if (!isConnected || known === CLIENT_CERTIFICATE) {
    const { code: name, what, hint } = known ?? describeUnknown(code, formatReason(error));
    return new ConnectionError(name, 'no', request, `can't reach ${url.host}${way}: ${what}`, {
      hint: hint ?? (proxy && 'Check HTTPS_PROXY and NO_PROXY.'),
      cause: error,
    });
  }
  const what = isAnswered
    ? `the answer of ${url.host} was cut off`
    : `the connection to ${url.host}${way} broke before an answer came`;
  const name = isAnswered ? 'truncated' : 'reset';
  return new ConnectionError(name, 'maybe', request, `${what} (${code || formatReason(error)})`, { cause: error });
}

/** undici says only in words what a proxy answered. */
function describeUnknown(code: string, message: string): Problem {
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status) return { code: 'proxy', what: `the proxy answered ${status}` };
  const isTls = /^(ERR_SSL|ERR_TLS|ERR_OSSL|CERT_)/.test(code);
  return isTls
    ? { code: 'tls', what: `the secure connection failed (${code})` }
    : { code: 'unreachable', what: message };
}

/** undici wraps some errors. */
function findCode(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = readErrorCode(inner);
    if (code in PROBLEMS || (code && !(inner.cause instanceof Error))) return code;
  }
  return '';
}
