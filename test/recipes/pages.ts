import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Taken {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  body: string | Uint8Array;
}

/** A server that answers so, until the test is over. What `answer` throws is answered with 500. */
export async function startPages(answer: (taken: Taken) => Answer | Promise<Answer>) {
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const { method = '', url: path = '', headers } = incoming;
    const taken = { method, path, headers, body: Buffer.concat(pieces).toString('utf8') };
    const { status, body } = await Promise.resolve(taken)
      .then(answer)
      .catch((error) => ({ status: 500, body: String(error) }));
    outgoing.writeHead(status).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
