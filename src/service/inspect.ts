import { isIP } from 'node:net';
import { inspectCertificate, type SeenCertificate } from './certificate.ts';
import { explainFailure } from './failure.ts';
import { chooseProxy } from './proxy.ts';
import { type TransportOptions, withUsualRoots } from './transport.ts';

/** How the service is reached, step by step, before anything is asked of it. */
export interface Inspection {
  /** Its name and password are left out. Undefined for a direct connection. */
  readonly proxy: string | undefined;
  /** Undefined where nothing is looked up here: an address, or what a proxy looks up. */
  readonly addresses: readonly string[] | Failure | undefined;
  /** Undefined without TLS, and behind a proxy. */
  readonly certificate: (SeenCertificate & { readonly problem: Failure | undefined }) | Failure | undefined;
}

export interface Failure {
  readonly message: string;
  readonly hint: string;
}

/** Milliseconds for a name to be found. */
const PATIENCE = 5_000;

/** Throws UsageError for a proxy that is no URL. */
export async function inspectConnection(options: TransportOptions): Promise<Inspection> {
  const { baseUrl, proxies, extraCertificates } = options;
  const proxy = chooseProxy(baseUrl, proxies);
  if (proxy !== undefined) {
    return { proxy: `${proxy.protocol}//${proxy.host}`, addresses: undefined, certificate: undefined };
  }
  const host = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await lookUp(host, baseUrl) : undefined;
  const isThere = addresses === undefined || !('message' in addresses);
  if (baseUrl.protocol !== 'https:' || !isThere) return { proxy: undefined, addresses, certificate: undefined };
  const authorities = extraCertificates === undefined ? undefined : await withUsualRoots(extraCertificates);
  const seen = await inspectCertificate(baseUrl, authorities, options.signal);
  if (seen instanceof Error) return { proxy: undefined, addresses, certificate: toFailure(seen, baseUrl) };
  const { fault } = seen;
  const problem =
    fault === undefined ? undefined : toFailure(Object.assign(new Error(fault), { code: fault }), baseUrl);
  return { proxy: undefined, addresses, certificate: { ...seen, problem } };
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
    return toFailure(error as Error, url);
  } finally {
    clearTimeout(timer);
  }
}

function toFailure(error: Error, url: URL): Failure {
  const { message, hint } = explainFailure(error, url, undefined, false);
  return { message, hint };
}
