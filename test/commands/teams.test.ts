import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

type Answer = (answer: Response) => Response | Promise<Response>;

describe('teams members', () => {
  test('on a narrow terminal say below each person what is known', () =>
    transcript({ env: { COLUMNS: '40' } })`
      $ teams members platform -o table
      EMAIL: rex.registry-manager@example.com
      STATUS: active
      USER: rex-registry-manager
      ID: ou-rex

      EMAIL: ivan.invitee@example.com
      STATUS: invited
      ID: ou-ivan
    `);

  test('lists who is in a team, with the invited; by its name or its id', () =>
    transcript()`
      $ teams members platform
      ou-rex\trex.registry-manager@example.com\tactive\trex-registry-manager
      ou-ivan\tivan.invitee@example.com\tinvited\t
      $ teams members team-platform --fields email,user.username,user.is-service-account
      rex.registry-manager@example.com\trex-registry-manager\tfalse
      ivan.invitee@example.com\t\tfalse
      $ teams members Platform --limit 1 --fields id
      ou-rex
      $ teams members audt
      ! orgctl: acme has no team 'audt'
      !   → Did you mean audit? Teams of acme: owners, platform, security, audit.
      = 2
      $ teams members team-audit --org globex
      ! orgctl: audit (team-audit) is a team of acme, not of globex
      !   → Nothing was changed. Add --org acme.
      = 2
    `);

  const refuse: Answer = () => Response.json({ errors: [{ status: '400', title: 'bad request' }] }, { status: 400 });
  const ignore: Answer = async (answer) => {
    const { included: _included, ...body } = (await answer.json()) as { included?: unknown };
    return Response.json(body);
  };
  const NAMED = 'olive.owner@example.com\tolive-owner\tfalse\n';
  test.each<[what: string, answer: Answer, where: RegExp, stdout: string, stderr: string]>([
    ['of a team refuses it', refuse, /relationships/, NAMED, ''],
    ['of a team ignores it', ignore, /relationships/, NAMED, ''],
    ['of a team, and the team, refuse it', refuse, /relationships|teams\/team-/, NAMED, ''],
    [
      'ignores it everywhere',
      ignore,
      /./,
      'olive.owner@example.com\t\t\n',
      "warning: this service doesn't send user along: only ids are known\n",
    ],
  ])('users come along where the list %s, or their absence is said', async (_what, answer, where, stdout, stderr) => {
    const service = await startService({
      alter: (given, request) => (where.test(request.url) && request.url.includes('include=') ? answer(given) : given),
    });
    const fields = ['--fields', 'email,user.username,user.is-service-account'];
    const result = await service.run(['teams', 'members', 'owners', ...fields]);
    expect(result).toEqual({ code: 0, stdout, stderr });
    const { stderr: said } = await service.run(['teams', 'members', 'owners']);
    expect(said).toBe(stderr);
  });
});

