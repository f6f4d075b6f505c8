import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { createRelease, createSigningKey, type Release, type SigningKey, signDetached } from '../support/release.ts';
import type { RunOptions } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const key = await createSigningKey({ subkey: true });
const other = await createSigningKey();
const ecc = await createSigningKey({ type: 'ecc' });
const PLATFORMS = ['darwin_arm64', 'linux_amd64'];
const make = (options: object = {}) =>
  createRelease({ dir: join(createFolder(), 'dist'), key, platforms: PLATFORMS, ...options });

const LINE = 'providers publish billing 1.2.0'.split(' ');
const publish = (service: TestService, { dir }: Release, more = '', options: RunOptions = {}) =>
  service.run([...LINE, '--dir', dir, ...more.split(' ').filter(Boolean)], options);
const withKey = ({ publicKey }: Release): string => `--public-key ${publicKey}`;

const PROVIDERS = '/organizations/acme/registry-providers';
const VERSIONS = `${PROVIDERS}/private/acme/billing/versions`;
const listWrites = ({ requests, fileRequests }: TestService): string[] =>
  [...requests, ...fileRequests]
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace('/api/v2', '').replace(/(?<=object\/).*/, '…')}`);
const PUT = 'PUT /v1/object/…';

test('a release is published: what is missing, in order; what is there is left alone', async () => {
  const release = await make();
  const service = await startService();
  const known = { type: 'registry-provider-versions', address: 'private/acme/billing@1.2.0' };
  const record = { id: expect.stringMatching(/^provver-/), ...known };
  const first = await publish(service, release, `${withKey(release)} -o json`);
  expect(JSON.parse(first.stdout)).toEqual({ ...record, changed: true, result: 'published' });
  expect(listWrites(service)).toEqual([
    `POST ${PROVIDERS}`,
    'POST /api/registry/private/v2/gpg-keys',
    `POST ${VERSIONS}`,
    `POST ${VERSIONS}/1.2.0/platforms`,
    `POST ${VERSIONS}/1.2.0/platforms`,
    ...[PUT, PUT, PUT, PUT],
  ]);
  // It ends by reading what Terraform would read.
  const INSTALL = '/api/registry/v1/providers/acme/billing';
  const wanted = ['versions', '1.2.0/download/darwin/arm64', '1.2.0/download/linux/amd64'];
  expect(service.requests.slice(-3).map(({ path }) => path)).toEqual(wanted.map((path) => `${INSTALL}/${path}`));

  const writes = listWrites(service).length;
  expect(JSON.parse((await publish(service, release, '-o json')).stdout)).toEqual({
    ...record,
    changed: false,
    result: 'unchanged',
  });
  expect(listWrites(service)).toHaveLength(writes);
});

test('links that a storage has signed are used as they are', async () => {
  const credential = 'X-Amz-Credential=sandbox-key%2F20260301%2Fus-east-1%2Fs3%2Faws4_request';
  const sign = (path: string): string =>
    `?${credential}&X-Amz-Signature=${encodeURIComponent(createHash('sha256').update(path).digest('base64'))}`;
  const origin = await serveFiles(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', service.url);
    if (search !== sign(pathname)) return response.writeHead(403).end();
    const body = request.method === 'PUT' ? await buffer(request) : null;
    const answer = await fetch(new URL(pathname, service.url), { method: request.method ?? '', body });
    return response.writeHead(answer.status).end(await answer.text());
  });
  const service = await startService({ alter: (answer) => moveFiles(answer, (path) => origin + path + sign(path)) });
  const release = await make();
  expect(await publish(service, release, `${withKey(release)} -o tsv --fields result`)).toMatchObject({
    code: 0,
    stdout: 'published\n',
  });
  expect(listWrites(service).filter((write) => write === PUT)).toHaveLength(4);
  expect((await publish(service, release, '-o tsv --fields result')).stdout).toBe('unchanged\n');
});

test('at a terminal there is a sentence; a dry run sends nothing', async () => {
  const release = await make({ protocols: null });
  const service = await startService();
  const tty = { stdout: true, stderr: true };
  const options = { home: join(release.dir, '..'), service, tty, env: { TERM: 'dumb' } };
  const line = `${LINE.join(' ')} --dir dist --public-key dist/key.asc`;
  await transcript(options)`
    $ ${line} --dry-run
    ! no manifest in dist: protocol 5.0 is assumed
    ! Would publish private/acme/billing@1.2.0 (provider, key ${key.id}, version, SHA256SUMS, signature, darwin_arm64, linux_amd64)
    $ ${LINE.join(' ')} --dir dist -q
    ! orgctl: acme has no key for this signature
    !   → Name one with --public-key.
    = 2
    $ ORGCTL_OUTPUT=tsv ${line} --dry-run -q
    planned	private/acme/billing@1.2.0\t
  `;
  expect(service.fileRequests).toEqual([]);
  expect((await publish(service, release, withKey(release))).code).toBe(0);
  await transcript(options)`
    $ ${line} -q -o tsv --fields result,address
    unchanged	private/acme/billing@1.2.0
    $ providers versions billing -o tsv
    1.2.0	5.0	darwin_arm64,linux_amd64
    $ ${line}
    ! no manifest in dist: protocol 5.0 is assumed
    ! = private/acme/billing@1.2.0 is already published
  `;
});

test('build metadata is a part of the version and of its files', async () => {
  const release = await make({ version: '1.2.0+build.7' });
  const service = await startService();
  const line = ['providers', 'publish', 'billing', '1.2.0+build.7', '--dir', release.dir];
  const { code, stdout } = await service.run([...line, '--public-key', release.publicKey, '-o', 'tsv']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('private/acme/billing@1.2.0+build.7\t'),
  });
  expect(listWrites(service)).toContain(`POST ${VERSIONS}/1.2.0%2Bbuild.7/platforms`);
  expect(release.zip('linux_amd64')).toContain('billing_1.2.0+build.7_linux_amd64.zip');
  expect((await service.run([...line, '-o', 'tsv', '--fields', 'result'])).stdout).toBe('unchanged\n');
});

test('the manifest may be where goreleaser leaves it', async () => {
  const release = await make();
  renameSync(release.manifest, join(release.dir, '..', 'terraform-registry-manifest.json'));
  const service = await startService();
  expect(await publish(service, release, withKey(release))).toMatchObject({ code: 0, stderr: '' });
  expect((await service.run(['providers', 'versions', 'billing'])).stdout).toContain('1.2.0\t6.0\t');
});

const LINUX = 'terraform-provider-billing_1.2.0_linux_amd64.zip';
const edit = (change: (text: string) => string) => async (release: Release) =>
  release.writeSums(change(readFileSync(release.sums, 'utf8')));
const dropManifest = edit((text) => text.replace(/.*manifest.*\n/, ''));
const sign = (signer: SigningKey, text?: string) => async (release: Release) =>
  writeFileSync(release.signature, await signDetached(text ?? readFileSync(release.sums), signer));
const overwrite = (which: 'signature' | 'manifest', text: string) => (release: Release) =>
  writeFileSync(release[which], text);
const addZip = (release: Release) => copyFileSync(release.zip('linux_amd64'), release.zip('linux_arm64'));
const useKey = (signer: SigningKey) => (release: Release) =>
  sign(signer)(release).then(() => writeFileSync(release.publicKey, signer.publicKey));

test.each<[what: string, spoil: (release: Release) => unknown, reason: string]>([
  ['another sum', (release) => writeFileSync(release.zip('linux_amd64'), 'PK'), 'SHA256SUMS has a different sum'],
  ['a missing zip', (release) => rmSync(release.zip('linux_amd64')), `${LINUX}: it doesn't exist`],
  ['a zip without a sum', addZip, 'linux_arm64.zip: SHA256SUMS does not name it'],
  ['no signature', (release) => rmSync(release.signature), "SHA256SUMS.sig: it doesn't exist"],
  ['an empty line', edit((text) => `${text}\n`), 'line 4: it is not a sum, two spaces and a file name'],
  ['a manifest without a sum', dropManifest, 'manifest.json: SHA256SUMS does not name it'],
  [
    "goreleaser's manifest without a sum",
    async (release: Release) => {
      await dropManifest(release);
      renameSync(release.manifest, join(release.dir, '..', 'terraform-registry-manifest.json'));
    },
    'terraform-registry-manifest.json: SHA256SUMS does not name it',
  ],
  ['no protocols', overwrite('manifest', '{"metadata":{}}'), 'metadata.protocol_versions must be a list'],
  [
    'sums with a byte order mark',
    edit((text) => `\ufeff${text}`),
    'install\n  terraform-provider-billing_1.2.0_SHA256SUMS: it is not UTF-8 without a byte order mark, as Terraform needs it\n',
  ],
  ['an empty key', (release) => writeFileSync(release.publicKey, ''), 'key.asc has no OpenPGP key'],
  ['sums changed after signing', sign(key, 'others'), 'Signed digest did not match'],
  ['the signature of another key', sign(other), 'Could not find signing key with key ID'],
  [
    'an armored signature',
    overwrite('signature', '-----BEGIN PGP SIGNATURE-----'),
    'It is not a binary OpenPGP signature',
  ],
  ['an ECC key', useKey(ecc), 'the service takes only RSA and DSA'],
])('a release with %s is refused before the first request: exit 2', async (_what, spoil, reason) => {
  const release = await make();
  await spoil(release);
  const service = await startService();
  const { code, stdout, stderr } = await publish(service, release, withKey(release));
  expect({ code, stdout, requests: service.requests }).toEqual({ code: 2, stdout: '', requests: [] });
  expect(stderr).toContain(reason);
});

