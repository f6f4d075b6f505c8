import { setImmediate } from 'node:timers/promises';
import { ConnectionError, OrgctlError, type RequestReference, toReason, UsageError } from '../errors.ts';
import { createSecrets, type Secrets } from '../secrets/secrets.ts';
import { withNewToken, withoutTokens } from '../secrets/token.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { type ClientCertificate, type ConnectionOptions, createRoute, dispatch, type Route } from './connection.ts';
import { describeDoing } from './doing.ts';
import type { Answer, Exchange, Onlooker, PlannedWrite, WireRequest, WriteLog } from './http.ts';
import { IN_BETWEEN } from './problem.ts';
import { isLoopback } from './proxy.ts';

/** One request, one answer: redirects, plain HTTP refused, and the walls that no write passes: read-only, a dry run, a log that can't be written. */

export interface TransportOptions extends ConnectionOptions {
  readonly baseUrl: URL;
  /** Host names that may be spoken to without TLS. */
  readonly allowHttp: readonly string[];
  /** No write leaves; each is shown to `onPlanned` instead. */
  readonly dryRun: boolean;
  /** What refuses every write, such as ORGCTL_READ_ONLY; undefined where writes are allowed. */
  readonly readOnly: string | undefined;
  readonly writeLog: WriteLog | undefined;
  readonly onPlanned: (write: PlannedWrite, request: WireRequest) => void;
  /** Called before a write leaves. */
  readonly onWrite: () => void;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onlooker: Onlooker;
  readonly now: () => number;
}

