import type { Dispatcher } from 'undici';
import type { Environment } from '../lib/runtime.ts';
import { findProxy, listProxyExceptions } from './proxy.ts';

const CONNECT_TIMEOUT = 10_000;
const CONNECTIONS = 8;

export interface ConnectionOptions {
  /** PEM, in addition to the usual authorities. */
  ca: string | undefined;
  clientCert: string | undefined;
  clientKey: string | undefined;
  skipTlsVerify: boolean;
  env: Environment;
}

export async function createDispatcher(
  options: ConnectionOptions,
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

/** Node's `ca` option would replace the usual authorities, and the user's authority is meant to be added. */
async function addRootCertificates(ca: string): Promise<string[]> {
  const tls = await import('node:tls');
  // Node 22.15 and newer also know NODE_EXTRA_CA_CERTS here.
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), ca];
}
