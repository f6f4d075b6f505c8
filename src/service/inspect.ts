import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { type From, findEarlyEnd, inspectCertificate, type SeenCertificate } from './certificate.ts';
import { type ClientCertificate, type ConnectionOptions, toTrust } from './connection.ts';
import { explainFailure } from './failure.ts';
import { chooseProxy, type ForwardProxy, withoutBrackets } from './proxy.ts';

export interface Inspection {
  /** Its name and password are left out. Undefined for a direct connection. */
  readonly proxy: string | undefined;
  /** Undefined where nothing is looked up here: an address, or what a proxy looks up. */
  readonly addresses: readonly string[] | Failure | undefined;
  /** Undefined without TLS, and where a proxy makes no connection: the first request says why. */
  readonly certificate: (SeenCertificate & { readonly problem: Failure | undefined }) | Failure | undefined;
}

interface Failure {
  readonly message: string;
  readonly hint: string;
}

/** Milliseconds for a name to be found, and for a proxy to connect. */
const PATIENCE = 5_000;

/** Throws UsageError for a proxy that is no URL. */
export async function inspectConnection(options: ConnectionOptions & { readonly baseUrl: URL }): Promise<Inspection> {
  const { baseUrl, proxies } = options;
  const proxy = chooseProxy(baseUrl, proxies);
  const shown = proxy === undefined ? undefined : proxy.url.origin;
  const host = withoutBrackets(baseUrl.hostname);
  const addresses = proxy === undefined && isIP(host) === 0 ? await lookUp(host, baseUrl) : undefined;
  const isNotFound = addresses !== undefined && 'message' in addresses;
  const nothing = { proxy: shown, addresses, certificate: undefined };
  if (baseUrl.protocol !== 'https:' || isNotFound) return nothing;
  const first = await look(baseUrl, options, undefined, inspectCertificate);
  // Before TLS 1.3 a server that demands one refuses the handshake without it.
  const isRefused = first instanceof Error && options.clientCertificate !== undefined;
  const seen = isRefused ? await look(baseUrl, options, options.clientCertificate, inspectCertificate) : first;
  if (seen === undefined) return nothing;
  if (seen instanceof Error) return { ...nothing, certificate: toFailure(seen, options) };
  const { fault } = seen;
  const problem =
    fault === undefined ? undefined : toFailure(Object.assign(new Error(fault), { code: fault }), options);
  return { ...nothing, certificate: { ...seen, problem } };
}

/**
 * How the server of this address ends a connection on which nothing is sent; undefined where it doesn't, can't be reached, or
 * is not verified, for a client certificate is presented to no other.
 */
export async function inspectEarlyEnd(
  url: URL,
  options: ConnectionOptions,
  client: ClientCertificate | undefined,
): Promise<Error | undefined> {
  if (client !== undefined && !options.skipVerification) {
    const seen = await look(url, options, undefined, inspectCertificate);
    if (seen === undefined || seen instanceof Error || seen.fault !== undefined) return undefined;
  }
  return await look(url, options, client, findEarlyEnd);
}

/** Undefined where a proxy makes no connection. */
async function look<Seen>(
  url: URL,
  options: ConnectionOptions,
  client: ClientCertificate | undefined,
  find: (url: URL, from: From, signal: AbortSignal) => Promise<Seen>,
): Promise<Seen | undefined> {
  const proxy = chooseProxy(url, options.proxies);
  const trust = await toTrust(options);
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, url, trust, options.signal);
  if (proxy !== undefined && tunnel === undefined) return undefined;
  const from = {
    client,
    skipVerification: options.skipVerification,
    ...(trust.ca === undefined ? {} : { authorities: trust.ca }),
    ...(tunnel === undefined ? {} : { tunnel }),
  };
  return await find(url, from, options.signal).finally(() => tunnel?.destroy());
}

/** A connection to the service by its proxy; undefined where the proxy makes none. */
async function openTunnel(
  { url: proxy, authorization }: ForwardProxy,
  url: URL,
  trust: Awaited<ReturnType<typeof toTrust>>,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  const { request } = await (proxy.protocol === 'https:' ? import('node:https') : import('node:http'));
  const target = `${url.hostname}:${url.port === '' ? 443 : url.port}`;
  const host = withoutBrackets(proxy.hostname);
  return await new Promise((resolve) => {
    const asked: ClientRequest = request({
      host,
      // Otherwise Node looks for the name of the header, which is the service's, in the proxy's certificate.
      servername: isIP(host) === 0 ? host : '',
      ...(proxy.port === '' ? {} : { port: proxy.port }),
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      ...trust,
      agent: false,
      signal,
      timeout: PATIENCE,
    });
    const giveUp = (): void => {
      asked.destroy();
      resolve(undefined);
    };
    asked.once('connect', ({ statusCode }: IncomingMessage, socket: Socket) => {
      // What happens to the connection afterwards does not matter.
      socket.on('error', () => undefined);
      if (statusCode === 200) {
        resolve(socket);
      } else {
        socket.destroy();
        resolve(undefined);
      }
    });
    asked.once('response', giveUp);
    asked.once('timeout', giveUp);
    asked.on('error', giveUp);
    asked.end();
  });
}

async function lookUp(host: string, url: URL): Promise<readonly string[] | Failure> {
  const { lookup } = await import('node:dns/promises');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' })), PATIENCE);
  });
  try {
    const found = await Promise.race([lookup(host, { all: true }), late]);
    return found.map(({ address }) => address);
  } catch (error) {
    return toFailure(error as Error, { baseUrl: url });
  } finally {
    clearTimeout(timer);
  }
}

function toFailure(
  error: Error,
  { baseUrl, certificatesFrom }: Pick<ConnectionOptions, 'certificatesFrom'> & { readonly baseUrl: URL },
): Failure {
  const { message, hint } = explainFailure(error, baseUrl, undefined, false, certificatesFrom);
  return { message, hint };
}
