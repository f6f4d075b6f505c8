import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
import {
  ConnectionError,
  type ConnectionFailure,
  type ErrorDetails,
  OrgctlError,
  type RequestReference,
} from '../errors.ts';
import { AT_ONCE } from '../stop.ts';
import { type Body, LARGEST_BODY_TEXT, openBody } from './body.ts';
import { CONNECT_TIMEOUT, explainFailure, isOwnFault, ProxyFailure } from './failure.ts';
import type { Answer, FileBody, WireRequest } from './http.ts';
import { chooseProxy, type ForwardProxy, type ProxySettings, withoutBrackets } from './proxy.ts';

/** Connections, with TLS and by proxy, and what travels on one. */

/** In PEM form. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface ConnectionOptions {
  readonly token: string | undefined;
  readonly userAgent: string;
  readonly extraCertificates: string | undefined;
  /** Where they come from, for messages: `ca-file /etc/ca.pem (stored in config.json)`. */
  readonly certificatesFrom?: string | undefined;
  /** For the service itself. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly skipVerification: boolean;
  readonly proxies: ProxySettings;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export interface Route {
  readonly dispatcher: Dispatcher;
  readonly proxy: ForwardProxy | undefined;
}

/** `client` is presented to the host of the URL, and not to a proxy. Throws UsageError for a proxy that is no URL. */
export async function createRoute(
  url: URL,
  options: ConnectionOptions,
  client: ClientCertificate | undefined,
): Promise<Route> {
  const { Pool, ProxyAgent } = await import('undici');
  const proxy = chooseProxy(url, options.proxies);
  const tls = await toTrust(options);
  const shared = { connections: AT_ONCE, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) {
    return {
      dispatcher: new Pool(url.origin, { ...shared, connect: { ...tls, ...client, timeout: CONNECT_TIMEOUT } }),
      proxy,
    };
  }
  const dispatcher = new ProxyAgent({
    ...shared,
    uri: proxy.url.href,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    requestTls: { ...tls, ...client },
    proxyTls: tls,
    clientFactory: (origin, { connect }: { readonly connect?: Connector }) =>
      new Pool(origin, connect === undefined ? {} : { connect: toProxy(connect) }),
  });
  return { dispatcher, proxy };
}

type Connector = ReturnType<typeof buildConnector>;

/** Marks a failure on the way to the proxy, so that it differs from a failure behind the proxy. */
function toProxy(connect: Connector): Connector {
  // undici names the proxy in TLS whatever it is, and Node warns of an address there.
  return (to, done) =>
    connect(isIP(withoutBrackets(to.hostname)) === 0 ? to : { ...to, servername: '' }, (...[error, socket]) =>
      error === null ? done(null, socket) : done(new ProxyFailure(error), null),
    );
}

/** Which certificates are trusted, in words of Node's. */
async function toTrust({
  extraCertificates,
  skipVerification,
}: Pick<ConnectionOptions, 'extraCertificates' | 'skipVerification'>): Promise<{
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

export function dispatch(
  { dispatcher, proxy }: Route,
  url: URL,
  request: WireRequest,
  options: ConnectionOptions,
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
    const failAs = (failure: ConnectionFailure, message: string, details: ErrorDetails): void =>
      fail(new ConnectionError(failure, started ? 'maybe' : 'no', reference, message, details));
    const failBy = (error: Error, onTheWay: URL | undefined): void => {
      const { failure, message, isUnheard, ...details } = explainFailure(
        error,
        url,
        onTheWay,
        answered,
        options.certificatesFrom,
      );
      if (isUnheard === true) started = false;
      failAs(failure, message, { ...details, cause: error });
    };
    const onAbort = (): void => fail(options.signal.reason);
    const startTimer = (milliseconds: number): NodeJS.Timeout =>
      setTimeout(() => {
        const what = request.file === undefined ? "didn't answer" : 'took nothing more, and gave no answer,';
        failAs('timeout', `${url.host} ${what} within ${milliseconds / 1000} s`, {
          reasons: [`The request was ${reference.method} ${reference.path}.`],
          hint: 'Try again, or allow more time with --timeout.',
        });
      }, milliseconds);
    let timer = startTimer(request.timeout);
    /** The file, whose pieces the other end takes one by one. */
    async function* toBody({ pieces }: FileBody): AsyncGenerator<Uint8Array> {
      const started = options.now();
      const restart = (milliseconds: number): void => {
        clearTimeout(timer);
        if (!settled) timer = startTimer(milliseconds);
      };
      for await (const piece of pieces()) {
        yield piece;
        restart(request.timeout);
      }
      // Much of the file may still be on its way.
      restart(request.timeout + Math.ceil((options.now() - started) / 1000) * 1000);
    }

    if (options.signal.aborted) return onAbort();
    options.signal.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: {
          accept: request.mediaType,
          // Assumed: the service answers 415 to a DELETE without a Content-Type, even though it has no body.
          'content-type': request.mediaType,
          ...(request.file === undefined ? {} : { 'content-length': String(request.file.size) }),
          'accept-encoding': 'gzip',
          'user-agent': options.userAgent,
          // Assumed: the service takes the token in the header Authorization, as a bearer token; its document does not
          // show how.
          ...(options.token === undefined || request.address !== undefined
            ? {}
            : { authorization: `Bearer ${options.token}` }),
        },
        // undici takes anything that can be iterated, which its types don't say.
        body: request.file === undefined ? (request.body ?? null) : (toBody(request.file) as unknown as Readable),
      },
      {
        onRequestStart(controller) {
          // From here on bytes may have left. Before it, the service provably heard nothing.
          if (settled) return controller.abort(new Error('no longer wanted'));
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
              const answered = id === undefined ? reference : { ...reference, id };
              settle(() => resolve({ status, headers, text, origin: url.origin, request: answered }));
            },
            onTooLarge: () =>
              failAs('too-large', `${url.host} answered with more than ${LARGEST_BODY_TEXT}`, {
                hint: 'Ask for less with --page-size or a filter, and check the base URL.',
              }),
            onUnreadable: () =>
              failAs('not-the-service', `${url.host} answered in the encoding "${encoding}", which was not asked for`, {
                hint: 'Check the base URL, and any proxy in between.',
              }),
            onBroken: (error) => failBy(error, undefined),
          });
        },
        onResponseData: (_controller, chunk) => body?.push(chunk),
        onResponseEnd: () => body?.end(),
        onResponseError(_controller, error) {
          // Our own abort comes back here, with a reason that can be anything.
          if (settled) return;
          // A file that is sent may turn out to be another one.
          if (error instanceof OrgctlError || isOwnFault(error, started)) return fail(error);
          failBy(error, started ? undefined : proxy?.url);
        },
      },
    );
  });
}

function toSingleHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
