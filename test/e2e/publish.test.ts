import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { computeSum, createRelease, createSigningKey } from '../support/release.ts';
import { serve } from '../support/service.ts';
import { type Ended, ORGCTL, start } from '../support/shipped.ts';

/** In front of the sandbox: what arrives is handed on unless `decide` says otherwise. */
async function startFront(url: string, decide: (request: IncomingMessage, isDone: boolean) => boolean) {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) {
      // Within the bytes of a file.
      if (pieces.length === 0 && decide(request, false)) return void request.socket.destroy();
      pieces.push(piece);
    }
    const { method = '', headers } = request;
    // The sandbox gives addresses of files where it is asked, which is here.
    const sent = { 'content-type': headers['content-type'] ?? '', authorization: headers.authorization ?? '' };
    const body = pieces.length === 0 ? null : Buffer.concat(pieces);
    const used = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
    const answer = await fetch(new URL(request.url ?? '', url), { method, headers: used, body });
    const text = (await answer.text()).replaceAll(new URL(url).host, headers.host ?? '');
    if (method !== 'GET' && decide(request, true)) return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
  };
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.skipIf(process.platform === 'win32')('publishing, killed at each write, ends whole', async () => {
  const served = await serve();
  const platforms = ['darwin_arm64', 'linux_amd64'];
  const key = await createSigningKey();
  const release = await createRelease({ dir: join(served.home, 'dist'), key, platforms, size: 300_000 });
  const killed: string[] = [];
  let kill: (() => void) | undefined;
  // Each write is cut off before its answer, and the first upload in the middle as well.
  const origin = await startFront(served.url, ({ method, url = '' }, isDone) => {
    const when = isDone ? 'after' : 'within';
    if (!kill || (!isDone && (method !== 'PUT' || killed.some((each) => each.endsWith(when))))) return false;
    kill();
    kill = undefined;
    killed.push(`${method} ${url.replace(/(?<=object\/).*/, '')} ${when}`);
    return true;
  });
  const argv = ['providers', 'publish', 'billing', '1.2.0', '--dir', release.dir, '--public-key', release.publicKey];
  const env = { ...served.as('owner'), ORGCTL_BASE_URL: `${origin}/api/v2` };
  let ended: Ended;
  do {
    const running = start(process.execPath, [ORGCTL, ...argv, '-o', 'json'], { env });
    kill = () => running.child.kill('SIGKILL');
    ended = await running.ended;
  } while (ended.code === null && killed.length < 40);
  expect(JSON.parse(ended.stdout)).toMatchObject({ result: 'unchanged', changed: false });
  const versions = '/api/v2/organizations/acme/registry-providers/private/acme/billing/versions';
  expect(killed.slice(0, 3)).toEqual([
    'POST /api/v2/organizations/acme/registry-providers after',
    'POST /api/registry/private/v2/gpg-keys after',
    `POST ${versions} after`,
  ]);
  expect(killed).toEqual(expect.arrayContaining(['PUT /v1/object/ within', 'PUT /v1/object/ after']));

  const read = async (path: string) =>
    fetch(new URL(path, served.url), {
      headers: { authorization: `Bearer ${served.sandbox.tokenFor('owner', 'acme')}` },
    });
  for (const platform of platforms) {
    const answer = await read(`/api/registry/v1/providers/acme/billing/1.2.0/download/${platform.replace('_', '/')}`);
    const { download_url: link, shasum } = (await answer.json()) as Record<string, string>;
    expect(computeSum(new Uint8Array(await (await fetch(link ?? '')).arrayBuffer()))).toBe(shasum);
  }
});
