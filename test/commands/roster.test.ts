import { describe, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** Olive, milo and rex stay, ada wants another team, tara and ivan are too many, ana is new. */
const files = {
  'r.yaml': `members:
- {email: Olive.Owner@example.com, teams: [owners]}
- {email: milo.member@example.com, teams: [audit]}
- {email: rex.registry-manager@example.com}
- {email: ada.auditor@example.com, teams: [audit, Platform]}
- {email: ana@example.com, teams: [platform, team-security]}`,
};

describe('members plan', () => {
  test('shows what differs, for people and for programs, and ends with 13', () =>
    transcript({ ...AT_TERMINAL, files })`
      $ members plan --file r.yaml
      ~ change ada.auditor@example.com: add to platform
      + invite ana@example.com (platform, security)
      ! = tara.team-manager@example.com, ivan.invitee@example.com are not in the roster, kept (--prune removes)
      ! orgctl: 2 differences from r.yaml
      !   → Run orgctl members apply with the same options.
      = 13
      $ members plan --file r.yaml --prune 2>/dev/null
      ~ change ada.auditor@example.com: add to platform
      - remove tara.team-manager@example.com (active; security)
      - remove ivan.invitee@example.com (invited; platform)
      + invite ana@example.com (platform, security)
      = 13
      $ members plan --file r.yaml -o ndjson 2>/dev/null
      {"action":"teams","id":"ou-ada","type":"organization-memberships","email":"ada.auditor@example.com","status":"active","teams":[{"id":"team-audit","type":"teams","name":"audit"}],"teams-add":[{"id":"team-platform","type":"teams","name":"platform"}],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      {"action":"invite","id":null,"type":"organization-memberships","email":"ana@example.com","status":null,"teams":[{"id":"team-platform","type":"teams","name":"platform"},{"id":"team-security","type":"teams","name":"security"}],"teams-add":[],"teams-remove":[],"organization":{"id":"acme","type":"organizations"}}
      = 13
    `);

  test('--init prints a roster of who is there, which differs in nothing; lists of orgctl are rosters too', () =>
    transcript({ tty: { stdout: true }, env: { ORGCTL_ORG: '' } })`
      $ members plan --init --org globex -o json > r.json
      $ members plan --file r.json --prune --prune-teams --include-managed
      ! No changes.
      $ members plan --init --org initech,acme > r.yaml
      $ members plan --file r.yaml --prune --prune-teams
      ! No changes.
      $ members list --org globex -o json > list.json
      $ members plan --file list.json --prune --prune-teams
      ! No changes.
    `);

  test('says what is wrong with a file, and with every row', () =>
    transcript({
      files: {
        'r.yaml': `members:
        - {email: ana@example.com, teams: [plattform]}
        - {email: olive.owner@example.com, user: tara-team-manager}`,
        'warned.yaml': 'members: [{user: ada-auditor, email: ada@old.example.com, team: [audit]}]',
        'one.yaml': 'members: [{email: a@example.com, teams: [audit]}, {user: tara-team-manager, teams: [audits]}]',
        'wrong.yaml': 'members: [{email: a@b@c}, {email: ana@example.com, teams: [audits]}, {email: ben@example.com}]',
        'none.yaml': 'members: []',
      },
    })`
      $ members plan --file r.yaml
      ! orgctl: r.yaml: 2 problems, nothing was sent
      !   entry 1: acme has no team 'plattform' (did you mean platform?)
      !   entry 2: several people match: olive.owner@example.com (active; owners) ou-olive, tara.team-manager@example.com (active; security) ou-tara
      = 2
      $ members plan --file one.yaml
      ! orgctl: one.yaml: entry 2: acme has no team 'audits'
      !   → Did you mean audit?
      = 2
      $ members apply --file wrong.yaml --prune --yes
      ! orgctl: wrong.yaml: 3 problems, nothing was sent
      !   entry 1: 'a@b@c' is not an email address
      !   entry 2: acme has no team 'audits' (did you mean audit?)
      !   entry 3: ben@example.com is not a member, and an invitation needs a team
      !   → It must look like name@example.com.
      = 2
      $ members plan --file warned.yaml
      ! warned.yaml: not used: team
      ! warning: entry 1: ada-auditor is ada.auditor@example.com in acme, not ada@old.example.com
      $ members plan --file none.yaml --prune
      ! orgctl: the roster names nobody: --prune would remove everyone from acme
      = 2
    `);
});

describe('members apply', () => {
  test('does what differs, and asks nothing if nobody loses anything', () =>
    transcript({ files })`
      $ members apply --file r.yaml
      changed\tteams\tada.auditor@example.com\tactive\taudit\tplatform\t\tou-ada\t\t
      invited\tinvite\tana@example.com\t\tplatform,security\t\t\tou-1\t\t
      ! = tara.team-manager@example.com, ivan.invitee@example.com are not in the roster, kept (--prune removes)
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"},{"id":"team-security","type":"teams"}]}}}}
    `);

  test('asks once for removals, and does them before it invites', () =>
    transcript({ ...AT_TERMINAL, files: { ...files, yes: 'y\n', no: 'n\n' } })`
      $ members apply --file r.yaml --prune --dry-run
      ! Would change ada.auditor@example.com in acme: add to platform
      ! Would remove tara.team-manager@example.com (active; security) from acme
      ! Would remove ivan.invitee@example.com (invited; platform) from acme
      ! Would invite ana@example.com to acme (platform, security)
      ! 4 people: 4 planned
      $ members apply --file r.yaml --prune -q < no
      ! remove tara.team-manager@example.com (active; security)
      ! remove ivan.invitee@example.com (invited; platform)
      ! acme: remove 2 people, 2 other changes. Apply? [y/N] Cancelled. Nothing was changed.
      = 3
      $ members apply --file r.yaml --prune < yes 2>/dev/null
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"},{"id":"team-security","type":"teams"}]}}}}
      $ members apply --file r.yaml --prune
      ! No changes.
    `);

  test('asks also if somebody loses a team or becomes an owner; nobody to ask is 2', () =>
    transcript({
      files: {
        'team.csv': 'email,teams\nada.auditor@example.com,platform\n',
        'owners.csv': 'email,teams\nada.auditor@example.com,owners\nana@example.com,owners\nben@example.com,audit\n',
      },
    })`
      $ members apply --file owners.csv -q
      ! orgctl: this needs a confirmation: acme: make 2 owners, 1 other change. Apply?
      !   change ada.auditor@example.com: add to owners
      !   invite ana@example.com (owners)
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
      $ members apply --file team.csv --prune-teams -q
      ! orgctl: this needs a confirmation: acme: remove 1 person from teams. Apply?
      !   change ada.auditor@example.com: add to platform; remove from audit
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
      $ members apply --file team.csv --prune-teams -q --yes --fields result,email
      changed\tada.auditor@example.com
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
    `);

  test('removes at most --max-removals, never you, an owner without --allow-owners, or the last owner', () =>
    transcript({ files: { 'one.yaml': 'members: [{user: milo-member}]', 'two.csv': 'id,teams\nou-milo,owners\n' } })`
      $ members apply --file one.yaml --prune --yes --max-removals 0
      ! orgctl: 4 people would leave an organization or a team, and --max-removals is 0
      !   → Check the plan with orgctl members plan.
      = 2
      $ members apply --file one.yaml --org globex --prune --include-managed --yes
      ! orgctl: 8 people would leave an organization or a team, and --max-removals is 5
      !   → Check the plan with orgctl members plan --org globex.
      = 2
      $ AS=org-token members apply --file one.yaml --prune --allow-owners --yes
      ! orgctl: acme would have no owner without olive.owner@example.com
      = 2
      $ AS=team-manager members plan --file one.yaml --prune --fields action,email 2>/dev/null
      remove\trex.registry-manager@example.com
      remove\tada.auditor@example.com
      remove\tivan.invitee@example.com
      = 13
      $ members apply --file two.csv --prune-teams --yes --max-removals 0
      ! orgctl: 1 person would leave an organization or a team, and --max-removals is 0
      !   → Check the plan with orgctl members plan.
      = 2
    `);

  test('leaves what SSO and SCIM manage, inactive people and service accounts, without --include-managed', () =>
    transcript({
      ...AT_TERMINAL,
      files: {
        'r.csv': `id,email,teams${['olive', 'milo', 'tara', 'rex', 'noor', 'ines'].map((name) => `\nou-${name}.globex,,`).join('')}
          ou-gina.globex,,network;platform\nou-sam.globex,,platform\n,new@example.com,data`,
      },
    })`
      $ members plan --org globex --file r.csv --prune --prune-teams
      ~ change sam.sso@example.com: add to platform
      ! = priya.provisioned@example.com, api-team_1001 are managed elsewhere, kept
      ! = gina.globex@example.com: network is managed elsewhere, skipped (--include-managed changes it)
      ! = new@example.com: data is managed elsewhere, skipped (--include-managed changes it)
      ! orgctl: 1 difference from r.csv
      !   → Run orgctl members apply with the same options.
      = 13
      $ members plan --org globex --file r.csv --prune --prune-teams --include-managed 2>/dev/null
      ~ change gina.globex@example.com: add to network
      ~ change sam.sso@example.com: add to platform; remove from network
      - remove priya.provisioned@example.com (active; data)
      - remove api-team_1001 (active; platform)
      + invite new@example.com (data)
      = 13
    `);

  test('with --plan does nothing that the plan does not show', () =>
    transcript({ files: { ...files, 'ana.csv': 'email,teams\nana@example.com,platform\n' } })`
      $ members plan --file r.yaml -o json > plan.json 2>/dev/null
      = 13
      $ members apply --file r.yaml --plan plan.json --prune --yes -q
      ! orgctl: 2 steps not in plan.json: the organization or the roster changed
      !   remove tara.team-manager@example.com (active; security) from acme
      !   remove ivan.invitee@example.com (invited; platform) from acme
      !   → Make the plan again, and check it.
      = 2
      $ members apply --file ana.csv --org globex --plan plan.json -q
      ! orgctl: 1 step not in plan.json: the organization or the roster changed
      !   invite ana@example.com to globex (platform)
      !   → Make the plan again, and check it.
      = 2
      $ members apply --file r.yaml --plan r.yaml -q
      ! orgctl: r.yaml is not a plan
      !   → Print one with orgctl members plan -o json.
      = 2
      $ members apply --file r.yaml --plan plan.json -q --fields result,email 2>/dev/null
      changed\tada.auditor@example.com
      invited\tana@example.com
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"},{"id":"team-security","type":"teams"}]}}}}
    `);

  test('reads who is removed again right before, and leaves who changed meanwhile', async () => {
    let isOver = false;
    const service: TestService = await startService({
      async alter(answer, { url }) {
        if (isOver || !/acme\/organization-memberships/.test(url)) return answer;
        isOver = true;
        service.sandbox.accept('ivan.invitee@example.com', 'acme');
        await service.ask('DELETE', real('/organization-memberships/ou-tara'));
        await service.ask('DELETE', real('/organization-memberships/ou-ada'));
        await service.ask('POST', real('/teams/team-security/relationships/organization-memberships'), 'owner', {
          data: [{ id: real('ou-milo'), type: 'organization-memberships' }],
        });
        return answer;
      },
    });
    const { real } = await createNames(service.sandbox);
    await transcript({
      service,
      files: { 'r.csv': 'id,teams\nou-olive,\nou-ada,platform\nou-milo,platform\nou-rex,\n' },
    })`
      $ members apply --file r.csv --prune --prune-teams --yes --fields result,email,error.code
      changed\tmilo.member@example.com\t
      failed\tada.auditor@example.com\trejected
      unchanged\ttara.team-manager@example.com\t
      failed\tivan.invitee@example.com\tchanged-meanwhile
      ! orgctl: 2 of 4 failed
      !   ada.auditor@example.com: the service rejected the request; bad request: ou-ada is not a membership of the organization
      !   ivan.invitee@example.com: ivan.invitee@example.com changed in the meantime, so it was not removed
      !   → Look at the membership, and run the command again.
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-milo","type":"organization-memberships"},{"id":"ou-ada","type":"organization-memberships"}]}
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-milo","type":"organization-memberships"}]}
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      > DELETE /teams/team-audit/relationships/organization-memberships {"data":[{"id":"ou-milo","type":"organization-memberships"}]}
      = 10
    `;
  });
});

describe('of several organizations', () => {
  const SEVERAL = `organizations:
  globex: {members: [{email: ana@example.com, teams: [platform]}]}
  acme: {members: [{id: ou-ada, teams: [audit, platform]}, {email: ana@example.com, teams: [security]}]}`;

  test('a roster changes only the organizations that it names', () =>
    transcript({
      env: { ORGCTL_ORG: '' },
      files: {
        'r.yaml': SEVERAL,
        'one.yaml': 'organization: Globex\nmembers: [{email: eve@example.com, teams: [audit]}]',
        'wrong.yaml': 'organizations: {acme: {members: [{email: a@b.example, organization: globex}]}}',
      },
    })`
      $ members plan --file one.yaml --org acme
      ! orgctl: one.yaml names Globex, but this command acts on acme
      !   → Add --org Globex, or use another file.
      = 2, nothing sent
      $ members plan --file wrong.yaml
      ! orgctl: wrong.yaml: acme, entry 1: it names globex, but is under acme
      = 2, nothing sent
      $ members apply --file r.yaml -q --fields organization.id,result,email
      acme\tchanged\tada.auditor@example.com
      acme\tinvited\tana@example.com
      globex\tinvited\tana@example.com
      > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-ada","type":"organization-memberships"}]}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-security","type":"teams"}]}}}}
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform.globex","type":"teams"}]}}}}
    `);

  test('one that can not be read is left out: 10', () =>
    transcript({ ...AT_TERMINAL, files: { 'r.yaml': SEVERAL }, service: { alter: hide(/organizations\/acme\//) } })`
      $ members apply --file r.yaml --org acme,globex
      ! = olive.owner@example.com, milo.member@example.com, tara.team-manager@example.com and 7 more are not in the roster, kept in globex (--prune removes)
      ! ✓ Invited ana@example.com to globex (platform)
      ! orgctl: 1 organization failed
      !   acme: can't list the members of acme: not found (you are an owner of acme)
      !   → Run the same command again to do the rest.
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform.globex","type":"teams"}]}}}}
      = 10
      $ members apply --file r.yaml --org acme,globex 2>/dev/null
      = 10
    `);
});

test('works with the document alone: teams are ids, and --prune-teams is refused', () =>
  transcript({
    service: { documentOnly: true },
    files: { 'r.csv': 'email,teams\nmilo.member@example.com,team-platform\nana@example.com,team-platform\n' },
  })`
    $ members plan --init > init.yaml
    $ members plan --file init.yaml
    $ members apply --file r.csv -q --fields result,email,error.code 2>/dev/null
    failed\tmilo.member@example.com\tnot-found
    invited\tana@example.com\t
    > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-milo","type":"organization-memberships"}]}
    > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"}]}}}}
    = 10
    $ members plan --file r.csv --prune
    ! orgctl: can't see who owns acme, so nobody can be pruned
    !   → Add --allow-owners if owners may be removed too.
    = 2
    $ members plan --file r.csv --prune-teams
    ! orgctl: the teams of acme can't be listed, so nobody can be pruned from them
    !   → Leave out --prune-teams.
    = 2
    $ AS=org-token members plan --file r.csv --prune --allow-owners
    ! orgctl: acme would have no owner without olive.owner@example.com
    = 2
  `);
