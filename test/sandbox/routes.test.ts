import { expect, test } from 'vitest';
import { OPERATIONS, type Operation, type OperationName } from '../../src/old/service/operations.ts';
import { ROUTES } from '../../src/sandbox/routes/index.ts';

/** Operations without a path: the caller has one, or a link of the service. */
const WITHOUT_PATH: readonly OperationName[] = ['download-file', 'generic', 'upload-file'];

/** Where operations lie that are beside the API. */
const PREFIXES: Partial<Record<OperationName, string>> = {
  'list-keys': '/api/registry/private/v2',
  'create-key': '/api/registry/private/v2',
  'list-installable-versions': '/api/registry/v1/providers',
  'find-package': '/api/registry/v1/providers',
  'list-public-versions': '/api/registry/public/v1',
};

/** Routes that no operation asks for, and the kind of client that does. */
const FOREIGN: Readonly<Record<string, 'libraries' | 'infrastructure as code' | 'tools of the operator'>> = {
  'PATCH /organizations/:/token-ttl-policies': 'infrastructure as code',
  'GET /organizations': 'libraries',
  'POST /organizations': 'infrastructure as code',
  'PATCH /organizations/:': 'infrastructure as code',
  'DELETE /organizations/:': 'infrastructure as code',
  'GET /organizations/:/stacks': 'infrastructure as code',
  'GET /admin/feature-sets': 'tools of the operator',
  'POST /admin/organizations/:/subscription': 'tools of the operator',
  'GET /registry-providers/:': 'libraries',
  'GET /api/registry/private/v2/gpg-keys/:/:': 'infrastructure as code',
  'PATCH /api/registry/private/v2/gpg-keys/:/:': 'infrastructure as code',
  'DELETE /api/registry/private/v2/gpg-keys/:/:': 'infrastructure as code',
  'POST /organizations/:/teams': 'infrastructure as code',
  'PATCH /teams/:': 'infrastructure as code',
  'DELETE /teams/:': 'infrastructure as code',
  'POST /teams/:/relationships/users': 'infrastructure as code',
  'DELETE /teams/:/relationships/users': 'infrastructure as code',
};

const toShape = (method: string, path: string): string => `${method} ${path.replaceAll(/:\w+/g, ':')}`;

const routes = ROUTES.map(({ method, path }) => toShape(method, path));

const asked = Object.entries<Operation>(OPERATIONS).flatMap(([name, { request }]) => {
  const { method, path } = request;
  const operation = name as OperationName;
  return path === undefined ? [] : [{ operation, shape: toShape(method, `${PREFIXES[operation] ?? ''}${path}`) }];
});

test('every operation of the service has a route', () => {
  expect(asked.filter(({ shape }) => !routes.includes(shape))).toEqual([]);
  const without = Object.entries<Operation>(OPERATIONS).filter(([, { request }]) => request.path === undefined);
  expect(without.map(([name]) => name).sort()).toEqual(WITHOUT_PATH);
});

test('every route that no operation asks for is there for foreign clients, and every other is not', () => {
  const used = new Set(asked.map(({ shape }) => shape));
  expect(routes.filter((route) => !used.has(route)).sort()).toEqual(Object.keys(FOREIGN).sort());
});