describe('teams add', () => {
  test('one request for all who are not in the team yet; those who are in it are left as they are', () =>
    transcript()`
      $ teams add platform ada.auditor@example.com ivan.invitee@example.com milo-member ADA.auditor@example.com
      added\tacme\tada.auditor@example.com\tplatform\tou-ada\t\t
      unchanged\tacme\tivan.invitee@example.com\tplatform\tou-ivan\t\t
      added\tacme\tmilo.member@example.com\tplatform\tou-milo\t\t
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"},{"type":"organization-memberships","id":"ou-milo"}]}
      $ teams add platform ada.auditor@example.com -o json
      [
        {
          "id": "ou-ada",
          "type": "organization-memberships",
          "changed": false,
          "email": "ada.auditor@example.com",
          "status": "active",
          "user": {
            "id": "user-ada",
            "type": "users",
            "username": "ada-auditor"
          },
          "organization": {
            "id": "acme",
            "type": "organizations"
          },
          "team": {
            "id": "team-platform",
            "type": "teams",
            "name": "platform"
          },
          "result": "unchanged"
        }
      ]
    `);
  test('reads no more than the teams and the people', () =>
    transcript({ reads: true })`
      $ teams add security ada.auditor@example.com ivan.invitee@example.com
      added\tacme\tada.auditor@example.com\tsecurity\tou-ada\t\t
      added\tacme\tivan.invitee@example.com\tsecurity\tou-ivan\t\t
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com%2Civan.invitee%40example.com&include=user%2Cteams&page%5Bsize%5D=100
      > POST /teams/team-security/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"},{"type":"organization-memberships","id":"ou-ivan"}]}
    `);
  test('no one is added while someone is unknown; who is not in the organization can be invited', () =>
    transcript()`
      $ teams add platform ada.auditor@example.com zed@example.com
      ! orgctl: no member or invitation in acme for zed@example.com
      !   → Nothing was changed. To invite them into the team:
      !   $ orgctl --org acme members invite zed@example.com --team platform
      = 5
      $ teams add platform zed@example.com yan@example.com
      ! orgctl: no member or invitation in acme for 2 of 2 people
      !   zed@example.com
      !   yan@example.com
      !   → Nothing was changed. To invite them into the team:
      !   $ orgctl --org acme members invite zed@example.com yan@example.com --team platform
      = 5
      $ teams add platform nobody
      ! orgctl: no member or invitation in acme for nobody
      !   → See who is there:
      !   $ orgctl --org acme members list
      = 5
      $ teams add nothing ada.auditor@example.com
      ! orgctl: acme has no team 'nothing'
      !   → Teams of acme: owners, platform, security, audit.
      = 2
      $ teams add ada-auditor audit
      ! orgctl: acme has no team 'ada-auditor'
      !   → Did you mean audit ada-auditor? The team comes first.
      = 2
    `);
  test('owners: asked about', () =>
    transcript()`
      $ teams add owners ada.auditor@example.com
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Make ada.auditor@example.com an owner of acme?
      !   Owners can do everything in acme.
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ teams add owners ada.auditor@example.com --yes
      added\tacme\tada.auditor@example.com\towners\tou-ada\t\t
      > POST /teams/team-owners/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
    `);
  test('--from moves them: no one loses a team before they are in the other', () =>
    transcript()`
      $ teams add platform ada.auditor@example.com --from audit
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Move ada.auditor@example.com from audit to platform (acme)?
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ teams add platform ada.auditor@example.com rex-registry-manager --from audit --yes
      moved\tacme\tada.auditor@example.com\tplatform\tou-ada\t\t
      unchanged\tacme\trex.registry-manager@example.com\tplatform\tou-rex\t\t
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      $ teams add platform ada.auditor@example.com --from audit
      unchanged\tacme\tada.auditor@example.com\tplatform\tou-ada\t\t
      $ teams add platform ada.auditor@example.com --from platform
      ! orgctl: platform is both the team to join and the team to leave
      !   → Name two different teams.
      = 2
      $ teams add platform ada.auditor@example.com --allow-self
      ! orgctl: --allow-self works only with --from
      !   → Without --from no one leaves a team.
      = 2, nothing sent
      $ teams add platform olive.owner@example.com --from owners --yes
      ! orgctl: you would leave owners: olive.owner@example.com (you)
      !   → Nothing was removed. Leave yourself out, or add --allow-self.
      = 2
      $ teams add platform olive.owner@example.com --from owners --yes --allow-self
      ! orgctl: that would leave acme without an owner
      !   olive.owner@example.com
      !   → Nothing was removed. Keep at least one of them.
      = 2
    `);
  test('--from: who could not be added keeps the other team', () =>
    transcript({
      service: {
        faults: [{ method: 'POST', words: 'team-', action: { kind: 'status', status: 503 } }],
      },
    })`
      $ teams add platform ada.auditor@example.com --from audit --yes --fields result,error.code,error.status
      failed\tunavailable\t503
      ! orgctl: can't add ada.auditor@example.com to team platform: the service answered 503
      !   Service: 503 service unavailable.
      !   → The service has a problem. Try again later.
      = 9
    `);
  test('--from: who is in both teams now is named', () =>
    transcript({
      service: {
        faults: [{ method: 'DELETE', words: 'teams', action: { kind: 'status', status: 403 } }],
      },
    })`
      $ teams add platform ada.auditor@example.com --from audit --yes
      failed\tacme\tada.auditor@example.com\tplatform\tou-ada\tforbidden\tada.auditor@example.com is in platform now, and in audit still: you don't have permission to remove ada.auditor@example.com from team audit; forbidden
      ! orgctl: ada.auditor@example.com is in platform now, and in audit still: you don't have permission to remove ada.auditor@example.com from team audit
      !   Service: 403 forbidden.
      !   Who can, as far as is known: owners, the owners team token, the organization token, people with Team Management.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      = 6
    `);
  test('--dry-run says what it would do', () =>
    transcript()`
      $ teams add platform ada.auditor@example.com olive.owner@example.com --dry-run
      planned\tacme\tada.auditor@example.com\tplatform\tou-ada\t\t
      planned\tacme\tolive.owner@example.com\tplatform\tou-olive\t\t
      ! Would add ada.auditor@example.com and olive.owner@example.com to platform (acme)
      ! Nothing was sent.
      $ teams add platform ada.auditor@example.com --from audit --dry-run
      planned\tacme\tada.auditor@example.com\tplatform\tou-ada\t\t
      ! Would add ada.auditor@example.com to platform (acme)
      ! Would remove ada.auditor@example.com from audit (acme)
      ! Nothing was sent.
    `);
  test('who leaves the only team that they are seen in is said to be in no other', () =>
    transcript()`
      $ teams add platform ada.auditor@example.com -o table
      ✓ Added ada.auditor@example.com to platform (acme)
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      $ teams remove audit ada.auditor@example.com milo.member@example.com --dry-run
      planned\tacme\tada.auditor@example.com\taudit\tou-ada\t\t
      planned\tacme\tmilo.member@example.com\taudit\tou-milo\t\t
      ! Would remove ada.auditor@example.com and milo.member@example.com from audit (acme); milo.member@example.com is in no other team that you can see
      ! Nothing was sent.
      $ teams remove platform ada.auditor@example.com --yes -o table
      ✓ Removed ada.auditor@example.com from platform (acme)
      > DELETE /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      $ teams remove audit ada.auditor@example.com --yes -o table
      ✓ Removed ada.auditor@example.com from audit (acme); they are in no other team that you can see
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
      $ members show ada.auditor@example.com -o table
      Email:         ada.auditor@example.com
      User:          ada-auditor
      Status:        active
      Teams:         none that you can see
      Organization:  acme
      Two-factor:    off
      Added:         56 days ago (2026-09-26 09:00 UTC)
      ID:            ou-ada
    `);
  test('a file names people by email, user name or id; its other columns are named', () =>
    transcript({ stdin: 'email,user,id,teams\nada.auditor@example.com,,,security\n,milo-member,,\n,,ou-olive,\n' })`
      $ teams add platform --file - --fields result,email,id
      added\tada.auditor@example.com\tou-ada
      added\tmilo.member@example.com\tou-milo
      added\tolive.owner@example.com\tou-olive
      ! stdin: not used: teams.
      ! 3 people: 3 added.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"},{"type":"organization-memberships","id":"ou-milo"},{"type":"organization-memberships","id":"ou-olive"}]}
    `);
  test('a file with a row that names no one', () =>
    transcript({ stdin: 'email,user\nada.auditor@example.com,\n,\nnot an email,\n' })`
      $ teams add platform --file -
      ! orgctl: stdin: 1 line can't be used
      !   line 4: 'not an email' is not an email address
      !   → Nothing was sent. Give it as name@example.com.
      = 2, nothing sent
    `);
});

