import { isIP } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import {
  ConnectionError,
  type ConnectionFailure,
  OrgctlError,
  type RequestReference,
  toReason,
  UsageError,
} from '../errors.ts';
import { createSecrets, type Secrets } from '../secrets/secrets.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { type Body, LARGEST_BODY_TEXT, openBody } from './body.ts';
import { describeCertificate } from './certificate.ts';
import { CONNECT_TIMEOUT, explainFailure, isOwnFault, ProxyFailure } from './failure.ts';
import { chooseProxy, type ForwardProxy, isLoopback, type ProxySettings, withoutBrackets } from './proxy.ts';

/** The thin HTTP layer: one request, one answer. The only importer of undici. */

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface WireRequest {
  readonly method: Method;
  /** Below the base URL, percent-encoded, starting with a slash; the query without its question mark. */
  readonly path: string;
  /** The path begins at the base URL's origin instead. */
  readonly atOrigin?: boolean;
  readonly query: string;
  readonly body: string | undefined;
  readonly mediaType: string;
  /** Milliseconds for the whole request. */
  readonly timeout: number;
  /** A connection that nobody used before: one that was kept may end just as the request leaves. */
  readonly ownConnection?: boolean;
  /** A success may hold a new token. */
  readonly answersWithToken?: boolean;
  /** Called when there is a connection, and the request leaves on it. */
  readonly onStart?: () => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly request: RequestReference;
}

