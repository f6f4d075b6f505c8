import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Service, startService } from '../../publish/campaign/service.ts';
import { createRelease, createSigningKey, type Release, type SigningKey, toSum } from '../../support/release.ts';
import { createPlace, orgctl } from '../../support/shipped.ts';

/** What only the service can say against a release is found out before the first write: of a registry that is not ours. */

const TOKEN = 'owner';
const PROVIDERS = '/organizations/acme/registry-providers';
const VERSIONS = `${PROVIDERS}/private/acme/billing/versions`;
const KEYS = '/../registry/private/v2/gpg-keys';
let key: SigningKey;
beforeAll(async () => {
  key = await createSigningKey({ subkey: true });
});

interface Setting {
  readonly service: Service;
  readonly release: Release;
  post(path: string, type: string, attributes: Readonly<Record<string, unknown>>): Promise<void>;
}

async function withVersion({ post }: Setting, attributes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await post(PROVIDERS, 'registry-providers', { name: 'billing', namespace: 'acme', 'registry-name': 'private' });
  const usual = { version: '1.2.0', 'key-id': key.id, protocols: ['6.0'] };
  await post(VERSIONS, 'registry-provider-versions', { ...usual, ...attributes });
}

/** The status of one route, whatever is asked there. */
function refuse({ service }: Setting, path: RegExp, status: number): void {
  service.setFaults(
    () => undefined,
    (seen) => (path.test(seen.path) ? { kind: 'status', status } : undefined),
  );
}

interface Refusal {
  readonly code: number;
  /** A part of what is said. */
  readonly said: string;
  prepare(setting: Setting): Promise<void> | void;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'a version that names the key by its number': {
    code: 2,
    said: 'It was created with the key 23, and this release is signed with',
    prepare: (setting) => withVersion(setting, { 'key-id': '23' }),
  },
  'a version without a key': {
    code: 2,
    said: 'It was created with the key (none), and this release is signed with',
    prepare: (setting) => withVersion(setting, { 'key-id': null }),
  },
  'a platform with another sum': {
    code: 2,
    said: `Its linux_amd64 has the sum ${'0'.repeat(64)}, and here it is `,
    async prepare(setting) {
      await withVersion(setting);
      const filename = basename(setting.release.zip('linux_amd64'));
      const attributes = { os: 'linux', arch: 'amd64', shasum: '0'.repeat(64), filename };
      await setting.post(`${VERSIONS}/1.2.0/platforms`, 'registry-provider-platforms', attributes);
    },
  },
  'a platform whose file has another name': {
    code: 2,
    said: 'Its linux_amd64 is called billing.zip, and here terraform-provider-billing_1.2.0_linux_amd64.zip.',
    async prepare(setting) {
      await withVersion(setting);
      const shasum = toSum(readFileSync(setting.release.zip('linux_amd64')));
      const attributes = { os: 'linux', arch: 'amd64', shasum, filename: 'billing.zip' };
      await setting.post(`${VERSIONS}/1.2.0/platforms`, 'registry-provider-platforms', attributes);
    },
  },
  'an older copy of the key, without the subkey that signed': {
    code: 2,
    said: 'is an older one, without the subkey that signed',
    async prepare({ post }) {
      // Only the id of its primary key is the same.
      const { readKey, PublicKey, PacketList } = await import('openpgp');
      const whole = await readKey({ armoredKey: key.publicKey });
      const [first] = whole.subkeys;
      const packets = whole.toPacketList();
      const end = packets.findIndex((packet: unknown) => packet === first?.keyPacket);
      const list = new PacketList<never>();
      list.push(...(packets.slice(0, end) as never[]));
      const ascii = new PublicKey(list as never).armor();
      await post(KEYS, 'gpg-keys', { namespace: 'acme', 'ascii-armor': ascii });
    },
  },
  'keys that may not be read': {
    code: 6,
    said: "you don't have permission",
    prepare: (setting) => refuse(setting, /\/gpg-keys$/, 403),
  },
  'a service without keys': {
    code: 5,
    said: "this service can't hold signing keys",
    prepare: (setting) => refuse(setting, /\/gpg-keys$/, 404),
  },
  'a private registry that is turned off': {
    code: 6,
    said: 'curation',
    prepare: (setting) => refuse(setting, /\/registry-providers\/private\/acme\/billing$/, 403),
  },
  'a version that may not be read': {
    code: 6,
    said: "you don't have permission",
    async prepare(setting) {
      await withVersion(setting);
      refuse(setting, /\/versions\/1\.2\.0$/, 403);
    },
  },
  'a token that is not known': {
    code: 4,
    said: 'token',
    prepare: (setting) => refuse(setting, /./, 401),
  },
};

describe('refused before the first write', () => {
  test.each(Object.entries(REFUSALS))('%s', async (_name, { code, said, prepare }) => {
    const { home, env } = createPlace();
    const service = await startService({ token: TOKEN, keyIdOf: () => key.id });
    onTestFinished(() => service.stop());
    const release = await createRelease({ dir: join(home, 'dist'), key, platforms: ['linux_amd64'] });
    const post: Setting['post'] = async (path, type, attributes) => {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({ data: { type, attributes } }),
      });
      expect(response.status).toBe(201);
    };
    await prepare({ service, release, post });
    const before = service.calls.length;
    const ended = await orgctl(
      ['providers', 'publish', 'billing', '1.2.0', '--dir', 'dist', '--public-key', 'dist/key.asc'],
      { cwd: home, env: { ...env, ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: TOKEN } },
    );
    expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code, stdout: '' });
    expect(ended.stderr).toContain(said);
    const calls = service.calls.slice(before);
    expect(calls.length).toBeGreaterThan(0);
    expect({ writes: calls.filter(({ method }) => method !== 'GET'), puts: service.puts }).toEqual({
      writes: [],
      puts: [],
    });
  });
});