describe('teams remove', () => {
  test('asks, and takes those out who are in the team', () =>
    transcript()`
      $ teams remove platform ivan.invitee@example.com rex-registry-manager
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Remove 2 people from platform (acme)?
      !   ivan.invitee@example.com (invited; platform)
      !   rex.registry-manager@example.com (active; platform)
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ teams remove platform ivan.invitee@example.com rex-registry-manager ada.auditor@example.com --yes
      removed\tacme\tivan.invitee@example.com\tplatform\tou-ivan\t\t
      removed\tacme\trex.registry-manager@example.com\tplatform\tou-rex\t\t
      unchanged\tacme\tada.auditor@example.com\tplatform\tou-ada\t\t
      > DELETE /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ivan"},{"type":"organization-memberships","id":"ou-rex"}]}
      $ teams rm platform ivan.invitee@example.com
      unchanged\tacme\tivan.invitee@example.com\tplatform\tou-ivan\t\t
    `);
  test('never the last owner, nor you out of owners without --allow-self', () =>
    transcript()`
      $ teams remove owners olive.owner@example.com --yes
      ! orgctl: you would leave owners: olive.owner@example.com (you)
      !   → Nothing was removed. Leave yourself out, or add --allow-self.
      = 2
      $ teams remove owners olive.owner@example.com --yes --allow-self
      ! orgctl: that would leave acme without an owner
      !   olive.owner@example.com
      !   → Nothing was removed. Keep at least one of them.
      = 2
      $ teams add owners ada.auditor@example.com ivan.invitee@example.com --yes
      added\tacme\tada.auditor@example.com\towners\tou-ada\t\t
      added\tacme\tivan.invitee@example.com\towners\tou-ivan\t\t
      > POST /teams/team-owners/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"},{"type":"organization-memberships","id":"ou-ivan"}]}
      $ teams remove owners ada.auditor@example.com olive.owner@example.com --yes --allow-self
      ! orgctl: that would leave acme without an owner
      !   ada.auditor@example.com
      !   olive.owner@example.com
      !   → Nothing was removed. Keep at least one of them.
      = 2
      $ AS=org-token teams remove owners olive.owner@example.com --yes
      removed\tacme\tolive.owner@example.com\towners\tou-olive\t\t
      > DELETE /teams/team-owners/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive"}]}
    `);
});

