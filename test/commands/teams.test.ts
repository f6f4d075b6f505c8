import { describe, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

interface Document {
  data: { id: string }[];
  included?: object[];
}

/** A service whose answers to these readings are others. */
const altering = (path: RegExp, change: (document: Document) => object) => ({
  service: {
    alter: async (answer: Response, { url, method }: Request) =>
      method === 'GET' && path.test(url) ? Response.json(change((await answer.json()) as Document)) : answer,
  },
});

test('teams list has what the service says of each team', async () => {
  await transcript(AT_TERMINAL)`
    $ teams list
    TEAM      MEMBERS  VISIBILITY    ID
    owners          1  organization  team-owners
    platform        1  organization  team-platform
    security        1  organization  team-security
    audit           2  secret        team-audit
  `;
  await transcript()`
    $ teams ls --limit 1
    owners\t1\torganization\tteam-owners
    $ teams list -o ndjson --org globex --query [?"sso-team-id"].organization.id
    "globex"
  `;
});

test('teams members lists people and invitations of a team by name or id', async () => {
  await transcript(AT_TERMINAL)`
    $ teams members platform
    EMAIL                             STATUS   USER
    rex.registry-manager@example.com  active   rex-registry-manager
    ivan.invitee@example.com          invited
    ! not shown: id (use --fields or -o json)
  `;
  await transcript()`
    $ teams members PLATFORM
    rex.registry-manager@example.com\tactive\trex-registry-manager\tou-rex
    ivan.invitee@example.com\tinvited\t\tou-ivan
    $ teams members team-platform --limit 1 --fields email
    rex.registry-manager@example.com
    $ teams members network --org acme,globex
    globex\tsam.sso@example.com\tactive\tsam-sso\tou-sam.globex
    ! orgctl: 1 of 2 organizations failed
    !   acme: acme has no team 'network'
    = 10
  `;
});

describe('teams add', () => {
  test('adds whoever is not in the team yet, named by id, user id, email or user name', async () => {
    await transcript()`
      $ teams add platform ada.auditor@example.com ivan.invitee@example.com ADA.auditor@example.com
      added\tada.auditor@example.com\tacme\tplatform\tou-ada\t\t
      unchanged\tivan.invitee@example.com\tacme\tplatform\tou-ivan\t\t
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      $ teams add owners olive-owner --fields result,changed,teams.name
      unchanged\tfalse\towners
      $ teams add audit id:ou-ada user-milo email:Ada.Auditor@example.com MILO-member name:ada-auditor --fields result,id
      unchanged\tou-ada
      unchanged\tou-milo
      $ teams add security milo.member@example.com zed@example.com zed ou-ada.globex
      ! orgctl: acme has no member or invitation zed@example.com, zed, ou-ada.globex
      !   → orgctl members list shows who is there.
      = 5
    `;
    await transcript(AT_TERMINAL)`
      $ teams add platform ada-auditor
      ! ✓ Added ada.auditor@example.com to platform (acme)
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      $ teams add platform ada-auditor milo-member --dry-run
      ! = ada.auditor@example.com is already in platform (acme)
      ! Would add milo.member@example.com to platform (acme)
      ! 2 people: 1 unchanged, 1 planned
    `;
  });

  test('changes nothing if several teams could be meant', async () => {
    const rename = (team: object, at: number) => (at === 2 ? { ...team, attributes: { name: 'Audit' } } : team);
    await transcript(altering(/\/teams\?/, ({ data }) => ({ data: data.map(rename) })))`
      $ teams add audit milo-member
      ! orgctl: 2 teams of acme are called 'audit'
      !   team-security: Audit
      !   team-audit: audit
      !   → Name one by its id.
      = 2
      $ teams add team-audit milo-member --fields result,teams.name
      unchanged\taudit
    `;
  });

  test('--from moves people, who lose no team before they are in the other', async () => {
    await transcript()`
      $ teams add platform ada-auditor olive-owner ivan.invitee@example.com --from audit --yes --fields result,email
      moved\tada.auditor@example.com
      added\tolive.owner@example.com
      unchanged\tivan.invitee@example.com
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"},{"id":"ou-olive","type":"organization-memberships"}]}
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      $ teams add platform ada-auditor --from audit --fields result,changed
      unchanged\tfalse
      $ teams add platform ada-auditor --from Platform --yes
      ! orgctl: platform is both the team to join and the team to leave
      = 2
    `;
    await transcript({ service: { faults: ['POST relationships: 403'] } })`
      $ teams add platform ada-auditor --from audit --yes --fields result,error.code 2>/dev/null
      failed\tforbidden
      = 6
    `;
    await transcript({ service: { faults: ['DELETE relationships: 403'] }, ...AT_TERMINAL })`
      $ teams add platform ada-auditor --from audit --yes
      ! orgctl: ada.auditor@example.com is in platform now; you don't have permission to remove ada.auditor@example.com from audit
      !   Owners, the owners team token, the organization token and people with Team Management can.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      = 6
    `;
  });
});

describe('teams remove', () => {
  test('takes out whoever is in the team', () =>
    transcript(AT_TERMINAL)`
      $ teams remove audit ada-auditor rex-registry-manager --yes
      ! ✓ Removed ada.auditor@example.com from audit (acme)
      ! = rex.registry-manager@example.com is not in audit (acme)
      ! 2 people: 1 removed, 1 unchanged
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      $ teams rm audit ada-auditor -o tsv --fields result,changed
      unchanged\tfalse
    `);

  test('never takes out the last owner, and you only with --allow-self', async () => {
    await transcript()`
      $ AS=org-token teams remove owners olive-owner --yes
      ! orgctl: acme would have no owner: olive.owner@example.com can't leave owners
      = 2
      $ teams add owners ada-auditor ivan.invitee@example.com --yes > added
      > POST /teams/team-owners/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"},{"id":"ou-ivan","type":"organization-memberships"}]}
      $ teams remove owners olive-owner ada-auditor --yes --allow-self
      ! orgctl: acme would have no owner: olive.owner@example.com and ada.auditor@example.com can't leave owners
      = 2
      $ teams remove owners ivan.invitee@example.com olive-owner --yes
      ! orgctl: this would remove you from owners
      !   → Use --allow-self.
      = 2
      $ teams add platform olive-owner --from owners --yes --allow-self --fields result,changed
      moved\ttrue
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-olive","type":"organization-memberships"}]}
      > DELETE /teams/team-owners/relationships/organization-memberships {"data":[{"id":"ou-olive","type":"organization-memberships"}]}
    `;
    // A service account is no owner who stays, also if the service sends no users along.
    await transcript(altering(/relationships/, ({ data }) => ({ data })))`
      $ teams add owners api-team_1001 --org globex --yes > added
      > POST /teams/team-owners.globex/relationships/organization-memberships {"data":[{"id":"ou-service.globex","type":"organization-memberships"}]}
      $ teams remove owners olive-owner --org globex --yes --allow-self
      ! orgctl: globex would have no owner: olive.owner@example.com can't leave owners
      = 2
    `;
  });

  test('has nothing to do if someone left the team meanwhile', async () => {
    const service = await startService({
      alter: async (answer, { method, url }, text) => {
        // As if someone else had been a moment faster: the service refuses what is done.
        if (method !== 'DELETE') return answer;
        const { status, body } = await service.ask(method, new URL(url).pathname.slice(7), 'owner', JSON.parse(text));
        return Response.json(body, { status });
      },
    });
    await transcript({ service })`
      $ teams remove audit ada-auditor --yes --fields result,changed
      unchanged\tfalse
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
    `;
  });
});

test('whoever may not is told who may, or what the service says', () =>
  transcript(AT_TERMINAL)`
    $ teams add owners milo-member --org globex --yes
    ! ✓ Added milo.member@example.com to owners (globex)
    > POST /teams/team-owners.globex/relationships/organization-memberships {"data":[{"id":"ou-milo.globex","type":"organization-memberships"}]}
    $ AS=member teams add platform ada-auditor
    ! orgctl: can't add ada.auditor@example.com to platform: not found, or you don't have permission
    !   Owners, the owners team token, the organization token and people with Team Management can.
    > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
    = 5
    $ AS=registry-manager teams remove platform rex-registry-manager --yes 2>/dev/null
    > DELETE /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-rex","type":"organization-memberships"}]}
    = 5
    $ teams add data gina.globex@example.com --org globex
    ! orgctl: you don't have permission to add gina.globex@example.com to data
    !   forbidden: The team is managed by SCIM
    > POST /teams/team-data.globex/relationships/organization-memberships {"data":[{"id":"ou-gina.globex","type":"organization-memberships"}]}
    = 6
  `);
