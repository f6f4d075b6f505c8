import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';
import { ROOT } from '../support/shipped.ts';
import { transcript } from '../support/transcript.ts';

const INVENTORY = '/organizations/acme/registry-providers/private/acme/inventory';
const LOCK_FILES = `${ROOT}/test/fixtures/lock-files/`;
/** A key that the service has. */
const HASHICORP = '34365D9472D7468F';
const ALL_FILES = ['shasums-upload', 'shasums-sig-upload', 'linux_amd64'];

/** Adds a version of inventory; the files that are named are uploaded. */
async function addVersion(
  service: TestService,
  version: string,
  files: string[],
  platforms: string[],
  key = HASHICORP,
) {
  const create = async (path: string, type: string, attributes: object) => {
    const { body } = await service.ask('POST', INVENTORY + path, 'owner', { data: { type, attributes } });
    return (body as { data: { links: Record<string, string> } }).data.links;
  };
  const attributes = { version, 'key-id': key, protocols: ['5.0'] };
  const links = await create('/versions', 'registry-provider-versions', attributes);
  for (const platform of platforms) {
    const [os, arch] = platform.split('_');
    const file = { os, arch, shasum: 'a'.repeat(64), filename: `${platform}.zip` };
    const made = await create(`/versions/${version}/platforms`, 'registry-provider-version-platforms', file);
    links[platform] = made['provider-binary-upload'] ?? '';
  }
  for (const file of files) await fetch(links[file] ?? '', { method: 'PUT', body: file });
}

test('providers list takes several organizations, in a table at a terminal', () =>
  transcript(AT_TERMINAL)`
    $ providers list --org globex,acme,nope --registry private
    ORGANIZATION  PROVIDER                   ADDED        ID
    acme          private/acme/internal-dns  30 days ago  prov-acme-internal-dns
    acme          private/acme/inventory     30 days ago  prov-acme-inventory
    globex        private/globex/reactor     30 days ago  prov-globex-reactor
    ! orgctl: 1 of 3 organizations failed
    !   nope: you are not a member of nope
    = 10
  `);

describe('providers get', () => {
  test('shows one, and whether a private one can be used', async () => {
    const service = await startService();
    await transcript({ ...AT_TERMINAL, service, reads: true })`
      $ providers get hashicorp/aws
      Provider:      public/hashicorp/aws
      Organization:  acme
      Ready:         in the public registry
      Added:         30 days ago (2026-10-22 09:00 UTC)
      ID:            prov-hashicorp-aws
      > GET /organizations/acme/registry-providers/public/hashicorp/aws
      $ providers get inventory
      Provider:      private/acme/inventory
      Organization:  acme
      Ready:         no: it has no version
      Added:         30 days ago (2026-10-22 09:00 UTC)
      ID:            prov-acme-inventory
      > GET /organizations/acme/registry-providers/private/acme/inventory
      > GET /organizations/acme/registry-providers/private/acme/inventory/versions?page%5Bsize%5D=100
    `;
    await addVersion(service, '1.0.0', ALL_FILES, ['linux_amd64']);
    await addVersion(service, '1.1.0', [], []);
    await transcript({ service, reads: true })`
      $ providers show private/acme/inventory -o ndjson
      {"id":"prov-acme-inventory","type":"registry-providers","name":"inventory","namespace":"acme","registry-name":"private","created-at":"2026-10-22T09:00:00.000Z","updated-at":"2026-10-22T09:00:00.000Z","permissions":{"can-delete":true},"organization":{"id":"acme","type":"organizations"},"registry-provider-versions":[{"id":"provver-1","type":"registry-provider-versions"},{"id":"provver-2","type":"registry-provider-versions"}],"address":"private/acme/inventory","ready":true,"missing":[]}
      > GET /organizations/acme/registry-providers/private/acme/inventory
      > GET /organizations/acme/registry-providers/private/acme/inventory/versions?page%5Bsize%5D=100
      > GET /api/registry/private/v2/gpg-keys?filter%5Bnamespace%5D=acme&page%5Bsize%5D=100
      > GET /organizations/acme/registry-providers/private/acme/inventory/versions/1.1.0/platforms?page%5Bsize%5D=100
      > GET /organizations/acme/registry-providers/private/acme/inventory/versions/1.0.0/platforms?page%5Bsize%5D=100
    `;
  });

  test.each([
    [[], 'no: it has no key ABCDEF0123456789'],
    ['GET gpg-keys: 404', 'unknown'],
    ['GET gpg-keys: 403', 'unknown'],
  ])('says of a version whose key the organization does not have, with %j: %s', async (fault, ready) => {
    const service = await startService({ faults: [fault].flat() });
    await addVersion(service, '1.0.0', ALL_FILES, ['linux_amd64'], 'ABCDEF0123456789');
    const { stdout } = await service.run(['providers', 'get', 'inventory'], AT_TERMINAL);
    expect(stdout).toContain(`Ready:         ${ready}\n`);
  });
});

