import { expect, test } from 'vitest';
import { ask, type Json, openTestSandbox } from './harness.ts';

const names = (body: Json): string[] => body.data.map((set: Json) => set.attributes.name);
const GLOBAL = ['Free', 'Trial', 'Standard', 'Standard', 'Plus', 'Premium'];

test.each([
  ['/feature-sets', GLOBAL],
  ['/organizations/acme/feature-sets', GLOBAL],
  ['/organizations/globex/feature-sets', GLOBAL.filter((name) => name !== 'Trial')],
])('%s without page parameters is everything, without members about pages', async (path, expected) => {
  const { body } = await ask(openTestSandbox(), 'GET', path);
  expect(names(body)).toEqual(expected);
  expect(Object.keys(body)).toEqual(['data']);
});

test.each([
  ['page%5Bnumber%5D=1', 6, [1, 20, null, null, 1, 6]],
  ['page%5Bsize%5D=4', 4, [1, 4, null, 2, 2, 6]],
  ['page%5Bsize%5D=4&page%5Bnumber%5D=2', 2, [2, 4, 1, null, 2, 6]],
  ['page%5Bsize%5D=4&page%5Bnumber%5D=3', 0, [3, 4, null, null, 2, 6]],
])('?%s', async (query, count, pagination) => {
  const sandbox = openTestSandbox();
  for (const path of ['/feature-sets', '/organizations/acme/feature-sets']) {
    const { body } = await ask(sandbox, 'GET', `${path}?${query}`);
    expect(body.data).toHaveLength(count);
    expect(Object.values(body.meta.pagination)).toEqual(pagination);
    expect(body.links.first).toContain(`/api/v2${path}?page%5Bnumber%5D=1&page%5Bsize%5D=`);
  }
});

test('the same set may be smaller for an organization', async () => {
  const sandbox = openTestSandbox();
  const all = (await ask(sandbox, 'GET', '/feature-sets')).body.data;
  const own = (await ask(sandbox, 'GET', '/organizations/acme/feature-sets')).body.data;
  expect(own.map((set: Json) => set.id)).toEqual(all.map((set: Json) => set.id));
  expect([all[0].attributes['policy-limit'], own[0].attributes['policy-limit']]).toEqual([null, 5]);
  expect(all[0]).toMatchObject({ type: 'feature-sets', id: expect.stringMatching(/^fs-[A-Za-z0-9]{16}$/) });
  expect(own.filter((set: Json) => set.attributes['is-current'])).toHaveLength(1);
});

test('an unknown organization is 404', async () => {
  expect((await ask(openTestSandbox(), 'GET', '/organizations/umbrella/feature-sets')).status).toBe(404);
});
