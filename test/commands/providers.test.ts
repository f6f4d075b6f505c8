import { describe, expect, test } from 'vitest';
import { PROVIDERS, toJsonText, toProviderRecord, toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { failed, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';

async function run(argv: string, options: { readonly org?: string } = {}) {
  const service = await startService();
  const { plain } = await createNames(service.sandbox);
  const result = await service.run(argv.split(' '), options);
  const requests = toRequestLines(service.requests, { plain });
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) },
    requests,
    writes: requests.filter((request) => !request.startsWith('GET ')),
  };
}

const CURATION =
  'the service answered 403; forbidden: Curation of public providers is disabled; public provider curation is disabled for this organization';
const ENABLE = 'Ask who runs the service to enable public provider curation, or publish the provider as a private one.';

describe('how a provider is named', () => {
  const AWS = '/organizations/acme/registry-providers/public/hashicorp/aws';
  const INVENTORY = '/organizations/acme/registry-providers/private/acme/inventory';
  const FORMS = [
    ['public/hashicorp/aws', AWS],
    ['PUBLIC/hashicorp/aws', AWS],
    ['hashicorp/aws', AWS],
    ['registry.terraform.io/hashicorp/aws', AWS],
    ['--registry public --namespace hashicorp --name aws', AWS],
    ['--namespace hashicorp --name aws', AWS],
    ['private/acme/inventory', INVENTORY],
    ['private/inventory', INVENTORY],
    ['acme/inventory', INVENTORY],
    ['inventory', INVENTORY],
    ['--registry private --namespace acme --name inventory', INVENTORY],
    ['--registry private --name inventory', INVENTORY],
    ['--namespace acme --name inventory', INVENTORY],
    ['--name inventory', INVENTORY],
  ] as const;
  for (const [address, path] of FORMS) {
    test(address, async () => {
      const { result, requests } = await run(`providers get ${address}`);
      expect({ code: result.code, stderr: result.stderr, requests }).toEqual({
        code: 0,
        stderr: '',
        requests: [`GET ${path}`],
      });
    });
  }

  test('by the host of the service itself', async () => {
    const service = await startService();
    const result = await service.run(['providers', 'get', `${new URL(service.url).host}/acme/inventory`]);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(service.requests.map(({ path }) => path)).toEqual([`/api/v2${INVENTORY}`]);
  });
});

describe('providers create: several at once', () => {
  test('one that is there already is left as it is', async () => {
    const { result, writes } = await run('providers create hashicorp/aws -o json');
    const [aws] = PROVIDERS;
    if (aws === undefined) throw new Error('the demo has no providers');
    expect(result).toEqual({
      code: 0,
      stdout: toJsonText([
        { ...toProviderRecord(aws), address: 'public/hashicorp/aws', changed: false, result: 'unchanged' },
      ]),
      stderr: '',
    });
    expect(writes).toEqual([]);
  });

  test('one named twice is made once', async () => {
    const { result, writes } = await run('providers create hashicorp/null public/hashicorp/null --fields name,changed');
    expect(result).toEqual({ code: 0, stdout: 'null\ttrue\n', stderr: '' });
    expect(writes).toHaveLength(1);
  });

  test('mixed outcomes: exit 10, one error with the reasons', async () => {
    const { result, writes } = await run('providers create hashicorp/null tps billing --fields name,changed -o json', {
      org: 'initech',
    });
    expect(result).toEqual({
      code: 10,
      stdout: toJsonText([
        { name: null, changed: false },
        { name: 'tps', changed: false },
        { name: 'billing', changed: true },
      ]),
      stderr: expect.stringMatching(
        /"code":"incomplete","exit":10,"message":"1 of 3 failed","reasons":\["cannot create /,
      ),
    });
    expect(writes).toHaveLength(1);
  });

  test('one reason for all: the exit of that reason', async () => {
    const { result } = await run('providers create hashicorp/null hashicorp/aws', { org: 'initech' });
    expect(result).toEqual({
      code: 6,
      stdout: toText(
        `failed\tpublic/hashicorp/null\t\tforbidden\tcannot create provider public/hashicorp/null in initech: ${CURATION}`,
        `failed\tpublic/hashicorp/aws\t\tforbidden\tcannot create provider public/hashicorp/aws in initech: ${CURATION}`,
      ),
      stderr: toText(
        'orgctl: 2 of 2 failed',
        `  cannot create provider public/hashicorp/null in initech: ${CURATION}`,
        `  cannot create provider public/hashicorp/aws in initech: ${CURATION}`,
        `  → ${ENABLE}`,
      ),
    });
  });
});

describe('providers delete', () => {
  test('nothing is deleted while one of them cannot be found: exit 5', async () => {
    const { result, writes } = await run('providers delete private/acme/inventory private/acme/none --yes');
    expect(result).toEqual(
      failed(
        5,
        toText(
          'orgctl: cannot delete provider private/acme/none of acme: the service answered 404',
          '  not found',
          '  acme has no such provider: you are a member, and members can view all of them.',
          '  → Check the registry, the namespace and the name.',
          '  request request-1',
        ),
      ),
    );
    expect(writes).toEqual([]);
  });
});
