import { test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

test('organizations update sends what differs, reads again, and sends nothing if nothing does', async () => {
  await transcript({ reads: true })`
    $ organizations update session-timeout=60 collaborator-auth-policy=password --yes
    updated\tacme\tsession-timeout\t\t
    > GET /organizations/acme
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    > GET /organizations/acme
    $ organizations update session-timeout=60 -o json
    {
      "organization": {
        "id": "acme",
        "type": "organizations"
      },
      "attributes": [],
      "before": {
        "session-timeout": 60
      },
      "after": {
        "session-timeout": 60
      },
      "changed": false,
      "result": "unchanged"
    }
    > GET /organizations/acme
    $ organizations update session-timeout=null collaborator-auth-policy=two_factor_mandatory --yes -o json
    {
      "organization": {
        "id": "acme",
        "type": "organizations"
      },
      "attributes": [
        "session-timeout",
        "collaborator-auth-policy"
      ],
      "before": {
        "session-timeout": 60,
        "collaborator-auth-policy": "password"
      },
      "after": {
        "session-timeout": null,
        "collaborator-auth-policy": "two_factor_mandatory"
      },
      "changed": true,
      "result": "updated"
    }
    > GET /organizations/acme
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":null,"collaborator-auth-policy":"two_factor_mandatory"}}}
    > GET /organizations/acme
    $ organizations update session-timeout=5 email=x@example.com -o ndjson --dry-run
    {"organization":{"id":"acme","type":"organizations"},"attributes":["session-timeout","email"],"before":{"session-timeout":null,"email":"platform@acme.example.com"},"after":{"session-timeout":5,"email":"x@example.com"},"changed":false,"result":"planned"}
    > GET /organizations/acme
  `;
  await transcript()`
    $ orgs update session-timeout=60 --org globex,acme --yes
    acme\tupdated\tsession-timeout\t\t
    globex\tupdated\tsession-timeout\t\t
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    > PATCH /organizations/globex {"data":{"type":"organizations","attributes":{"session-timeout":60}}}
    $ orgs update session-timeout=60 --org globex,acme,nope --yes
    acme\tunchanged\t\t\t
    globex\tunchanged\t\t\t
    ! orgctl: 1 organization failed
    !   nope: you are not a member of nope
    !   → Your organizations: acme, globex, initech.
    = 10
    $ orgs update collaborator-auth-policy=two_factor --yes
    updated\tacme\tcollaborator-auth-policy\t\t
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor"}}}
    $ AS=member orgs update session-timeout=60 --yes
    unchanged\tacme\t\t\t
    $ ORGCTL_READ_ONLY=1 orgs update session-timeout=70
    ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
    = 2
  `;
});

test('values get the type that is shown', () =>
  transcript()`
    $ orgs update user-tokens-enabled=false email=true owners-team-saml-role-id=007 session-timeout=60 --yes
    failed\tacme\tuser-tokens-enabled,email,owners-team-saml-role-id,session-timeout\trejected\tthe service rejected the request; /data/attributes/email: Email is invalid
    ! orgctl: the service rejected the request
    !   /data/attributes/email: Email is invalid
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"user-tokens-enabled":false,"email":"true","owners-team-saml-role-id":"007","session-timeout":60}}}
    = 7
    $ orgs update owners-team-saml-role-id=true session-timeout=1e2 session-remember=12345678901234567890 --dry-run -o json --query after
    {
      "owners-team-saml-role-id": true,
      "session-timeout": 100,
      "session-remember": "12345678901234567890"
    }
    $ orgs update session-timeout=007
    ! orgctl: this needs a confirmation: Change acme: session-timeout empty → 007?
    !   → Add --yes, or --dry-run to see what would be done.
    = 2
    $ orgs update user-tokens-enabled=yes
    ! orgctl: user-tokens-enabled must be true or false, not 'yes'
    = 2
    $ orgs update email= owners-team-saml-role-id= --dry-run -o json --query after
    {
      "email": "",
      "owners-team-saml-role-id": ""
    }
  `);

test('what is no attribute that can be changed is 2, before the first write', () =>
  transcript({ service: {} })`
    $ orgs update colaborator-auth-policy=password
    ! orgctl: acme shows no attribute 'colaborator-auth-policy'
    !   → Did you mean collaborator-auth-policy?
    = 2
    $ orgs update constructor=1
    ! orgctl: acme shows no attribute 'constructor'
    !   → orgctl organizations show -o json prints all.
    = 2
    $ orgs update name=acme2
    ! orgctl: name can't be changed here
    = 2, nothing sent
    $ orgs update permissions=x
    ! orgctl: permissions can't be changed here: it is no single value
    = 2
    $ orgs update entitlement-set=x
    ! orgctl: acme shows no attribute 'entitlement-set'
    !   → orgctl organizations show -o json prints all.
    = 2
    $ orgs update session-timeout
    ! orgctl: 'session-timeout' is not attribute=value
    = 2, nothing sent
    $ orgs update =5
    ! orgctl: '=5' is not attribute=value
    = 2, nothing sent
    $ orgs update session-timeout=5 session-timeout=6
    ! orgctl: session-timeout is given twice
    = 2, nothing sent
    $ orgs update
    ! orgctl: missing required argument 'changes'
    !   → See orgctl organizations update --help.
    = 2, nothing sent
  `);

test('it asks once, naming the organizations', () =>
  transcript({ ...AT_TERMINAL, stdin: 'y\n' })`
    $ orgs update collaborator-auth-policy=two_factor_mandatory
    ! Change acme: collaborator-auth-policy password → two_factor_mandatory? [y/N] ✓ acme: collaborator-auth-policy password → two_factor_mandatory
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor_mandatory"}}}
    $ orgs update collaborator-auth-policy=two_factor_mandatory
    ! = acme is so already
    $ orgs update collaborator-auth-policy=two_factor_mandatory user-tokens-enabled=false --all-orgs
    ! acme: user-tokens-enabled yes → no
    ! globex: collaborator-auth-policy password → two_factor_mandatory, user-tokens-enabled yes → no
    ! initech: collaborator-auth-policy password → two_factor_mandatory, user-tokens-enabled yes → no
    ! Change these 3 organizations? [y/N] 3 organizations: 3 updated
    ! orgctl: 3 of 3 failed
    !   acme: acme was changed, but reading it again failed; 127.0.0.1:PORT rejected your token; unauthorized
    !   globex: globex was changed, but reading it again failed; 127.0.0.1:PORT rejected your token; unauthorized
    !   initech: initech was changed, but reading it again failed; 127.0.0.1:PORT rejected your token; unauthorized
    > PATCH /organizations/acme {"data":{"type":"organizations","attributes":{"user-tokens-enabled":false}}}
    > PATCH /organizations/globex {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor_mandatory","user-tokens-enabled":false}}}
    > PATCH /organizations/initech {"data":{"type":"organizations","attributes":{"collaborator-auth-policy":"two_factor_mandatory","user-tokens-enabled":false}}}
    = 13
    $ orgs update session-timeout=60 --dry-run
    ! orgctl: 127.0.0.1:PORT rejected your token (from ORGCTL_TOKEN)
    !   unauthorized
    !   → It is wrong, expired or replaced. Set ORGCTL_TOKEN to a new one.
    = 4
  `);
