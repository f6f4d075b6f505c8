import { describe, expect, test } from 'vitest';
import { ask, type Json, openTestSandbox, PROVIDERS, toInvalid, toProvider } from './harness.ts';

const addresses = (body: Json): string[] =>
  body.data.map(({ attributes }: Json) => `${attributes['registry-name']}/${attributes.namespace}/${attributes.name}`);

const ALL = [
  'public/hashicorp/aws',
  'public/hashicorp/random',
  'public/integrations/github',
  'private/acme/internal-dns',
  'private/acme/inventory',
];

test.each([
  ['', ALL],
  ['q=HASHI', ALL.slice(0, 2)],
  ['q=git', [ALL[2]]],
  ['q=in', ALL.slice(2)],
  ['q=_', []],
  ['filter%5Bregistry_name%5D=private', ALL.slice(3)],
  ['filter[registry_name]=public&q=o', ALL.slice(0, 3)],
  ['filter%5Bregistry_name%5D=other', []],
  ['filter%5Borganization_name%5D=acme', ALL],
  ['filter%5Borganization_name%5D=ACME', ALL],
  ['filter%5Borganization_name%5D=globex', []],
  ['filter%5Bname%5D=aws', ALL],
])('list ?%s', async (query, expected) => {
  const { body } = await ask(openTestSandbox(), 'GET', `${PROVIDERS}?${query}`);
  expect(addresses(body).sort()).toEqual([...expected].sort());
  expect(body.meta.pagination['total-count']).toBe(expected.length);
});

test('pages join into the list', async () => {
  const sandbox = openTestSandbox();
  const pages = [1, 2, 3, 4].map((number) =>
    ask(sandbox, 'GET', `${PROVIDERS}?page%5Bsize%5D=2&page%5Bnumber%5D=${number}`),
  );
  const bodies = (await Promise.all(pages)).map(({ body }) => body);
  expect(bodies.flatMap(addresses)).toEqual(ALL);
  expect(bodies.map((body) => body.meta.pagination['next-page'])).toEqual([2, 3, null, null]);
});

describe('creating', () => {
  test.each([
    ['private', 'acme', 'new', { 'registry-provider-versions': { data: [] } }],
    ['public', 'HashiCorp', 'nül~l', {}],
  ])(
    '%s/%s/%s answers with the whole provider, which can be got and deleted',
    async (registry, namespace, name, more) => {
      const sandbox = openTestSandbox();
      const created = await ask(sandbox, 'POST', PROVIDERS, { body: toProvider(registry, namespace, name) });
      const address = `${PROVIDERS}/${registry}/${namespace}/${encodeURIComponent(name)}`;
      expect([created.status, created.body]).toEqual([
        201,
        {
          data: {
            id: expect.stringMatching(/^prov-[A-Za-z0-9]{16}$/),
            type: 'registry-providers',
            attributes: {
              name,
              namespace,
              'registry-name': registry,
              'created-at': '2026-03-01T12:00:00.000Z',
              'updated-at': '2026-03-01T12:00:00.000Z',
              permissions: { 'can-delete': true },
            },
            relationships: { organization: { data: { id: 'acme', type: 'organizations' } }, ...more },
            links: { self: `/api/v2${address}` },
          },
        },
      ]);
      expect((await ask(sandbox, 'GET', address)).body).toEqual(created.body);
      expect(addresses((await ask(sandbox, 'GET', PROVIDERS)).body)).toContain(`${registry}/${namespace}/${name}`);
      const deleted = await ask(sandbox, 'DELETE', address);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect((await ask(sandbox, 'GET', address)).status).toBe(404);
      expect((await ask(sandbox, 'DELETE', address)).status).toBe(404);
    },
  );

  test('the answer shows whether the caller may delete it', async () => {
    const { body } = await ask(openTestSandbox(), 'GET', `${PROVIDERS}/public/hashicorp/aws`, { as: 'member' });
    expect(body.data.attributes.permissions).toEqual({ 'can-delete': false });
  });

  test('case is kept and counts', async () => {
    const sandbox = openTestSandbox();
    expect((await ask(sandbox, 'POST', PROVIDERS, { body: toProvider('public', 'hashicorp', 'AWS') })).status).toBe(
      201,
    );
    expect((await ask(sandbox, 'GET', `${PROVIDERS}/public/HASHICORP/aws`)).status).toBe(404);
    expect((await ask(sandbox, 'GET', `${PROVIDERS}/Public/hashicorp/aws`)).status).toBe(404);
  });

  const NAME = 'attributes/name';
  const NAMESPACE = 'attributes/namespace';
  const REGISTRY = 'attributes/registry-name';
  test.each([
    ['duplicate', toProvider('public', 'hashicorp', 'aws'), [['Name has already been taken', NAME]]],
    [
      'another namespace',
      toProvider('private', 'globex', 'x'),
      [['Namespace of a private provider must be acme', NAMESPACE]],
    ],
    ['unknown registry', toProvider('secret', 'acme', 'x'), [['Registry name is not included in the list', REGISTRY]]],
    [
      'no registry',
      { data: { type: 'registry-providers', attributes: { name: 'x', namespace: 'acme' } } },
      [
        ["Registry name can't be blank", REGISTRY],
        ['Registry name is not included in the list', REGISTRY],
      ],
    ],
    ['blank name', toProvider('private', 'acme', ''), [["Name can't be blank", NAME]]],
    [
      'slash',
      toProvider('public', 'a/b', 'x y'),
      [
        ['Name is invalid', NAME],
        ['Namespace is invalid', NAMESPACE],
      ],
    ],
    [
      'wrong type',
      { data: { ...toProvider('public', 'a', 'b').data, type: 'providers' } },
      [['Type must be registry-providers', 'type']],
    ],
    [
      'nothing',
      {},
      [
        ['Type must be registry-providers', 'type'],
        ["Name can't be blank", NAME],
        ["Namespace can't be blank", NAMESPACE],
        ["Registry name can't be blank", REGISTRY],
        ['Registry name is not included in the list', REGISTRY],
      ],
    ],
  ] as [string, Json, [string, string][]][])('%s is 422', async (_name, body, flaws) => {
    const reply = await ask(openTestSandbox(), 'POST', PROVIDERS, { body });
    expect([reply.status, reply.body]).toEqual([422, toInvalid(...flaws)]);
  });

  test('disabled curation does not concern private providers', async () => {
    const sandbox = openTestSandbox();
    const path = '/organizations/initech/registry-providers';
    expect((await ask(sandbox, 'POST', path, { body: toProvider('private', 'initech', 'new') })).status).toBe(201);
    expect((await ask(sandbox, 'GET', `${path}/private/initech/new`)).status).toBe(200);
    expect(addresses((await ask(sandbox, 'GET', path)).body)).toEqual(['private/initech/tps', 'private/initech/new']);
  });
});
