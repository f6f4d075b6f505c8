import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Dispatcher } from 'undici';
import { ConnectionError, OrgctlError, type RequestReference, readErrorCode, UsageError } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import { createConnectionError } from './connection-errors.ts';
import {
  type ConnectionOptions,
  createDispatcher,
  createStartListener,
  MAX_BODY,
  readCertificateDates,
} from './dispatcher.ts';
import type { Method } from './operations.ts';
import { findProxy, isLoopback } from './proxy.ts';
import type { RateLimiter } from './rate-limit.ts';

const MAX_REDIRECTS = 5;

export interface HttpOptions extends ConnectionOptions {
  userAgent: string;
  /** Sent only to this origin. */
  token: { value: string; origin: string } | undefined;
  allowHttp: string[];
  signal: AbortSignal;
  now(): number;
  /** Must not throw. */
  onExchange(exchange: Exchange): void;
  redactor: Pick<Redactor, 'add' | 'text'>;
  limiter: RateLimiter;
}

/** A file that is read while it is sent. */
export interface FileBody {
  path: string;
  size: number;
}

interface HttpRequest {
  method: Method;
  url: URL;
  mediaType: string;
  body?: string;
  /** Replaces `body`. */
  file?: FileBody;
  /** The address is a secret that is enough by itself: no token is sent, no redirect followed, and nothing shows it. */
  isAnonymous?: boolean;
  /** Milliseconds for the whole exchange, or for each wait while a file is sent. */
  timeout: number;
  /** Called when the request leaves over a connection that stands. */
  onLeave?(): void;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** Removes secrets from what an error repeats of the answer, since services and proxies echo the token. */
  redact(text: string): string;
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

export class Http {
  private options: HttpOptions;
  /** By proxy; the empty name is none. */
  private dispatchers = new Map<string, Promise<Dispatcher>>();
  /** If a connection failed with one of these errors, no byte of the request was sent. */
  private connectErrors = new WeakSet<Error>();

  constructor(options: HttpOptions) {
    this.options = options;
  }

