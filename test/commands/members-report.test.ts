import { describe, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

describe('members report', () => {
  test('has a row for each person, by email', () =>
    transcript()`
      $ members report -o csv
      organization.id,email,owner,user.two-factor.enabled,status,teams.name,created-at,user.username,user.auth-method,user.is-service-account,id
      acme,ada.auditor@example.com,false,false,active,audit,2026-09-26T09:00:00.000Z,ada-auditor,tfc,false,ou-ada
      acme,ivan.invitee@example.com,false,,invited,platform,2026-09-27T09:00:00.000Z,,tfc,false,ou-ivan
      acme,milo.member@example.com,false,false,active,audit,2026-09-23T09:00:00.000Z,milo-member,tfc,false,ou-milo
      acme,olive.owner@example.com,true,false,active,owners,2026-09-22T09:00:00.000Z,olive-owner,tfc,false,ou-olive
      acme,rex.registry-manager@example.com,false,false,active,platform,2026-09-25T09:00:00.000Z,rex-registry-manager,tfc,false,ou-rex
      acme,tara.team-manager@example.com,false,false,active,security,2026-09-24T09:00:00.000Z,tara-team-manager,tfc,false,ou-tara
      $ members report --org initech,nope --fields organization.id,email,owner
      initech\tmilo.member@example.com\tfalse
      initech\tolive.owner@example.com\ttrue
      initech\tpeter.programmer@example.com\tfalse
      initech\trex.registry-manager@example.com\tfalse
      initech\ttara.team-manager@example.com\tfalse
      ! orgctl: 1 of 2 organizations failed
      !   nope: you are not a member of nope
      = 10
    `);

  test('is a table in which OWNER has room in 80 columns', () =>
    transcript({ ...AT_TERMINAL, columns: 80 })`
      $ members report
      ORGANIZATION  EMAIL                             OWNER  2FA  STATUS   TEAMS
      acme          ada.auditor@example.com           no     no   active   audit
      acme          ivan.invitee@example.com          no          invited  platform
      acme          milo.member@example.com           no     no   active   audit
      acme          olive.owner@example.com           yes    no   active   owners
      acme          rex.registry-manager@example.com  no     no   active   platform
      acme          tara.team-manager@example.com     no     no   active   security
      ! not shown: created-at, user.username, user.auth-method, user.is-service-account, id (use --fields or -o json)
    `);

  test('leaves the owner empty if it can not be seen', () =>
    transcript({ service: { documentOnly: true } })`
      $ members report --query [].owner|[0]
      null
      ! warning: could not be read: owner of ada.auditor@example.com, ivan.invitee@example.com, milo.member@example.com and 3 more in acme
    `);
});

describe('members report --against', () => {
  test('shows every kind of change', () =>
    transcript({
      ...AT_TERMINAL,
      columns: 80,
      files: {
        'old.csv': `organization.id,email,status,teams.name,user.two-factor.enabled,owner,id
acme,gone@example.com,active,"audit,platform",true,false,ou-gone
acme,Ada.auditor@example.com,active,audit,true,false,ou-0
acme,renamed@example.com,active,platform,,,ou-ivan
acme,milo.member@example.com,active,"audit,owners,security",,true,
acme,olive.owner@example.com,invited,,false,false,
acme,rex.registry-manager@example.com,active,,,,`,
        'old.json': `[{"organization": {"id": "globex"}, "email": "sam.sso@example.com", "owner": false,
          "user": {"two-factor": {"enabled": false}}}]`,
      },
    })`
      $ members report --against old.csv
      CHANGE        ORGANIZATION  EMAIL                             BEFORE    AFTER
      left          acme          gone@example.com
      2fa-lost      acme          ada.auditor@example.com           yes       no
      status        acme          ivan.invitee@example.com          active    invited
      owner-lost    acme          milo.member@example.com           yes       no
      team-removed  acme          milo.member@example.com           security
      status        acme          olive.owner@example.com           invited   active
      owner-gained  acme          olive.owner@example.com           no        yes
      team-added    acme          rex.registry-manager@example.com            platform
      joined        acme          tara.team-manager@example.com
      ! not shown: owner, user.two-factor.enabled, status, teams.name, created-at, user.username, user.auth-method, user.is-service-account, id (use --fields or -o json)
      ! orgctl: 9 changes since old.csv; not compared: owner of renamed@example.com, rex.registry-manager@example.com in acme; 2FA of renamed@example.com, milo.member@example.com, rex.registry-manager@example.com in acme
      = 10
      $ members report --against old.csv --query '[?change==\`left\`].["user.two-factor.enabled",owner,"teams.name"][]'
      [
        true,
        false,
        [
          "audit",
          "platform"
        ]
      ]
      ! orgctl: 9 changes since old.csv; not compared: owner of renamed@example.com, rex.registry-manager@example.com in acme; 2FA of renamed@example.com, milo.member@example.com, rex.registry-manager@example.com in acme
      = 10
      $ members report --org globex --against old.json --query '[?change==\`2fa-gained\`].[email,before,after]'
      [
        [
          "sam.sso@example.com",
          false,
          true
        ]
      ]
      ! orgctl: 10 changes since old.json
      = 13
    `);

  test('compares with what members report printed, of one organization or of several', () =>
    transcript({ tty: { stdout: true } })`
      $ members report -o csv > one.csv
      $ members report --against one.csv
      ! No changes since one.csv.
      $ members report --against - < one.csv
      ! No changes since stdin.
      $ members report --org globex --against one.csv
      ! orgctl: not compared: globex (not in one.csv); acme (only in one.csv)
      = 10
      $ members report --org acme,globex -o csv > two.csv
      $ members report --all-orgs -o json > all.json
      $ members report --all-orgs --against all.json
      ! No changes since all.json.
      $ members remove tara.team-manager@example.com --org globex --yes -q
      > DELETE /organization-memberships/ou-tara.globex
      $ members report --against two.csv
      ! orgctl: not compared: globex (only in two.csv)
      = 10
      $ members report --org acme,globex --against two.csv -o tsv --fields organization.id,change,email,teams.name
      globex\tleft\ttara.team-manager@example.com\tsecurity
      ! orgctl: 1 change since two.csv
      = 13
      $ members report --all-orgs --against two.csv -q --query [].change
      [
        "left"
      ]
      ! {"error":{"code":"not-compared","exit":10,"message":"1 change since two.csv; not compared: initech (not in two.csv)"}}
      = 10
      $ members report --all-orgs --against all.json -q --query '[].[change,user."two-factor".enabled,user."auth-method"][]'
      [
        "left",
        false,
        "tfc"
      ]
      ! {"error":{"code":"changed","exit":13,"message":"1 change since all.json"}}
      = 13
    `);

  test('refuses a file that is not a report', () =>
    transcript({ files: { 'list.csv': 'email,status\nana@example.com,active\n' } })`
      $ members report --against list.csv
      ! orgctl: list.csv is not a report
      !   → Print one with orgctl members report -o csv.
      = 2, nothing sent
    `);
});
