import { STATUS_CODES } from 'node:http';
import { JSON_API_MEDIA_TYPE } from '../wire/json-api.ts';
import type { FaultAction } from './faults.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function toFaultReply(action: FaultAction | undefined): Reply | undefined {
  if (action?.kind === 'html') {
    const body = Buffer.from('<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n');
    return { status: 502, headers: { 'content-type': 'text/html', 'content-length': String(body.length) }, body };
  }
  return action?.kind === 'status' ? toErrorReply(action.status) : undefined;
}

export function toErrorReply(status: number, detail?: string): Reply {
  const title = (STATUS_CODES[status] ?? 'error').toLowerCase();
  const error =
    status === 429
      ? { detail: "You have exceeded the API's rate limit.", status: 429, title: 'Too many requests' }
      : { status: String(status), title, ...(detail === undefined ? {} : { detail }) };
  const body = Buffer.from(JSON.stringify({ errors: [error] }));
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
