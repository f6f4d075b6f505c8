import { describe, expect, test } from 'vitest';
import type { Json } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** The document of an answer changed before it comes back; other answers stay as they are. */
function alterList(path: string, change: (data: readonly Json[]) => readonly Json[]): ServiceOptions {
  return {
    async alter(answer, request) {
      if (!new URL(request.url).pathname.endsWith(path) || request.method !== 'GET') return answer;
      const document = (await answer.json()) as { data: readonly Json[]; meta: { pagination: Json } };
      const data = change(document.data);
      const meta = { pagination: { ...document.meta.pagination, 'total-count': data.length } };
      return Response.json({ ...document, data, meta }, { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  };
}

/** Refuses to send anything along. */
const NO_INCLUDE: ServiceOptions = {
  alter: (answer, request) =>
    request.url.includes('include=')
      ? Response.json({ errors: [{ status: '400', detail: 'Invalid include parameter' }] }, { status: 400 })
      : answer,
};

describe('members invite: who is there already', () => {
  test('is left as they are, known by an address in another case, given twice', () =>
    transcript()`
      $ members invite ada.auditor@example.com --team audit
      unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t
      $ members invite ADA.auditor@example.com Ada.Auditor@Example.com --team audit
      unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t
    `);

  test('twice the same invitation changes nothing the second time', () =>
    transcript()`
      $ members invite new@example.com --team audit
      invited\tnew@example.com\tacme\tou-1\taudit\t\t\t
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      $ members invite new@example.com --team audit
      unchanged\tnew@example.com\tacme\tou-1\taudit\t\t\t
    `);

  test('and lacks a team that was asked for: exit 13, teams-missing', () =>
    transcript()`
      $ members invite ada.auditor@example.com --team platform,audit
      unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\tplatform\t\t
      ! orgctl: ada.auditor@example.com is already a member, but is not in platform
      !   → An invitation can't change teams. Use teams add.
      = 13
    `);

  test('and lacks a team, while another is invited: whole records', () =>
    transcript()`
      $ members invite ada.auditor@example.com new@example.com --team platform -o ndjson
      {"id":"ou-ada","type":"organization-memberships","status":"active","email":"ada.auditor@example.com","created-at":"2026-09-26T09:00:00.000Z","teams":[{"id":"team-audit","type":"teams","name":"audit","sso-team-id":null,"users-count":2,"non-service-users-count":2,"visibility":"secret","allow-member-token-management":true,"is-unified":false,"hcp-resource-name":null,"organization-access":{"manage-membership":false,"manage-teams":false,"manage-organization-access":false,"access-secret-teams":false,"delegate-policy-overrides":false,"manage-agent-pools":false,"manage-modules":false,"manage-policies":false,"manage-policy-overrides":false,"manage-projects":false,"manage-providers":false,"manage-public-modules":false,"manage-public-providers":false,"manage-registry-artifact-tags":false,"manage-registry-artifact-version-tags":false,"manage-registry-components":false,"manage-run-tasks":false,"manage-vcs-settings":false,"manage-workspaces":false,"read-projects":false,"read-workspaces":false},"permissions":{"can-update-membership":true,"can-destroy":true,"can-update-organization-access":true,"can-update-api-token":true,"can-update-visibility":true,"can-update-name":true,"can-update-sso-team-id":true,"can-update-member-token-management":true,"can-view-api-token":true}}],"user":{"id":"user-ada","type":"users","username":"ada-auditor","is-service-account":false,"auth-method":"tfc","avatar-url":null,"two-factor":{"enabled":false,"verified":false},"email":"ada.auditor@example.com","permissions":{"can-create-organizations":false,"can-change-email":true,"can-change-username":true,"can-manage-user-tokens":false}},"organization":{"id":"acme","type":"organizations"},"changed":false,"teams-missing":[{"id":"team-platform","type":"teams","name":"platform"}],"result":"unchanged"}
      {"id":"ou-1","type":"organization-memberships","status":"invited","email":"new@example.com","created-at":"2026-11-21T09:00:00.000Z","teams":[{"id":"team-platform","type":"teams","name":"platform"}],"user":{"id":"user-1","type":"users","username":null,"is-service-account":false,"auth-method":"tfc","avatar-url":null,"two-factor":{"enabled":false,"verified":false},"email":"new@example.com","permissions":{"can-create-organizations":false,"can-change-email":true,"can-change-username":true,"can-manage-user-tokens":false}},"organization":{"id":"acme","type":"organizations"},"changed":true,"result":"invited"}
      ! {"error":{"code":"teams-missing","exit":13,"message":"ada.auditor@example.com is already a member, but is not in platform","hint":"An invitation can't change teams. Use teams add."}}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      = 13
    `);

  test('--fail-if-exists: exit 7, no one is invited, unless all are new', () =>
    transcript()`
      $ members invite ada.auditor@example.com new@example.com --team platform --fail-if-exists
      ! orgctl: ada.auditor@example.com is already a member of acme
      !   → Nothing was sent. Leave out --fail-if-exists to take that for done.
      = 7
      $ members invite new@example.com --team audit --fail-if-exists --fields email,result
      new@example.com\tinvited
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
    `);
});

describe('members invite: teams', () => {
  test('a team named in several ways is sent once', () =>
    transcript()`
      $ members invite new@example.com --team audit,AUDIT --team team-audit --fields teams.id
      team-audit
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
    `);

  test('an unknown name: exit 2, with the known ones', () =>
    transcript()`
      $ members invite new@example.com --team nope
      ! orgctl: acme has no team 'nope'
      !   → Teams of acme: owners, platform, security, audit.
      = 2
    `);

  test('a team whose name looks like an id is found by its name', () =>
    transcript({
      service: alterList('/teams', (teams) =>
        teams.map((team) => {
          const attributes = team['attributes'] as Json;
          return attributes['name'] === 'audit' ? { ...team, attributes: { ...attributes, name: 'team-blue' } } : team;
        }),
      ),
    })`
      $ members invite new@example.com --team team-blue --fields teams.id
      team-audit
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
    `);

  test('a name that could mean two: exit 2, with both, but the exact name wins over one in another case', () =>
    transcript({
      service: alterList('/teams', (teams) =>
        teams.map((team) => {
          const attributes = team['attributes'] as Json;
          return attributes['name'] === 'security' ? { ...team, attributes: { ...attributes, name: 'Audit' } } : team;
        }),
      ),
    })`
      $ members invite new@example.com --team AUDIT
      ! orgctl: 2 teams of acme match 'AUDIT'
      !   Audit (team-security)
      !   audit (team-audit)
      !   → Name one by its id (team-…).
      = 2
      $ members invite new@example.com --team Audit --fields teams.id
      team-security
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-security"}]}}}}
    `);
});

const FULL = 'initech is full: it has reached its limit of 5 users';

describe('members invite: several at once', () => {
  test('emails are separated by blanks or commas', () =>
    transcript()`
      $ members invite a@example.com,b@example.com, c@example.com --team audit --dry-run --fields email -q
      a@example.com
      b@example.com
      c@example.com
      ! Would invite a@example.com to acme (audit)
      ! Would invite b@example.com to acme (audit)
      ! Would invite c@example.com to acme (audit)
      ! Nothing was sent.
      $ members remove ada.auditor@example.com,ivan.invitee@example.com --yes --fields result,email
      removed\tada.auditor@example.com
      removed\tivan.invitee@example.com
      > DELETE /organization-memberships/ou-ada
      > DELETE /organization-memberships/ou-ivan
    `);

  test('the limit of the organization stops the rest, with one reason for all', () =>
    transcript()`
      $ members invite a@example.com b@example.com c@example.com --team platform --org initech
      failed\ta@example.com\tinitech\t\t\t\torganization-limit\ta@example.com: ${FULL}
      not-attempted\tb@example.com\tinitech\t\t\t\t\t
      not-attempted\tc@example.com\tinitech\t\t\t\t\t
      ! orgctl: 1 of 3 failed
      !   a@example.com: ${FULL}
      !   Not attempted: b@example.com, c@example.com
      !   → Remove members or invitations you no longer need, or change the plan.
      !   $ orgctl --org initech feature-sets current
      > POST /organizations/initech/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"a@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.initech"}]}}}}
      = 7
    `);

  test('the limit met after one was invited: exit 10', () =>
    transcript()`
      $ members remove ou-peter.initech --yes --org initech --fields result
      removed
      > DELETE /organization-memberships/ou-peter.initech
      $ members invite a@example.com b@example.com c@example.com --team platform --org initech -o ndjson --fields email,result
      {"email":"a@example.com","result":"invited"}
      {"email":"b@example.com","result":"failed"}
      {"email":"c@example.com","result":"not-attempted"}
      ! {"error":{"code":"incomplete","exit":10,"message":"1 of 3 failed","reasons":["b@example.com: initech is full: it has reached its limit of 5 users","Not attempted: c@example.com"],"hint":"Remove members or invitations you no longer need, or change the plan.","next":["orgctl --org initech feature-sets current"],"items":[{"item":"b@example.com","code":"organization-limit","exit":7,"message":"initech is full: it has reached its limit of 5 users","reasons":["bad request: The organization initech has reached its limit of 5 users"],"status":400,"errors":[{"status":"400","title":"bad request","detail":"The organization initech has reached its limit of 5 users"}],"request":{"method":"POST","path":"/api/v2/organizations/initech/organization-memberships","id":"request-1"},"hint":"Remove members or invitations you no longer need, or change the plan.","next":["orgctl --org initech feature-sets current"]}]}}
      > POST /organizations/initech/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"a@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.initech"}]}}}}
      > POST /organizations/initech/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"b@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.initech"}]}}}}
      = 10
    `);
});

describe('a person who is not there', () => {
  test('is probably one with a similar address, user name or none yet, who is named', () =>
    transcript()`
      $ members show ada.auditor@exmaple.com
      ! orgctl: no member or invitation in acme for ada.auditor@exmaple.com
      !   → Did you mean ada.auditor@example.com?
      = 5
      $ members show ada.auditor@example.org
      ! orgctl: no member or invitation in acme for ada.auditor@example.org
      !   → Did you mean ada.auditor@example.com?
      = 5
      $ members show ada.auditr@example.com
      ! orgctl: no member or invitation in acme for ada.auditr@example.com
      !   → Did you mean ada.auditor@example.com?
      = 5
      $ members show ivan.invitee
      ! orgctl: no member or invitation in acme for ivan.invitee
      !   → Did you mean ivan.invitee@example.com?
      = 5
      $ members remove ivan.invite@example.com --yes
      ! orgctl: no member or invitation in acme for ivan.invite@example.com
      !   → Did you mean ivan.invitee@example.com? Or add --ignore-missing.
      = 5
      $ teams add audit ivan.invite@example.com
      ! orgctl: no member or invitation in acme for ivan.invite@example.com
      !   → Did you mean ivan.invitee@example.com?
      = 5
      $ members invite ana@example.com --team platform -q
      invited\tana@example.com\tacme\tou-1\tplatform\t\t\t
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      $ members show ana
      ! orgctl: no member or invitation in acme for ana
      !   → Did you mean ana@example.com?
      = 5
    `);
});

describe('members remove: whom', () => {
  test('no one is removed while one of them is unknown: exit 5', () =>
    transcript()`
      $ members remove ou-ada nobody@example.com --yes
      ! orgctl: no member or invitation in acme for nobody@example.com
      !   → Nothing was changed. Add --ignore-missing, or see who is there:
      !   $ orgctl --org acme members list
      = 5
    `);

  test('--ignore-missing: the others are removed', () =>
    transcript()`
      $ members remove nobody@example.com ou-nobody ou-ada --yes --ignore-missing
      absent\tnobody@example.com\tacme\t\t\t\t\t
      absent\t\tacme\tou-nobody\t\t\t\t
      removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t
      > DELETE /organization-memberships/ou-ada
    `);

  test('--ignore-missing with unknown people alone: done, without a question', () =>
    transcript()`
      $ members remove nobody@example.com --ignore-missing -o ndjson
      {"id":null,"type":"organization-memberships","changed":false,"email":"nobody@example.com","organization":{"id":"acme","type":"organizations"},"result":"absent"}
    `);

  test('--ignore-missing: a route that is missing says of no one that they are', async () => {
    const service = await startService({
      alter: (given, { url }) =>
        url.includes('/organization-memberships/') ? new Response('404 page not found', { status: 404 }) : given,
    });
    const remove = await service.run(['members', 'remove', 'ou-nobody', '--ignore-missing', '--yes']);
    expect(remove).toMatchObject({ code: 5, stdout: '' });
    expect(remove.stderr).toContain("can't remove member ou-nobody: not found, or no permission");
    const add = await service.run(['teams', 'add', 'platform', 'ou-nobody', '--yes']);
    expect(add.stderr).toContain("can't show member ou-nobody: not found, or no permission");
  });

  test('--ignore-missing: who was probably meant is not looked for', async () => {
    const service = await startService();
    await service.run(['members', 'remove', 'nobody@example.com', '--ignore-missing']);
    expect(service.requests).toHaveLength(1);
  });

  test('a member of another organization than the current one: exit 2, and no one is removed', () =>
    transcript()`
      $ members remove ou-ada ou-gina.globex --yes
      ! orgctl: gina.globex@example.com is a member of globex, not of acme
      !   → Nothing was changed. Add --org globex.
      = 2
    `);

  test('one person named in several ways is removed once', () =>
    transcript()`
      $ members remove ou-ada name:Ada-Auditor ADA.auditor@example.com user-ada --yes
      removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t
      > DELETE /organization-memberships/ou-ada
    `);

  test('mixed outcomes: exit 10, with what was done and what was not', () => {
    const refusal = "olive.owner@example.com: owners can't remove themselves, and you own acme";
    return transcript()`
      $ members remove ou-ada ou-olive ou-ivan --yes
      removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t
      failed\tolive.owner@example.com\tacme\tou-olive\towners\t\tforbidden\t${refusal}
      removed\tivan.invitee@example.com\tacme\tou-ivan\tplatform\t\t\t
      ! orgctl: 1 of 3 failed
      !   ${refusal}
      !   → Ask another owner to remove you.
      > DELETE /organization-memberships/ou-ada
      > DELETE /organization-memberships/ou-ivan
      = 10
    `;
  });
});

test('who has an address of a host without a dot can be shown, listed, put into a team and removed, and is not invited', async () => {
  const service = await startService();
  const { real } = await createNames(service.sandbox);
  await service.ask('POST', '/organizations/acme/organization-memberships', 'owner', {
    data: {
      type: 'organization-memberships',
      attributes: { email: 'ana@localhost' },
      relationships: { teams: { data: [{ type: 'teams', id: real('team-platform') }] } },
    },
  });
  const files = { 'gone.csv': 'email\nana@localhost\n', 'new.csv': 'email,teams\nana@localhost,platform\n' };
  await transcript({ service, files })`
    $ members show ana@localhost --fields email
    ana@localhost
    $ members list --email ana@localhost --fields email
    ana@localhost
    $ teams add audit ana@localhost --fields email
    ana@localhost
    > POST /teams/team-audit/relationships/organization-memberships {"data":[{"type":"organization-memberships","id":"ou-ana@localhost"}]}
    $ members remove --file gone.csv --yes --fields email -q
    ana@localhost
    > DELETE /organization-memberships/ou-ana@localhost
    $ members show ana@localhost 2>/dev/null
    = 5
    $ members invite --file new.csv
    ! orgctl: new.csv: 1 line can't be used
    !   line 2: 'ana@localhost' is not an email address
    !   → Nothing was sent. Give it as name@example.com.
    = 2
  `;
});

describe('a person who could be several', () => {
  // Two memberships of one address, as a service may have for an account and an invitation.
  const service = alterList('/organization-memberships', (members) =>
    members.flatMap((member) => {
      const attributes = member['attributes'] as Json;
      return [member, { ...member, id: 'ou-0ther', attributes: { ...attributes, status: 'invited' } }];
    }),
  );
  test.each([
    ['show', 'ada.auditor@example.com'],
    ['show', 'ada-auditor'],
    ['remove', 'ada.auditor@example.com'],
    ['remove', 'ada-auditor'],
  ])(
    'members %s %s: exit 2, with both',
    (verb, reference) =>
      transcript({ service })`
      $ members ${verb} ${reference} --yes
      ! orgctl: 2 members of acme match ${reference}
      !   ada.auditor@example.com (active; ou-ada)
      !   ada.auditor@example.com (invited; ou-0ther)
      !   → Name one by its id (ou-…).
      = 2
    `,
  );
});

describe('values the document does not show', () => {
  test.each([
    [
      '--status pending',
      400,
      'bad request: filter[status] must be one of: invited, active, inactive',
      '→ Did you mean invited? Known values: invited, active, inactive.',
    ],
    [
      '--status activ',
      400,
      'bad request: filter[status] must be one of: invited, active, inactive',
      '→ Did you mean active or inactive? Known values: invited, active, inactive.',
    ],
    ['--include friends', 400, 'bad request: Invalid include parameter', '→ Known values: user, teams.'],
    [
      '--page-size 101',
      422,
      'invalid attribute: page[size] must be between 1 and 100',
      '→ Most services allow 1 to 100 rows for each request.',
    ],
  ])(
    'members list %s: sent as given, and the refusal is explained',
    (option, status, reason, hint) =>
      transcript()`
      $ members list ${option}
      ! orgctl: the service doesn't accept ${option}
      !   Service: ${status} ${reason} (request request-1).
      !   ${hint}
      = 7
    `,
  );

  test('a service that refuses an include that was not asked for is asked again without', () =>
    transcript({ service: NO_INCLUDE })`
      $ members list --status invited
      ou-ivan\tivan.invitee@example.com\tinvited\t\tteam-platform\t2026-09-27T09:00:00.000Z
    `);
});

describe('--include', () => {
  test.each([
    ["''", ''],
    [',', ''],
    ['none,teams', 'none,teams'],
    ['user,none', 'user,none'],
  ])('%s: exit 2, and nothing is sent', async (given, told) => {
    const verbs = given === ',' ? ['list', 'mine', 'show ou-ada'] : ['list'];
    const steps = verbs.map(
      (verb) => `
      $ members ${verb} --include ${given}
      ! orgctl: --include takes names or none, not '${told}'
      !   → For example: --include user,teams
      = 2, nothing sent`,
    );
    await transcript()`${steps.join('')}\n    `;
  });

  test('given twice, once with none: exit 2', () =>
    transcript()`
      $ members list --include user --include none
      ! orgctl: --include takes names or none, not 'user,none'
      !   → For example: --include user,teams
      = 2, nothing sent
    `);

  test('what is to be shown is asked for, and nothing else', () =>
    transcript({ reads: true })`
      $ members list --email ada.auditor@example.com --fields email,teams.name
      ada.auditor@example.com\taudit
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=teams&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com --fields user.username
      ada-auditor
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=user&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com --fields teams
      audit
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=teams&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com --fields email,teams.id,user.id
      ada.auditor@example.com\tteam-audit\tuser-ada
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com --fields email --include user
      ada.auditor@example.com
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=user&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com --include teams
      ou-ada\tada.auditor@example.com\tactive\tada-auditor\taudit
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=user%2Cteams&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com
      ou-ada\tada.auditor@example.com\tactive\tada-auditor\taudit
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=user%2Cteams&page%5Bsize%5D=100
      $ members list --email ada.auditor@example.com --include none
      ou-ada\tada.auditor@example.com\tactive\t\tteam-audit
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&page%5Bsize%5D=100
      $ members show ou-ada --fields teams.name
      audit
      > GET /organization-memberships/ou-ada?include=teams
      $ members show ou-ada --fields teams.name -o csv
      teams.name\r
      audit\r
      > GET /organization-memberships/ou-ada?include=teams
      $ members show ou-ada --fields teams.name,user.username -o ndjson
      {"teams.name":["audit"],"user.username":"ada-auditor"}
      > GET /organization-memberships/ou-ada?include=user%2Cteams
      $ members mine --fields organization.name,teams.name --limit 1
      acme\towners
      > GET /organization-memberships?include=teams%2Corganization
    `);

  test('ids stand for names that the service does not send along, and it is said', () =>
    transcript({ service: NO_INCLUDE, reads: true })`
      $ members list --email ada.auditor@example.com --fields email,teams.name
      ada.auditor@example.com\tteam-audit
      ! warning: this service doesn't send teams along: only ids are known
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&include=teams&page%5Bsize%5D=100
      > GET /organizations/acme/organization-memberships?filter%5Bemail%5D=ada.auditor%40example.com&page%5Bsize%5D=100
      $ members show ou-ada --fields email,teams.name
      ada.auditor@example.com\tteam-audit
      ! warning: this service doesn't send teams along: only ids are known
      > GET /organization-memberships/ou-ada?include=teams
      > GET /organization-memberships/ou-ada
      $ members show ou-ada --fields email,teams.name -o markdown
      | FIELD | VALUE |
      | --- | --- |
      | email | ada.auditor@example.com |
      | teams.name | team-audit |
      ! warning: this service doesn't send teams along: only ids are known
      > GET /organization-memberships/ou-ada?include=teams
      > GET /organization-memberships/ou-ada
      $ members show ou-ada --fields email,teams.name -o table
      email:       ada.auditor@example.com
      teams.name:  team-audit
      ! warning: this service doesn't send teams along: only ids are known
      > GET /organization-memberships/ou-ada?include=teams
      > GET /organization-memberships/ou-ada
    `);

  test('a status that the service refuses is asked for once', () =>
    transcript({ reads: true })`
      $ members list --status asleep 2>/dev/null
      > GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=asleep&include=user%2Cteams&page%5Bsize%5D=100
      = 7
    `);
});

describe('a service that sends less about people', () => {
  /** Takes the parameter, and sends no user along. */
  const DEAF: ServiceOptions = {
    async alter(answer, request) {
      if (!request.url.includes('include=')) return answer;
      const document = (await answer.json()) as Json;
      return Response.json({ ...document, included: undefined }, { status: answer.status });
    },
  };
  describe.each([
    ['refuses include=user', NO_INCLUDE],
    ['ignores include=user', DEAF],
  ])('%s', (_how, service) => {
    test.each(['show olive', 'remove olive --yes', 'remove olive --ignore-missing --yes'])(
      'members %s: exit 2, since every member would seem to be absent',
      (argv) =>
        transcript({ service })`
          $ members ${argv}
          ! orgctl: this service doesn't show the user names of acme's members
          !   → Name people by email or by membership id (ou-…).
          = 2
        `,
    );

    test.each(['ada.auditor@example.com', 'ou-ada', 'user-ada'])(
      '%s needs no user name',
      (reference) =>
        transcript({ service })`
        $ members remove ${reference} --yes
        removed\tada.auditor@example.com\tacme\tou-ada\tteam-audit\t\t\t
        > DELETE /organization-memberships/ou-ada
      `,
    );

    test('a search without results means that the person is unknown', () =>
      transcript({ service })`
        $ members remove zzz --ignore-missing --yes
        absent\t\tacme\t\t\t\t\t
      `);
  });

  test.each([
    'invite ada.auditor@example.com --team audit',
    'invite new@example.com ada.auditor@example.com --team audit',
    'show ada.auditor@example.com',
    'remove ada.auditor@example.com --ignore-missing --yes',
  ])(
    'without emails: members %s: exit 2, and nothing is written',
    (argv) =>
      transcript({
        service: {
          async alter(answer, request) {
            if (request.method !== 'GET' || !request.url.includes('organization-memberships')) return answer;
            const text = JSON.stringify(await answer.json(), (name, value) => (name === 'email' ? undefined : value));
            return new Response(text, { headers: { 'content-type': 'application/vnd.api+json' } });
          },
        },
      })`
      $ members ${argv}
      ! orgctl: this service doesn't show the email addresses of acme's members
      !   → Name people by membership ids (ou-…).
      = 2
    `,
  );
});

test.each([
  ['members list', 'changed'],
  ['members show olive-owner', 'teams-missing'],
  ['providers list', 'changed'],
  ['providers get hashicorp/aws', 'changed'],
  ['audit-token show', 'changed'],
  ['teams add audit olive-owner', 'asked'],
  ['providers publish billing 1.2.0 --dir .', 'organization.id'],
])('%s has no field %s: none of its rows has it', async (command, field) => {
  const { code, stderr } = await (await startService()).run([...command.split(' '), '--fields', field]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`unknown field: ${field}`) });
});

describe('members mine', () => {
  test('shows the organization of each, sent along where it is asked for', () =>
    transcript()`
      $ members mine
      ou-olive\tacme\tactive\towners
      ou-olive.globex\tglobex\tactive\towners
      ou-olive.initech\tinitech\tactive\towners
      $ members mine --include organization --limit 1 -o ndjson --fields organization.id,organization.name
      {"organization.id":"acme","organization.name":"acme"}
    `);

  test('an organization token is in its organization; a team token has none, and stderr says so', () =>
    transcript()`
      $ AS=org-token members mine
      \tacme\t\t
      $ AS=org-token members mine -o ndjson
      {"type":"organization-memberships","organization":{"id":"acme","type":"organizations"}}
      $ AS=owners-team members mine
      ! Your token belongs to no person, so it is a member of no organization.
    `);
});
