import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JSON_API } from '../../src/api/types.ts';
import { isInstalled } from '../support/programs.ts';
import {
  computeSum,
  createRelease,
  createSigningKey,
  PLATFORMS,
  type Release,
  type SigningKey,
} from '../support/release.ts';
import { type Served, serve } from '../support/service.ts';
import { type Ended, orgctl, start } from '../support/shipped.ts';

/**
 * Terraform itself installs a private provider that orgctl published to the built sandbox. The provider only looks like
 * one: it is downloaded, verified and unpacked, and never run.
 */

const isThere = isInstalled('terraform', 'NO TEST ASKS IT TO INSTALL A PROVIDER');
const key = await createSigningKey();

describe.skipIf(!isThere)('terraform', () => {
  test('installs a provider over TLS, and locks it for three platforms', async () => {
    const served = await serve({ tls: true });
    const release = await publish(served);
    const origin = new URL(served.url).host.replace('127.0.0.1', 'localhost');
    const work = createWork(
      served,
      `credentials "${origin}" {\n  token = "sandbox.member"\n}\n`,
      `${origin}/acme/billing`,
    );
    expect(await work.run('init')).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(SIGNED(key)) });
    const platforms = PLATFORMS.map((platform) => `-platform=${platform}`);
    expect(await work.run('providers', 'lock', ...platforms)).toMatchObject({ code: 0, stderr: '' });
    const lock = work.read('.terraform.lock.hcl');
    for (const platform of PLATFORMS) expect(lock).toContain(`"zh:${sumOf(release, platform)}"`);
    expect(lock.match(/"h1:/g)).toHaveLength(PLATFORMS.length);
  });

  test('says so without a token, and where a file or the key is missing', async () => {
    const served = await serve();
    const release = await publish(served);
    await call(served, 'DELETE', `${KEYS}/acme/${key.id}`);
    const registry = new URL('/api/registry/v1/providers/', served.url).href;
    const host = `host "registry.example.com" {\n  services = { "providers.v1" = "${registry}" }\n}\n`;
    const credentials = 'credentials "registry.example.com" {\n  token = "sandbox.member"\n}\n';
    const init = async (settings: string): Promise<string> => {
      const { code, stderr } = await createWork(served, settings, 'registry.example.com/acme/billing').run('init');
      expect(code).toBe(1);
      return stderr.replaceAll(/\s+(?:│ )?/g, ' ');
    };
    expect(await init(host)).toContain('registry.example.com requires authentication credentials');
    expect(await init(host + credentials)).toContain('authentication signature from unknown issuer');
    await call(served, 'POST', KEYS, toKey(key));
    await call(served, 'DELETE', `${VERSIONS}/1.2.0/platforms/linux/amd64`);
    await call(served, 'POST', `${VERSIONS}/1.2.0/platforms`, toPlatform(release, 'linux_amd64'));
    expect(await init(host + credentials)).toContain('bad response code: 404');
  });
});

const SIGNED = ({ id }: SigningKey): string => `(self-signed, key ID ${id})`;
const KEYS = '/api/registry/private/v2/gpg-keys';
const VERSIONS = '/api/v2/organizations/acme/registry-providers/private/acme/billing/versions';

const toKey = ({ publicKey }: SigningKey) => ({
  data: { type: 'gpg-keys', attributes: { namespace: 'acme', 'ascii-armor': publicKey } },
});
const toPlatform = (release: Release, platform: string) => {
  const [os, arch] = platform.split('_');
  const attributes = { os, arch, shasum: sumOf(release, platform), filename: basename(release.zip(platform)) };
  return { data: { type: 'registry-provider-platforms', attributes } };
};
const sumOf = (release: Release, platform: string): string => computeSum(readFileSync(release.zip(platform)));

/** A release of acme/billing 1.2.0, published by orgctl. */
async function publish(served: Served): Promise<Release> {
  const release = await createRelease({ dir: join(served.home, 'dist'), key });
  const argv = ['--dir', release.dir, '--public-key', release.publicKey, '-o', 'json'];
  const { code, stdout, stderr } = await orgctl(['providers', 'publish', 'billing', '1.2.0', ...argv], {
    env: served.as('owner'),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ changed: true, result: 'published' });
  return release;
}

async function call(served: Served, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(new URL(path, served.url), {
    method,
    headers: { Authorization: 'Bearer sandbox.owner', 'Content-Type': JSON_API },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** A folder with a configuration that needs the provider, and with settings of its own. */
function createWork({ home, env, as }: Served, settings: string, source: string) {
  const file = as('owner').ORGCTL_CA_FILE;
  const folder = mkdtempSync(join(home, 'work-'));
  const settingsFile = join(folder, 'settings.tfrc');
  writeFileSync(settingsFile, settings);
  writeFileSync(
    join(folder, 'main.tf'),
    `terraform {\n  required_providers {\n    billing = { source = "${source}", version = "1.2.0" }\n  }\n}\n`,
  );
  return {
    run(...argv: string[]): Promise<Ended> {
      return start('terraform', [...argv, '-no-color'], {
        cwd: folder,
        env: {
          ...env,
          CHECKPOINT_DISABLE: '1',
          TF_CLI_CONFIG_FILE: settingsFile,
          ...(file && { SSL_CERT_FILE: file }),
        },
      }).ended;
    },
    read: (file: string): string => readFileSync(join(folder, file), 'utf8'),
  };
}