describe('providers versions', () => {
  test('asks the proxy for those of a public provider, newest first', () =>
    transcript({ ...AT_TERMINAL, reads: true })`
      $ providers versions hashicorp/aws
      VERSION  PROTOCOLS  PLATFORMS
      6.8.0    5.0        darwin_amd64, darwin_arm64, linux_amd64, linux_arm64
      6.7.0    5.0        darwin_amd64, darwin_arm64, linux_amd64, linux_arm64
      5.100.0  5.0        darwin_amd64, darwin_arm64, linux_amd64, linux_arm64
      5.99.1   5.0        darwin_amd64, darwin_arm64, linux_amd64, linux_arm64
      > GET /.well-known/terraform.json
      > GET /api/registry/public/v1/providers/hashicorp/aws/versions
      $ providers versions hashicorp/nope
      ! orgctl: can't list the public versions of hashicorp/nope: not found, or you don't have permission
      > GET /.well-known/terraform.json
      > GET /api/registry/public/v1/providers/hashicorp/nope/versions
      = 5
    `);

  test.each([
    ['/elsewhere/v2/', '/elsewhere/v2/providers/hashicorp/aws/versions'],
    ['https://other.example/v2/', '/api/registry/public/v1/providers/hashicorp/aws/versions'],
  ])('takes the prefix %s of the discovery document if it is of the same origin', async (prefix, path) => {
    const discovery = { 'public-providers.v1': prefix };
    const { run, requests } = await startService({
      alter: (_, { url }) =>
        Response.json(url.endsWith('terraform.json') ? discovery : { versions: [{ version: '1.0.0' }] }),
    });
    expect((await run(['providers', 'versions', 'hashicorp/aws', '--fields', 'version'])).stdout).toBe('1.0.0\n');
    expect(requests.map((request) => request.path)).toEqual(['/.well-known/terraform.json', path]);
    expect(requests.every(({ headers }) => headers.get('accept') === 'application/json')).toBe(true);
  });

  test('says what a private provider lacks, and shows no secret address', async () => {
    const service = await startService();
    await transcript({ service })`
      $ providers versions inventory
      ! private/acme/inventory can't be used yet: it has no version
    `;
    await addVersion(service, '1.9.0', ALL_FILES, ['linux_amd64']);
    await addVersion(service, '1.10.0', ['shasums-upload'], ['linux_amd64', 'darwin_arm64']);
    await addVersion(service, '1.10.0-rc1', [], []);
    await transcript({ service })`
      $ providers versions inventory
      1.10.0\t5.0\tlinux_amd64,darwin_arm64
      1.10.0-rc1\t5.0\t
      1.9.0\t5.0\tlinux_amd64
      ! private/acme/inventory@1.10.0 can't be used yet: it has no signature, no file of linux_amd64, no file of darwin_arm64
      ! private/acme/inventory@1.10.0-rc1 can't be used yet: it has no SHA256SUMS, no signature, no platform
      $ providers versions inventory -q -o ndjson --fields version,ready,missing
      {"version":"1.10.0","ready":false,"missing":["signature","file of linux_amd64","file of darwin_arm64"]}
      {"version":"1.10.0-rc1","ready":false,"missing":["SHA256SUMS","signature","platform"]}
      {"version":"1.9.0","ready":true,"missing":[]}
    `;
    const { stdout, stderr } = await service.run(['providers', 'versions', 'inventory', '--debug', '-o', 'json']);
    expect(stderr).toContain('"shasums-upload":"[removed]"');
    expect(stdout + stderr).not.toContain('/object/');
  });
});

