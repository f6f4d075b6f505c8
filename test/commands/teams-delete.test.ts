import { test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { hide } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

test('teams delete asks with the number of members and tokens', async () => {
  await transcript({ ...AT_TERMINAL, stdin: 'y\n', columns: 200 })`
    $ teams delete audit platform --dry-run
    ! Would delete audit (2 members, 0 tokens) from acme
    ! Would delete platform (1 member, 2 tokens) from acme
    ! 2 teams: 2 planned
    $ teams delete audit
    ! Delete audit (2 members, 0 tokens) from acme? [y/N] ✓ Deleted audit from acme
    > DELETE /teams/team-audit
    $ teams delete platform security
    ! platform (1 member, 2 tokens) from acme
    ! security (1 member, 0 tokens) from acme
    ! Delete these 2 teams? [y/N] ✓ Deleted platform from acme
    ! ✓ Deleted security from acme
    ! 2 teams: 2 deleted
    > DELETE /teams/team-platform
    > DELETE /teams/team-security
  `;
  await transcript({ reads: true })`
    $ teams delete audit team-audit --yes
    deleted\tacme\taudit\tteam-audit\t\t
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /teams/team-audit
    > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
    > DELETE /teams/team-audit
  `;
});

test('an unknown team is 5, or left out, and of several organizations 2', () =>
  transcript()`
    $ teams delete nope audit --yes
    ! orgctl: acme has no team nope
    !   → orgctl teams list shows them.
    = 5
    $ teams delete nope audit --yes --ignore-missing
    unchanged\tacme\tnope\t\t\t
    deleted\tacme\taudit\tteam-audit\t\t
    > DELETE /teams/team-audit
    $ teams delete nope --ignore-missing -o ndjson
    {"id":null,"type":"teams","name":"nope","organization":{"id":"acme","type":"organizations"},"changed":false,"result":"unchanged"}
    $ teams delete network --org acme,globex --yes
    ! orgctl: acme has no team 'network'
    !   → Teams: owners, platform, security.
    = 2
    $ teams delete network --org acme,globex --yes --ignore-missing
    acme\tunchanged\tnetwork\t\t\t
    globex\tdeleted\tnetwork\tteam-network.globex\t\t
    > DELETE /teams/team-network.globex
  `);

test('an id of another organization, where no teams are listed, is a team that can not be read', () =>
  transcript({ service: { alter: hide(/organizations.acme.teams/) } })`
    $ teams delete team-network.globex --yes
    ! orgctl: team-network.globex of acme can't be deleted: it can't be read
    = 2
  `);

test('owners are never deleted, and rm is remove', () =>
  transcript()`
    $ teams delete owners security --yes
    ! orgctl: owners of acme can't be deleted: every organization needs it
    = 2
    $ teams delete data --org globex --yes -q
    failed\tglobex\tdata\tteam-data.globex\tforbidden\tyou don't have permission to delete team data; forbidden: The team is managed by SCIM
    ! orgctl: you don't have permission to delete team data
    !   forbidden: The team is managed by SCIM
    > DELETE /teams/team-data.globex
    = 6
    $ teams rm security --yes
    ! orgctl: give members, or --file
    = 2, nothing sent
  `);
