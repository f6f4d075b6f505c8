import { describe, expect, test } from 'vitest';
import type { Json } from '../support/demo.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

interface Document {
  readonly data: unknown;
  readonly included?: readonly Json[];
  readonly meta?: Json;
}

/** Answers changed by the end of their path; undefined for a service without the route. */
function having(
  changes: Readonly<Record<string, ((document: Document, url: URL) => object) | undefined>>,
): ServiceOptions {
  return {
    async alter(answer, request) {
      const url = new URL(request.url);
      const name = Object.keys(changes).find((path) => url.pathname.endsWith(path));
      if (name === undefined) return answer;
      const change = changes[name];
      if (change === undefined)
        return Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404 });
      const document = answer.ok ? ((await answer.json()) as Document) : { data: null };
      return Response.json(change(document, url), { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  };
}

const WITHOUT = { '/subscription': undefined, '/entitlement-set': undefined };
const toOrganization = (attributes: Json) => () => ({ data: { id: 'acme', type: 'organizations', attributes } });
const withCounts = (counts: Json) => (document: Document) => ({ ...document, meta: { ...document.meta, ...counts } });

describe('feature-sets current', () => {
  test('shows the plan, its users and its limit', () =>
    transcript()`
      $ feature-sets current
      acme\tStandard\t5\t1\t0\t6\t\t\ttrue
      $ --org initech feature-sets current -o table
      Organization:   initech
      Plan:           Free ($0.00)
      Users:          5 (1 invited), limit 5, none left
      Audit logging:  no
      ID:             fs-free
    `);

  test('is marked in the list, with its price, also where the table has no room', async () => {
    const service = await startService();
    const argv = ['feature-sets', 'list', '--org', 'acme', '-o', 'table'];
    const { stdout } = await service.run(argv, { env: { COLUMNS: '40' } });
    expect(stdout).toMatch(/^PLAN: Standard\nPRICE: \$0\.00\nUSERS: no limit\n.*\nCURRENT: current\nID: fs-/m);
  });

  test('has every attribute of the plan, and the entitlements, in json', async () => {
    const service = await startService();
    const query =
      '{p: "policy-limit", from: "plan-from", e: entitlements."user-limit", left: left, of: organization.id}';
    const { stdout } = await service.run(['--org', 'initech', 'feature-sets', 'current', '--query', query]);
    expect(JSON.parse(stdout)).toEqual({ p: 5, from: 'subscription', e: 5, left: 0, of: 'initech' });
  });

  test.each<[string, ServiceOptions, string]>([
    [
      'the subscription, also where it names a plan that is not offered',
      having({
        '/subscription': () => ({
          data: {
            id: 'sub-1',
            type: 'subscriptions',
            relationships: { 'feature-set': { data: { id: 'fs-x', type: 'feature-sets' } } },
          },
          included: [{ id: 'fs-x', type: 'feature-sets', attributes: { name: 'Old', 'user-limit': 9.0 } }],
        }),
        '/entitlement-set': undefined,
      }),
      'acme\tOld\t5\t1\t0\t6\t9\t3\t\n',
    ],
    [
      "the organization's plan",
      having({ ...WITHOUT, '/organizations/acme': toOrganization({ 'plan-identifier': 'plus' }) }),
      'acme\tPlus\t5\t1\t0\t6\t\t\ttrue\n',
    ],
    [
      'the one that is current, of several with that identifier',
      having({ ...WITHOUT, '/organizations/acme': toOrganization({ 'plan-identifier': 'standard' }) }),
      'acme\tStandard\t5\t1\t0\t6\t\t\ttrue\n',
    ],
    [
      'its identifier, where no plan has it',
      having({ ...WITHOUT, '/organizations/acme': toOrganization({ 'plan-identifier': 'custom' }) }),
      'acme\tcustom\t5\t1\t0\t6\t\t\t\n',
    ],
    [
      'the only current one',
      having({ ...WITHOUT, '/organizations/acme': undefined }),
      'acme\tStandard\t5\t1\t0\t6\t\t\ttrue\n',
    ],
    [
      'nothing, where two are current',
      having({
        ...WITHOUT,
        '/organizations/acme': undefined,
        '/feature-sets': (document) => ({
          ...document,
          data: (document.data as { attributes: Json }[]).map((one) => ({
            ...one,
            attributes: { ...one.attributes, 'is-current': true },
          })),
        }),
      }),
      'acme\t\t5\t1\t0\t6\t\t\t\n',
    ],
  ])('takes as the plan %s', async (_title, options, stdout) => {
    const service = await startService(options);
    expect(await service.run(['feature-sets', 'current'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('says what is unknown', () =>
    transcript({
      service: having({ ...WITHOUT, '/organizations/acme': undefined, '/feature-sets': () => ({ data: [] }) }),
    })`
      $ feature-sets current -o table
      Organization:   acme
      Plan:           unknown
      Users:          6 (1 invited), limit unknown
      Audit logging:  unknown
    `);

  test('goes by the limit of the entitlements before that of the plan', () =>
    transcript({
      service: having({
        '/entitlement-set': () => ({
          data: { id: 'org-1', type: 'entitlement-sets', attributes: { 'user-limit': 10 } },
        }),
      }),
    })`
      $ feature-sets current --fields limit,left,user-limit
      10\t4\t
    `);

  test('counts who is inactive apart', () =>
    transcript({
      service: having({
        '/organization-memberships': withCounts({ 'status-counts': { total: 15, active: 10, invited: 2 } }),
        '/subscription': (document) => document,
        '/entitlement-set': () => ({
          data: { id: 'org-1', type: 'entitlement-sets', attributes: { 'user-limit': 20, 'audit-logging': 'odd' } },
        }),
      }),
    })`
      $ feature-sets current -o table --fields active,invited,inactive,used,left
      active:    10
      invited:   2
      inactive:  3
      used:      12
      left:      8
      $ feature-sets current -o table
      Organization:   acme
      Plan:           Standard ($0.00)
      Users:          12 (2 invited, beside 3 inactive), limit 20, 8 left
      Audit logging:  unknown
      ID:             fs-standard
    `);

  test.each([
    ['gives no counts', { 'status-counts': null }],
    ['gives counts that can not be', { 'status-counts': { total: 1, active: 5, invited: 1 } }],
  ])('reads everyone where the service %s', async (_title, meta) => {
    const service = await startService(having({ '/organization-memberships': withCounts(meta) }));
    const { stdout } = await service.run(['feature-sets', 'current', '--fields', 'active,invited,inactive,used']);
    expect(stdout).toBe('5\t1\t0\t6\n');
  });

  test('is a row for each of several organizations, also for one that fails', () =>
    transcript()`
      $ feature-sets current --all-orgs -o table
      ORGANIZATION  PLAN      USERS  INVITED  LIMIT  LEFT  STATUS  ID
      acme          Standard      6        1   none        ok      fs-standard
      globex        Plus          9        1   none        ok      fs-plus
      initech       Free          5        1      5     0  ok      fs-free
      $ feature-sets current --orgs acme,nope --fields organization.id,name,status,error.code,error.message
      acme\tStandard\tok\t\t
      nope\t\tfailed\tnot-found\tyou are not a member of nope
      ! orgctl: 1 of 2 organizations failed
      !   you are not a member of nope
      !   Unknown: whether an organization named nope exists. Your organizations: acme, globex, initech.
      = 10
    `);
});
