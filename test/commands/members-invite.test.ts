import { describe, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

/** The request that invites. */
function post(email: string, teams: string, org = 'acme'): string {
  const data = teams.split(',').map((id) => ({ id, type: 'teams' }));
  const body = { type: 'organization-memberships', attributes: { email }, relationships: { teams: { data } } };
  return `> POST /organizations/${org}/organization-memberships ${JSON.stringify({ data: body })}`;
}

function refuseIn(org: string, detail: string) {
  return (answer: Response, { method, url }: Request) =>
    method === 'POST' && url.includes(`/${org}/`) ? Response.json({ errors: [{ detail }] }, { status: 400 }) : answer;
}

describe('who is invited', () => {
  test('each by one POST, with teams by name or id; whoever is there stays as they are: unchanged', () =>
    transcript()`
      $ members invite ana@example.com ben@example.com --team platform,team-audit --team AUDIT
      invited\tana@example.com\tacme\tplatform,audit\tou-1\t\t
      invited\tben@example.com\tacme\tplatform,audit\tou-2\t\t
      ${post('ana@example.com', 'team-platform,team-audit')}
      ${post('ben@example.com', 'team-platform,team-audit')}
      $ members invite olive.owner@example.com --team owners --fields result
      unchanged
      $ members invite ANA@example.com ana@example.com --team audit
      unchanged\tana@example.com\tacme\tplatform,audit\tou-1\t\t
      $ members invite ada.auditor@example.com cy@example.com --team audit -o ndjson
      {"id":"ou-ada","type":"organization-memberships","email":"ada.auditor@example.com","teams":[{"id":"team-audit","name":"audit","type":"teams"}],"organization":{"id":"acme","type":"organizations"},"changed":false,"result":"unchanged"}
      {"id":"ou-3","type":"organization-memberships","email":"cy@example.com","teams":[{"id":"team-audit","name":"audit","type":"teams"}],"organization":{"id":"acme","type":"organizations"},"changed":true,"result":"invited"}
      ${post('cy@example.com', 'team-audit')}
    `);

  test('exits with 13 after all invitations if a member lacks a team', () =>
    transcript()`
      $ members invite ada.auditor@example.com ivan.invitee@example.com ana@example.com --team platform
      unchanged\tada.auditor@example.com\tacme\taudit\tou-ada\t\t
      unchanged\tivan.invitee@example.com\tacme\tplatform\tou-ivan\t\t
      invited\tana@example.com\tacme\tplatform\tou-1\t\t
      ! orgctl: 1 person is not in a team that was asked for
      !   ada.auditor@example.com is not in platform (acme)
      !   → Add them with orgctl teams add.
      ${post('ana@example.com', 'team-platform')}
      = 13
    `);

  test('--fail-if-exists: 7, and nobody is invited', () =>
    transcript()`
      $ members invite ana@example.com ada.auditor@example.com IVAN.invitee@example.com --team platform --fail-if-exists
      ! orgctl: already invited or a member: ada.auditor@example.com (acme), IVAN.invitee@example.com (acme)
      !   → Nobody was invited.
      = 7
      $ members invite ana@example.com --team platform --fail-if-exists --fields email,result
      ana@example.com\tinvited
      ${post('ana@example.com', 'team-platform')}
    `);

  test('prints a sentence for each at a terminal and a count of several, except with -q', () =>
    transcript(AT_TERMINAL)`
      $ members invite ana@example.com --team platform,security
      ! ✓ Invited ana@example.com to acme (platform, security)
      ${post('ana@example.com', 'team-platform,team-security')}
      $ members invite ana@example.com --team platform
      ! = ana@example.com is already invited to acme
      $ members invite ada.auditor@example.com odd@example..com fine@example.com --team audit
      ! = ada.auditor@example.com is already in acme
      ! ✓ Invited fine@example.com to acme (audit)
      ! 3 people: 1 unchanged, 1 failed, 1 invited
      ! orgctl: 1 of 3 failed
      !   odd@example..com: the service rejected the request; /data/attributes/email: Email is not an email address
      ${post('odd@example..com', 'team-audit')}
      ${post('fine@example.com', 'team-audit')}
      = 10
      $ members invite ana@example.com --team audit
      ! ! ana@example.com is already invited to acme, but not in audit
      ! orgctl: 1 person is not in a team that was asked for
      !   ana@example.com is not in audit (acme)
      !   → Add them with orgctl teams add.
      = 13
      $ members invite new@example.com --team audit --dry-run
      ! Would invite new@example.com to acme (audit)
      $ members invite new@example.com ana@example.com --team platform -q
      ${post('new@example.com', 'team-platform')}
    `);

  test('checks everything before it sends anything: 2', () =>
    transcript()`
      $ members invite new@example.com
      ! orgctl: no team is named for new@example.com
      !   → Name one with --team.
      = 2
      $ members invite new@example.com --team platfrom
      ! orgctl: acme has no team 'platfrom'
      !   → Did you mean platform?
      = 2
    `);

  test('on a service of the document alone teams are ids', () =>
    transcript({ service: { documentOnly: true } })`
      $ members invite ben@example.com --team audit
      ! orgctl: can't look up team 'audit': the teams of acme can't be listed
      !   → Name teams by id (team-…).
      = 2
    `);
});

describe('who is not invited', () => {
  test('whoever may not invite is told who may', () =>
    transcript()`
      $ AS=member members invite ana@example.com --team audit
      failed\tana@example.com\tacme\taudit\t\tnot-found\tyou don't have permission to invite people to acme; Owners, the owners team token, the organization token and people with Team Management can.
      ! orgctl: you don't have permission to invite people to acme
      !   Owners, the owners team token, the organization token and people with Team Management can.
      ${post('ana@example.com', 'team-audit')}
      = 5
    `);

  test('a full organization stops the rest of its invitations, and those of no other: not-attempted', () =>
    transcript({ service: { alter: refuseIn('acme', 'The seat limit is reached') } })`
      $ members invite a@example.com b@example.com --team audit --org acme,globex --fields organization.id,email,result
      acme\ta@example.com\tfailed
      acme\tb@example.com\tnot-attempted
      globex\ta@example.com\tinvited
      globex\tb@example.com\tinvited
      ! orgctl: 1 of 4 failed
      !   a@example.com in acme: the organization has reached its limit of members; The seat limit is reached
      !   → orgctl feature-sets current --org acme,globex shows the plan and the seats.
      ${post('a@example.com', 'team-audit')}
      ${post('a@example.com', 'team-audit.globex', 'globex')}
      ${post('b@example.com', 'team-audit.globex', 'globex')}
      = 10
      $ members invite sixth@example.com seventh@example.com --team platform --org initech
      failed\tsixth@example.com\tinitech\tplatform\t\torganization-limit\tthe organization has reached its limit of members; bad request: The organization initech has reached its limit of 5 users
      not-attempted\tseventh@example.com\tinitech\tplatform\t\t\t
      ! orgctl: 1 of 2 failed
      !   sixth@example.com: the organization has reached its limit of members; bad request: The organization initech has reached its limit of 5 users
      !   → orgctl feature-sets current --org initech shows the plan and the seats.
      ${post('sixth@example.com', 'team-platform.initech', 'initech')}
      = 7
    `);

  test('a 400 for another cause is said in the words of the service', () =>
    transcript({ service: { alter: refuseIn('acme', 'Email is blocked by a policy') } })`
      $ members invite a@example.com b@example.com --team audit --fields email,error.code,error.message
      a@example.com\trejected\tthe service rejected the request; Email is blocked by a policy
      b@example.com\trejected\tthe service rejected the request; Email is blocked by a policy
      ! orgctl: 2 of 2 failed
      !   a@example.com: the service rejected the request; Email is blocked by a policy
      !   b@example.com: the service rejected the request; Email is blocked by a policy
      ${post('a@example.com', 'team-audit')}
      ${post('b@example.com', 'team-audit')}
      = 7
    `);
});

describe('--file', () => {
  test('one address a line, or rows with teams; more rows of one person are one', () =>
    transcript({
      files: {
        lines: 'ana@example.com\n\nANA@example.com\n',
        'rows.csv': 'email,teams,phone\nben@example.com,audit,1\nBen@example.com,platform,2\n',
      },
    })`
      $ members invite --file - --team audit --fields email < lines
      ANA@example.com
      ${post('ANA@example.com', 'team-audit')}
      $ members invite --file - --team audit --fields email,teams.name < rows.csv
      Ben@example.com\taudit,platform
      ! stdin: not used: phone
      ${post('Ben@example.com', 'team-audit,team-platform')}
    `);

  test('every wrong row is named, and the columns that mean nothing, before anything is sent: 2', () =>
    transcript({
      files: {
        'rows.csv': 'email,team,phone,id\nana@example.com,platform,1,\nnonsense,platform,2,\n,platform,3,ou-1\n',
        'teams.csv':
          'email,teams\nana@example.com,nope\nben@example.com,platform\ncy@example.com,audit;none\ndan@example.com,\neve,audit\nfay@example.com,platfrom\nBEN@example.com,x\n',
        'many.csv': 'email\nana@example.com\nben@example.com\n',
        'one.csv': 'email,teams\nana@example.com,platfrom\n',
      },
    })`
      $ members invite --file - < rows.csv
      ! stdin: not used: team, phone
      ! orgctl: stdin: 3 problems, nothing was sent
      !   line 2: no team is named for ana@example.com
      !   line 3: 'nonsense' is not an email address
      !   line 4: it has no email
      !   → Name one with --team.
      = 2
      $ members invite --file one.csv
      ! orgctl: one.csv: line 2: acme has no team 'platfrom'
      !   → Did you mean platform?
      = 2
      $ members invite --file many.csv --team platfrom
      ! orgctl: acme has no team 'platfrom'
      !   → Did you mean platform?
      = 2
      $ members invite --file teams.csv --org acme,nope -q
      ! orgctl: teams.csv: 6 problems, nothing was sent
      !   line 2: acme has no team 'nope'
      !   line 3, line 8: acme has no team 'x'
      !   line 4: acme has no team 'none'
      !   line 5: no team is named for dan@example.com
      !   line 6: 'eve' is not an email address
      !   line 7: acme has no team 'platfrom' (did you mean platform?)
      !   → Teams: owners, platform, security, audit.
      = 2
    `);
});
