import { type IncomingMessage, validateHeaderName } from 'node:http';
import { isHost } from './allowed-hosts.ts';

export const LARGEST_BODY = 1_048_576;

/** Bytes of bodies that are in memory. */
export interface Held {
  bytes: number;
}

/** Whether each name is one: the parser of Node 20.19.0 lets a blank follow it, or none stand at all. */
export function hasHeaderNames({ rawHeaders }: IncomingMessage): boolean {
  try {
    for (let index = 0; index < rawHeaders.length; index += 2) validateHeaderName(rawHeaders[index] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** The address that was asked for, as the client wrote it, so that links lead back to it; undefined when it is none. */
export function toTarget({ url: path = '/', httpVersion, headersDistinct }: IncomingMessage): URL | undefined {
  // Only the old version does without.
  const [host, ...others] = headersDistinct['host'] ?? (httpVersion === '1.0' ? ['localhost'] : []);
  // The parser takes a line without a version for a request of the oldest one.
  if (httpVersion === '0.9' || host === undefined || others.length > 0 || !isHost(host)) {
    return undefined;
  }
  try {
    const target = path.startsWith('/') ? new URL(`http://${host}${path}`) : new URL(path);
    // No Request can be made of an address with a user in it.
    return target.username === '' && target.password === '' ? target : undefined;
  } catch {
    return undefined;
  }
}

export function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const name of ['authorization', 'content-type', 'accept', 'user-agent']) {
    const value = incoming.headers[name];
    if (typeof value === 'string') {
      headers.set(name, value);
    }
  }
  return headers;
}

export function isTooLong({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > LARGEST_BODY;
}

/** The status of the refusal when it is more than the service takes. What is held for it counts in `held` and in `all`. */
export async function readBody(
  incoming: IncomingMessage,
  all: Held,
  mostOfAll: number,
  held: Held,
): Promise<Buffer | 413 | 503> {
  const chunks: Buffer[] = [];
  // Left unread rather than destroyed, which would take the answer with it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    held.bytes += chunk.length;
    all.bytes += chunk.length;
    if (held.bytes > LARGEST_BODY) {
      return 413;
    }
    if (all.bytes > mostOfAll) {
      return 503;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