describe('providers create', () => {
  test('creates what is missing, and leaves what is there', () =>
    transcript()`
      $ providers create hashicorp/google billing hashicorp/AWS acme/billing --dry-run
      planned\tpublic/hashicorp/google\t\t\t
      planned\tprivate/acme/billing\t\t\t
      unchanged\tpublic/hashicorp/AWS\tprov-hashicorp-aws\t\t
      $ providers create hashicorp/google billing hashicorp/AWS acme/billing
      created\tpublic/hashicorp/google\tprov-1\t\t
      created\tprivate/acme/billing\tprov-2\t\t
      unchanged\tpublic/hashicorp/AWS\tprov-hashicorp-aws\t\t
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"google","namespace":"hashicorp","registry-name":"public"}}}
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"billing","namespace":"acme","registry-name":"private"}}}
    `);

  test('says it in sentences at a terminal, in several organizations', () =>
    transcript(AT_TERMINAL)`
      $ providers create hashicorp/google --dry-run
      ! Would create public/hashicorp/google in acme
      $ providers create hashicorp/google hashicorp/aws
      ! ✓ Created public/hashicorp/google in acme
      ! = public/hashicorp/aws is already in acme
      ! 2 providers: 1 created, 1 unchanged
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"google","namespace":"hashicorp","registry-name":"public"}}}
      $ providers create hashicorp/null --org acme,globex,initech
      ! ✓ Created public/hashicorp/null in acme
      ! ✓ Created public/hashicorp/null in globex
      ! 3 providers: 2 created, 1 failed
      ! orgctl: 1 of 3 failed
      !   public/hashicorp/null in initech: public provider curation is disabled in initech
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"null","namespace":"hashicorp","registry-name":"public"}}}
      > POST /organizations/globex/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"null","namespace":"hashicorp","registry-name":"public"}}}
      > POST /organizations/initech/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"null","namespace":"hashicorp","registry-name":"public"}}}
      = 10
    `);
});

describe('providers delete', () => {
  test('deletes nothing off a terminal unless all of it is there, named in full and confirmed', () =>
    transcript()`
      $ providers delete hashicorp/aws --yes
      ! orgctl: 'hashicorp/aws' is not a full address
      !   → Did you mean public/hashicorp/aws?
      = 2, nothing sent
      $ providers delete public/hashicorp/aws private/acme/inventory
      ! orgctl: this needs a confirmation: Delete these 2 providers?
      !   public/hashicorp/aws from acme
      !   private/acme/inventory and its versions from acme
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
      $ providers delete public/hashicorp/aws private/acme/inventory --dry-run
      planned\tpublic/hashicorp/aws\tprov-hashicorp-aws\t\t
      planned\tprivate/acme/inventory\tprov-acme-inventory\t\t
      $ providers delete public/hashicorp/aws private/acme/inventory --yes
      deleted\tpublic/hashicorp/aws\tprov-hashicorp-aws\t\t
      deleted\tprivate/acme/inventory\tprov-acme-inventory\t\t
      > DELETE /organizations/acme/registry-providers/public/hashicorp/aws
      > DELETE /organizations/acme/registry-providers/private/acme/inventory
      $ providers delete public/hashicorp/aws public/hashicorp/random --yes
      ! orgctl: acme has no public/hashicorp/aws
      !   → orgctl providers list shows what is there.
      = 5
      $ providers rm public/hashicorp/aws public/HashiCorp/AWS public/hashicorp/random --yes --ignore-missing
      unchanged\tpublic/HashiCorp/AWS\t\t\t
      deleted\tpublic/hashicorp/random\tprov-hashicorp-random\t\t
      > DELETE /organizations/acme/registry-providers/public/hashicorp/random
    `);

  test('deletes versions and platforms of private providers', async () => {
    const service = await startService();
    await addVersion(service, '1.0.0', [], ['linux_amd64', 'darwin_arm64']);
    await transcript({ service })`
      $ providers delete private/acme/inventory@1.0.0/windows_amd64 --yes
      ! orgctl: acme has no private/acme/inventory@1.0.0/windows_amd64
      !   → orgctl providers versions private/acme/inventory shows what is there.
      = 5
      $ providers delete private/acme/inventory@1.0.0/linux_amd64 --yes --fields result,address
      deleted\tprivate/acme/inventory@1.0.0/linux_amd64
      > DELETE /organizations/acme/registry-providers/private/acme/inventory/versions/1.0.0/platforms/linux/amd64
      $ providers delete private/acme/inventory@v1.0.0 --yes --fields result,address
      deleted\tprivate/acme/inventory@1.0.0
      > DELETE /organizations/acme/registry-providers/private/acme/inventory/versions/1.0.0
    `;
  });

  test('one of several organizations that lacks it fails, and the others go on', () =>
    transcript()`
      $ providers delete public/hashicorp/aws public/hashicorp/google --org acme,globex --yes
      ! orgctl: 2 of 2 organizations failed
      !   acme: acme has no public/hashicorp/google
      !   globex: globex has no public/hashicorp/aws
      = 5
      $ providers delete public/hashicorp/aws --org acme,globex --yes
      acme\tdeleted\tpublic/hashicorp/aws\tprov-hashicorp-aws\t\t
      ! orgctl: 1 organization failed
      !   globex: globex has no public/hashicorp/aws
      !   → orgctl providers list --org acme,globex shows what is there.
      > DELETE /organizations/acme/registry-providers/public/hashicorp/aws
      = 10
    `);
});

