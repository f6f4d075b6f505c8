import { request as httpRequest } from 'node:http';
import { generateKey } from 'openpgp';
import { beforeAll, describe, expect, test } from 'vitest';
import { CALLER_KINDS } from '../../src/sandbox/callers.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { createProvider, type Json, listFlaws, NOW, openTestSandbox, PROVIDERS } from './harness.ts';

const ORIGIN = 'http://sandbox.test';
const KEYS = `${ORIGIN}/api/registry/private/v2/gpg-keys`;
const BILLING = `${PROVIDERS}/private/acme/billing`;
const VERSIONS = `${BILLING}/versions`;
const PLATFORMS = `${VERSIONS}/1.2.0/platforms`;

let armor: string;
let eccArmor: string;
let privateArmor: string;
beforeAll(async () => {
  const userIDs = [{ name: 'Releases' }];
  const rsa = await generateKey({ type: 'rsa', rsaBits: 2048, userIDs });
  const ecc = await generateKey({ type: 'ecc', userIDs });
  [armor, eccArmor, privateArmor] = [rsa.publicKey, ecc.publicKey, rsa.privateKey];
});

const LINK = /^http:\/\/[\w.:]+\/v1\/object\/sandbox\.[\w-]+\.[\w-]+$/;
const toError = (status: string, title: string, detail: string): string =>
  JSON.stringify({ errors: [{ status, title, detail }] });

const toKey = (namespace: unknown, asciiArmor: unknown, type = 'gpg-keys'): Json => ({
  data: { type, attributes: { namespace, 'ascii-armor': asciiArmor } },
});
const toVersion = (attributes: Json = {}): Json => ({
  data: { type: '', attributes: { version: '1.2.0', 'key-id': 'any', protocols: ['6.0'], ...attributes } },
});
const toPlatform = (attributes: Json = {}): Json => ({
  data: { type: '', attributes: { os: 'linux', arch: 'amd64', shasum: 'shasum', filename: 'filename', ...attributes } },
});

async function openWithVersion() {
  const sandbox = openTestSandbox();
  await sandbox.ask('POST', PROVIDERS, { body: createProvider('private', 'acme', 'billing') });
  const { body } = await sandbox.ask('POST', VERSIONS, { body: toVersion() });
  return { sandbox, version: body.data };
}

