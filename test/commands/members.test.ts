import { describe, expect, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

interface Document {
  data: { id: string; type: string; attributes: Record<string, unknown> }[];
  included?: Document['data'];
  meta?: { pagination: Record<string, number> };
}

/** Changes the lists of memberships. */
const altering = (change: (document: Document) => void): ServiceOptions => ({
  async alter(answer, { method, url }) {
    if (method !== 'GET' || !/organization-memberships\?/.test(url) || answer.status !== 200) return answer;
    const document = (await answer.json()) as Document;
    change(document);
    return Response.json(document);
  },
});

/** Only Milo has two-factor authentication; the service doesn't say whether Tara has. */
const TWO_FACTOR = altering(({ included = [] }) => {
  for (const { attributes } of included) {
    const name = attributes.username;
    attributes['two-factor'] = name === 'tara-team-manager' ? null : { enabled: name === 'milo-member' };
  }
});

const NO_INCLUDE: ServiceOptions = {
  alter: (answer, { url }) =>
    url.includes('include=')
      ? Response.json({ errors: [{ status: '400', title: 'bad request', detail: 'Invalid include' }] }, { status: 400 })
      : answer,
};

describe('members list', () => {
  test('lists members and invitations; tsv, csv and markdown have the columns of the table, in its order', () =>
    transcript()`
      $ members list
      olive.owner@example.com\tactive\towners\tolive-owner\tou-olive
      milo.member@example.com\tactive\taudit\tmilo-member\tou-milo
      tara.team-manager@example.com\tactive\tsecurity\ttara-team-manager\tou-tara
      rex.registry-manager@example.com\tactive\tplatform\trex-registry-manager\tou-rex
      ada.auditor@example.com\tactive\taudit\tada-auditor\tou-ada
      ivan.invitee@example.com\tinvited\tplatform\t\tou-ivan
      $ members ls --org initech --limit 2 -o csv
      email,status,teams.name,user.username,id
      olive.owner@example.com,active,owners,olive-owner,ou-olive.initech
      milo.member@example.com,active,audit,milo-member,ou-milo.initech
      $ members list --org globex --search api -o markdown
      | EMAIL | STATUS | TEAMS | USER | ID |
      | --- | --- | --- | --- | --- |
      | api-team_1001 | active | platform | api-team_1001 | ou-service.globex |
      $ members list --org initech --status invited
      peter.programmer@example.com\tinvited\t2026-09-26T09:00:00.000Z\tplatform\t\tou-peter.initech
    `);

  test('is a table at a terminal, as far as it is wide; who has no email has a user name', async () => {
    await transcript({ ...AT_TERMINAL, columns: 80 })`
      $ members list --org globex --page 3 --page-size 4
      EMAIL                      STATUS    TEAMS           USER
      ines.inactive@example.com  inactive  platform, data  ines-inactive
      api-team_1001              active    platform        api-team_1001
      ! not shown: id (use --fields or -o json)
      $ members list --status invited
      EMAIL                     STATUS   INVITED      TEAMS     USER
      ivan.invitee@example.com  invited  55 days ago  platform
      ! not shown: id (use --fields or -o json)
    `;
  });

  test('has all of what --include names', () =>
    transcript()`
      $ members list --limit 1 --include user -o ndjson
      {"id":"ou-olive","type":"organization-memberships","status":"active","email":"olive.owner@example.com","created-at":"2026-09-22T09:00:00.000Z","teams":[{"id":"team-owners","type":"teams","name":"owners","sso-team-id":null,"users-count":1,"visibility":"organization","non-service-users-count":1,"allow-member-token-management":true,"is-unified":false,"hcp-resource-name":null,"organization-access":{"manage-membership":true,"manage-teams":true,"manage-organization-access":true,"access-secret-teams":true,"delegate-policy-overrides":true,"manage-agent-pools":true,"manage-modules":true,"manage-policies":true,"manage-policy-overrides":true,"manage-projects":true,"manage-providers":true,"manage-public-modules":true,"manage-public-providers":true,"manage-registry-artifact-tags":true,"manage-registry-artifact-version-tags":true,"manage-registry-components":true,"manage-run-tasks":true,"manage-vcs-settings":true,"manage-workspaces":true,"read-projects":true,"read-workspaces":true},"permissions":{"can-update-membership":true,"can-update-api-token":true,"can-view-api-token":true,"can-destroy":false}}],"user":{"id":"user-olive","type":"users","username":"olive-owner","is-service-account":false,"auth-method":"tfc","avatar-url":null,"two-factor":{"enabled":false,"verified":false},"email":"olive.owner@example.com","permissions":{"can-change-email":true,"can-change-username":true}},"organization":{"id":"acme","type":"organizations"}}
    `);

  test('filters at the service by status, email and text, and asks for one page, or no more than the limit', () =>
    transcript({ reads: true })`
      $ members list --status active --search milo --email milo.member@example.com,ada.auditor@example.com --fields email
      milo.member@example.com
      > GET /organizations/acme/organization-memberships?q=milo&filter%5Bstatus%5D=active&filter%5Bemail%5D=milo.member%40example.com%2Cada.auditor%40example.com&page%5Bsize%5D=100&include=user%2Cteams
      $ members list --limit 3 --page-size 2 --fields email
      olive.owner@example.com
      milo.member@example.com
      tara.team-manager@example.com
      > GET /organizations/acme/organization-memberships?page%5Bsize%5D=2&include=user%2Cteams
      > GET /organizations/acme/organization-memberships?page%5Bnumber%5D=2&page%5Bsize%5D=2&include=user%2Cteams
      $ members list --page 2 --page-size 5 --fields email
      ivan.invitee@example.com
      > GET /organizations/acme/organization-memberships?page%5Bnumber%5D=2&page%5Bsize%5D=5&include=user%2Cteams
    `);

  test('filters by team, two-factor authentication and age of invitations itself, alone and together', () =>
    transcript({ service: TWO_FACTOR })`
      $ members list --team AUDIT --fields email
      milo.member@example.com
      ada.auditor@example.com
      $ members list --team team-audit --no-2fa --limit 1 --fields email
      ada.auditor@example.com
      $ members list --no-2fa --fields email
      olive.owner@example.com
      rex.registry-manager@example.com
      ada.auditor@example.com
      ! orgctl: 1 person left out: the service doesn't show what is filtered
      = 10
      $ members list --pending-older-than 50d --team platform --fields email
      ivan.invitee@example.com
      $ members list --pending-older-than 1y --fields email
    `);

  test('says what is wrong with a list that keeps changing while it is read', async () => {
    let total = 250;
    const { run } = await startService({
      seed: 'members=250',
      ...altering(({ meta }) => {
        total += 1;
        if (meta) meta.pagination['total-count'] = total;
      }),
    });
    const { code, stdout, stderr } = await run(['members', 'list', '--fields', 'id', '-o', 'table']);
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
    expect(stderr).toMatch(
      /^orgctl: can't list the members of acme completely: its length changed from \d+ to \d+\n {2}→ It changed while it was read. Run the command again.\n$/,
    );
  });
});

test('an include that you name and the service refuses is 7; those of orgctl are left out, and teams are ids', () =>
  transcript({ service: { ...NO_INCLUDE, documentOnly: true }, reads: true })`
    $ members list --limit 1 -o csv
    email,status,teams.name,user.username,id
    olive.owner@example.com,active,team-owners,,ou-olive
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100&include=user%2Cteams
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100
    $ members list --team team-audit --fields email,teams.id
    milo.member@example.com\tteam-audit
    ada.auditor@example.com\tteam-audit
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=active&page%5Bsize%5D=100&include=teams
    > GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=active&page%5Bsize%5D=100
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100&include=user%2Cteams
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100
    $ members list --include user
    ! orgctl: the service rejected the request
    !   bad request: Invalid include
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100&include=user%2Cteams
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100&include=user
    = 7
    $ members show ou-ada --include teams
    ! orgctl: the service rejected the request
    !   bad request: Invalid include
    > GET /organization-memberships/ou-ada?include=user%2Cteams
    > GET /organization-memberships/ou-ada?include=teams
    = 7
  `);

describe('members mine', () => {
  test('lists the organizations that you are in, and sends no page parameters by itself', () =>
    transcript({ reads: true, ...AT_TERMINAL, columns: 80 })`
      $ members mine
      ORGANIZATION  STATUS  TEAMS   ID
      acme          active  owners  ou-olive
      globex        active  owners  ou-olive.globex
      initech       active  owners  ou-olive.initech
      > GET /organization-memberships?include=user%2Cteams
      $ members mine --limit 1 -o tsv
      acme\tactive\towners\tou-olive
      > GET /organization-memberships?include=user%2Cteams
      $ members mine --page 2 --page-size 2 -o tsv
      initech\tactive\towners\tou-olive.initech
      > GET /organization-memberships?page%5Bnumber%5D=2&page%5Bsize%5D=2&include=user%2Cteams
      $ members mine --limit 1 --fields organization.name --include organization -o tsv
      acme
      > GET /organization-memberships?include=user%2Cteams%2Corganization
    `);
});

describe('members show', () => {
  test('prints lines at a terminal, and the same fields elsewhere', async () => {
    await transcript({ ...AT_TERMINAL, columns: 80 })`
      $ members show ada-auditor
      Email:         ada.auditor@example.com
      User:          ada-auditor
      Status:        active
      Teams:         audit
      Organization:  acme
      Two-factor:    no
      Added:         56 days ago (2026-09-26 09:00 UTC)
      ID:            ou-ada
    `;
    await transcript()`
      $ members show ada-auditor
      ada.auditor@example.com\tada-auditor\tactive\taudit\tacme\tfalse\t2026-09-26T09:00:00.000Z\tou-ada
      $ members get ou-ivan -o csv
      email,user.username,status,teams.name,organization.id,user.two-factor.enabled,created-at,id
      ivan.invitee@example.com,,invited,platform,acme,false,2026-09-27T09:00:00.000Z,ou-ivan
      $ members show ou-ada -o ndjson
      {"id":"ou-ada","type":"organization-memberships","status":"active","email":"ada.auditor@example.com","created-at":"2026-09-26T09:00:00.000Z","teams":[{"id":"team-audit","type":"teams","name":"audit"}],"user":{"id":"user-ada","type":"users","username":"ada-auditor","email":"ada.auditor@example.com"},"organization":{"id":"acme","type":"organizations"}}
      $ members show ou-ada --query user."auth-method"
      "tfc"
    `;
  });

  test('finds a member by id, email or user name, in any case; a prefix decides; absent is 5', () =>
    transcript()`
      $ members show ou-ada --fields id
      ou-ada
      $ members show name:ada-auditor --fields id
      ou-ada
      $ members show nobody@example.com
      ! orgctl: acme has no member or invitation nobody@example.com
      !   → orgctl members list shows who is there.
      = 5
      $ members show ou-nobody
      ! orgctl: can't show member ou-nobody: not found, or you don't have permission
      = 5
    `);

  test('names the candidates if several match', () =>
    transcript({
      service: altering(({ data, meta }) => {
        data.push(...data.map((one) => ({ ...one, id: 'ou-0ther' })));
        if (meta) meta.pagination['total-count'] = data.length;
      }),
    })`
      $ members show ADA.auditor@example.com
      ! orgctl: 2 members of acme match ADA.auditor@example.com
      !   ou-ada: ada.auditor@example.com (active; audit)
      !   ou-0ther: ada.auditor@example.com (active; audit)
      !   → Name one by its id (ou-…).
      = 2
    `);
});

describe('several organizations', () => {
  test('share the limit', () =>
    transcript()`
      $ members list --all-orgs --status invited --limit 2 --fields organization.id,email
      acme\tivan.invitee@example.com
      globex\tnoor.newcomer@example.com
    `);

  test('go on if one fails: a line on stderr and 10; if all fail alike it is their code', () =>
    transcript()`
      $ members list --org globex,nope,acme --search olive --fields organization.id,email
      acme\tolive.owner@example.com
      globex\tolive.owner@example.com
      ! orgctl: 1 of 3 organizations failed
      !   nope: you are not a member of nope
      = 10
      $ members list --org nope,never
      ! orgctl: 2 of 2 organizations failed
      !   never: you are not a member of never
      !   nope: you are not a member of nope
      = 5
    `);
});

test('--email asks for many people in several requests, and for each once', async () => {
  const { run, requests } = await startService();
  const many = Array.from({ length: 118 }, (_, at) => `nobody-${at}@example.com`);
  const emails = ['ada.auditor@example.com', ...many, 'ADA.auditor@example.com', 'milo.member@example.com'].join(',');
  const { stdout } = await run(['members', 'list', '--email', emails, '--fields', 'email']);
  expect([stdout, requests.length]).toEqual(['ada.auditor@example.com\nmilo.member@example.com\n', 3]);
});
