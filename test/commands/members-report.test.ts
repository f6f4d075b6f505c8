import { describe, expect, test } from 'vitest';
import { parsePage } from '../support/html.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { startService } from '../support/service.ts';
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
      $ members report --against old.csv --query '[?change==\`left\`].["user.two-factor.enabled",owner,"teams.name"]' -o ndjson
      [true,false,["audit","platform"]]
      ! orgctl: 9 changes since old.csv; not compared: owner of renamed@example.com, rex.registry-manager@example.com in acme; 2FA of renamed@example.com, milo.member@example.com, rex.registry-manager@example.com in acme
      = 10
      $ members report --org globex --against old.json --query '[?change==\`2fa-gained\`].[email,before,after]' -o ndjson
      ["sam.sso@example.com",false,true]
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
      $ members report --all-orgs --against all.json -q --query '[].[change,user."two-factor".enabled,user."auth-method"]' -o ndjson
      ["left",false,"tfc"]
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

describe('members report --activity', () => {
  const event = (user: string, day: number, auth: object = {}): string =>
    JSON.stringify({
      timestamp: `2026-11-${day}T09:00:00.000Z`,
      auth: { accessor_id: user, type: 'Client', impersonator_id: null, organization_id: 'org-acme', ...auth },
    });
  const service = {
    faults: ['acme', 'globex'].map((org) => `GET organizations/${org}: with=external-id:org-${org}`),
  };
  const files = {
    'old.ndjson': [
      event('user-olive', 10),
      event('user-olive', 12),
      event('user-olive', 11),
      event('user-ada', 10, { type: 'Impersonated' }),
      event('user-ada', 10, { impersonator_id: 'user-olive' }),
      event('user-milo', 10, { organization_id: 'org-globex' }),
      event('user-milo', 10).slice(0, 40),
      `${event('user-rex', 10).slice(0, 40)}${event('user-rex', 10)}`,
      '',
      '[]',
      event('user-tara', 10),
    ].join('\n'),
    'new.ndjson': `\ufeff${event('user-olive', 13)}\r\n`,
    'none.ndjson': '{"id":"1"}\n',
    'before.csv': 'organization.id,email,owner,status,id\nacme,olive.owner@example.com,false,active,ou-olive\n',
  };

  test('a page says what the files cover', async () => {
    const argv = ['members', 'report', '--activity', '-', '-o', 'html'];
    const { stdout } = await (await startService(service)).run(argv, { stdin: files['old.ndjson'] });
    expect(parsePage(stdout).facts['Activity']).toBe('2026-11-10 09:00 UTC to 2026-11-12 09:00 UTC; of acme');
  });

  test('adds the last event of each person, and says what the files cover', () =>
    transcript({ files, service })`
      $ members report --activity old.ndjson --activity new.ndjson --fields email,last-active-at
      ada.auditor@example.com\t
      ivan.invitee@example.com\t
      milo.member@example.com\t
      olive.owner@example.com\t2026-11-13T09:00:00.000Z
      rex.registry-manager@example.com\t
      tara.team-manager@example.com\t2026-11-10T09:00:00.000Z
      ! activity: 2026-11-10 09:00 UTC to 2026-11-13 09:00 UTC; of acme
      $ members report --org globex,acme --activity - --count-by last-active-at < new.ndjson
      15\t0.9375\t
      1\t0.0625\t2026-11-13T09:00:00.000Z
      ! activity: 2026-11-13 09:00 UTC to 2026-11-13 09:00 UTC; of acme; not of globex
      $ members report --activity old.ndjson --against before.csv --fields change,email,last-active-at
      joined\tada.auditor@example.com\t
      joined\tivan.invitee@example.com\t
      joined\tmilo.member@example.com\t
      owner-gained\tolive.owner@example.com\t2026-11-12T09:00:00.000Z
      joined\trex.registry-manager@example.com\t
      joined\ttara.team-manager@example.com\t2026-11-10T09:00:00.000Z
      ! activity: 2026-11-10 09:00 UTC to 2026-11-12 09:00 UTC; of acme
      ! orgctl: 6 changes since before.csv; not compared: 2FA of olive.owner@example.com in acme
      = 10
      $ members report --activity old.ndjson --activity none.ndjson
      ! orgctl: none.ndjson contains no audit trail events
      !   → Make it with orgctl audit-trail follow --cursor acme.cursor --once -o ndjson.
      = 2, nothing sent
      $ members report --activity nope.ndjson
      ! orgctl: can't read nope.ndjson: it doesn't exist
      = 2, nothing sent
    `);

  test('counts nothing where the organization shows no id', () =>
    transcript({ files, service: { documentOnly: true } })`
      $ members report --activity old.ndjson --count-by last-active-at
      6\t1\t
      ! activity: 2026-11-10 09:00 UTC to 2026-11-12 09:00 UTC; unknown whether of acme
      ! warning: could not be read: owner of ada.auditor@example.com, ivan.invitee@example.com, milo.member@example.com and 3 more in acme
    `);

  test('is a column after the teams', () =>
    transcript({ ...AT_TERMINAL, columns: 120, files, service })`
      $ members report --activity new.ndjson
      ORGANIZATION  EMAIL                             OWNER  2FA  STATUS   TEAMS     LAST ACTIVE  ADDED
      acme          ada.auditor@example.com           no     no   active   audit                  56 days ago
      acme          ivan.invitee@example.com          no          invited  platform               55 days ago
      acme          milo.member@example.com           no     no   active   audit                  59 days ago
      acme          olive.owner@example.com           yes    no   active   owners    8 days ago   60 days ago
      acme          rex.registry-manager@example.com  no     no   active   platform               57 days ago
      acme          tara.team-manager@example.com     no     no   active   security               58 days ago
      ! not shown: user.username, user.auth-method, user.is-service-account, id (use --fields or -o json)
      ! activity: 2026-11-13 09:00 UTC to 2026-11-13 09:00 UTC; of acme
    `);
});
