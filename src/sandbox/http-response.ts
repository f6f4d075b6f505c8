import { JSON_API_MEDIA_TYPE } from '../wire/json-api.ts';
import type { FaultAction } from './faults.ts';
import { toErrorObject } from './problems.ts';

/** An answer as it is written to the socket. */
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
