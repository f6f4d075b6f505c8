import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/old/stdout/formats/index.ts';
import { run } from '../support/run.ts';
import { answer, reset, startScripted, type Turn } from '../support/scripted.ts';
import { startService } from '../support/service.ts';

const USUAL = '/api/registry/public/v1/providers/hashicorp/aws/versions';
const DISCOVERY = '/.well-known/terraform.json';
const VERSIONS = {
  versions: [
    { version: '5.9.0', protocols: ['5.0'], extra: true },
    { version: '5.10.0-beta1' },
    { version: '5.10.0', protocols: ['5.0', '6.0'] },
  ],
};

/** A service whose discovery document is this. */
async function versionsWith(discovery: Turn, argv: readonly string[] = []) {
  const server = await startScripted([discovery, answer(200, VERSIONS, { 'content-type': 'application/json' })]);
  const env = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'a-token-of-tests' };
  const result = await run(['providers', 'versions', 'hashicorp/aws', ...argv], { env });
  return { result, server, targets: server.requests.map(({ target }) => target) };
}

describe('the versions of a public provider', () => {
  test('newest first, pre-releases behind their release, nothing left out', async () => {
    const { result, server } = await versionsWith(answer(404), ['-o', 'json']);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual([VERSIONS.versions[2], VERSIONS.versions[1], VERSIONS.versions[0]]);
    expect(server.requests.map(({ headers }) => [headers.get('accept'), headers.get('authorization')])).toEqual([
      ['application/json', 'Bearer a-token-of-tests'],
      ['application/json', 'Bearer a-token-of-tests'],
    ]);
  });

  test.each(FORMAT_NAMES)('in %s', async (format) => {
    const service = await startService();
    const result = await service.run(['providers', 'versions', 'hashicorp/aws', '-o', format]);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    const found = [...result.stdout.matchAll(/\b(\d+\.\d{1,3}\.\d)\b/g)].map(([, version]) => version);
    expect(found).toEqual(['6.8.0', '6.7.0', '5.100.0', '5.99.1']);
  });

  test.each(['hashicorp/aws', 'public/hashicorp/aws', 'registry.terraform.io/hashicorp/aws'])(
    '%s needs no organization',
    async (address) => {
      const service = await startService();
      const result = await service.run(['providers', 'versions', address], { env: { ORGCTL_ORG: undefined } });
      expect(result.stdout.split('\n')[0]).toBe('6.8.0\t5.0\tdarwin/arm64,linux/amd64,linux/arm64,windows/amd64');
    },
  );

  test('one the registry does not have: exit 5, with what that can mean', async () => {
    const service = await startService();
    const result = await service.run(['providers', 'versions', 'hashicorp/nope']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 5, stdout: '' });
    expect(result.stderr).toContain(
      "orgctl: can't list the versions of hashicorp/nope in the public registry: not found, or no permission\n",
    );
  });

  test('an answer without versions is not the registry: exit 9', async () => {
    const server = await startScripted(answer(200, { data: [] }));
    const env = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'a-token-of-tests' };
    const result = await run(['providers', 'versions', 'hashicorp/aws'], { env });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 9, stdout: '' });
  });
});

describe('where the registry is', () => {
  const json = (document: object): Turn => answer(200, document, { 'content-type': 'application/json' });

  test.each<[what: string, discovery: Turn]>([
    ['there is no discovery document', answer(404)],
    ['the document cannot be read', answer(200, '<html></html>', { 'content-type': 'text/html' })],
    ['it breaks off', reset],
    ['the document does not say', json({ 'providers.v1': '/api/registry/v1/providers/', 'tfe.v2': '/api/v2/' })],
    ['it says nothing usable', json({ 'public-providers.v1': { at: '/x' } })],
    ['it says where other things are', json({ 'public-modules.v1': '/modules/', 'public-providers.v2': '/v2/' })],
  ])('%s: the usual place', async (_what, discovery) => {
    const { result, targets } = await versionsWith(discovery);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(targets).toEqual([DISCOVERY, USUAL]);
  });

  test('the document says so under public-providers.v1', async () => {
    const { result, targets } = await versionsWith(json({ 'public-providers.v1': '/elsewhere/v1/' }));
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(targets).toEqual([DISCOVERY, '/elsewhere/v1/providers/hashicorp/aws/versions']);
  });

  test('another origin gets no token, and no request', async () => {
    const other = await startScripted(answer(200, VERSIONS));
    const { result, targets } = await versionsWith(json({ 'public-providers.v1': `${other.origin}/v1/` }));
    expect(result.code).toBe(0);
    expect(result.stderr).toContain(`names ${other.origin} for the public registry, where your token doesn't belong`);
    expect(targets).toEqual([DISCOVERY, USUAL]);
    expect(other.connections()).toBe(0);
  });
});

describe('a private provider', () => {
  test.each(['inventory', 'acme/inventory', 'private/acme/inventory'])('%s', async (address) => {
    const service = await startService();
    const result = await service.run(['providers', 'versions', address], {
      tty: { stdout: true, stderr: true },
      env: { NO_COLOR: '1' },
    });
    expect(result).toEqual({ code: 0, stdout: '', stderr: "No versions yet. Terraform can't install it.\n" });
  });

  test('where no organization is named', async () => {
    const service = await startService();
    const result = await service.run(['providers', 'versions', 'inventory'], { env: { ORGCTL_ORG: undefined } });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain('inventory is a private provider');
  });
});
