import { BlockList, isIP } from 'node:net';
import { UsageError } from '../errors.ts';

/** The proxy variables. Empty text counts as unset. */
export interface ProxySettings {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  readonly except?: string | undefined;
}

/** True for the machine itself: such addresses never go by proxy, and may be spoken to without TLS. */
export function isLoopback(hostname: string): boolean {
  const host = withoutBrackets(hostname).toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

export interface ForwardProxy {
  readonly url: URL;
  /** For `Proxy-Authorization`; undefined where the variable holds neither name nor password. */
  readonly authorization: string | undefined;
}

/** The proxy for this address, or undefined for a direct connection. Throws UsageError for a proxy that is no URL. */
export function chooseProxy(url: URL, proxies: ProxySettings): ForwardProxy | undefined {
  const text = url.protocol === 'https:' ? proxies.https : proxies.http;
  if (text === undefined || text === '' || isLoopback(url.hostname) || isExcepted(url, proxies.except ?? '')) {
    return undefined;
  }
  // A URL with a password is not repeated.
  const refuse = (what: string, hint: string): UsageError =>
    new UsageError(`the proxy for ${url.protocol}//${url.host} ${what}`, { hint });
  const variable = toProxyVariable(url);
  const proxy = parseProxy(text);
  if (proxy === undefined) {
    throw refuse(
      'is not an http or https URL',
      `Set ${variable} to something like http://proxy.example.com:3128, or unset it. In a name or password, write / as %2F, ? as %3F and # as %23.`,
    );
  }
  const login = toLogin(proxy);
  if (login === undefined) {
    throw refuse('has a % in its name or password that begins no code', `Write it as %25 in ${variable}.`);
  }
  return {
    url: new URL(proxy.origin),
    authorization: login === ':' ? undefined : `Basic ${Buffer.from(login).toString('base64')}`,
  };
}

export function toProxyVariable(url: URL): string {
  return url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

function parseProxy(text: string): URL | undefined {
  const withScheme = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined;
  // A slash in a password ends the host early, so that the rest of the password looks like a path.
  return url.pathname === '/' && url.search === '' && url.hash === '' ? url : undefined;
}

/** Name and password as they are; undefined for a `%` that begins no code, which URL lets pass. */
function toLogin({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined;
  }
}

/** NO_PROXY: `*`, names with all their subdomains, `.suffix`, `name:port`, addresses and CIDR blocks. */
function isExcepted(url: URL, except: string): boolean {
  const host = withoutBrackets(url.hostname).toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return except
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isInBlock(host, entry);
      const [name, entryPort] = splitPort(entry.toLowerCase());
      if (entryPort !== undefined && entryPort !== port) return false;
      const bare = withoutBrackets(name).replace(/^\*?\.+/, '');
      if (isIP(bare) !== 0) return isInBlock(host, `${bare}/${isIP(bare) === 4 ? 32 : 128}`);
      return bare !== '' && (host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`)));
    });
}

/** A bare address of IPv6 has colons of its own, and no port. */
function splitPort(entry: string): readonly [name: string, port: string | undefined] {
  const [, name, port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return [name ?? entry, port];
}

function isInBlock(host: string, entry: string): boolean {
  const [address = '', bits = ''] = entry.split('/');
  const network = withoutBrackets(address);
  const version = isIP(network);
  if (version === 0 || isIP(host) !== version || !/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) {
    return false;
  }
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(host, family);
}

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
