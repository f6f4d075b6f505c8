import { test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

test('teams update sends what differs, and nothing if nothing does', async () => {
  await transcript({ reads: true })`
    $ teams update platform --visibility secret --name platforms
    updated\tacme\tplatforms\tteam-platform\t\t
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /teams/team-platform
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"name":"platforms","visibility":"secret"}}}
    > GET /teams/team-platform
    $ teams update platforms --visibility secret -o json --query result
    "unchanged"
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /teams/team-platform
  `;
  await transcript()`
    $ teams update audit --visibility organization --org acme,globex
    acme\tupdated\taudit\tteam-audit\t\t
    globex\tupdated\taudit\tteam-audit.globex\t\t
    > PATCH /teams/team-audit {"data":{"id":"team-audit","type":"teams","attributes":{"visibility":"organization"}}}
    > PATCH /teams/team-audit.globex {"data":{"id":"team-audit.globex","type":"teams","attributes":{"visibility":"organization"}}}
    $ teams update audit --name aud2 --access manage-membership --dry-run -o ndjson
    {"id":"team-audit","type":"teams","name":"audit","organization":{"id":"acme","type":"organizations"},"before":{"name":"audit","manage-membership":false},"after":{"name":"aud2","manage-membership":true},"changed":false,"result":"planned"}
    $ teams update security --name sec2 --visibility organization -o ndjson
    {"id":"team-security","type":"teams","name":"sec2","organization":{"id":"acme","type":"organizations"},"before":{"name":"security"},"after":{"name":"sec2"},"changed":true,"result":"updated"}
    > PATCH /teams/team-security {"data":{"id":"team-security","type":"teams","attributes":{"name":"sec2"}}}
    $ teams update audit --name audit --org globex -o ndjson
    {"id":"team-audit.globex","type":"teams","name":"audit","organization":{"id":"globex","type":"organizations"},"before":{},"after":{},"changed":false,"result":"unchanged"}
    $ teams update network --name networks --org globex
    updated\tglobex\tnetworks\tteam-network.globex\t\t
    > PATCH /teams/team-network.globex {"data":{"id":"team-network.globex","type":"teams","attributes":{"name":"networks"}}}
    $ teams update platform --name audit
    failed\tacme\tplatform\tteam-platform\trejected\tthe service rejected the request; /data/attributes/name: Name has already been taken
    ! orgctl: the service rejected the request
    !   /data/attributes/name: Name has already been taken
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"name":"audit"}}}
    = 7
    $ AS=member teams update audit --name auditors -q
    failed\tacme\taudit\tteam-audit\tnot-found\tcan't change team audit: not found, or you don't have permission; Owners, the organization token and people who manage teams can.
    ! orgctl: can't change team audit: not found, or you don't have permission
    !   Owners, the organization token and people who manage teams can.
    > PATCH /teams/team-audit {"data":{"id":"team-audit","type":"teams","attributes":{"name":"auditors"}}}
    = 5
  `;
});

test('--access sets those named and clears the others, but not what they imply', () =>
  transcript()`
    $ teams update platform --access manage-projects,manage-membership
    ! orgctl: this needs a confirmation: Change platform in acme: manage-providers yes → no, manage-projects no → yes, manage-membership no → yes?
    !   → Add --yes, or --dry-run to see what would be done.
    = 2
    $ teams update platform --access manage-projects,manage-membership --yes
    updated\tacme\tplatform\tteam-platform\t\t
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"organization-access":{"manage-providers":false,"manage-projects":true,"manage-membership":true}}}}
    $ teams update platform --access manage-projects --access manage-membership
    unchanged\tacme\tplatform\tteam-platform\t\t
    $ teams update platform --access manage-teams --yes
    failed\tacme\tplatform\tteam-platform\trejected\tthe service rejected the request; /data/attributes/organization-access/manage-teams: manage-teams needs manage-membership
    ! orgctl: the service rejected the request
    !   /data/attributes/organization-access/manage-teams: manage-teams needs manage-membership
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"organization-access":{"manage-membership":false,"manage-projects":false,"manage-workspaces":false,"manage-teams":true}}}}
    = 7
    $ teams update platform --access manage-workspaces --dry-run
    planned\tacme\tplatform\tteam-platform\t\t
    $ teams update platform --access none --yes
    updated\tacme\tplatform\tteam-platform\t\t
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"organization-access":{"manage-membership":false,"manage-projects":false,"manage-workspaces":false}}}}
    $ teams update platform --access none
    unchanged\tacme\tplatform\tteam-platform\t\t
  `);

test('it asks once where an access is granted or revoked', () =>
  transcript({ ...AT_TERMINAL, stdin: 'y\n' })`
    $ teams update audit --visibility organization --access manage-membership
    ! Change audit in acme: visibility secret → organization, manage-membership no → yes? [y/N] ✓ Changed audit in acme: visibility secret → organization, manage-membership no → yes
    > PATCH /teams/team-audit {"data":{"id":"team-audit","type":"teams","attributes":{"visibility":"organization","organization-access":{"manage-membership":true}}}}
    $ teams update audit --access manage-membership
    ! = audit in acme has this already
    $ teams update platform --access none --org acme,globex
    ! platform in acme: manage-providers yes → no
    ! platform in globex: manage-providers yes → no
    ! Change these 2 teams? [y/N] ✓ Changed platform in acme: manage-providers yes → no
    ! ✓ Changed platform in globex: manage-providers yes → no
    ! 2 teams: 2 updated
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"organization-access":{"manage-providers":false}}}}
    > PATCH /teams/team-platform.globex {"data":{"id":"team-platform.globex","type":"teams","attributes":{"organization-access":{"manage-providers":false}}}}
    $ teams update platform --name pla --dry-run
    ! Would change platform in acme: name platform → pla
    $ teams create new --visibility secret --access manage-teams,manage-membership --dry-run
    ! Would create new in acme: visibility secret, manage-teams yes, manage-membership yes
    $ teams create new --dry-run
    ! Would create new in acme
    $ teams update platform --visibility secret
    ! ✓ Changed platform in acme: visibility organization → secret
    > PATCH /teams/team-platform {"data":{"id":"team-platform","type":"teams","attributes":{"visibility":"secret"}}}
  `);

test('owners, managed and unknown teams are 2, before anything is sent', () =>
  transcript()`
    $ teams update owners --visibility secret
    ! orgctl: owners of acme can't be changed: every organization needs it
    = 2
    $ teams update data --name x --org globex
    ! orgctl: data of globex can't be changed: an identity provider manages it
    = 2
    $ teams update platform --name x --org initech
    ! orgctl: platform of initech can't be changed: HCP manages it
    = 2
    $ teams update plat --name x
    ! orgctl: acme has no team 'plat'
    !   → Teams: owners, platform, security, audit.
    = 2
    $ teams update network --name x --org acme,globex
    ! orgctl: acme has no team 'network'
    !   → Teams: owners, platform, security, audit.
    = 2
    $ teams update platform
    ! orgctl: nothing to change
    !   → Use --name, --visibility or --access.
    = 2, nothing sent
  `);