describe('several organizations', () => {
  test('a row for each person in each organization that has such a team', () =>
    transcript()`
      $ teams add network olive.owner@example.com --all-orgs
      added\tglobex\tolive.owner@example.com\tnetwork\tou-olive.globex\t\t
      ! (no team network in acme and initech)
      ! warning: single sign-on of globex fills network: each person's next login may undo this change
      ! 1 person in 1 organization: 1 added.
      > POST /teams/team-network.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive.globex"}]}
      $ teams add platform olive.owner@example.com gina.globex@example.com --orgs acme,globex
      added\tacme\tolive.owner@example.com\tplatform\tou-olive\t\t
      added\tglobex\tolive.owner@example.com\tplatform\tou-olive.globex\t\t
      unchanged\tglobex\tgina.globex@example.com\tplatform\tou-gina.globex\t\t
      ! (gina.globex@example.com is not in acme)
      ! 2 people in 2 organizations: 2 added, 1 unchanged.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive"}]}
      > POST /teams/team-platform.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive.globex"}]}
      $ teams remove platform olive.owner@example.com --orgs acme,globex
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Remove olive.owner@example.com from platform in these 2 organizations?
      !   olive.owner@example.com in acme and globex
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ teams remove platform olive.owner@example.com --orgs acme,globex --yes
      removed\tacme\tolive.owner@example.com\tplatform\tou-olive\t\t
      removed\tglobex\tolive.owner@example.com\tplatform\tou-olive.globex\t\t
      ! 1 person in 2 organizations: 2 removed.
      > DELETE /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive"}]}
      > DELETE /teams/team-platform.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive.globex"}]}
      $ teams remove platform olive.owner@example.com zed@example.com --orgs acme,globex --yes
      ! orgctl: zed@example.com is in none of 2 organizations
      !   → Nothing was changed. Check the email.
      = 5
      $ teams add security milo.member@example.com zed@example.com --orgs acme --yes
      ! orgctl: zed@example.com is not in acme
      !   → Nothing was changed. Check the email.
      = 5
      $ teams add nothing olive.owner@example.com --all-orgs
      ! orgctl: none of 3 organizations has a team 'nothing'
      !   → See the teams of one:
      !   $ orgctl teams list --org acme
      = 2
      $ teams add team-0000000000000000 olive.owner@example.com --all-orgs
      ! orgctl: with --all-orgs a team is named by its name, not by 'team-1'
      !   → An id is of one organization.
      = 2, nothing sent
      $ teams add platform olive-owner --all-orgs
      ! orgctl: with --all-orgs people are named by email, not by 'olive-owner'
      !   → An email is the same in every organization.
      = 2, nothing sent
    `);
});

