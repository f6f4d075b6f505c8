import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ConnectionError, OrgctlError, type RequestReference, readErrorCode, UsageError } from '../lib/errors.ts';
import type { Environment } from '../lib/runtime.ts';
import { describeConnectionError } from './connection-errors.ts';
import { createDispatcher } from './dispatcher.ts';
import { findProxy } from './proxy.ts';

const MAX_BODY = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;

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
  /** From now on nothing shows these. */
  hide(...secrets: string[]): void;
}

/** The bytes of a file, read as they are sent. */
export interface FileBody {
  size: number;
  open(): AsyncIterable<Uint8Array>;
}

interface HttpRequest {
  method: string;
  url: URL;
  mediaType: string;
  body?: string;
  /** In place of `body`. */
  file?: FileBody | undefined;
  /** The address is a secret that is enough by itself: no token, no redirects, and nothing shows it. */
  isAnonymous?: boolean;
  /** Milliseconds. For a file that no byte moves, else for all. */
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
    const { method, url, body, file, timeout } = request;
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
        body: file ? Readable.from(file.open(), { objectMode: false }) : body,
        ...(file && { headersTimeout: timeout, bodyTimeout: timeout }),
        signal: file ? options.signal : AbortSignal.any([options.signal, deadline]),
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
      if (cause instanceof OrgctlError && !(cause instanceof ConnectionError)) throw cause;
      const error = cause instanceof ConnectionError ? cause : describeFailure(cause);
      options.onExchange({ request, milliseconds: options.now() - started, error });
      throw error;
    }

    function describeFailure(cause: unknown): ConnectionError {
      const isLate = file ? /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(readErrorCode(cause)) : deadline.aborted;
      if (isLate) return createTimeoutError(url, reference, timeout, cause);
      const isConnected = !(cause instanceof Error && connectErrors.has(cause));
      const proxy = isLoopback(url.hostname) ? undefined : findProxy(options.env, url.protocol)?.host;
      return describeConnectionError(cause, { url, request: reference, proxy, isConnected, isAnswered });
    }
  }

  return {
    async send(request) {
      assertSecure(request.url, options.allowHttp);
      if (request.isAnonymous) options.hide(...listSecretParts(request.url));
      let { url } = request;
      for (let redirects = 0; ; redirects += 1) {
        const response = await sendOnce({ ...request, url });
        if (response.status < 300 || response.status > 399 || request.isAnonymous) return response;
        url = findRedirectTarget(response, redirects);
      }
    },
    async close() {
      const open = await dispatcher?.catch(() => undefined);
      await open?.destroy();
    },
  };
}

function createHeaders(
  { url, mediaType, file, isAnonymous }: HttpRequest,
  { userAgent, token }: HttpOptions,
): Record<string, string> {
  return {
    accept: mediaType,
    // The service answers 415 to a DELETE without a content type, even though it has no body (facts).
    'content-type': mediaType,
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    ...(file && { 'content-length': String(file.size) }),
    ...(!isAnonymous && token?.origin === url.origin && { authorization: `Bearer ${token.value}` }),
  };
}

/** What makes an address a secret, as others may repeat it. */
function listSecretParts({ pathname, search, searchParams }: URL): string[] {
  const values = [...searchParams.values()];
  const parts = values.length > 0 ? values : pathname.split('/').slice(-1);
  return [pathname + search, ...parts.filter((part) => part.length >= 16)];
}

function assertSecure(url: URL, allowHttp: string[]): void {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return;
  if (allowHttp.some((host) => [url.host, url.hostname].includes(host.toLowerCase()))) return;
  throw new UsageError(`${url.origin} uses plain http: anyone on the network could read your token`, {
    code: 'plain-http',
    hint: `Use https, or add --allow-http ${url.hostname}.`,
  });
}

export function isLoopback(hostname: string): boolean {
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