describe('keys', () => {
  test('keeps a key unchanged and finds it by namespace and key id', async () => {
    const sandbox = openTestSandbox();
    const created = await sandbox.ask('POST', KEYS, { body: toKey('acme', armor) });
    const { id, attributes, links } = created.body.data;
    expect([created.status, id]).toEqual([201, '1']);
    expect(attributes).toMatchObject({ 'ascii-armor': armor, namespace: 'acme', 'created-at': '2026-03-01T12:00:00Z' });
    expect(attributes['key-id']).toMatch(/^[\dA-F]{16}$/);
    const one = `${KEYS}/acme/${attributes['key-id']}`;
    expect(links.self).toBe(one.replace(`${ORIGIN}/api/registry/private`, ''));
    expect((await sandbox.ask('GET', one, { as: 'member' })).body).toEqual(created.body);
    expect((await sandbox.ask('GET', one.replace('acme', 'globex'))).status).toBe(404);
    expect((await sandbox.ask('DELETE', one, { as: 'member' })).status).toBe(404);
    expect((await sandbox.ask('DELETE', one)).status).toBe(204);
    expect((await sandbox.ask('GET', one)).status).toBe(404);
  });

  test('what is wrong with one is said', async () => {
    const sandbox = openTestSandbox();
    const at = (detail: string) => listFlaws([detail, 'attributes/ascii-armor']);
    const wrong: [Json, number, Json][] = [
      [toKey('acme', eccArmor), 422, at('Ascii armor must be an RSA or a DSA key')],
      [toKey('acme', privateArmor), 422, at('Ascii armor is not an ASCII-armored public key')],
      [
        toKey('acme', `${armor.slice(0, 200)}\n-----END PGP PUBLIC KEY BLOCK-----`),
        422,
        at('Ascii armor is not a public key'),
      ],
      [toKey('acme', ''), 422, at("Ascii armor can't be blank")],
      [toKey('acme', armor, 'keys'), 422, listFlaws(['Type must be gpg-keys', 'type'])],
      [toKey('umbrella', armor), 404, { errors: [{ status: '404', title: 'not found' }] }],
    ];
    for (const [body, status, expected] of wrong) {
      const reply = await sandbox.ask('POST', KEYS, { body });
      expect([reply.status, reply.body]).toEqual([status, expected]);
    }
    await sandbox.ask('POST', KEYS, { body: toKey('acme', armor) });
    const again = await sandbox.ask('POST', KEYS, { body: toKey('acme', armor) });
    expect([again.status, again.body]).toEqual([422, at('GPG key already exists for namespace')]);
  });

  test('the list is of namespaces that are named and allowed', async () => {
    const sandbox = openTestSandbox();
    for (const namespace of ['acme', 'globex']) await sandbox.ask('POST', KEYS, { body: toKey(namespace, armor) });
    const list = async (query: string, as: 'owner' | 'org-token' | 'audit-token' = 'owner') => {
      const { status, body } = await sandbox.ask('GET', `${KEYS}${query}`, { as });
      return [status, body.data?.map(({ attributes }: Json) => attributes.namespace)];
    };
    expect(await list('')).toEqual([400, undefined]);
    expect(await list('?filter%5Bnamespace%5D=acme%2Cglobex')).toEqual([200, ['acme', 'globex']]);
    expect(await list('?filter%5Bnamespace%5D=acme,globex', 'org-token')).toEqual([200, ['acme']]);
    expect(await list('?filter%5Bnamespace%5D=globex', 'org-token')).toEqual([403, undefined]);
    expect(await list('?filter%5Bnamespace%5D=acme', 'audit-token')).toEqual([403, undefined]);
    const { body } = await sandbox.ask('GET', `${KEYS}?filter%5Bnamespace%5D=acme&page%5Bnumber%5D=999`);
    expect([body.data, body.meta.pagination['total-count']]).toEqual([[], 1]);
    expect(body.links.first).toBe('/v2/gpg-keys?filter%5Bnamespace%5D=acme&page%5Bnumber%5D=1&page%5Bsize%5D=20');
  });

  test('moves a key only to another namespace of the caller', async () => {
    const sandbox = openTestSandbox();
    const { body } = await sandbox.ask('POST', KEYS, { body: toKey('acme', armor) });
    const id = body.data.attributes['key-id'];
    const move = async (from: string, to: string) => {
      const reply = await sandbox.ask('PATCH', `${KEYS}/${from}/${id}`, { body: toKey(to, armor) });
      return [reply.status, reply.body.errors?.[0].detail ?? reply.body.data.attributes.namespace];
    };
    expect(await move('acme', 'umbrella')).toEqual([403, 'namespace not authorized']);
    expect(await move('acme', 'globex')).toEqual([201, 'globex']);
    expect((await sandbox.ask('GET', `${KEYS}/acme/${id}`)).status).toBe(404);
  });
});

