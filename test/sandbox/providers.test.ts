import { describe, expect, test } from 'vitest';
import { createProvider, type Json, listFlaws, ORIGIN, openTestSandbox, PROVIDERS } from './harness.ts';

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
  const { body } = await openTestSandbox().ask('GET', `${PROVIDERS}?${query}`);
  expect(addresses(body).sort()).toEqual([...expected].sort());
  expect(body.meta.pagination['total-count']).toBe(expected.length);
});

test('pages join into the list', async () => {
  const sandbox = openTestSandbox();
  const pages = [1, 2, 3, 4].map((number) =>
    sandbox.ask('GET', `${PROVIDERS}?page%5Bsize%5D=2&page%5Bnumber%5D=${number}`),
  );
  const bodies = (await Promise.all(pages)).map(({ body }) => body);
  expect(bodies.flatMap(addresses)).toEqual(ALL);
  expect(bodies.map((body) => body.meta.pagination['next-page'])).toEqual([2, 3, null, null]);
  const link = (page: number) => `${ORIGIN}/api/v2${PROVIDERS}?page%5Bnumber%5D=${page}&page%5Bsize%5D=2`;
  expect(bodies[1].links).toEqual({ self: link(2), first: link(1), prev: link(1), next: link(3), last: link(3) });
});

describe('creating', () => {
  test('makes a provider with a name in any letters, which can be deleted once', async () => {
    const sandbox = openTestSandbox();
    const created = await sandbox.ask('POST', PROVIDERS, { body: createProvider('public', 'HashiCorp', 'nül~l') });
    const address = `${PROVIDERS}/public/HashiCorp/${encodeURIComponent('nül~l')}`;
    expect([created.status, created.body.data.links.self]).toEqual([201, `/api/v2${address}`]);
    expect((await sandbox.ask('GET', address)).body).toEqual(created.body);
    expect(addresses((await sandbox.ask('GET', PROVIDERS)).body)).toContain('public/HashiCorp/nül~l');
    const statuses = ['DELETE', 'GET', 'DELETE'].map((method) => sandbox.ask(method, address));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([204, 404, 404]);
  });

  test('the answer shows whether the caller may delete it', async () => {
    const { body } = await openTestSandbox().ask('GET', `${PROVIDERS}/public/hashicorp/aws`, { as: 'member' });
    expect(body.data.attributes.permissions).toEqual({ 'can-delete': false });
  });

  test('case is kept and counts', async () => {
    const sandbox = openTestSandbox();
    const body = createProvider('public', 'hashicorp', 'AWS');
    expect((await sandbox.ask('POST', PROVIDERS, { body })).status).toBe(201);
    expect((await sandbox.ask('GET', `${PROVIDERS}/public/HASHICORP/aws`)).status).toBe(404);
    expect((await sandbox.ask('GET', `${PROVIDERS}/Public/hashicorp/aws`)).status).toBe(404);
  });

  const NO_REGISTRY = { data: { type: 'registry-providers', attributes: { name: 'x', namespace: 'acme' } } };
  test.each<[string, Json, string]>([
    ['name', createProvider('public', 'hashicorp', 'aws'), 'Name has already been taken'],
    ['namespace', createProvider('private', 'globex', 'x'), 'Namespace of a private provider must be acme'],
    ['registry-name', createProvider('secret', 'acme', 'x'), 'Registry name is not included in the list'],
    ['registry-name', NO_REGISTRY, "Registry name can't be blank"],
    ['name', createProvider('private', 'acme', ''), "Name can't be blank"],
    ['name', createProvider('public', 'a', 'x y'), 'Name is invalid'],
  ])('422 for %s of %j', async (member, body, detail) => {
    const reply = await openTestSandbox().ask('POST', PROVIDERS, { body });
    expect([reply.status, reply.body]).toEqual([422, listFlaws([detail, `attributes/${member}`])]);
  });

  test('disabled curation does not concern private providers', async () => {
    const sandbox = openTestSandbox();
    const path = '/organizations/initech/registry-providers';
    expect((await sandbox.ask('POST', path, { body: createProvider('private', 'initech', 'new') })).status).toBe(201);
    expect((await sandbox.ask('GET', `${path}/private/initech/new`)).status).toBe(200);
    expect(addresses((await sandbox.ask('GET', path)).body)).toEqual(['private/initech/tps', 'private/initech/new']);
  });
});
