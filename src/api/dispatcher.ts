import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { type Environment, readVariable } from '../lib/runtime.ts';

const CONNECT_TIMEOUT = 10_000;
const CONNECTIONS = 8;
export const MAX_BODY = 64 * 1024 * 1024;

export interface ConnectionOptions {
  /** PEM, in addition to the usual authorities. */
  ca?: string | undefined;
  clientCert?: string | undefined;
  clientKey?: string | undefined;
  skipTlsVerify: boolean;
  env: Environment;
}

export async function createDispatcher(
  options: ConnectionOptions,
  proxy: string,
  connectErrors: WeakSet<Error>,
  timeout: number,
): Promise<Dispatcher> {
  const undici = await import('undici');
  const tls = {
    ca: options.ca && (await addRootCertificates(options.ca, options.env)),
    ...(options.skipTlsVerify && { rejectUnauthorized: false }),
  };
  const connect = {
    ...tls,
    cert: options.clientCert,
    key: options.clientKey,
    timeout: Math.min(CONNECT_TIMEOUT, timeout / 2),
  };
  const shared = {
    connections: CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_BODY,
    connect,
    factory: (origin: string | URL, pool: object) =>
      new undici.Pool(origin, pool).on('connectionError', (_origin, _targets, error) => connectErrors.add(error)),
  };
  if (proxy === '') return new undici.Agent(shared);
  return new undici.EnvHttpProxyAgent({
    ...shared,
    requestTls: connect,
    proxyTls: tls,
    httpProxy: proxy,
    httpsProxy: proxy,
    // `findProxy` has read NO_PROXY.
    noProxy: '',
    proxyTunnel: false,
  });
}

/** Calls `onLeave` before the request is written, which undici does only once a connection stands. */
export function createStartListener(onLeave?: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      onLeave?.();
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };
}

/** Node's `ca` option would replace the usual authorities, and the user's authority is meant to be added. */
async function addRootCertificates(ca: string, env: Environment): Promise<string[]> {
  const tls = await import('node:tls');
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  // Before Node 22.15, nothing lists the authorities of NODE_EXTRA_CA_CERTS.
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), ...readExtraAuthorities(env), ca];
}

/** Empty for a file that can't be read, as Node has it. */
function readExtraAuthorities(env: Environment): string[] {
  try {
    return [readFileSync(readVariable(env, 'NODE_EXTRA_CA_CERTS') ?? '', 'utf8')];
  } catch {
    return [];
  }
}

/** Connects once more, and sends nothing. Undefined if that fails. Throws the signal's reason if it aborts first. */
export async function readCertificateDates({ hostname, port }: URL, signal: AbortSignal) {
  const { connect } = await import('node:tls');
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT)]) });
    const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
    const format = (date: string): string => new Date(date).toISOString().slice(0, 10);
    return { from: format(from), to: format(to) };
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    socket.destroy();
  }
}