  /**
   * The answer, whatever its status. Follows redirects of reads within the origin. Throws ConnectionError if no answer
   * arrived, and UsageError for plain http to a host that is not allowed.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { allowHttp, limiter, redactor, signal } = this.options;
    assertSecure(request.url, allowHttp);
    if (request.isAnonymous) redactor.add(...listSecretParts(request.url));
    let { url } = request;
    for (let redirects = 0; ; redirects += 1) {
      const response = await limiter.run(signal, (countLeft) => {
        const onLeave = (): void => {
          countLeft();
          request.onLeave?.();
        };
        return this.sendOnce({ ...request, url, onLeave });
      });
      if (response.status < 300 || response.status > 399 || request.isAnonymous) return response;
      url = findRedirectTarget(response, redirects);
    }
  }

  async close(): Promise<void> {
    const dispatchers = await Promise.allSettled(this.dispatchers.values());
    for (const opened of dispatchers) if (opened.status === 'fulfilled') await opened.value.destroy();
  }

  private async sendOnce(request: HttpRequest): Promise<HttpResponse> {
    const { signal, now, onExchange } = this.options;
    const start = now();
    const deadline = AbortSignal.timeout(request.timeout);
    let answer: Dispatcher.ResponseData | undefined;
    try {
      answer = await this.request(request, deadline);
      const response = await this.readResponse(request, answer);
      onExchange({ request, milliseconds: now() - start, response });
      return response;
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof OrgctlError) throw cause;
      const error = await this.createError(request, cause, deadline, answer !== undefined);
      onExchange({ request, milliseconds: now() - start, error });
      throw error;
    }
  }

  private async request(request: HttpRequest, deadline: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { options } = this;
    const { method, url, body, file, timeout, onLeave } = request;
    const proxy = findProxy(options.env, url)?.href ?? '';
    const dispatcher = this.dispatchers.get(proxy) ?? createDispatcher(options, proxy, this.connectErrors, timeout);
    this.dispatchers.set(proxy, dispatcher);
    const opened = await dispatcher;
    options.signal.throwIfAborted();
    const signal = AbortSignal.any(file ? [options.signal] : [options.signal, deadline]);
    const answer = opened.compose(createStartListener(onLeave)).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: createHeaders(request, options),
      body: file ? createReadStream(file.path) : body,
      ...(file && { headersTimeout: timeout, bodyTimeout: timeout }),
      signal,
    });
    // undici looks at the signal only once a connection stands.
    const settled = new AbortController();
    const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => Promise.reject(signal.reason));
    // A listener that stays would keep the answer in memory.
    return Promise.race([answer, aborted]).finally(() => settled.abort());
  }

  private async readResponse(request: HttpRequest, answer: Dispatcher.ResponseData): Promise<HttpResponse> {
    const redact = this.options.redactor.text;
    const headers: HttpResponse['headers'] = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
    const id = headers['x-request-id'];
    const reference = createReference(request, id && redact(id));
    const text = await readBody(answer);
    return { status: answer.statusCode, headers, text, redact, url: request.url, request: reference };
  }

  private async createError(request: HttpRequest, cause: unknown, deadline: AbortSignal, isAnswered: boolean) {
    const { url, file, timeout } = request;
    const code = readErrorCode(cause);
    const reference = createReference(request);
    if (/^(UND_ERR_RES_EXCEEDED_MAX_SIZE|ERR_BUFFER_TOO_LARGE)$/.test(code)) {
      return new ConnectionError('too-large', 'maybe', reference, `${url.host} answered with more than 64 MiB`, {
        hint: 'Ask for less with --page-size or a filter.',
      });
    }
    if (file ? /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code) : deadline.aborted) {
      const message = `${url.host} did not answer within ${timeout / 1000} s`;
      const hint = 'Try again, or allow more time with --timeout.';
      return new ConnectionError('timeout', 'maybe', reference, message, { hint, cause });
    }
    const proxy = findProxy(this.options.env, url)?.host;
    const isConnected = !(cause instanceof Error && this.connectErrors.has(cause));
    const isOutOfDate = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code) && proxy === undefined;
    const dates = isOutOfDate ? await readCertificateDates(url, this.options.signal) : undefined;
    return createConnectionError(cause, { url, request: reference, proxy, isConnected, isAnswered, dates });
  }
}

function createReference({ method, url }: HttpRequest, id?: string): RequestReference {
  return { method, path: url.pathname, id };
}

function createHeaders({ url, mediaType, file, isAnonymous }: HttpRequest, { userAgent, token }: HttpOptions) {
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

/** The parts that make an address a secret. Shorter parts are dates and names of algorithms. */
function listSecretParts({ pathname, search, searchParams }: URL): string[] {
  const values = [...searchParams.values()];
  const parts = values.length > 0 ? values : pathname.split('/').slice(-1);
  return [pathname + search, ...parts.filter((part) => part.length >= 20)];
}

function assertSecure(url: URL, allowHttp: string[]): void {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return;
  if (allowHttp.some((host) => [url.host, url.hostname].includes(host.toLowerCase()))) return;
  throw new UsageError(`${url.origin} uses plain http: anyone on the network could read your token`, {
    code: 'plain-http',
    hint: `Use https, or add --allow-http ${url.hostname}.`,
  });
}

/** Throws ConnectionError for a write, for another origin and after too many redirects. */
function findRedirectTarget({ status, headers, url, request, redact }: HttpResponse, redirects: number): URL {
  const location = headers.location;
  const target = location && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const isElsewhere = target && target.origin !== url.origin;
  if (!target || isElsewhere || request.method !== 'GET' || redirects >= MAX_REDIRECTS) {
    const to = target ? ` to ${redact(target.origin + target.pathname)}` : '';
    throw new ConnectionError('redirect', 'maybe', request, `${url.host} answered ${status}, a redirect${to}`, {
      hint: isElsewhere
        ? 'Your token is not sent there. If it is the right service, set it as the base URL.'
        : 'Check the base URL.',
    });
  }
  return target;
}

/** The body as text without a BOM, at most 64 MiB before and after unpacking. */
async function readBody({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (statusCode === 204) {
    // Some services send a body anyway, which is not a part of the answer.
    body.on('error', () => undefined).destroy();
    return '';
  }
  const bytes = await body.bytes();
  const isPacked = bytes.length > 0 && /^(x-)?gzip$/i.test(String(headers['content-encoding']));
  const zlib = isPacked ? await import('node:zlib') : undefined;
  return new TextDecoder().decode(zlib ? zlib.gunzipSync(bytes, { maxOutputLength: MAX_BODY }) : bytes);
}
