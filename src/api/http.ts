import { gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ConnectionError, type RequestReference, readErrorCode, UsageError } from '../lib/errors.ts';
import type { Environment } from '../lib/runtime.ts';
import { describeConnectionError } from './connection-errors.ts';
import { findProxy, listProxyExceptions } from './proxy.ts';

const MAX_BODY = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT = 10_000;
const CONNECTIONS = 8;

export interface HttpOptions {
  userAgent: string;
  /** Sent to this origin alone. */
  token: { value: string; origin: string } | undefined;
  /** PEM, in addition to the usual authorities. */
  ca: string | undefined;
  clientCert: string | undefined;
  clientKey: string | undefined;
  skipTlsVerify: boolean;
  /** Hosts that may be spoken to without TLS. */
  allowHttp: string[];
  env: Environment;
  signal: AbortSignal;
  now(): number;
  onExchange(exchange: Exchange): void;
  /** Services and proxies echo the token: it is taken out of every answer, headers too. */
  redact(text: string): string;
}

interface HttpRequest {
  method: string;
  url: URL;
  mediaType: string;
  body?: string;
  /** Milliseconds. */
  timeout: number;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The address that answered, after redirects. */
  url: URL;
  request: RequestReference;
}

/** A request and its answer, for `--debug`. Bodies are complete. */
export interface Exchange {
  request: HttpRequest;
  milliseconds: number;
  response?: HttpResponse;
  error?: ConnectionError;
}

export interface Http {
  /**
   * The answer, whatever its status. Follows redirects of reads within the origin. Throws ConnectionError if there is no
   * answer, and UsageError for plain http to a host that is not allowed.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

export function createHttp(options: HttpOptions): Http {
  /** No byte of a request has left if its connection failed with one of these. */
  const connectErrors = new WeakSet<Error>();
  let dispatcher: Promise<Dispatcher> | undefined;

  async function sendOnce(request: HttpRequest): Promise<HttpResponse> {
    const { method, url, body, timeout } = request;
    const reference: RequestReference = { method, path: url.pathname };
    const started = options.now();
    const deadline = AbortSignal.timeout(timeout);
    let isAnswered = false;
    try {
      dispatcher ??= createDispatcher(options, url.protocol, connectErrors);
      const answer = await (await dispatcher).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: createHeaders(request, options),
        body,
        signal: AbortSignal.any([options.signal, deadline]),
      });
      isAnswered = true;
      const headers = joinHeaders(answer.headers, options.redact);
      const id = headers['x-request-id'];
      const answered = id === undefined ? reference : { ...reference, id };
      const text = await readBody(answer.body, headers['content-encoding'], () => createTooLargeError(url, answered));
      const response = { status: answer.statusCode, headers, text: options.redact(text), url, request: answered };
      options.onExchange({ request, milliseconds: options.now() - started, response });
      return response;
    } catch (cause) {
      options.signal.throwIfAborted();
      const error = cause instanceof ConnectionError ? cause : describeFailure(cause);
      options.onExchange({ request, milliseconds: options.now() - started, error });
      throw error;
    }

    function describeFailure(cause: unknown): ConnectionError {
      if (deadline.aborted) return createTimeoutError(url, reference, timeout, cause);
      const isConnected = !(cause instanceof Error && connectErrors.has(cause));
      const proxy = isLoopback(url.hostname) ? undefined : findProxy(options.env, url.protocol)?.host;
      return describeConnectionError(cause, { url, request: reference, proxy, isConnected, isAnswered });
    }
  }

  return {
    async send(request) {
      assertSecure(request.url, options.allowHttp);
      let { url } = request;
      for (let redirects = 0; ; redirects += 1) {
        const response = await sendOnce({ ...request, url });
        if (response.status < 300 || response.status > 399) return response;
        url = findRedirectTarget(response, redirects);
      }
    },
    async close() {
      const open = await dispatcher?.catch(() => undefined);
      await open?.destroy();
    },
  };
}

