import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { formatRequests, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** A service with nothing but what its document shows: every route outside it answers 404, and it does not say what it is. */
const service = { documentOnly: true };

/** Each operation with every parameter that the document shows, and a record as a whole. */
describe('the document', () => {
  test('GET /feature-sets', () =>
    transcript({ service, reads: true })`
      $ feature-sets list --limit 1 -o ndjson
      {"id":"fs-free","type":"feature-sets","identifier":"free","name":"Free","description":"Remote state and runs for individuals and small teams.","cost":0,"plan":null,"default-agents-ceiling":1,"default-runs-ceiling":1,"is-current":false,"is-free-tier":true,"self-serve-billing":false,"audit-logging":false,"private-networking":false,"assessments":false,"no-code-modules":false,"global-run-tasks":false,"module-tests-generation":false,"private-policy-agents":false,"private-run-tasks":false,"private-vcs":false,"cost-estimation":true,"sentinel":true,"policy-enforcement":true,"run-tasks":true,"teams":true,"sso":true,"user-limit":5,"policy-limit":null,"policy-set-limit":null,"policy-mandatory-enforcement-limit":null,"versioned-policy-set-limit":null,"run-task-limit":null,"run-task-workspace-limit":null,"run-task-mandatory-enforcement-limit":null}
      > GET /feature-sets
      $ feature-sets list --page 1 --query length(@)
      6
      > GET /feature-sets?page%5Bnumber%5D=1
      $ feature-sets list --page-size 4 --query length(@)
      6
      > GET /feature-sets?page%5Bsize%5D=4
      > GET /feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=4
      $ feature-sets list --page 2 --page-size 2 --fields id
      fs-standard
      fs-standard-2
      > GET /feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=2
      $ feature-sets list --page 2 --fields id
      > GET /feature-sets?page%5Bnumber%5D=2
    `);

  test('GET /organizations/:organization_name/feature-sets', () =>
    transcript({ service, reads: true })`
      $ feature-sets list --eligible --limit 1 --fields id,user-limit,policy-limit
      fs-free\t5\t
      > GET /organizations/acme/feature-sets
      $ feature-sets list --eligible --page 1 --query length(@)
      6
      > GET /organizations/acme/feature-sets?page%5Bnumber%5D=1
      $ feature-sets list --eligible --page-size 4 --query length(@)
      6
      > GET /organizations/acme/feature-sets?page%5Bsize%5D=4
      > GET /organizations/acme/feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=4
      $ feature-sets list --org globex --page 2 --page-size 2 --fields id,is-current
      fs-standard-2\tfalse
      fs-plus\ttrue
      > GET /organizations/globex/feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=2
    `);

  test('POST /organizations/:organization_name/authentication-token', () =>
    transcript({ service, reads: true })`
      $ audit-token generate --yes -o json
      {
        "id": "at-1",
        "type": "authentication-tokens",
        "organization": {
          "id": "acme",
          "type": "organizations"
        },
        "created-at": "2026-11-21T09:00:00.000Z",
        "expired-at": null,
        "token": "SECRET-1",
        "changed": true
      }
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{}}}
      $ audit-token generate --yes --org globex -q
      SECRET-2
      > GET /ping
      > GET /organizations/globex/authentication-token?token=audit-trails
      > POST /organizations/globex/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{}}}
      $ audit-token generate --yes --expires never -q
      SECRET-3
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":null}}}
      $ audit-token generate --yes --expires 2027-01-31T12:30:00+02:00 -q
      SECRET-4
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-01-31T10:30:00Z"}}}
    `);

  test('DELETE /organizations/:organization_name/authentication-token', () =>
    transcript({ service, reads: true })`
      $ audit-token delete --yes -o ndjson
      {"id":null,"type":"authentication-tokens","token":"audit-trail","kind":"audit-trail","description":null,"organization":{"id":"acme","type":"organizations"},"changed":true,"result":"deleted"}
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /account/details
      > DELETE /organizations/acme/authentication-token?token=audit-trails
      $ audit-token delete --yes --org globex
      deleted\taudit-trail\t\t\t
      > GET /ping
      > GET /organizations/globex/authentication-token?token=audit-trails
      > GET /organizations/globex/authentication-token?token=audit-trails
      > GET /account/details
      > DELETE /organizations/globex/authentication-token?token=audit-trails
    `);

  test('GET /organizations/:organization_name/registry-providers', () =>
    transcript({ service, reads: true })`
      $ providers list --fields id
      prov-hashicorp-aws
      prov-hashicorp-random
      prov-integrations-github
      prov-acme-internal-dns
      prov-acme-inventory
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      $ providers list --search in --fields id
      prov-integrations-github
      prov-acme-internal-dns
      prov-acme-inventory
      > GET /organizations/acme/registry-providers?q=in&page%5Bsize%5D=100
      $ providers list -s corp --fields id
      prov-hashicorp-aws
      prov-hashicorp-random
      > GET /organizations/acme/registry-providers?q=corp&page%5Bsize%5D=100
      $ providers list --registry public --fields id
      prov-hashicorp-aws
      prov-hashicorp-random
      prov-integrations-github
      > GET /organizations/acme/registry-providers?filter%5Bregistry_name%5D=public&page%5Bsize%5D=100
      $ providers list --owner globex --fields id
      > GET /organizations/acme/registry-providers?filter%5Borganization_name%5D=globex&page%5Bsize%5D=100
      $ providers list -s in --registry private --owner acme --fields id
      prov-acme-internal-dns
      prov-acme-inventory
      > GET /organizations/acme/registry-providers?q=in&filter%5Bregistry_name%5D=private&filter%5Borganization_name%5D=acme&page%5Bsize%5D=100
      $ providers list --page 1 --query length(@)
      5
      > GET /organizations/acme/registry-providers?page%5Bnumber%5D=1
      $ providers list --page-size 4 --query length(@)
      5
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=4
      > GET /organizations/acme/registry-providers?page%5Bnumber%5D=2&page%5Bsize%5D=4
      $ providers list --page 2 --page-size 2 -o ndjson
      {"id":"prov-integrations-github","type":"registry-providers","name":"github","namespace":"integrations","registry-name":"public","created-at":"2026-10-22T09:00:00.000Z","updated-at":"2026-10-22T09:00:00.000Z","permissions":{"can-delete":true},"organization":{"id":"acme","type":"organizations"},"address":"public/integrations/github"}
      {"id":"prov-acme-internal-dns","type":"registry-providers","name":"internal-dns","namespace":"acme","registry-name":"private","created-at":"2026-10-22T09:00:00.000Z","updated-at":"2026-10-22T09:00:00.000Z","permissions":{"can-delete":true},"organization":{"id":"acme","type":"organizations"},"registry-provider-versions":[],"address":"private/acme/internal-dns"}
      > GET /organizations/acme/registry-providers?page%5Bnumber%5D=2&page%5Bsize%5D=2
    `);

  test('POST /organizations/:organization_name/registry-providers', () =>
    transcript({ service, reads: true })`
      $ providers create public/hashicorp/null -o ndjson
      {"id":"prov-1","type":"registry-providers","address":"public/hashicorp/null","organization":{"id":"acme","type":"organizations"},"changed":true,"name":"null","namespace":"hashicorp","registry-name":"public","created-at":"2026-11-21T09:00:00.000Z","updated-at":"2026-11-21T09:00:00.000Z","permissions":{"can-delete":true},"result":"created"}
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"null","namespace":"hashicorp","registry-name":"public"}}}
      $ providers create private/acme/billing -o ndjson
      {"id":"prov-2","type":"registry-providers","address":"private/acme/billing","organization":{"id":"acme","type":"organizations"},"changed":true,"name":"billing","namespace":"acme","registry-name":"private","created-at":"2026-11-21T09:00:00.000Z","updated-at":"2026-11-21T09:00:00.000Z","permissions":{"can-delete":true},"registry-provider-versions":[],"result":"created"}
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"billing","namespace":"acme","registry-name":"private"}}}
      $ providers create turbine --org globex
      created\tprivate/globex/turbine\tprov-3\t\t
      > GET /organizations/globex/registry-providers?page%5Bsize%5D=100
      > POST /organizations/globex/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"turbine","namespace":"globex","registry-name":"private"}}}
      $ providers create public/größe/50%25+?#
      created\tpublic/größe/50%25+?#\tprov-4\t\t
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"50%25+?#","namespace":"größe","registry-name":"public"}}}
      $ providers get public/größe/50%25+?# --fields id
      prov-4
      > GET /organizations/acme/registry-providers/public/gr%C3%B6%C3%9Fe/50%2525%2B%3F%23
      $ providers delete public/größe/50%25+?# --yes --fields id
      prov-4
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      > DELETE /organizations/acme/registry-providers/public/gr%C3%B6%C3%9Fe/50%2525%2B%3F%23
    `);

  test('GET /organizations/:organization_name/registry-providers/:registry_name/:namespace/:name', () =>
    transcript({ service, reads: true })`
      $ providers get public/hashicorp/aws -o ndjson
      {"id":"prov-hashicorp-aws","type":"registry-providers","name":"aws","namespace":"hashicorp","registry-name":"public","created-at":"2026-10-22T09:00:00.000Z","updated-at":"2026-10-22T09:00:00.000Z","permissions":{"can-delete":true},"organization":{"id":"acme","type":"organizations"},"address":"public/hashicorp/aws"}
      > GET /organizations/acme/registry-providers/public/hashicorp/aws
      $ providers get private/acme/inventory -o ndjson
      {"id":"prov-acme-inventory","type":"registry-providers","name":"inventory","namespace":"acme","registry-name":"private","created-at":"2026-10-22T09:00:00.000Z","updated-at":"2026-10-22T09:00:00.000Z","permissions":{"can-delete":true},"organization":{"id":"acme","type":"organizations"},"registry-provider-versions":[],"address":"private/acme/inventory"}
      > GET /organizations/acme/registry-providers/private/acme/inventory
      > GET /organizations/acme/registry-providers/private/acme/inventory/versions?page%5Bsize%5D=100
      $ providers get reactor --org globex --fields id
      prov-globex-reactor
      > GET /organizations/globex/registry-providers/private/globex/reactor
      > GET /organizations/globex/registry-providers/private/globex/reactor/versions?page%5Bsize%5D=100
    `);

  test('DELETE /organizations/:organization_name/registry-providers/:registry_name/:namespace/:name', () =>
    transcript({ service, reads: true })`
      $ providers delete public/hashicorp/aws --yes -o ndjson
      {"id":"prov-hashicorp-aws","type":"registry-providers","address":"public/hashicorp/aws","organization":{"id":"acme","type":"organizations"},"changed":true,"result":"deleted"}
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      > DELETE /organizations/acme/registry-providers/public/hashicorp/aws
      $ providers delete private/acme/inventory --yes
      deleted\tprivate/acme/inventory\tprov-acme-inventory\t\t
      > GET /organizations/acme/registry-providers?page%5Bsize%5D=100
      > DELETE /organizations/acme/registry-providers/private/acme/inventory
      $ providers delete public/hashicorp/google --org globex --yes
      deleted\tpublic/hashicorp/google\tprov-hashicorp-google\t\t
      > GET /organizations/globex/registry-providers?page%5Bsize%5D=100
      > DELETE /organizations/globex/registry-providers/public/hashicorp/google
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

test("what a service with the document alone can't do is explained", () =>
  transcript({ service })`
    $ audit-token show
    ! orgctl: acme has no audit trail token, or the service doesn't show it
    = 5
    $ audit-token delete --org initech --yes -q
    failed\taudit-trail\t\tnot-found\tinitech has no audit trail token
    ! orgctl: initech has no audit trail token
    > DELETE /organizations/initech/authentication-token?token=audit-trails
    = 5
    $ teams list
    ! orgctl: can't list the teams of acme: not found (you are an owner of acme)
    = 5
    $ AS=member teams list
    ! orgctl: can't list the teams of acme: not found, or you don't have permission
    = 5
    $ audit-trail list
    ! orgctl: can't read the audit trail: not found, or you don't have permission
    !   The audit trail token and the organization token can.
    = 5
  `);