describe('what is managed elsewhere', () => {
  test('a warning before, and the reason of the refusal', () =>
    transcript()`
      $ teams add network gina.globex@example.com --org globex
      added\tglobex\tgina.globex@example.com\tnetwork\tou-gina.globex\t\t
      ! warning: single sign-on of globex fills network: each person's next login may undo this change
      > POST /teams/team-network.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-gina.globex"}]}
      $ teams add data gina.globex@example.com --org globex
      failed\tglobex\tgina.globex@example.com\tdata\tou-gina.globex\tmanaged-by-identity-provider\tgina.globex@example.com: the identity provider of globex fills data (SCIM)
      ! warning: the identity provider of globex fills data (SCIM): it may refuse or undo this change
      ! orgctl: the identity provider of globex fills data (SCIM)
      !   Service: 403 forbidden: The team is managed by SCIM (request request-1). Its members are those of the group Globex Data.
      !   → Change the group in the identity provider.
      > POST /teams/team-data.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-gina.globex"}]}
      = 6
      $ teams remove data priya.provisioned@example.com --org globex --yes --fields result,error.code
      failed\tmanaged-by-identity-provider
      ! warning: the identity provider of globex fills data (SCIM): it may refuse or undo this change
      ! orgctl: the identity provider of globex fills data (SCIM)
      !   Service: 403 forbidden: The team is managed by SCIM (request request-2). Its members are those of the group Globex Data.
      !   → Change the group in the identity provider.
      > DELETE /teams/team-data.globex/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-priya.globex"}]}
      = 6
      $ teams add platform olive.owner@example.com --org initech
      failed\tinitech\tolive.owner@example.com\tplatform\tou-olive.initech\tmanaged-in-hcp\tolive.owner@example.com: the teams of initech are managed in HCP
      ! warning: platform of initech is managed in HCP: the service may refuse this change
      ! orgctl: the teams of initech are managed in HCP
      !   Service: 403 forbidden: The organization is managed by HCP (request request-3).
      !   → Change the groups of the HCP organization.
      > POST /teams/team-platform.initech/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-olive.initech"}]}
      = 6
      $ members remove priya.provisioned@example.com --org globex --yes
      failed\tpriya.provisioned@example.com\tglobex\tou-priya.globex\tdata\t\tmanaged-by-identity-provider\tthe identity provider of globex manages priya.provisioned@example.com (SCIM)
      ! orgctl: the identity provider of globex manages priya.provisioned@example.com (SCIM)
      !   Service: 403 forbidden: ou-priya.globex is managed by SCIM (request request-4).
      !   → Remove them in the identity provider.
      > DELETE /organization-memberships/ou-priya.globex
      = 6
    `);
});

