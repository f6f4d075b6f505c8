import { test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

test('organizations list prints your own', async () => {
  await transcript({ ...AT_TERMINAL, columns: 120, reads: true })`
    $ organizations list
    ORGANIZATION  2FA           SSO  PLAN      CREATED      ID
    acme          not required  no   standard  90 days ago  org-1
    globex        not required  yes  plus      90 days ago  org-2
    initech       required      no   free      90 days ago  org-3
    > GET /organizations?page%5Bsize%5D=100
    $ orgs ls --limit 1
    ORGANIZATION  2FA           SSO  PLAN      CREATED      ID
    acme          not required  no   standard  90 days ago  org-1
    > GET /organizations?page%5Bsize%5D=100
    $ AS=org-token organizations list -o ndjson --query [].name
    "acme"
    > GET /organizations?page%5Bsize%5D=100
  `;
  await transcript()`
    $ organizations list
    acme\tpassword\tfalse\tstandard\t2026-08-23T09:00:00.000Z\torg-1
    globex\tpassword\ttrue\tplus\t2026-08-23T09:00:00.000Z\torg-2
    initech\ttwo_factor_mandatory\tfalse\tfree\t2026-08-23T09:00:00.000Z\torg-3
    $ AS=audit-token organizations list
    ! orgctl: can't list organizations: not found, or you don't have permission
    = 5
  `;
});

test('organizations show prints lines, and all attributes in json', async () => {
  await transcript({ ...AT_TERMINAL, columns: 120, reads: true })`
    $ organizations show
    Organization:     acme
    Email:            platform@acme.example.com
    Plan:             standard
    Two-factor:       not required
    SSO:              no
    Tokens of users:  yes
    Created:          90 days ago (2026-08-23 09:00 UTC)
    ID:               org-1
    > GET /organizations/acme
    $ organizations show --all-orgs
    ORGANIZATION  2FA           SSO  PLAN      CREATED      ID
    acme          not required  no   standard  90 days ago  org-1
    globex        not required  yes  plus      90 days ago  org-2
    initech       required      no   free      90 days ago  org-3
    > GET /organization-memberships?include=teams
    > GET /organizations/acme
    > GET /organizations/globex
    > GET /organizations/initech
  `;
  await transcript()`
    $ organizations show GLOBEX
    globex\tcloud@globex.example.com\tplus\tpassword\ttrue\t\ttrue\t2026-08-23T09:00:00.000Z\torg-1
    $ organizations show globex,nope,acme
    acme\tpassword\tfalse\tstandard\t2026-08-23T09:00:00.000Z\torg-2
    globex\tpassword\ttrue\tplus\t2026-08-23T09:00:00.000Z\torg-1
    nope\t\t\t\t\t
    ! orgctl: 1 of 3 organizations failed
    !   nope: you are not a member of nope
    = 10
    $ organizations show nope
    ! orgctl: you are not a member of nope
    !   → Your organizations: acme, globex, initech.
    = 5
    $ organizations show globex --org acme
    ! orgctl: use globex or --org, not both
    = 2, nothing sent
    $ organizations show globex --all-orgs
    ! orgctl: use globex or --all-orgs, not both
    = 2, nothing sent
    $ organizations show glo/bex
    ! orgctl: name: 'glo/bex' is not an organization name
    = 2, nothing sent
    $ organizations show acme -o ndjson --query '{id: id, name: name, other: "stacks-enabled", can: permissions."can-update", organization: organization}'
    {"id":"acme","name":"acme","other":false,"can":true,"organization":{"id":"acme","type":"organizations"}}
  `;
});
