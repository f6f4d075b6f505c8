import { describe, expect, test } from 'vitest';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { startService, type TestService } from '../support/service.ts';

/** A service with nothing but what its document shows: every route outside it answers 404, and it does not say what it is. */
const startDocumentOnly = (): Promise<TestService> => startService({ documentOnly: true });

const SHOWN_ONCE = 'warning: the secret is shown this once; the service never gives it again\n';

interface Row {
  readonly operation: string;
  readonly argv: string;
  readonly prints: string;
  readonly says?: string;
  /** Below the base URL. Those outside the document come first, and are answered 404. */
  readonly requests: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    operation: 'GET /feature-sets',
    argv: 'feature-sets list --fields id,name',
    prints:
      'fs-free\tFree\nfs-trial\tTrial\nfs-standard\tStandard\nfs-standard-2\tStandard\nfs-plus\tPlus\nfs-premium\tPremium\n',
    requests: ['GET /feature-sets'],
  },
  {
    operation: 'GET /organizations/:organization_name/feature-sets',
    argv: 'feature-sets list --org globex --fields id',
    prints: 'fs-free\nfs-standard\nfs-standard-2\nfs-plus\nfs-premium\n',
    requests: ['GET /organizations/globex/feature-sets'],
  },
  {
    operation: 'POST /organizations/:organization_name/authentication-token?token=audit-trails',
    argv: 'audit-token generate --yes',
    prints: 'SECRET-1\n',
    says: SHOWN_ONCE,
    requests: [
      'GET /ping',
      'GET /organizations/acme/authentication-token?token=audit-trails',
      'POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{}}}',
    ],
  },
  {
    operation: 'DELETE /organizations/:organization_name/authentication-token?token=audit-trails',
    argv: 'audit-token delete --yes -o ndjson',
    // Nothing tells its id.
    prints: '{"type":"authentication-tokens","id":null,"changed":true}\n',
    requests: [
      'GET /ping',
      'GET /organizations/acme/authentication-token?token=audit-trails',
      'GET /organizations/acme/authentication-token?token=audit-trails',
      'DELETE /organizations/acme/authentication-token?token=audit-trails',
    ],
  },
  {
    operation: 'POST /organizations/:organization_name/organization-memberships',
    argv: 'members invite nina.new@example.com --team team-platform,team-audit',
    prints: 'invited\tnina.new@example.com\tacme\tou-1\t\t\t\t\n',
    requests: [
      'GET /organizations/acme/organization-memberships?filter%5Bemail%5D=nina.new%40example.com&include=user%2Cteams&page%5Bsize%5D=100',
      'POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"nina.new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"},{"type":"teams","id":"team-audit"}]}}}}',
    ],
  },
  {
    operation: 'GET /organizations/:organization_name/organization-memberships',
    argv: 'members list --status invited',
    prints: 'ou-ivan\tinvited\tivan.invitee@example.com\t\tplatform\n',
    requests: [
      'GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=invited&include=user%2Cteams&page%5Bsize%5D=100',
    ],
  },
  {
    operation: 'GET /organization-memberships',
    argv: 'members mine --fields id,organization.id,status',
    prints: 'ou-olive\tacme\tactive\nou-olive.globex\tglobex\tactive\nou-olive.initech\tinitech\tactive\n',
    requests: ['GET /organization-memberships'],
  },
  {
    operation: 'GET /organization-memberships/:organization_membership_id',
    argv: 'members show ou-ada',
    prints: 'ou-ada\tactive\tada.auditor@example.com\tada-auditor\taudit\n',
    requests: ['GET /organization-memberships/ou-ada?include=user%2Cteams'],
  },
  {
    operation: 'DELETE /organization-memberships/:organization_membership_id',
    argv: 'members remove ou-ada --yes',
    prints: 'removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t\n',
    says: 'removed ada.auditor@example.com (ou-ada, active) from acme\n',
    requests: ['GET /organization-memberships/ou-ada?include=user%2Cteams', 'DELETE /organization-memberships/ou-ada'],
  },
  {
    operation: 'GET /organizations/:organization_name/registry-providers',
    argv: 'providers list --registry private',
    prints:
      'prov-acme-internal-dns\tprivate\tacme\tinternal-dns\t2026-10-22T09:00:00.000Z\nprov-acme-inventory\tprivate\tacme\tinventory\t2026-10-22T09:00:00.000Z\n',
    requests: ['GET /organizations/acme/registry-providers?filter%5Bregistry_name%5D=private&page%5Bsize%5D=100'],
  },
  {
    operation: 'POST /organizations/:organization_name/registry-providers',
    argv: 'providers create public/hashicorp/null',
    prints: 'created\tpublic/hashicorp/null\tprov-1\t\t\n',
    requests: [
      'GET /organizations/acme/registry-providers/public/hashicorp/null',
      'POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"null","namespace":"hashicorp","registry-name":"public"}}}',
    ],
  },
  {
    operation: 'GET /organizations/:organization_name/registry-providers/:registry_name/:namespace/:name',
    argv: 'providers get private/acme/inventory',
    prints: 'prov-acme-inventory\tprivate\tacme\tinventory\t2026-10-22T09:00:00.000Z\n',
    requests: ['GET /organizations/acme/registry-providers/private/acme/inventory'],
  },
  {
    operation: 'DELETE /organizations/:organization_name/registry-providers/:registry_name/:namespace/:name',
    argv: 'providers delete private/acme/inventory --yes',
    prints: 'deleted\tprivate/acme/inventory\tprov-acme-inventory\t\t\n',
    requests: [
      'GET /organizations/acme/registry-providers/private/acme/inventory',
      'DELETE /organizations/acme/registry-providers/private/acme/inventory',
    ],
  },
];