const otherSums = 'Its SHA256SUMS differ.';
test.each<[what: string, change: (release: Release) => unknown, reason: string]>([
  ['sums', edit((text) => text.replaceAll(/^\w{64}/gm, (sum) => sum.toUpperCase())), otherSums],
  [
    'files',
    ({ dir }) => createRelease({ dir, key, platforms: PLATFORMS }),
    `${otherSums}\n  Its darwin_arm64 differs.`,
  ],
  ['keys', useKey(other), 'It was created with the key'],
])('a version with other %s is refused, and never replaced: exit 2', async (_what, change, reason) => {
  const release = await make();
  const service = await startService();
  await publish(service, release, withKey(release));
  const writes = listWrites(service).length;
  await change(release);
  const { code, stdout, stderr } = await publish(service, release, withKey(release));
  expect({ code, stdout, writes: listWrites(service).length }).toEqual({ code: 2, stdout: '', writes });
  expect(stderr).toContain(`private/acme/billing@1.2.0 already exists, and is a different release\n  ${reason}`);
});

/** A server of files; returns its origin. */
async function serveFiles(answer: RequestListener): Promise<string> {
  const files = createServer(answer);
  await once(files.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void files.close());
  return `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
}

/** The answer with other addresses of files. */
async function moveFiles(answer: Response, move: (path: string) => string): Promise<Response> {
  const pattern = /http:\/\/127\.0\.0\.1:\d+(\/v1\/object\/[\w.-]+)/g;
  const text = (await answer.text()).replaceAll(pattern, (_, path: string) => move(path));
  return new Response(text, { status: answer.status, headers: { 'content-type': 'application/vnd.api+json' } });
}

test.each([['403'], ['503'], ['reset-before']])(
  'an upload that ends with %s is 9, and the same command does the rest',
  async (action) => {
    const release = await make({ platforms: ['linux_amd64'] });
    const service = await startService({ faults: [`PUT /v1/object: nth=3 ${action}`] });
    const { code, stdout, stderr } = await publish(service, release, withKey(release));
    expect({ code, row: stdout.split('\t')[0] }).toEqual({ code: 9, row: 'failed' });
    expect(stderr).toMatch(/^orgctl: can't upload \S+: .*\n {2}→ Run it again.\n$/);
    const writes = listWrites(service).length;
    expect((await publish(service, release)).code).toBe(0);
    expect(listWrites(service).slice(writes)).toEqual([PUT]);
  },
);

test('an upload that arrived without an answer is not sent again', async () => {
  const release = await make();
  const service = await startService({ faults: ['PUT /v1/object: reset-after-commit'] });
  expect((await publish(service, release, withKey(release))).code).toBe(0);
  expect(listWrites(service).filter((write) => write === PUT)).toHaveLength(4);
});

test('the address of an upload gets no token, and is shown nowhere', async () => {
  const release = await make();
  const seen: { path: string; authorization: string | undefined }[] = [];
  const origin = await serveFiles(({ url: path = '', headers: { authorization } }, response) => {
    seen.push({ path, authorization });
    response.writeHead(307, { location: '/elsewhere' }).end(JSON.stringify({ message: path }));
  });
  const service = await startService({ alter: (answer) => moveFiles(answer, (path) => origin + path) });
  const env = { ORGCTL_LOG_FILE: join(release.dir, 'log') };
  const { code, stdout, stderr } = await publish(service, release, `${withKey(release)} --debug`, { env });
  const log = readFileSync(env.ORGCTL_LOG_FILE, 'utf8');
  expect({ code, files: service.fileRequests }).toEqual({ code: 9, files: [] });
  expect(stdout + stderr + log).not.toContain('/elsewhere');
  expect(seen.length).toBeGreaterThan(0);
  for (const { path, authorization } of seen) {
    expect(authorization).toBeUndefined();
    expect(stdout + stderr + log).not.toContain(basename(path).slice(0, 40));
  }
  // Each has its line in the log.
  const sent = `"event":"sent",.*"method":"PUT","path":"${origin}/…","what":"upload `;
  expect(log.match(new RegExp(sent, 'g'))).toHaveLength(seen.length);
});

