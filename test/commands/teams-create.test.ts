import { test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

test('teams create makes each team once, and leaves one that is there', async () => {
  await transcript()`
    $ teams create reviewers Readers readers --visibility organization --access manage-projects
    created\tacme\treviewers\tteam-1\t\t
    created\tacme\tReaders\tteam-2\t\t
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"reviewers","visibility":"organization","organization-access":{"manage-projects":true}}}}
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"Readers","visibility":"organization","organization-access":{"manage-projects":true}}}}
    $ teams create REVIEWERS name:x --access manage-projects -o ndjson
    {"id":"team-1","type":"teams","name":"reviewers","organization":{"id":"acme","type":"organizations"},"before":{},"after":{},"changed":false,"result":"unchanged"}
    {"id":"team-3","type":"teams","name":"name:x","organization":{"id":"acme","type":"organizations"},"before":null,"after":{"name":"name:x","manage-projects":true},"changed":true,"result":"created"}
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"name:x","organization-access":{"manage-projects":true}}}}
    $ teams create audit new --org acme,globex,nope
    acme\tunchanged\taudit\tteam-audit\t\t
    acme\tcreated\tnew\tteam-4\t\t
    globex\tunchanged\taudit\tteam-audit.globex\t\t
    globex\tcreated\tnew\tteam-5\t\t
    ! orgctl: 1 organization failed
    !   nope: you are not a member of nope
    !   → Your organizations: acme, globex, initech.
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"new"}}}
    > POST /organizations/globex/teams {"data":{"type":"teams","attributes":{"name":"new"}}}
    = 10
  `;
  await transcript(AT_TERMINAL)`
    $ teams create one two platform
    ! ✓ Created one in acme
    ! ✓ Created two in acme
    ! = platform is already in acme
    ! 3 teams: 2 created, 1 unchanged
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"one"}}}
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"two"}}}
    $ teams create three --dry-run
    ! Would create three in acme
  `;
  await transcript({ reads: true })`
    $ teams create one
    created\tacme\tone\tteam-1\t\t
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"one"}}}
    $ teams create audit
    unchanged\tacme\taudit\tteam-audit\t\t
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /teams/team-audit
  `;
});

test('a team that is there and not as asked by the options is 13', () =>
  transcript()`
    $ teams create platform --visibility organization --access manage-providers --fields result
    unchanged
    $ teams create platform --visibility secret --access manage-teams
    unchanged\tacme\tplatform\tteam-platform\tattention\tplatform is already in acme, but visibility is organization, manage-providers is yes and manage-teams is no
    ! orgctl: platform is already in acme, but visibility is organization, manage-providers is yes and manage-teams is no
    = 13
    $ teams create platform audit --access none --fields result,error.message
    unchanged\tplatform is already in acme, but manage-providers is yes
    unchanged\t
    ! orgctl: 1 of 2 failed
    !   platform: platform is already in acme, but manage-providers is yes
    = 10
  `);

test('wrong values and refusals create nothing', () =>
  transcript()`
    $ teams create x --access manage-team
    ! orgctl: --access: unknown access 'manage-team'
    !   → Did you mean manage-teams?
    = 2, nothing sent
    $ teams create x --access none,manage-teams
    ! orgctl: --access: 'none' can't be used with other names
    = 2, nothing sent
    $ teams create x --visibility public
    ! orgctl: --visibility must be secret or organization, not 'public'
    = 2, nothing sent
    $ teams create x​
    ! orgctl: 'x<U+200B>' has invisible characters: U+200B
    = 2
    $ AS=member teams create x -q
    failed\tacme\tx\t\tnot-found\tyou don't have permission to create team x in acme; Owners, the organization token and people who manage teams can.
    ! orgctl: you don't have permission to create team x in acme
    !   Owners, the organization token and people who manage teams can.
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"x"}}}
    = 5
  `);
