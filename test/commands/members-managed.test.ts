import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** Members who are inactive, whom an identity provider manages, and who are no people, as globex has them. */

test('are listed as what they are', () =>
  transcript()`
    $ members list --org globex --status inactive -o table
    EMAIL                      STATUS    TEAMS           USER           ID
    ines.inactive@example.com  inactive  platform, data  ines-inactive  ou-ines.globex
    $ members list --org globex --search api-team -o table
    EMAIL                            STATUS  TEAMS     USER           ID
    api-team_1001 (service account)  active  platform  api-team_1001  ou-service.globex
    $ teams members platform --org globex -o table
    EMAIL                             STATUS    USER                  ID
    rex.registry-manager@example.com  active    rex-registry-manager  ou-rex.globex
    gina.globex@example.com           active    gina-globex           ou-gina.globex
    ines.inactive@example.com         inactive  ines-inactive         ou-ines.globex
    api-team_1001 (service account)   active    api-team_1001         ou-service.globex
    $ members show ines.inactive@example.com --org globex -o table
    Email:         ines.inactive@example.com
    User:          ines-inactive
    Status:        inactive
    Teams:         platform, data
    Organization:  globex
    Two-factor:    off
    Added:         40 days ago (2026-10-12 09:00 UTC)
    ID:            ou-ines.globex
    $ members show api-team_1001 --org globex -o table
    User:          api-team_1001
    Account:       service account
    Status:        active
    Teams:         platform
    Organization:  globex
    Added:         40 days ago (2026-10-12 09:00 UTC)
    ID:            ou-service.globex
  `);

test('are in the report, which counts them', () =>
  transcript()`
    $ members report --org globex --fields email,user.username,status,teams.name,user.two-factor.enabled,user.auth-method,user.is-service-account
    gina.globex@example.com\tgina-globex\tactive\tplatform\tfalse\ttfc\tfalse
    ines.inactive@example.com\tines-inactive\tinactive\tplatform,data\tfalse\thcp_sso\tfalse
    milo.member@example.com\tmilo-member\tactive\taudit\tfalse\ttfc\tfalse
    noor.newcomer@example.com\t\tinvited\taudit\t\ttfc\tfalse
    olive.owner@example.com\tolive-owner\tactive\towners\tfalse\ttfc\tfalse
    priya.provisioned@example.com\tpriya-provisioned\tactive\tdata\tfalse\thcp_sso\tfalse
    rex.registry-manager@example.com\trex-registry-manager\tactive\tplatform\tfalse\ttfc\tfalse
    sam.sso@example.com\tsam-sso\tactive\tnetwork\ttrue\thcp_sso\tfalse
    tara.team-manager@example.com\ttara-team-manager\tactive\tsecurity\tfalse\ttfc\tfalse
    \tapi-team_1001\tactive\tplatform\tfalse\ttfc\ttrue
    ! 10 members of globex: 1 owner, 7 without two-factor, 1 invited, 1 inactive, 1 service account.
  `);

describe('have nothing to accept', () => {
  test('so that no invitation is sent again', () =>
    transcript()`
      $ members resend ines.inactive@example.com --org globex --yes
      ! orgctl: ines.inactive@example.com is an inactive member
      !   → Nothing was sent.
      = 2
      $ members resend api-team_1001 noor.newcomer@example.com --org globex --yes
      ! orgctl: api-team_1001 is a service account
      !   → Nothing was sent. Leave them out, and run the command again.
      = 2
    `);

  test('and inviting an inactive member changes nothing', () =>
    transcript()`
      $ members invite ines.inactive@example.com --team platform --org globex -o table
      = ines.inactive@example.com is already an inactive member of globex (platform, data)
      $ members invite INES.inactive@example.com --team platform --org globex --fail-if-exists
      ! orgctl: ines.inactive@example.com is already a member of globex
      !   → Nothing was sent. Leave out --fail-if-exists to take that for done.
      = 7
    `);
});

test('members invite into a team that SCIM fills: a warning before, and who can do it', () =>
  transcript()`
    $ members invite sue@example.com --team data --org globex --dry-run --fields result,email
    planned\tsue@example.com
    ! warning: the identity provider of globex fills data (SCIM): it may refuse or undo this change
    ! Would invite sue@example.com to globex (data)
    ! Nothing was sent.
    $ members invite sue@example.com --team data --org globex --fields result,email
    failed\tsue@example.com
    ! warning: the identity provider of globex fills data (SCIM): it may refuse or undo this change
    ! orgctl: the service rejected the request
    !   /data/relationships/teams/data/0/id: Team is managed by SCIM, which alone adds members to it
    !   Service: 422 (request request-1).
    !   → Add them to the team in the identity provider, or name another team.
    > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"sue@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-data.globex"}]}}}}
    = 7
  `);

describe('members remove', () => {
  test('of a person whom SCIM manages: refused, and the words say by whom they are', () =>
    transcript()`
      $ members remove priya.provisioned@example.com --org globex --dry-run -q -o tsv --fields result,email
      planned\tpriya.provisioned@example.com
      ! warning: the identity provider of globex manages priya.provisioned@example.com (SCIM): it may refuse this change
      $ members remove priya.provisioned@example.com --org globex --yes -q --fields result,email,error.code
      failed\tpriya.provisioned@example.com\tmanaged-by-identity-provider
      ! orgctl: the identity provider of globex manages priya.provisioned@example.com (SCIM)
      !   Service: 403 forbidden: ou-priya.globex is managed by SCIM (request request-1).
      !   → Remove them in the identity provider.
      > DELETE /organization-memberships/ou-priya.globex
      = 6
    `);

  test('of a service account', () =>
    transcript()`
      $ members remove api-team_1001 --org globex --yes -o table
      ✓ Removed api-team_1001 from globex (active; service account; platform)
      > DELETE /organization-memberships/ou-service.globex
    `);

  test('where the membership cannot be read again, the refusal is what the document says of it', async () => {
    let isRefused = false;
    const service = await startService({
      alter(answer, request) {
        if (request.method === 'DELETE') isRefused = true;
        return isRefused && request.method === 'GET' ? Response.json({ errors: [] }, { status: 503 }) : answer;
      },
    });
    const { code, stderr } = await service.run([
      ...['members', 'remove', 'priya.provisioned@example.com', '--org', 'globex', '--yes', '--max-retries', '0'],
    ]);
    expect([code, stderr.split('\n')[0]]).toEqual([6, "orgctl: owners can't remove themselves, and you own globex"]);
  });
});

test('a page of service accounts alone is no list whose addresses are hidden', async () => {
  const service = await startService({
    async alter(answer, request) {
      if (!request.url.includes('filter%5Bemail%5D')) return answer;
      const all = await service.ask(
        'GET',
        '/organizations/globex/organization-memberships?q=api-team&include=user',
        'owner',
      );
      return Response.json(all.body, { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  });
  const { code, stdout } = await service.run([
    ...['members', 'invite', 'new@example.com', '--team', 'platform', '--org', 'globex', '--fields', 'result,email'],
  ]);
  expect([code, stdout]).toEqual([0, 'invited\tnew@example.com\n']);
});
