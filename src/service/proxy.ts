import { BlockList, isIP } from 'node:net';
import { UsageError } from '../errors.ts';

/** The proxy variables in force. Empty text counts as unset. */
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

/** The proxy for this address, or undefined for a direct connection. Throws UsageError for a proxy that is no URL. */
export function chooseProxy(url: URL, proxies: ProxySettings): URL | undefined {
  const text = url.protocol === 'https:' ? proxies.https : proxies.http;
  if (text === undefined || text === '' || isLoopback(url.hostname) || isExcepted(url, proxies.except ?? '')) {
    return undefined;
  }
  const proxy = parseUrl(text);
  if (proxy === undefined || !['http:', 'https:'].includes(proxy.protocol) || !hasReadableLogin(proxy)) {
    // A URL with a password is not repeated.
    throw new UsageError(`the proxy for ${url.protocol}//${url.host} is not an http or https URL`, {
      hint: `Set ${url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'} to something like http://proxy.example.com:3128, or unset it.`,
    });
  }
  return proxy;
}

function parseUrl(text: string): URL | undefined {
  const withScheme = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(withScheme) ? new URL(withScheme) : undefined;
}

/** A `%` in a user name or password that begins no code is not noticed by URL. */
function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
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

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