describe('versions and platforms', () => {
  test('a version accepts any key and no protocols, is listed at once, and is created once', async () => {
    const { sandbox, version } = await openWithVersion();
    expect(version).toMatchObject({
      id: expect.stringMatching(/^provver-/),
      attributes: { version: '1.2.0', 'key-id': 'any', protocols: ['6.0'], 'shasums-uploaded': false },
      relationships: { 'registry-provider': { data: { type: 'registry-providers' } }, platforms: { data: [] } },
      links: { 'shasums-upload': expect.stringMatching(LINK), 'shasums-sig-upload': expect.stringMatching(LINK) },
    });
    const { body } = await sandbox.ask('GET', VERSIONS, { as: 'member' });
    const provider = await sandbox.ask('GET', `${BILLING}?include=registry-provider-versions`);
    expect(provider.body.included.map(({ id }: Json) => id)).toEqual([version.id]);
    expect(provider.body.data.relationships['registry-provider-versions'].data).toEqual([
      { id: version.id, type: version.type },
    ]);
    const permissions = { 'can-delete': false, 'can-upload-asset': false };
    expect(body.data).toEqual([{ ...version, attributes: { ...version.attributes, permissions }, links: {} }]);
    expect((await sandbox.ask('POST', VERSIONS, { body: toVersion() })).body).toEqual(
      listFlaws(['Version has already been taken', 'attributes/version']),
    );
    const loose = await sandbox.ask('POST', VERSIONS, {
      body: toVersion({ version: '1.3.0-rc.1+b', protocols: null }),
    });
    expect([loose.status, loose.body.data.attributes.protocols]).toEqual([201, null]);
    const wrong = { version: 'v1.2', 'key-id': null, protocols: 'x' };
    expect((await sandbox.ask('POST', VERSIONS, { body: toVersion(wrong) })).body).toEqual(
      listFlaws(
        ['Version must be a semantic version', 'attributes/version'],
        ["Key can't be blank", 'attributes/key-id'],
        ['Protocols must be a list of strings', 'attributes/protocols'],
      ),
    );
    expect((await sandbox.ask('POST', VERSIONS, { body: toVersion(), as: 'member' })).status).toBe(404);
    const foreign = `${PROVIDERS}/public/hashicorp/aws/versions`;
    expect((await sandbox.ask('POST', foreign, { body: toVersion() })).status).toBe(403);
  });

  test('a platform accepts any checksum and file name, and is deleted with its version', async () => {
    const { sandbox, version } = await openWithVersion();
    const created = await sandbox.ask('POST', PLATFORMS, { body: toPlatform() });
    const { data } = created.body;
    expect([created.status, data]).toMatchObject([
      201,
      {
        id: expect.stringMatching(/^provpltfrm-/),
        attributes: { filename: 'filename', shasum: 'shasum', 'provider-binary-uploaded': false },
        relationships: { 'registry-provider-version': { data: { id: version.id } } },
        links: { 'provider-binary-upload': expect.stringMatching(LINK) },
      },
    ]);
    const ids = async (path: string) => (await sandbox.ask('GET', path)).body.data?.map(({ id }: Json) => id);
    expect(await ids(PLATFORMS)).toEqual([data.id]);
    const shown = await sandbox.ask('GET', `${VERSIONS}/1.2.0`);
    expect(shown.body.data.relationships.platforms.data).toEqual([{ id: data.id, type: data.type }]);
    expect((await sandbox.ask('POST', PLATFORMS, { body: toPlatform() })).status).toBe(422);
    expect((await sandbox.ask('POST', PLATFORMS, { body: { data: {} } })).body.errors).toHaveLength(4);
    await sandbox.ask('POST', PLATFORMS, { body: toPlatform({ os: 'darwin' }) });
    expect((await sandbox.ask('DELETE', `${PLATFORMS}/linux/amd64`)).status).toBe(204);
    expect((await sandbox.ask('GET', `${PLATFORMS}/linux/amd64`)).status).toBe(404);
    expect((await sandbox.ask('DELETE', `${VERSIONS}/1.2.0`)).status).toBe(204);
    expect((await sandbox.ask('GET', `${PLATFORMS}/darwin/amd64`)).status).toBe(404);
    await sandbox.ask('POST', VERSIONS, { body: toVersion() });
    expect(await ids(PLATFORMS)).toEqual([]);
    await sandbox.ask('DELETE', BILLING);
    await sandbox.ask('POST', PROVIDERS, { body: createProvider('private', 'acme', 'billing') });
    expect(await ids(VERSIONS)).toEqual([]);
  });
});

