import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { formatRequests, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** A service with nothing but what its document shows: every route outside it answers 404, and it does not say what it is. */
const service = { documentOnly: true };

describe('every operation on a service of the document only, after what is outside it was answered 404', () => {
  test('GET /feature-sets', () =>
    transcript({ service, reads: true })`
      $ feature-sets list --fields id,name
      fs-free\tFree
      fs-trial\tTrial
      fs-standard\tStandard
      fs-standard-2\tStandard
      fs-plus\tPlus
      fs-premium\tPremium
      > GET /feature-sets
    `);

  test('GET /organizations/:organization_name/feature-sets', () =>
    transcript({ service, reads: true })`
      $ feature-sets list --org globex --fields id
      fs-free
      fs-standard
      fs-standard-2
      fs-plus
      fs-premium
      > GET /organizations/globex/feature-sets
    `);

  test('POST /organizations/:organization_name/authentication-token?token=audit-trails', () =>
    transcript({ service, reads: true })`
      $ audit-token generate --yes
      SECRET-1
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{}}}
    `);

  test('DELETE /organizations/:organization_name/authentication-token?token=audit-trails', () =>
    transcript({ service, reads: true })`
      $ audit-token delete --yes -o ndjson
      {"id":null,"type":"authentication-tokens","token":"audit-trail","kind":"audit-trail","description":null,"organization":{"id":"acme","type":"organizations"},"changed":true,"result":"deleted"}
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /account/details
      > DELETE /organizations/acme/authentication-token?token=audit-trails
    `);

  test('POST /organizations/:organization_name/organization-memberships', () =>
    transcript({ service, reads: true })`
      $ members invite nina.new@example.com --team team-platform,team-audit
      invited\tnina.new@example.com\tacme\tteam-platform,team-audit\tou-1\t\t
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=nina.new%40example.com&page%5Bsize%5D=100&include=user%2Cteams
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=active&page%5Bsize%5D=100&include=teams
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"nina.new@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"},{"id":"team-audit","type":"teams"}]}}}}
    `);

  test('GET /organizations/:organization_name/organization-memberships', () =>
    transcript({ service, reads: true })`
      $ members list --status invited
      ivan.invitee@example.com\tinvited\t2026-09-27T09:00:00.000Z\tplatform\t\tou-ivan
      > GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=invited&page%5Bsize%5D=100&include=user%2Cteams
    `);

  test('GET /organization-memberships', () =>
    transcript({ service, reads: true })`
      $ members mine --fields id,organization.id,status
      ou-olive\tacme\tactive
      ou-olive.globex\tglobex\tactive
      ou-olive.initech\tinitech\tactive
      > GET /organization-memberships?include=user%2Cteams
    `);

  test('GET /organization-memberships/:organization_membership_id', () =>
    transcript({ service, reads: true })`
      $ members show ou-ada
      ada.auditor@example.com\tada-auditor\tactive\taudit\tacme\tfalse\t2026-09-26T09:00:00.000Z\tou-ada
      > GET /organization-memberships/ou-ada?include=user%2Cteams
    `);

  test('DELETE /organization-memberships/:organization_membership_id', () =>
    transcript({ service, reads: true })`
      $ members remove ou-ada --yes
      removed\tada.auditor@example.com\tacme\taudit\tou-ada\t\t
      > GET /organization-memberships?include=teams
      > GET /account/details
      > GET /organization-memberships/ou-ada?include=user%2Cteams
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organization-memberships/ou-ada?include=user%2Cteams
      > DELETE /organization-memberships/ou-ada
    `);

  test.each([
    ['at the root', ''],
    ['at the root, with a slash', '/'],
  ])('mounted %s', async (_name, slash) => {
    const { run, sandbox, url, requests } = await startService(service);
    const { plain } = await createNames(sandbox);
    const env = { ORGCTL_BASE_URL: `${new URL(url).origin}${slash}` };
    const listed = await run(['feature-sets', 'list', '--fields', 'id', '--limit', '1'], { env });
    const deleted = await run(['providers', 'delete', 'private/acme/inventory', '--yes'], { env });
    expect([listed.code, deleted.code]).toEqual([0, 0]);
    expect(formatRequests(requests, { plain })).toEqual([
      'GET /feature-sets',
      'GET /organizations/acme/registry-providers?page%5Bsize%5D=100',
      'DELETE /organizations/acme/registry-providers/private/acme/inventory',
    ]);
  });
});

describe("explains what a service with the document alone can't do", () => {
  test('the token cannot be shown', () =>
    transcript({ service })`
      $ audit-token show
      ! orgctl: acme has no audit trail token, or the service doesn't show it
      = 5
    `);

  test('no token is there to be deleted', () =>
    transcript({ service })`
      $ audit-token delete --org initech --yes -q
      failed\taudit-trail\t\tnot-found\tinitech has no audit trail token
      ! orgctl: initech has no audit trail token
      > DELETE /organizations/initech/authentication-token?token=audit-trails
      = 5
    `);

  test('teams cannot be listed', () =>
    transcript({ service })`
      $ teams list
      ! orgctl: can't list the teams of acme: not found (you are an owner of acme)
      = 5
      $ AS=member teams list
      ! orgctl: can't list the teams of acme: not found, or you don't have permission
      = 5
    `);

  test('the audit trail cannot be read', () =>
    transcript({ service })`
      $ audit-trail list
      ! orgctl: can't read the audit trail: not found, or you don't have permission
      !   The audit trail token and the organization token can.
      = 5
    `);
});
