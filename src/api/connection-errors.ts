import { ConnectionError, formatReason, type RequestReference } from '../lib/errors.ts';

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
const UNREACHABLE: Problem = { code: 'unreachable', what: 'the network does not reach it' };

/** By the codes of Node, OpenSSL and undici. */
const PROBLEMS: Record<string, Problem> = {
  ENOTFOUND: DNS,
  EAI_AGAIN: DNS,
  ECONNREFUSED: { code: 'refused', what: 'it refused the connection' },
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  UND_ERR_CONNECT_TIMEOUT: { code: 'timeout', what: 'it did not accept a connection in time' },
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

/** Failures before a connection stands: no byte of the request has left. */
const NOT_CONNECTED = new Set(['dns', 'refused', 'unreachable', 'tls']);

/**
 * A failed exchange in words. `proxy` is the proxy on the way. `isAnswered`: the answer had begun.
 */
export function describeConnectionError(
  error: unknown,
  to: { url: URL; request: RequestReference; proxy: string | undefined; isAnswered: boolean },
): ConnectionError {
  const { url, request, proxy, isAnswered } = to;
  const code = findCode(error);
  const way = proxy ? ` through the proxy ${proxy}` : '';
  const problem = PROBLEMS[code];
  if (problem) {
    const sent = NOT_CONNECTED.has(problem.code) || code === 'UND_ERR_CONNECT_TIMEOUT' ? 'no' : 'maybe';
    return new ConnectionError(problem.code, sent, request, `can't reach ${url.host}${way}: ${problem.what}`, {
      hint: problem.hint ?? (proxy ? 'Check HTTPS_PROXY and NO_PROXY.' : undefined),
      cause: error,
    });
  }
  const refusal = /Proxy response \((\d+)\) !== 200/.exec(formatReason(error));
  if (refusal) {
    return new ConnectionError(
      'proxy',
      'no',
      request,
      `can't reach ${url.host}${way}: the proxy answered ${refusal[1]}`,
      {
        hint: 'Check HTTPS_PROXY and NO_PROXY.',
        cause: error,
      },
    );
  }
  if (
    code.startsWith('ERR_SSL') ||
    code.startsWith('ERR_OSSL') ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('CERT_')
  ) {
    return new ConnectionError('tls', 'no', request, `can't make a secure connection to ${url.host}${way}: ${code}`, {
      cause: error,
    });
  }
  const what = isAnswered
    ? `the answer of ${url.host} was cut off`
    : `the connection to ${url.host}${way} broke before an answer came`;
  return new ConnectionError(
    isAnswered ? 'truncated' : 'reset',
    'maybe',
    request,
    `${what} (${code || formatReason(error)})`,
    {
      cause: error,
    },
  );
}

/** undici wraps some errors. */
function findCode(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = (inner as NodeJS.ErrnoException).code;
    // OpenSSL before 3.2 has other names for the oldest alerts.
    if (code && code !== 'UND_ERR_ABORTED' && code in PROBLEMS) return code;
    if (code && !(inner.cause instanceof Error)) return code;
  }
  return '';
}
