import { isIP } from 'node:net';

/**
 * Keeps web pages out: the owner of a page can point a name to 127.0.0.1. So the sandbox serves addresses, `localhost`, and
 * the name that it listens on.
 */
export function isServedAs(host: string, listen: string): boolean {
  const name = toName(host);
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || name === toName(listen);
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

/** Without port, brackets, and the dot that may end a name. */
function toName(host: string): string {
  const name = isIP(host) === 6 ? host : host.replace(/:\d*$/, '');
  return withoutBrackets(name).replace(/\.$/, '').toLowerCase();
}
