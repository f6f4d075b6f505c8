import type { IncomingMessage } from 'node:http';
import { isHost } from './allowed-hosts.ts';
import type { FaultAction } from './faults.ts';
import { toErrorObject } from './problems.ts';
import { JSON_API_MEDIA_TYPE } from './wire/json-api.ts';

const LARGEST_BODY = 1_048_576;
/** The server reads so much of a larger body before it refuses it: a client that still writes does not see an answer. */
const MOST_READ = 16 * LARGEST_BODY;

/** The address that was asked for, as the client wrote it, so that links lead back to it; undefined when it is invalid. */
export function toTarget({ url: path = '/', httpVersion, headersDistinct, socket }: IncomingMessage): URL | undefined {
  // HTTP/1.0 requires no host.
  const [host, ...others] = headersDistinct['host'] ?? (httpVersion === '1.0' ? ['localhost'] : []);
  if (host === undefined || others.length > 0 || !isHost(host)) return undefined;
  try {
    const target = path.startsWith('/')
      ? new URL(`${'encrypted' in socket ? 'https' : 'http'}://${host}${path}`)
      : new URL(path);
    // A Request cannot be made of an address with a user in it.
    return target.username === '' && target.password === '' ? target : undefined;
  } catch {
    return undefined;
  }
}

export function toRequest({ method = 'GET', headers: received }: IncomingMessage, target: URL, body: Buffer): Request {
  const headers = new Headers();
  for (const name of ['authorization', 'content-type', 'accept', 'user-agent']) {
    const value = received[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(target, { method, headers, ...(hasBody ? { body: new Uint8Array(body) } : {}) });
}

/** Undefined when it is larger than the service takes. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop must not destroy the request: the answer would go with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LARGEST_BODY) chunks.push(chunk);
    if (length > MOST_READ) break;
  }
  return length <= LARGEST_BODY ? Buffer.concat(chunks) : undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Undefined for actions that change nothing in the answer. */
export function toFaultResponse(action: FaultAction | undefined): HttpResponse | undefined {
  if (action?.kind === 'html') {
    const body = Buffer.from('<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n');
    return { status: 502, headers: { 'content-type': 'text/html', 'content-length': String(body.length) }, body };
  }
  return action?.kind === 'status' ? toErrorResponse(action.status) : undefined;
}

export function toErrorResponse(status: number, detail?: string): HttpResponse {
  const body = Buffer.from(JSON.stringify({ errors: [toErrorObject(status, detail)] }));
  return {
    status,
    headers: {
      'content-type': JSON_API_MEDIA_TYPE,
      'content-length': String(body.length),
      ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
      ...(status === 429 ? { 'x-ratelimit-reset': '1.000' } : {}),
    },
    body,
  };
}
