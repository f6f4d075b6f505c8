import { ConnectionError, type ErrorCode, formatReason, type RequestReference, readErrorCode } from '../lib/errors.ts';

interface Problem {
  code: ErrorCode;
  reason: string;
  hint?: string;
}

const DNS: Problem = {
  code: 'dns',
  reason: 'the host name was not found',
  hint: 'Check --host, `orgctl settings list`, and your network.',
};
const REFUSED: Problem = { ...DNS, code: 'refused', reason: 'it refused the connection' };
const UNTRUSTED: Problem = {
  code: 'tls',
  reason: 'its certificate is signed by an unknown authority',
  hint: 'If you trust it, run `orgctl settings set ca-file <pem>`, or add --ca-file <pem>.',
};
const CLIENT_CERTIFICATE: Problem = {
  code: 'tls',
  reason: 'it requires a valid client certificate',
  hint: 'Name one with --client-cert, and its key with --client-key.',
};
const CONNECT_TIMEOUT: Problem = { code: 'timeout', reason: 'it did not accept a connection in time' };

/** Known problems by the codes of Node, OpenSSL and undici. */
const PROBLEMS: Record<string, Problem> = {
  ENOTFOUND: DNS,
  EAI_AGAIN: DNS,
  ECONNREFUSED: REFUSED,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  CERT_HAS_EXPIRED: { code: 'tls', reason: 'the certificate expired' },
  CERT_NOT_YET_VALID: { code: 'tls', reason: 'the certificate is not valid yet', hint: "Check this machine's clock." },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: 'tls', reason: 'the certificate is for another host name' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { ...UNTRUSTED, reason: 'its certificate is self-signed' },
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CLIENT_CERTIFICATE,
  ERR_SSL_WRONG_VERSION_NUMBER: {
    code: 'tls',
    reason: 'it does not speak TLS',
    hint: 'Check the port, or use http:// in the base URL.',
  },
};

/** undici names the answer of a proxy only in its message. */
const PROXY_REFUSAL = /^Proxy (?:response|Authentication Required) \((\d+)\)/;

/** `isConnected`: the request may have been sent. `isAnswered`: the answer had begun. */
export function createConnectionError(
  error: unknown,
  exchange: {
    url: URL;
    request: RequestReference;
    proxy: string | undefined;
    isConnected: boolean;
    isAnswered: boolean;
    /** When a certificate is valid that was refused for its dates, if that could be read. */
    dates: { from: string; to: string } | undefined;
  },
): ConnectionError {
  const { url, request, proxy, isConnected, isAnswered, dates } = exchange;
  // undici wraps some errors.
  const code = readErrorCode(error instanceof Error && error.cause instanceof Error ? error.cause : error);
  const via = proxy ? ` through the proxy ${proxy}` : '';
  const known = PROBLEMS[code];
  // With TLS 1.3 a server refuses a client certificate only after the client's first bytes, and reads none of them.
  const text = formatReason(error);
  if (!isConnected || known === CLIENT_CERTIFICATE || PROXY_REFUSAL.test(text)) {
    const { code: name, reason, hint } = known ?? findUnknownProblem(code, text);
    const date = code === 'CERT_HAS_EXPIRED' ? ` on ${dates?.to}` : `: it begins on ${dates?.from}`;
    return new ConnectionError(name, 'no', request, `can't reach ${url.host}${via}: ${reason}${dates ? date : ''}`, {
      // Through a proxy, it is the proxy that was not reached.
      hint: proxy && (!hint || hint === DNS.hint) ? 'Check HTTPS_PROXY and NO_PROXY.' : hint,
      cause: error,
    });
  }
  const message = isAnswered
    ? `the answer from ${url.host} was cut off`
    : `the connection to ${url.host}${via} broke before an answer came`;
  const name = isAnswered ? 'truncated' : 'reset';
  return new ConnectionError(name, 'maybe', request, message, { cause: error });
}

function findUnknownProblem(code: string, message: string): Problem {
  const [, status] = PROXY_REFUSAL.exec(message) ?? [];
  if (status) return { code: 'proxy', reason: `the proxy answered ${status}` };
  const isTls = /^(ERR_SSL|ERR_TLS|ERR_OSSL|CERT_)/.test(code);
  return isTls
    ? { code: 'tls', reason: `the secure connection failed (${code})` }
    : { code: 'unreachable', reason: message };
}