export interface Transport {
  /** The answer, whatever its status; undefined when a dry run kept a write from leaving. Throws ConnectionError. */
  send(request: WireRequest): Promise<Answer | undefined>;
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

export function createTransport(options: TransportOptions): Transport {
  const routes = new Map<string, Promise<Route>>();
  const own = createSecrets(options.token);

  /** Lets signals be heard while a long answer is searched. */
  async function pause(): Promise<void> {
    await setImmediate();
    options.signal.throwIfAborted();
  }

  /** The service alone gets it: no address that the service gives, at its own origin either. */
  function findClient(url: URL, { address }: WireRequest): ClientCertificate | undefined {
    return address === undefined && url.origin === options.baseUrl.origin ? options.clientCertificate : undefined;
  }

  function routeTo(url: URL, request: WireRequest): Promise<Route> {
    const client = findClient(url, request);
    const name = toRouteName(url, client);
    let route = routes.get(name);
    if (route === undefined) {
      route = createRoute(url, options, client);
      routes.set(name, route);
    }
    return route;
  }

  async function sendOnce(url: URL, request: WireRequest): Promise<Answer> {
    refusePlainHttp(url, request, options);
    const shown = toShownAddress(url, request);
    const reference: RequestReference = {
      method: request.method,
      path: request.address === undefined ? url.pathname + url.search : shown,
    };
    const started = options.now();
    const traced = (result: Exchange['result']): void =>
      options.onExchange({
        method: request.method,
        url: shown,
        requestBody: request.body,
        answersWithToken: request.answersWithToken === true,
        milliseconds: options.now() - started,
        result,
      });
    const route = await (request.ownConnection === true
      ? createRoute(url, options, findClient(url, request))
      : routeTo(url, request));
    const over = options.onlooker.request(describeDoing(request));
    try {
      const answer = await dispatch(route, url, request, options, reference);
      traced({ status: answer.status, headers: answer.headers, body: answer.text });
      // Services and proxies may echo the token: it is no part of a result.
      const shown = request.method === 'GET' ? withoutTokens(answer.text) : answer.text;
      const text = await own.redactLongAnswer(shown, pause);
      // A new token may have a part in common with the own one.
      return { ...answer, text: request.answersWithToken === true ? withNewToken(text, answer.text) : text };
    } catch (error) {
      traced({ failure: toReason(error) });
      throw error;
    } finally {
      over();
      if (request.ownConnection === true) await route.dispatcher.destroy();
    }
  }

  return {
    async send(request) {
      const url = request.address ?? toUrl(options.baseUrl, request);
      const shown = toShownAddress(url, request);
      const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
      if (isWrite && options.dryRun) {
        const { effect, method, body } = request;
        const sent = body === undefined ? {} : { body: JSON.parse(body) as unknown };
        options.onPlanned({ effect, method, url: shown, ...sent }, request);
        return undefined;
      }
      if (isWrite && options.readOnly !== undefined) {
        throw new UsageError(`read-only mode is on (from ${options.readOnly}), nothing was sent`, {
          code: 'read-only',
          reasons: [`The request was ${request.method} ${request.address === undefined ? url.pathname : shown}.`],
          hint: 'Unset it there to allow changes.',
        });
      }
      if (isWrite) {
        (request.entry ?? options.writeLog?.open())?.sent(request, toTarget(url, request));
        options.onWrite();
      }
      let current = url;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await sendOnce(current, request);
        // A redirect is not followed from an address that the service gave: the file is nowhere else.
        if (answer.status < 300 || answer.status > 399 || request.address !== undefined) return answer;
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

function toRouteName({ origin }: URL, client: ClientCertificate | undefined): string {
  return `${origin}${client === undefined ? '' : ' with a client certificate'}`;
}

function toUrl(baseUrl: URL, { path, query, atOrigin = false }: WireRequest): URL {
  const start = atOrigin ? baseUrl.origin : withoutTrailingSlashes(baseUrl.href);
  return new URL(`${start}${path}${query === '' ? '' : `?${query}`}`);
}

/** Without what makes an address a secret. */
function toShownAddress(url: URL, { address }: WireRequest): string {
  if (address === undefined) return url.href;
  return /^https?:$/.test(url.protocol) ? `${url.origin}/…` : 'an address that the service gives';
}

/** As the log names it. */
function toTarget(url: URL, request: WireRequest): string {
  return request.address === undefined ? url.origin + url.pathname : toShownAddress(url, request);
}

function refusePlainHttp(url: URL, { address }: WireRequest, options: TransportOptions): void {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return;
  const name = url.hostname.toLowerCase();
  if (options.allowHttp.some((allowed) => allowed.toLowerCase() === name || allowed.toLowerCase() === url.host)) return;
  const loss = address === undefined ? 'read your token' : 'see and replace what is sent';
  throw new UsageError(`${url.origin} uses plain http: anyone on the network could ${loss}`, {
    code: 'plain-http',
    hint: `Use https, or allow this host with --allow-http ${url.hostname}.`,
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
      { hint: `Check the base URL (it usually ends in /api/v2); ${IN_BETWEEN}.` },
    );
  }
  const target = readLocation(answer, from);
  const where = describeTarget(target, own);
  const refuse = (why: string, hint: string): ConnectionError =>
    new ConnectionError('redirect', 'no', request, `${from.origin} redirects to ${where}, ${why}`, { hint });
  if (target === undefined) throw refuse("which can't be followed", 'Check the base URL.');
  if (target.origin !== from.origin) {
    throw refuse(
      "another origin, where your token doesn't belong",
      'If that is the right service, set it as the base URL.',
    );
  }
  if (redirects >= MOST_REDIRECTS) throw refuse('and so on in a circle', 'Check the base URL.');
  return target;
}

function toRedirectedWrite(answer: Answer, from: URL, own: Secrets): OrgctlError {
  const { status, request } = answer;
  const where = REDIRECTS.has(status) ? `, a redirect to ${describeTarget(readLocation(answer, from), own)}` : '';
  return new OrgctlError('outcome-unknown', `${request.method} ${from.pathname} was answered ${status}${where}`, {
    hint: 'Check whether it happened, then set the base URL to the final address: a redirected change is not sent again.',
  });
}

function readLocation({ headers: { location } }: Answer, from: URL): URL | undefined {
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function describeTarget(target: URL | undefined, own: Secrets): string {
  return target === undefined ? "an address that can't be read" : own.redactText(target.origin + target.pathname);
}