test('an upload never goes over plain http to another machine', async () => {
  const release = await make();
  const service = await startService({
    alter: (answer) => moveFiles(answer, (path) => `http://files.example.com${path}`),
  });
  const { code, stderr } = await publish(service, release, withKey(release));
  expect({ code, files: service.fileRequests }).toEqual({ code: 9, files: [] });
  expect(stderr).toContain('http://files.example.com uses plain http');
});

test('Ctrl-C ends it with 130, and the same command does the rest', async () => {
  const release = await make();
  const signals = new EventEmitter();
  const service = await startService({
    alter(answer, { method }) {
      if (method === 'POST') signals.emit('SIGINT');
      return answer;
    },
  });
  const { code, stderr } = await publish(service, release, withKey(release), { signals });
  expect({ code, writes: listWrites(service).length }).toEqual({ code: 130, writes: 1 });
  expect(stderr).toContain('→ Run it again.');
  expect((await publish(service, release, withKey(release))).code).toBe(0);
});

test.each<[what: string, alter: (answer: Response) => Promise<Response>]>([
  ['the file', async () => Response.json({}, { status: 404 })],
  ['the key', async (answer) => new Response((await answer.text()).replace('gpg_public_keys', ''))],
])('where Terraform is not offered %s in the end it is 10', async (_what, alter) => {
  const release = await make();
  const service = await startService({
    alter: (answer, { url }) => (url.includes('/download/linux') ? alter(answer) : answer),
  });
  const { code, stderr } = await publish(service, release, withKey(release));
  expect({ code, stderr }).toEqual({ code: 10, stderr: expect.stringContaining('Missing: linux_amd64.\n') });
});
