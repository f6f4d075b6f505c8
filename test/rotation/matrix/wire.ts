/** Requests and answers as bytes. */

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The first whole request of what was received, and the rest. */
export function takeRequest(received: Buffer): { readonly request: WireRequest; readonly rest: Buffer } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const start = end + 4;
  const length = start + Number(headers.get('content-length') ?? 0);
  if (received.length < length) return undefined;
  const [method = '', target = ''] = first.split(' ');
  const body = received.subarray(start, length).toString('utf8');
  return { request: { method, target, headers, body }, rest: received.subarray(length) };
}

export type Framing = 'length' | 'chunked' | 'close';

/** A whole answer. With the framing `close`, its end is the end of the connection. */
export function toBytes(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  framing: Framing = 'length',
): Buffer {
  const [framed, text] = frame(body, status === 204 ? 'none' : framing);
  const lines = Object.entries({ ...headers, ...framed }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`HTTP/1.1 ${status} Scripted`, ...lines, '', text].join('\r\n'));
}

function frame(body: string, framing: Framing | 'none'): [headers: Record<string, string>, text: string] {
  const size = Buffer.byteLength(body);
  const half = body.slice(0, body.length >> 1);
  switch (framing) {
    case 'none':
      return [{}, ''];
    case 'length':
      return [{ 'content-length': String(size) }, body];
    case 'close':
      return [{ connection: 'close' }, body];
    case 'chunked': {
      const chunks = [half, body.slice(half.length), ''];
      const text = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');
      return [{ 'transfer-encoding': 'chunked' }, text];
    }
  }
}