function createHeaders({ url, mediaType }: HttpRequest, { userAgent, token }: HttpOptions): Record<string, string> {
  return {
    accept: mediaType,
    // The service answers 415 to a DELETE without a content type, even though it has no body (facts).
    'content-type': mediaType,
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    ...(token?.origin === url.origin && { authorization: `Bearer ${token.value}` }),
  };
}

/** For one scheme: the base URL's. */
async function createDispatcher(
  options: HttpOptions,
  protocol: string,
  connectErrors: WeakSet<Error>,
): Promise<Dispatcher> {
  const undici = await import('undici');
  const tls = {
    ...(options.ca !== undefined && { ca: await addRootCertificates(options.ca) }),
    ...(options.skipTlsVerify && { rejectUnauthorized: false }),
  };
  const connect = { ...tls, cert: options.clientCert, key: options.clientKey, timeout: CONNECT_TIMEOUT };
  const shared = {
    connections: CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
    factory: (origin: string | URL, pool: object) =>
      new undici.Pool(origin, pool).on('connectionError', (_origin, _targets, error) => connectErrors.add(error)),
  };
  const proxy = findProxy(options.env, protocol)?.href;
  if (proxy === undefined) return new undici.Agent(shared);
  const noProxy = listProxyExceptions(options.env);
  return new undici.EnvHttpProxyAgent({
    ...shared,
    requestTls: connect,
    proxyTls: tls,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy,
  });
}

/** `ca` replaces the usual authorities in Node, and a private one is meant to be added. */
async function addRootCertificates(ca: string): Promise<string[]> {
  const tls = await import('node:tls');
  // Node 22.15 and newer also know NODE_EXTRA_CA_CERTS here.
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), ca];
}

function assertSecure(url: URL, allowHttp: string[]): void {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return;
  if (allowHttp.some((host) => [url.host, url.hostname].includes(host.toLowerCase()))) return;
  throw new UsageError(`${url.origin} uses plain http: anyone on the network could read your token`, {
    code: 'plain-http',
    hint: `Use https, or add --allow-http ${url.hostname}.`,
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Throws ConnectionError for a write, for another origin and for a circle. */
function findRedirectTarget({ status, headers, url, request }: HttpResponse, redirects: number): URL {
  const location = headers.location;
  const target = location && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const isOther = target && target.origin !== url.origin;
  if (!target || isOther || request.method !== 'GET' || redirects >= MAX_REDIRECTS) {
    const where = target ? ` to ${target.origin}${target.pathname}` : '';
    throw new ConnectionError('redirect', 'maybe', request, `${url.host} answered ${status}, a redirect${where}`, {
      hint: isOther
        ? 'Your token is not sent there. If it is the right service, set it as the base URL.'
        : 'Check the base URL.',
    });
  }
  return target;
}

function createTooLargeError({ host }: URL, request: RequestReference): ConnectionError {
  return new ConnectionError('too-large', 'maybe', request, `${host} answered with more than 64 MiB`, {
    hint: 'Ask for less with --page-size or a filter.',
  });
}

function createTimeoutError({ host }: URL, request: RequestReference, timeout: number, cause: unknown) {
  return new ConnectionError('timeout', 'maybe', request, `${host} did not answer within ${timeout / 1000} s`, {
    hint: 'Try again, or allow more time with --timeout.',
    cause,
  });
}

function joinHeaders(
  headers: Record<string, string | string[] | undefined>,
  redact: HttpOptions['redact'],
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact([value].flat().join(', '))]));
}

/** The body as text, at most 64 MiB before and after unpacking. */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  createTooLarge: () => ConnectionError,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_BODY) throw createTooLarge();
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  if (encoding !== 'gzip' || size === 0) return bytes.toString('utf8');
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY }).toString('utf8');
  } catch (error) {
    throw readErrorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? createTooLarge() : error;
  }
}