describe('providers check', () => {
  const files = Object.fromEntries(
    ['listed', 'windows', 'tofu'].map((name) => [name, readFileSync(`${LOCK_FILES}${name}.hcl`, 'utf8')]),
  );
  test('ends with 13 if the organization does not list what lock files use', () =>
    transcript({ files: { ...files, other: '{}' } })`
      $ providers check listed windows tofu listed
      public/hashicorp/aws\tlisted\tlisted
      public/hashicorp/google\tnot-listed\twindows
      public/hashicorp/random\tlisted\tlisted
      registry.opentofu.org/hashicorp/aws\tnot-listed\ttofu
      registry.opentofu.org/integrations/github\tnot-listed\ttofu
      ! orgctl: acme doesn't list 3 of 5 providers
      !   public/hashicorp/google (windows)
      !   registry.opentofu.org/hashicorp/aws (tofu)
      !   registry.opentofu.org/integrations/github (tofu)
      !   → Add them: orgctl providers create public/hashicorp/google
      = 13
      $ ORGCTL_TOKEN= providers check listed other
      ! orgctl: other is not a lock file: line 1
      !   → It should be a .terraform.lock.hcl, as terraform init writes it.
      = 2, nothing sent
    `);

  test('knows private providers by the host of the service', async () => {
    const service = await startService();
    const { host } = new URL(service.url);
    const lock = `provider "${host}/acme/inventory" {\n}\nprovider "${host}/globex/inventory" {\n}\n`;
    await transcript({ service, files: { lock } })`
      $ providers check - < lock
      private/acme/inventory\tlisted\tstdin
      private/globex/inventory\tnot-listed\tstdin
      ! orgctl: acme doesn't list 1 of 2 providers
      !   private/globex/inventory (stdin)
      = 13
    `;
  });
});

test('says what a refusal means, in the words of the service', () =>
  transcript()`
    $ providers create hashicorp/aws --org initech
    failed\tpublic/hashicorp/aws\t\tforbidden\tpublic provider curation is disabled in initech
    ! orgctl: public provider curation is disabled in initech
    > POST /organizations/initech/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"aws","namespace":"hashicorp","registry-name":"public"}}}
    = 6
    $ providers get hashicorp/aws --org initech
    ! orgctl: public provider curation is disabled in initech
    = 6
    $ providers get hashicorp/none
    ! orgctl: can't show public/hashicorp/none of acme: not found (you are an owner of acme)
    = 5
    $ AS=member providers create hashicorp/null --fields result
    failed
    ! orgctl: you don't have permission to add providers to acme
    !   Owners, the owners team token and people with Manage Private Registry can.
    > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"null","namespace":"hashicorp","registry-name":"public"}}}
    = 5
    $ AS=member providers delete public/hashicorp/aws --yes --fields result
    failed
    ! orgctl: can't delete public/hashicorp/aws from acme: not found, or you don't have permission
    !   Owners, the owners team token and people with Manage Private Registry can.
    > DELETE /organizations/acme/registry-providers/public/hashicorp/aws
    = 5
  `);

test('says that curation is disabled when it deletes', async () => {
  const errors = [{ status: '403', title: 'refused', detail: 'Curation of public providers is disabled' }];
  const alter = (answer: Response, { method }: Request) =>
    method === 'DELETE' ? Response.json({ errors }, { status: 403 }) : answer;
  await transcript({ service: { alter } })`
    $ providers delete public/hashicorp/aws --yes --fields result
    failed
    ! orgctl: public provider curation is disabled in acme
    > DELETE /organizations/acme/registry-providers/public/hashicorp/aws
    = 6
  `;
});

test.each([
  ['create public/hashicorp/null', 'POST', 'created'],
  ['delete public/hashicorp/aws --yes', 'DELETE', 'deleted'],
  ['delete private/acme/inventory@1.0.0 --yes', 'DELETE', 'deleted'],
  ['delete private/acme/inventory@1.0.0/linux_amd64 --yes', 'DELETE', 'deleted'],
])('looks after an unclear end: %s', async (argv, method, result) => {
  const outcomes = ['reset-after-commit', 'reset-before'].map(async (action) => {
    const service = await startService({ faults: [`${method} registry-providers: nth=1 ${action}`] });
    await addVersion(service, '1.0.0', [], ['linux_amd64']);
    const { code, stdout } = await service.run(['providers', ...argv.split(' '), '--fields', 'result']);
    // A request that is reset before it arrives is not among them.
    return [code, stdout, service.requests.filter((request) => request.method === method).length];
  });
  expect(await Promise.all(outcomes)).toEqual([
    [0, `${result}\n`, 1],
    [9, 'failed\n', 0],
  ]);
});
