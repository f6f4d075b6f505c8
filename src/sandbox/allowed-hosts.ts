import { isIP } from 'node:net';

export interface Origins {
  readonly host: string;
  /** What browsers say of the page behind a request; undefined without the header. */
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/**
 * Keeps web pages out. Loopback alone does not: a page in a browser on this machine can send requests, and a name that its
 * owner points to 127.0.0.1 makes the sandbox part of the page's own site. Besides addresses and `localhost`, only the
 * names in `names` are served.
 */
export function findRefusal({ host, origin, fetchSite }: Origins, names: readonly string[]) {
  const name = toName(host);
  if (!isOwnName(name) && !names.some((known) => toName(known) === name)) {
    return {
      status: 421,
      detail: `This sandbox is not served as ${name}. Start it with --allow-host ${name} if it should be.`,
    };
  }
  // Pictures and links send no origin, but would count for faults and the rate limit.
  const isForeign = origin !== undefined && toHost(origin) !== host.toLowerCase();
  if (isForeign || fetchSite === 'cross-site' || fetchSite === 'same-site') {
    return { status: 403, detail: 'The sandbox takes no requests from the web pages of others.' };
  }
  return undefined;
}

export function isHost(text: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text);
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
  return name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function toHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