export interface TransportOptions {
  readonly baseUrl: URL;
  readonly token: string | undefined;
  readonly userAgent: string;
  /** PEM texts trusted besides the usual roots. */
  readonly extraCertificates: string | undefined;
  readonly skipVerification: boolean;
  /** Host names that may be spoken to without TLS. */
  readonly allowHttp: readonly string[];
  readonly proxies: ProxySettings;
  /** No write leaves; each is shown to `onPlanned` instead. */
  readonly dryRun: boolean;
  /** What refuses every write, such as ORGCTL_READ_ONLY; undefined where writes are allowed. */
  readonly readOnly: string | undefined;
  readonly onPlanned: (write: {
    readonly method: Method;
    readonly url: string;
    readonly body: string | undefined;
  }) => void;
  readonly onExchange: (exchange: Exchange) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** One exchange for the trace. Bodies are as they travelled: whoever shows them removes secrets. */
export interface Exchange {
  readonly method: Method;
  readonly url: string;
  readonly requestBody: string | undefined;
  /** A success may hold a new token. */
  readonly answersWithToken: boolean;
  readonly milliseconds: number;
  readonly result:
    | { readonly status: number; readonly headers: Answer['headers']; readonly body: string }
    | { readonly failure: string };
}

export interface Transport {
  /** The answer, whatever its status; undefined when a dry run kept a write from leaving. Throws ConnectionError. */
  send(request: WireRequest): Promise<Answer | undefined>;
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;
const MOST_CONNECTIONS = 8;

export function createTransport(options: TransportOptions): Transport {
  const routes = new Map<string, Promise<Route>>();
  const own = createSecrets(options.token);

  function routeTo(url: URL): Promise<Route> {
    let route = routes.get(url.origin);
    if (route === undefined) {
      route = createRoute(url, options);
      routes.set(url.origin, route);
    }
    return route;
  }

  async function sendOnce(url: URL, request: WireRequest): Promise<Answer> {
    refusePlainHttp(url, options);
    const reference: RequestReference = { method: request.method, path: url.pathname + url.search };
    const started = options.now();
    const traced = (result: Exchange['result']): void =>
      options.onExchange({
        method: request.method,
        url: url.href,
        requestBody: request.body,
        answersWithToken: request.answersWithToken === true,
        milliseconds: options.now() - started,
        result,
      });
    const route = await (request.ownConnection === true ? createRoute(url, options) : routeTo(url));
    try {
      const answer = await dispatch(route, url, request, options, reference);
      traced({ status: answer.status, headers: answer.headers, body: answer.text });
      // Services and proxies may echo the token: it is no part of a result.
      return { ...answer, text: own.redactAnswer(answer.text) };
    } catch (error) {
      traced({ failure: toReason(error) });
      throw await withCertificate(error, url);
    } finally {
      if (request.ownConnection === true) await route.dispatcher.destroy();
    }
  }

  /** What could not be trusted is described, where it can be seen: behind a proxy it cannot. */
  async function withCertificate(error: unknown, url: URL): Promise<unknown> {
    if (!(error instanceof ConnectionError) || error.failure !== 'tls' || (await routeTo(url)).proxy !== undefined) {
      return error;
    }
    const certificate = await describeCertificate(url, options.signal);
    const { failure, acted, request, message, hint = '', cause } = error;
    return new ConnectionError(failure, acted, request, message, {
      reasons: certificate === undefined ? [] : [certificate],
      hint,
      cause,
    });
  }

  return {
    async send(request) {
      const url = toUrl(options.baseUrl, request);
      const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
      if (isWrite && options.readOnly !== undefined) {
        throw new UsageError(`${request.method} ${url.pathname} is refused: read-only is set by ${options.readOnly}`, {
          hint: 'Unset it there to allow changes.',
        });
      }
      if (isWrite && options.dryRun) {
        options.onPlanned({ method: request.method, url: url.href, body: request.body });
        return undefined;
      }
      let current = url;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await sendOnce(current, request);
        if (answer.status < 300 || answer.status > 399) return answer;
        if (isWrite) throw toRedirectedWrite(answer, current, own);
        current = followRedirect(answer, current, redirects, own);
      }
    },
    async close() {
      const open = await Promise.allSettled(routes.values());
      routes.clear();
      await Promise.all(
        open.map((result) => (result.status === 'fulfilled' ? result.value.dispatcher.destroy() : undefined)),
      );
    },
  };
}

function toUrl(baseUrl: URL, { path, query, atOrigin = false }: WireRequest): URL {
  const start = atOrigin ? baseUrl.origin : withoutTrailingSlashes(baseUrl.href);
  return new URL(`${start}${path}${query === '' ? '' : `?${query}`}`);
}

function refusePlainHttp(url: URL, options: TransportOptions): void {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return;
  const name = url.hostname.toLowerCase();
  if (options.allowHttp.some((allowed) => allowed.toLowerCase() === name || allowed.toLowerCase() === url.host)) return;
  throw new UsageError(`${url.origin} is plain http: a token would cross the network readable by all`, {
    hint: `Use https, or allow it for this host with --allow-http ${url.hostname}.`,
  });
}

/** The next address to ask. Throws where there is none, or where following would be unsafe. */
function followRedirect(answer: Answer, from: URL, redirects: number, own: Secrets): URL {
  const { status, request } = answer;
  if (!REDIRECTS.has(status)) {
    throw new ConnectionError(
      'not-the-service',
      'maybe',
      request,
      `${from.host} answered ${request.method} ${from.pathname} with ${status}, which the service never does`,
      { hint: 'Check the base URL (it usually ends in /api/v2), and any proxy or portal in between.' },
    );
  }
  const target = toTarget(answer, from);
  const where = describeTarget(target, own);
  const refuse = (why: string, hint: string): ConnectionError =>
    new ConnectionError('redirect', 'no', request, `${from.origin} redirects to ${where}, ${why}`, { hint });
  if (target === undefined) throw refuse('which cannot be followed', 'Check the base URL.');
  if (target.origin !== from.origin) {
    throw refuse(
      'another origin, where this token does not belong',
      'If that is the right service, make it the base URL.',
    );
  }
  if (redirects >= MOST_REDIRECTS) throw refuse('and so on in a circle', 'Check the base URL.');
  return target;
}

function toRedirectedWrite(answer: Answer, from: URL, own: Secrets): OrgctlError {
  const { status, request } = answer;
  const where = REDIRECTS.has(status) ? `, a redirect to ${describeTarget(toTarget(answer, from), own)}` : '';
  return new OrgctlError('outcome-unknown', `${request.method} ${from.pathname} was answered ${status}${where}`, {
    hint: 'A redirected write is not sent again. Check whether it happened, and set the base URL to the final address.',
  });
}

function toTarget({ headers: { location } }: Answer, from: URL): URL | undefined {
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** Without our token. */
function describeTarget(target: URL | undefined, own: Secrets): string {
  return target === undefined ? 'nowhere readable' : own.redactText(target.origin + target.pathname);
}

/** How an origin is reached: directly, or by a proxy. */
interface Route {
  readonly dispatcher: Dispatcher;
  readonly proxy: ForwardProxy | undefined;
}

async function createRoute(url: URL, options: TransportOptions): Promise<Route> {
  const { Pool, ProxyAgent } = await import('undici');
  const proxy = chooseProxy(url, options.proxies);
  const tls = await toTrust(options);
  const shared = { connections: MOST_CONNECTIONS, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) {
    return { dispatcher: new Pool(url.origin, { ...shared, connect: { ...tls, timeout: CONNECT_TIMEOUT } }), proxy };
  }
  const dispatcher = new ProxyAgent({
    ...shared,
    uri: proxy.url.href,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin, { connect }: { readonly connect?: Connector }) =>
      new Pool(origin, connect === undefined ? {} : { connect: toProxy(connect) }),
  });
  return { dispatcher, proxy };
}

type Connector = ReturnType<typeof buildConnector>;

/** What fails on the way to the proxy is told apart from what fails behind it. */
function toProxy(connect: Connector): Connector {
  // undici names the proxy in TLS whatever it is, and Node warns of an address there.
  return (to, done) =>
    connect(isIP(withoutBrackets(to.hostname)) === 0 ? to : { ...to, servername: '' }, (...[error, socket]) =>
      error === null ? done(null, socket) : done(new ProxyFailure(error), null),
    );
}

/** Which certificates are trusted, in words of Node's. */
export async function toTrust({
  extraCertificates,
  skipVerification,
}: Pick<TransportOptions, 'extraCertificates' | 'skipVerification'>): Promise<{
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
}> {
  return {
    ...(extraCertificates === undefined ? {} : { ca: await withUsualRoots(extraCertificates) }),
    ...(skipVerification ? { rejectUnauthorized: false } : {}),
  };
}

/** Node replaces its own roots by `ca`; a private authority is meant to be added to them. */
async function withUsualRoots(extra: string): Promise<string[]> {
  const tls = await import('node:tls');
  // getCACertificates came in Node 22.15 and knows NODE_EXTRA_CA_CERTS too.
  const modern = tls as { getCACertificates?: (kind: 'default') => string[] };
  return [...(modern.getCACertificates?.('default') ?? tls.rootCertificates), extra];
}

function dispatch(
  { dispatcher, proxy }: Route,
  url: URL,
  request: WireRequest,
  options: TransportOptions,
  reference: RequestReference,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let started = false;
    let answered = false;
    let settled = false;
    let status = 0;
    let headers: Answer['headers'] = {};
    let body: Body | undefined;
    let abort: ((reason: Error) => void) | undefined;

    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
      body?.drop();
      finish();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        reject(error);
        abort?.(error instanceof Error ? error : new Error(String(error)));
      });
    const failAs = (failure: ConnectionFailure, message: string, hint: string, cause?: unknown): void =>
      fail(new ConnectionError(failure, started ? 'maybe' : 'no', reference, message, { hint, cause }));
    const onAbort = (): void => fail(options.signal.reason);
    const timer = setTimeout(() => {
      failAs(
        'timeout',
        `${url.host} did not answer ${request.method} ${url.pathname} within ${request.timeout / 1000} s`,
        'Try again, or allow more time with --timeout.',
      );
    }, request.timeout);

    if (options.signal.aborted) {
      onAbort();
      return;
    }
    options.signal.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: toHeaders(request, options),
        body: request.body ?? null,
      },
      {
        onRequestStart(controller) {
          // From here on bytes may have left. Before it, the service provably heard nothing.
          if (settled) {
            controller.abort(new Error('no longer wanted'));
            return;
          }
          started = true;
          request.onStart?.();
          abort = (reason) => controller.abort(reason);
        },
        onResponseStart(_controller, statusCode, received) {
          if (statusCode < 200) return;
          answered = true;
          status = statusCode;
          headers = toSingleHeaders(received);
          const encoding = headers['content-encoding'];
          body = openBody(encoding, {
            onText(text) {
              const id = headers['x-request-id'];
              settle(() =>
                resolve({ status, headers, text, request: id === undefined ? reference : { ...reference, id } }),
              );
            },
            onTooLarge: () =>
              failAs(
                'too-large',
                `${url.host} answered with more than ${LARGEST_BODY_TEXT}`,
                'Ask for less with --page-size or a filter, and check the base URL.',
              ),
            onUnreadable: () =>
              failAs(
                'not-the-service',
                `${url.host} answered in the encoding "${encoding}", which was not asked for`,
                'Check the base URL, and any proxy in between.',
              ),
            onBroken(error) {
              const { failure, message, hint } = explainFailure(error, url, undefined, answered);
              failAs(failure, message, hint, error);
            },
          });
        },
        onResponseData: (_controller, chunk) => body?.push(chunk),
        onResponseEnd: () => body?.end(),
        onResponseError(_controller, error) {
          // Our own abort comes back here, with a reason that can be anything.
          if (settled) return;
          if (isOwnFault(error, started)) {
            fail(error);
            return;
          }
          const { failure, message, hint } = explainFailure(error, url, started ? undefined : proxy?.url, answered);
          failAs(failure, message, hint, error);
        },
      },
    );
  });
}

function toHeaders(request: WireRequest, options: TransportOptions): Record<string, string> {
  return {
    accept: request.mediaType,
    // Assumed: the service answers 415 to a DELETE without it, even though there is no body.
    'content-type': request.mediaType,
    'accept-encoding': 'gzip',
    'user-agent': options.userAgent,
    // Assumed: the service's document does not show how credentials travel.
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
}

function toSingleHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
