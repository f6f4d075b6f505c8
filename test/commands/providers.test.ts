import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

describe('how a provider is named', () => {
  const AWS = '/organizations/acme/registry-providers/public/hashicorp/aws';
  const INVENTORY = '/organizations/acme/registry-providers/private/acme/inventory';
  test.each([
    ['public/hashicorp/aws', AWS],
    ['PUBLIC/hashicorp/aws', AWS],
    ['hashicorp/aws', AWS],
    ['registry.terraform.io/hashicorp/aws', AWS],
    ['private/acme/inventory', INVENTORY],
    ['private/inventory', INVENTORY],
    ['acme/inventory', INVENTORY],
    ['inventory', INVENTORY],
  ])('%s', async (address, path) => {
    const service = await startService();
    const { code, stderr } = await service.run(`providers get ${address}`.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(service.requests.map((request) => request.path)).toEqual([`/api/v2${path}`]);
  });

  test('by the host of the service itself', async () => {
    const service = await startService();
    const result = await service.run(['providers', 'get', `${new URL(service.url).host}/acme/inventory`]);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(service.requests.map(({ path }) => path)).toEqual([`/api/v2${INVENTORY}`]);
  });
});

const POST = 'POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":';
const CURATION = "initech doesn't allow public providers";

describe('providers create', () => {
  test('says that a private one is of no use yet', () =>
    transcript()`
      $ providers create private/billing -o ndjson --fields result
      {"result":"created"}
      ! {"note":{"message":"private/acme/billing is listed now, and can't be used until you publish a version with a platform and its files."}}
      > ${POST}{"name":"billing","namespace":"acme","registry-name":"private"}}}
      $ providers create private/ledger --dry-run
      planned\tprivate/acme/ledger\t\t\t
      ! Would add private/acme/ledger to acme
      ! Nothing was sent.
    `);
});

describe('providers create: several at once', () => {
  test('one that is there already is left as it is', () =>
    transcript()`
      $ providers create hashicorp/aws -o ndjson --fields id,address,created-at,changed,result
      {"id":"prov-hashicorp-aws","address":"public/hashicorp/aws","created-at":"2026-10-22T09:00:00.000Z","changed":false,"result":"unchanged"}
    `);

  test('one named twice is made once', () =>
    transcript()`
      $ providers create hashicorp/null public/hashicorp/null --fields name,changed
      null\ttrue
      > ${POST}{"name":"null","namespace":"hashicorp","registry-name":"public"}}}
    `);

  test('mixed outcomes: exit 10, one error with the reasons', async () => {
    const service = await startService();
    const argv = 'providers create hashicorp/null tps billing --fields name,changed -o json';
    const { code, stdout, stderr } = await service.run(argv.split(' '), { org: 'initech' });
    expect({ code, rows: JSON.parse(stdout) }).toEqual({
      code: 10,
      rows: [
        { name: null, changed: false },
        { name: 'tps', changed: false },
        { name: 'billing', changed: true },
      ],
    });
    expect(stderr).toMatch(
      /"code":"incomplete","exit":10,"message":"1 of 3 failed","reasons":\["public\/hashicorp\/null: initech doesn't allow public providers"/,
    );
    expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });

  test('one reason for all: the exit of that reason', () =>
    transcript()`
      $ providers create hashicorp/null hashicorp/aws --org initech
      failed\tpublic/hashicorp/null\t\tforbidden\tpublic/hashicorp/null: ${CURATION}
      failed\tpublic/hashicorp/aws\t\tforbidden\tpublic/hashicorp/aws: ${CURATION}
      ! orgctl: 2 of 2 failed
      !   public/hashicorp/null: ${CURATION}
      !   public/hashicorp/aws: ${CURATION}
      !   → Ask the operator to enable public provider curation, or add it as a private one.
      = 6
    `);
});

test('providers delete: nothing is deleted while one of them cannot be found', () =>
  transcript()`
    $ providers delete private/acme/inventory private/acme/none --yes
    ! orgctl: acme has no provider private/acme/none
    !   Service: 404 not found (request request-1). Your token can list acme's providers, so permission is not the reason.
    !   → Check the registry, the namespace and the name.
    = 5
  `);
