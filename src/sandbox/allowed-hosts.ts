import { isIP } from 'node:net';

export interface Origins {
  readonly host: string;
  /** What browsers say of the page behind a request; undefined without the header. */
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/**
 * Keeps web pages out: a page in a browser on this machine can send requests to loopback, and its owner can point a name to
 * 127.0.0.1. So the sandbox serves addresses, `localhost`, and what is in `names`.
 */
export function findRefusal({ host, origin, fetchSite }: Origins, names: readonly string[]) {
  const name = toName(host);
  if (!isOwnName(name) && !names.some((known) => toName(known) === name)) {
    return {
      status: 421,
      detail: `This sandbox is not served as ${name}. Start it with --allow-host ${name} if it should be.`,
    };
  }
  // The browser sends no origin with pictures and links, which would count for faults and the rate limit.
  const isForeign = origin !== undefined && toHost(origin) !== host.toLowerCase();
  if (isForeign || fetchSite === 'cross-site' || fetchSite === 'same-site') {
    return { status: 403, detail: 'The sandbox takes no requests from the web pages of others.' };
  }
  return undefined;
}

export function isHost(text: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text);
}

/** An address of IPv6 as it is, where a URL puts it into brackets. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address);
}

function isOwnName(name: string): boolean {
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}

/** Without port, brackets, and the dot that may end a name. */
function toName(host: string): string {
  const name = isIP(host) === 6 ? host : host.replace(/:\d*$/, '');
  return withoutBrackets(name).replace(/\.$/, '').toLowerCase();
}

function toHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