describe('a service of the document only', () => {
  test('says that it has no teams: exit 5, nothing written', () =>
    transcript({ service: { documentOnly: true } })`
      $ teams members platform
      ! orgctl: this service can't list teams
      !   Service: 404 not found (request request-1). acme exists, and you are one of its owners, so permission is not the reason.
      !   → Check the base URL: is it the service you mean?
      = 5
      $ teams add platform ada.auditor@example.com
      ! orgctl: this service can't list teams
      !   Service: 404 not found (request request-2). acme exists, and you are one of its owners, so permission is not the reason.
      !   → Check the base URL: is it the service you mean?
      = 5
      $ teams add team-aaaaaaaaaaaaaaaa ada.auditor@example.com
      ! orgctl: can't show team team-1: not found, or no permission
      !   Service: 404 not found (request request-3). It may not exist, or you may lack permission: the service answers 404 to both.
      !   As far as is known, it can also mean that this service can't show teams.
      !   Your token can't see which of these is true.
      !   → Check the names, the base URL and which token you use.
      = 5
      $ teams remove platform ada.auditor@example.com --yes
      ! orgctl: this service can't list teams
      !   Service: 404 not found (request request-4). acme exists, and you are one of its owners, so permission is not the reason.
      !   → Check the base URL: is it the service you mean?
      = 5
      $ teams remove platform ada.auditor@example.com --all-orgs --yes
      failed\tacme\tada.auditor@example.com\t\t\tnot-found\tada.auditor@example.com in acme: this service can't list teams
      failed\tglobex\tada.auditor@example.com\t\t\tnot-found\tada.auditor@example.com in globex: this service can't list teams
      failed\tinitech\tada.auditor@example.com\t\t\tnot-found\tada.auditor@example.com in initech: this service can't list teams
      ! 1 person in 3 organizations: 3 failed.
      ! orgctl: 3 of 3 failed
      !   ada.auditor@example.com in acme: this service can't list teams
      !   ada.auditor@example.com in globex: this service can't list teams
      !   ada.auditor@example.com in initech: this service can't list teams
      !   → Check the base URL: is it the service you mean?
      = 5
    `);
});

test('a member without permission is refused, and learns why', () =>
  transcript()`
    $ AS=member teams add platform ada.auditor@example.com
    failed\tacme\tada.auditor@example.com\tplatform\tou-ada\tnot-found\tyou don't have permission to add ada.auditor@example.com to team platform
    ! orgctl: you don't have permission to add ada.auditor@example.com to team platform
    !   Service: 404 not found (request request-1). The team exists, and your token can read it.
    !   Who can, as far as is known: owners, the owners team token, the organization token, people with Team Management.
    > POST /teams/team-platform/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ada"}]}
    = 5
    $ AS=member teams members platform --fields id
    ou-rex
    ou-ivan
  `);

test.each([
  ['members invite ana@example.com --team platform', 'owner', 'nope'],
  ['members invite ana@example.com --team team-aaaaaaaaaaaaaaaa', 'owner', 'nope'],
  ['members plan --file -', 'owner', 'nope'],
  ['teams add platform milo.member@example.com', 'owner', 'nope'],
  ['members invite ana@example.com --team platform', 'audit-token', 'acme'],
  ['members invite ana@example.com --team team-aaaaaaaaaaaaaaaa', 'audit-token', 'acme'],
  ['teams add platform milo.member@example.com', 'audit-token', 'acme'],
] as const)('%s as %s of %s: not found, however its teams are named', async (argv, as, org) => {
  const service = await startService();
  const stdin = 'members: [{email: ana@example.com, teams: [platform]}]\n';
  const { code, stderr } = await service.run(argv.split(' '), { as, org, stdin });
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: expect.stringMatching(/^orgctl: you (?:are not a member of nope|can't \w+ .* with an audit trail token)\n/),
  });
});