const MOUNTS = [
  { mount: 'below /api/v2', toBaseUrl: (url: string) => url },
  { mount: 'at the root', toBaseUrl: (url: string) => new URL(url).origin },
  { mount: 'at the root, with a slash', toBaseUrl: (url: string) => `${new URL(url).origin}/` },
];

test('all thirteen operations are here', () => {
  expect(new Set(ROWS.map(({ operation }) => operation)).size).toBe(13);
});

for (const { mount, toBaseUrl } of MOUNTS) {
  describe(`a service of the document only, ${mount}`, () => {
    // Where a service is mounted is decided for all requests at once: elsewhere one that reads and one that writes do.
    const rows = mount === 'below /api/v2' ? ROWS : [ROWS.at(0), ROWS.at(-1)].flatMap((row) => row ?? []);
    for (const { operation, argv, prints, says = '', requests } of rows) {
      test(`${operation} | ${argv}`, async () => {
        const service = await startDocumentOnly();
        const { plain, real } = await createNames(service.sandbox);
        const prefix = new URL(toBaseUrl(service.url)).pathname.replace(/\/$/, '');
        const result = await service.run(real(argv).split(' '), { env: { ORGCTL_BASE_URL: toBaseUrl(service.url) } });
        expect({ code: result.code, stdout: plain(result.stdout), stderr: plain(result.stderr) }).toEqual({
          code: 0,
          stdout: prints,
          stderr: says,
        });
        expect(service.requests.every(({ path }) => path.startsWith(`${prefix}/`))).toBe(true);
        expect(toRequestLines(service.requests, { plain })).toEqual(requests);
      });
    }
  });
}

describe('what a service of the document only cannot do is explained', () => {
  const REFUSALS = [
    {
      name: 'names cannot be used for teams',
      argv: 'members invite nina.new@example.com --team platform',
      code: 2,
      says: [
        'orgctl: the teams of acme cannot be looked up, so names cannot be used for them',
        '  the organization does not exist, this token may not see its teams, or this service does not list teams',
        '  → Give team ids (team-…).',
      ],
    },
    {
      name: '--if-absent cannot be known',
      argv: 'audit-token generate --if-absent --yes',
      code: 2,
      says: [
        'orgctl: this service does not show whether acme has an audit trail token',
        '  acme has no audit trail token, or this service can’t show one: your token may manage it, so permission is not the reason.',
        '  → Leave out --if-absent to create a token, which replaces the current one if there is one.',
      ],
    },
    {
      name: 'the token cannot be shown',
      argv: 'audit-token show',
      code: 5,
      says: [
        'orgctl: cannot show the audit trail token of acme: the service answered 404',
        '  not found',
        '  acme has no audit trail token, or this service can’t show one: your token may manage it, so permission is not the reason.',
        '  → If it has none, audit-token generate creates one.',
        '  request request-1',
      ],
    },
    {
      name: 'teams cannot be listed',
      argv: 'teams list',
      code: 5,
      says: [
        'orgctl: cannot list the teams of acme: the service answered 404',
        '  not found',
        '  you don’t have permission, or, as far as is known, the organization does not exist, or this service cannot list teams (the service answers 404 to both)',
        '  allowed, as far as is known: every member of the organization',
        '  acme exists, and you are a member.',
        '  Unknown: whether the service has no such thing, or doesn’t show it to you.',
        '  → Check the other names, and who may do this.',
        '  request request-1',
      ],
    },
    {
      name: 'the audit trail cannot be read',
      argv: 'audit-trail list',
      code: 5,
      says: [
        'orgctl: cannot list the audit trail: the service answered 404',
        '  not found',
        '  you don’t have permission, or, as far as is known, this service has no audit trail (the service answers 404 to both)',
        '  allowed, as far as is known: the audit trail token and the organization token',
        '  As far as is known, a token without permission is given an empty audit trail, and no 404.',
        '  → Check the base URL: is it the service you mean?',
        '  request request-1',
      ],
    },
  ];
  for (const { name, argv, code, says } of REFUSALS) {
    test(`${name} | ${argv}`, async () => {
      const service = await startDocumentOnly();
      const { plain } = await createNames(service.sandbox);
      const result = await service.run(argv.split(' '));
      expect({ ...result, stderr: plain(result.stderr) }).toEqual({
        code,
        stdout: '',
        stderr: says.map((line) => `${line}\n`).join(''),
      });
      expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    });
  }
});