describe('files', () => {
  /** Served, with one version and one platform. */
  async function serveWithRelease(options: ServiceOptions = {}) {
    const lines: string[] = [];
    const sandbox = openTestSandbox({ log: (line) => lines.push(line) });
    const server = await startService({ sandbox, ...options });
    const call = async (method: string, path: string, body?: Json): Promise<Json> => {
      const headers = { authorization: 'Bearer sandbox.owner', 'content-type': 'application/vnd.api+json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const text = await (await fetch(`${server.url}${path}`, { method, headers, ...sent })).text();
      return text === '' ? undefined : JSON.parse(text).data;
    };
    await call('POST', PROVIDERS, createProvider('private', 'acme', 'billing'));
    const version = await call('POST', VERSIONS, toVersion());
    const platform = await call('POST', PLATFORMS, toPlatform());
    return { ...server, lines, call, version, platform };
  }
  const put = async (url: string, body: string, headers = {}) => {
    const response = await fetch(url, { method: 'PUT', body, headers });
    return [response.status, await response.text()];
  };

  test('a link accepts one upload without a token, and then serves the file', async () => {
    const { url, version, platform, call } = await serveWithRelease();
    expect(new URL(version.links['shasums-upload']).origin).toBe(new URL(url).origin);
    expect(await put(version.links['shasums-upload'], 'sums')).toEqual([200, '']);
    expect(await put(platform.links['provider-binary-upload'], 'binary')).toEqual([200, '']);
    const { attributes, links } = await call('GET', `${VERSIONS}/1.2.0`);
    expect([attributes['shasums-uploaded'], attributes['shasums-sig-uploaded']]).toEqual([true, false]);
    expect(Object.keys(links)).toEqual(['shasums-download', 'shasums-sig-upload']);
    const fetched = await fetch(links['shasums-download']);
    expect([fetched.status, fetched.headers.get('content-length'), await fetched.text()]).toEqual([200, '4', 'sums']);
    const shown = await call('GET', `${PLATFORMS}/linux/amd64`);
    expect(shown.attributes['provider-binary-uploaded']).toBe(true);
    const head = await fetch(shown.links['provider-binary-download'], { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', '']);
    const again = await put(version.links['shasums-upload'], 'other');
    expect(again).toEqual([409, toError('409', 'conflict', 'The file has been uploaded already')]);
    expect(await (await fetch(links['shasums-download'])).text()).toBe('sums');
  });

  test('refuses a request with a token, and logs it', async () => {
    const { version, lines } = await serveWithRelease();
    const refused = await put(version.links['shasums-upload'], 'sums', { authorization: 'Bearer sandbox.owner' });
    const detail = 'The link is enough: leave the Authorization header out';
    expect(refused).toEqual([400, toError('400', 'bad request', detail)]);
    expect(lines).toEqual([
      "a token came with PUT to the address of a file, which needs none: such addresses are not the service's own",
    ]);
    expect(await put(version.links['shasums-upload'], 'sums')).toEqual([200, '']);
  });

  test('serves no other address, and none of what was deleted', async () => {
    const { url, version, call } = await serveWithRelease();
    const link: string = version.links['shasums-upload'];
    const invalid = [403, toError('403', 'forbidden', 'The link is not valid, or has expired')];
    expect(await put(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`, '')).toEqual(invalid);
    expect(await put(`${new URL(url).origin}/v1/object/sandbox.W10.AAAA`, '')).toEqual(invalid);
    expect((await fetch(link)).status).toBe(403);
    expect((await fetch(link, { method: 'POST', body: '' })).status).toBe(404);
    await call('DELETE', `${VERSIONS}/1.2.0`);
    const gone = toError('404', 'not found', 'The version or platform of the file was deleted');
    expect(await put(link, '')).toEqual([404, gone]);
  });

  test('an upload that breaks off leaves nothing, and the link stays good', async () => {
    const { version, call, platform } = await serveWithRelease({ faults: ['PUT object: nth=1 reset-before'] });
    await expect(put(platform.links['provider-binary-upload'], 'binary')).rejects.toThrow();
    const broken = new Promise<string>((resolve) => {
      const sent = httpRequest(version.links['shasums-upload'], { method: 'PUT', headers: { 'content-length': 8 } });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      sent.write('half', () => sent.destroy());
    });
    expect(await broken).toBe('ECONNRESET');
    expect((await call('GET', `${VERSIONS}/1.2.0`)).attributes['shasums-uploaded']).toBe(false);
    expect(await put(version.links['shasums-upload'], 'sums')).toEqual([200, '']);
    expect(await put(platform.links['provider-binary-upload'], 'binary')).toEqual([200, '']);
  });

  test('keeps one of two uploads to the same link', async () => {
    const { version, call } = await serveWithRelease();
    const link: string = version.links['shasums-upload'];
    const statuses = (await Promise.all(['one', 'two', 'six'].map((body) => put(link, body)))).map(
      ([status]) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 409, 409]);
    const { links } = await call('GET', `${VERSIONS}/1.2.0`);
    expect(['one', 'two', 'six'][statuses.indexOf(200)]).toBe(await (await fetch(links['shasums-download'])).text());
  });

  test('a link ends after 25 hours, and the next answer has a new one', async () => {
    let now = NOW;
    const { version, call } = await serveWithRelease({ sandbox: openTestSandbox({ now: () => now }) });
    const link: string = version.links['shasums-upload'];
    now += 25 * 3_600_000;
    expect((await put(link, 'sums'))[0]).toBe(403);
    const { links } = await call('GET', `${VERSIONS}/1.2.0`);
    now += 25 * 3_600_000 - 1;
    expect((await put(links['shasums-upload'], 'sums'))[0]).toBe(200);
  });
});

describe("the registry's protocol", () => {
  const REGISTRY = `${ORIGIN}/api/registry/v1/providers`;

  test('lists what was made, and says where the files and the key are', async () => {
    const { sandbox, version } = await openWithVersion();
    const key = await sandbox.ask('POST', KEYS, { body: toKey('acme', armor) });
    const { 'key-id': keyId } = key.body.data.attributes;
    await sandbox.ask('POST', VERSIONS, { body: toVersion({ version: '2.0.0', 'key-id': keyId, protocols: null }) });
    await sandbox.ask('POST', `${VERSIONS}/2.0.0/platforms`, { body: toPlatform({ os: 'darwin', arch: 'arm64' }) });
    const versions = await sandbox.ask('GET', `${REGISTRY}/ACME/Billing/versions`, { as: 'member' });
    expect([versions.headers.get('content-type'), versions.body]).toEqual([
      'application/json',
      {
        versions: [
          { version: '1.2.0', protocols: ['6.0'], platforms: [] },
          { version: '2.0.0', protocols: [], platforms: [{ os: 'darwin', arch: 'arm64' }] },
        ],
        warnings: null,
      },
    ]);
    const download = (path: string) => sandbox.ask('GET', `${REGISTRY}/acme/billing/${path}`, { as: 'org-token' });
    expect((await download('2.0.0/download/darwin/arm64')).body).toMatchObject({
      ...{ protocols: [], os: 'darwin', arch: 'arm64', filename: 'filename', shasum: 'shasum' },
      download_url: expect.stringMatching(LINK),
      shasums_url: expect.stringMatching(LINK),
      shasums_signature_url: expect.stringMatching(LINK),
      signing_keys: { gpg_public_keys: [{ key_id: keyId, ascii_armor: armor }] },
    });
    expect((await download('2.0.0/download/linux/amd64')).status).toBe(404);
    expect((await download('3.0.0/download/darwin/arm64')).status).toBe(404);
    await sandbox.ask('POST', PLATFORMS, { body: toPlatform() });
    expect(version.attributes['key-id']).toBe('any');
    expect((await download('1.2.0/download/linux/amd64')).body.signing_keys).toEqual({ gpg_public_keys: [] });
  });

  test('knows private providers alone, and one in the very letters before others', async () => {
    const { sandbox } = await openWithVersion();
    expect((await sandbox.ask('GET', `${REGISTRY}/hashicorp/aws/versions`)).status).toBe(404);
    await sandbox.ask('POST', PROVIDERS, { body: createProvider('private', 'acme', 'Billing') });
    const count = async (name: string) =>
      (await sandbox.ask('GET', `${REGISTRY}/acme/${name}/versions`)).body.versions.length;
    expect([await count('billing'), await count('Billing'), await count('BILLING')]).toEqual([1, 0, 1]);
  });
});

// By owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none.
const ALL_MEMBERS = [200, 200, 200, 200, 200, 200, 404, 401];
const toManagers = (success: number): number[] => [success, success, 404, 404, 404, success, 404, 401];

test.each<[string, string, Json, number[]]>([
  ['GET', VERSIONS, undefined, ALL_MEMBERS],
  ['POST', VERSIONS, toVersion({ version: '2.0.0' }), toManagers(201)],
  ['DELETE', `${VERSIONS}/1.2.0`, undefined, toManagers(204)],
  ['GET', PLATFORMS, undefined, ALL_MEMBERS],
  ['POST', PLATFORMS, toPlatform(), toManagers(201)],
  ['GET', `${KEYS}?filter%5Bnamespace%5D=acme`, undefined, [200, 200, 200, 200, 200, 200, 403, 401]],
  ['POST', KEYS, 'key', toManagers(201)],
  ['GET', `${ORIGIN}/api/registry/v1/providers/acme/billing/versions`, undefined, ALL_MEMBERS],
])('who may %s %s', async (method, path, body, statuses) => {
  const given = await Promise.all(
    CALLER_KINDS.map(async (as) => {
      const { sandbox } = await openWithVersion();
      return (await sandbox.ask(method, path, { as, body: body === 'key' ? toKey('acme', armor) : body })).status;
    }),
  );
  expect(given).toEqual(statuses);
});
