import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that records requests, and forwards them to the service behind it. */
export interface Recorder {
  readonly origin: string;
  /** With `/api/v2`. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** `answer` may answer itself, by returning a body. Without a service behind it the rest is refused, by default with 404. */
export async function startRecorder(
  options: {
    readonly behind?: string;
    readonly answer?: (request: RecordedRequest) => object | undefined;
    readonly redirectTo?: string;
    readonly refusal?: { readonly errors: readonly { readonly status: string; readonly [member: string]: string }[] };
  } = {},
): Promise<Recorder> {
  const { refusal = { errors: [{ status: '404', title: 'not found' }] } } = options;
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      authorization: incoming.headers.authorization,
    };
    requests.push(request);
    const body = options.answer?.(request);
    if (options.redirectTo !== undefined) {
      incoming.resume();
      outgoing.writeHead(307, { location: `${options.redirectTo}${incoming.url}` }).end();
    } else if (body !== undefined || options.behind === undefined) {
      incoming.resume();
      const status = body === undefined ? Number(refusal.errors[0]?.status) : 200;
      outgoing.writeHead(status, { 'content-type': 'application/vnd.api+json' });
      outgoing.end(JSON.stringify(body ?? refusal));
    } else {
      passOn(new URL(options.behind).origin, incoming, outgoing);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, url: `${origin}/api/v2`, requests };
}

function passOn(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const onward = send(
    `${origin}${incoming.url}`,
    { method: incoming.method, headers: incoming.headers, agent: false },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
