import { describe, expect, test } from 'vitest';
import { type Json, PEOPLE, toJsonText, toMemberRecord } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { toText } from '../support/run.ts';
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
      !   → An invitation can't change teams. To add them:
      !   $ orgctl --org acme teams add platform ada.auditor@example.com
      = 13
    `);

  test('and lacks a team, while another is invited: json', async () => {
    const service = await startService();
    const { plain } = await createNames(service.sandbox);
    const argv = 'members invite ada.auditor@example.com new@example.com --team platform -o json';
    const { code, stdout, stderr } = await service.run(argv.split(' '));
    const invited = toMemberRecord(
      {
        organization: 'acme',
        name: '1',
        email: 'new@example.com',
        username: null,
        status: 'invited',
        createdAt: '2026-11-21T09:00:00.000Z',
        teams: ['platform'],
      },
      'user',
    );
    expect({ code, stdout: plain(stdout), stderr: plain(stderr) }).toEqual({
      code: 13,
      stdout: toJsonText([
        {
          ...toMemberRecord(PEOPLE.ada, 'user', 'teams'),
          changed: false,
          'teams-missing': ['platform'],
          result: 'unchanged',
        },
        {
          ...invited,
          teams: [{ id: 'team-platform', type: 'teams', name: 'platform' }],
          changed: true,
          result: 'invited',
        },
      ]),
      stderr: toText(
        JSON.stringify({
          error: {
            code: 'teams-missing',
            exit: 13,
            message: 'ada.auditor@example.com is already a member, but is not in platform',
            hint: "An invitation can't change teams. To add them:",
            next: ['orgctl --org acme teams add platform ada.auditor@example.com'],
          },
        }),
      ),
    });
    expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });

  test('--fail-if-exists: exit 7, no one is invited, unless all are new', () =>
    transcript()`
      $ members invite ada.auditor@example.com new@example.com --team platform --fail-if-exists
      ! orgctl: ada.auditor@example.com is already a member of acme
      !   → Nothing was sent. Leave out --fail-if-exists to invite the others.
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

  test('the limit met after one was invited: exit 10', async () => {
    const service = await startService();
    const { plain, real } = await createNames(service.sandbox);
    const orgctl = (argv: string) => service.run(real(argv).split(' '), { org: 'initech' });
    await orgctl('members remove ou-peter.initech --yes');
    const { code, stdout, stderr } = await orgctl(
      'members invite a@example.com b@example.com c@example.com --team platform --fields email,result -o json',
    );
    expect({ code, stdout, stderr: plain(stderr) }).toEqual({
      code: 10,
      stdout: toJsonText([
        { email: 'a@example.com', result: 'invited' },
        { email: 'b@example.com', result: 'failed' },
        { email: 'c@example.com', result: 'not-attempted' },
      ]),
      stderr: toText(
        JSON.stringify({
          error: {
            code: 'incomplete',
            exit: 10,
            message: '1 of 3 failed',
            reasons: [`b@example.com: ${FULL}`, 'Not attempted: c@example.com'],
            hint: 'Remove members or invitations you no longer need, or change the plan.',
            next: ['orgctl --org initech feature-sets current'],
            items: [
              {
                item: 'b@example.com',
                code: 'organization-limit',
                exit: 7,
                message: 'initech is full: it has reached its limit of 5 users',
                reasons: ['bad request: The organization initech has reached its limit of 5 users'],
                status: 400,
                errors: [
                  {
                    status: '400',
                    title: 'bad request',
                    detail: 'The organization initech has reached its limit of 5 users',
                  },
                ],
                request: {
                  method: 'POST',
                  path: '/api/v2/organizations/initech/organization-memberships',
                  id: 'request-1',
                },
                hint: 'Remove members or invitations you no longer need, or change the plan.',
                next: ['orgctl --org initech feature-sets current'],
              },
            ],
          },
        }),
      ),
    });
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });
});

describe('members remove: whom', () => {
  test('no one is removed while one of them is unknown: exit 5', () =>
    transcript()`
      $ members remove ou-ada nobody@example.com --yes
      ! orgctl: no member or invitation in acme for nobody@example.com
      !   The list has only the people that your token can see.
      !   → See who is there:
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
  const email = 'ana@localhost';
  const { stdout: team } = await service.run(['teams', 'list', '--query', "[?name=='platform'].id | [0]"]);
  await service.ask('POST', '/organizations/acme/organization-memberships', 'owner', {
    data: {
      type: 'organization-memberships',
      attributes: { email },
      relationships: { teams: { data: [{ type: 'teams', id: JSON.parse(team) }] } },
    },
  });
  for (const argv of [
    ['members', 'show', email],
    ['members', 'list', '--email', email],
    ['teams', 'add', 'audit', email],
  ]) {
    expect(await service.run([...argv, '-o', 'ndjson', '--fields', 'email'])).toMatchObject({
      code: 0,
      stdout: `{"email":"${email}"}\n`,
    });
  }
  expect(
    await service.run(['members', 'remove', '--file', '-', '--yes'], { stdin: `email\n${email}\n` }),
  ).toMatchObject({ code: 0 });
  expect(await service.run(['members', 'show', email])).toMatchObject({ code: 5 });
  const stdin = `email,teams\n${email},platform\n`;
  expect(await service.run(['members', 'invite', '--file', '-'], { stdin })).toMatchObject({ code: 2 });
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
  const STATUS = '→ Check --status: invited, active and inactive are known.';
  test.each([
    ['--status pending', 400, 'bad request: filter[status] must be one of: invited, active, inactive', STATUS],
    [
      '--include friends',
      400,
      'bad request: Invalid include parameter',
      '→ Check --include: user and teams are known.',
    ],
    ['--page-size 101', 422, 'invalid attribute: page[size] must be between 1 and 100', '→ Check --page-size.'],
  ])(
    'members list %s: sent as given, and the refusal is explained',
    (option, status, reason, hint) =>
      transcript()`
      $ members list ${option}
      ! orgctl: the service rejected the request
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

  test('given twice, once with none: exit 2', async () => {
    const service = await startService();
    const argv = ['members', 'list', '--include', 'user', '--include', 'none'];
    expect(await service.run(argv)).toMatchObject({ code: 2, stdout: '' });
  });

  /** The includes that were asked for, and what was printed. */
  async function ask(argv: string, options: Parameters<typeof startService>[0] = {}) {
    const service = await startService(options);
    const { plain, real } = await createNames(service.sandbox);
    const { code, stdout, stderr } = await service.run(real(argv).split(' '));
    return {
      code,
      stdout: plain(stdout),
      stderr: plain(stderr),
      includes: service.requests.map(({ path }) => new URL(path, 'http://x').searchParams.get('include')),
    };
  }

  test.each<[argv: string, include: string | null, prints: string]>([
    [
      'members list --email ada.auditor@example.com --fields email,teams.name',
      'teams',
      'ada.auditor@example.com\taudit\n',
    ],
    ['members list --email ada.auditor@example.com --fields user.username', 'user', 'ada-auditor\n'],
    ['members list --email ada.auditor@example.com --fields teams', 'teams', 'audit\n'],
    [
      'members list --email ada.auditor@example.com --fields email,teams.id,user.id',
      null,
      'ada.auditor@example.com\tteam-audit\tuser-ada\n',
    ],
    ['members list --email ada.auditor@example.com --fields email --include user', 'user', 'ada.auditor@example.com\n'],
    [
      'members list --email ada.auditor@example.com --include teams',
      'user,teams',
      'ou-ada\tada.auditor@example.com\tactive\tada-auditor\taudit\n',
    ],
    [
      'members list --email ada.auditor@example.com',
      'user,teams',
      'ou-ada\tada.auditor@example.com\tactive\tada-auditor\taudit\n',
    ],
    [
      'members list --email ada.auditor@example.com --include none',
      null,
      'ou-ada\tada.auditor@example.com\tactive\t\tteam-audit\n',
    ],
    ['members show ou-ada --fields teams.name', 'teams', 'audit\n'],
    ['members show ou-ada --fields teams.name -o csv', 'teams', 'teams.name\r\naudit\r\n'],
    [
      'members show ou-ada --fields teams.name,user.username -o ndjson',
      'user,teams',
      '{"teams.name":["audit"],"user.username":"ada-auditor"}\n',
    ],
    ['members mine --fields organization.name,teams.name --limit 1', 'teams,organization', 'acme\towners\n'],
  ])('%s asks for %s', async (argv, include, prints) => {
    expect(await ask(argv)).toEqual({ code: 0, stdout: prints, stderr: '', includes: [include] });
  });

  test.each([
    ['members list --email ada.auditor@example.com', 'ada.auditor@example.com\tteam-audit\n'],
    ['members show ou-ada', 'ada.auditor@example.com\tteam-audit\n'],
    [
      'members show ou-ada -o markdown',
      '| FIELD | VALUE |\n| --- | --- |\n| email | ada.auditor@example.com |\n| teams.name | team-audit |\n',
    ],
    ['members show ou-ada -o table', 'email:       ada.auditor@example.com\nteams.name:  team-audit\n'],
  ])('%s: ids stand for names that the service does not send along, and it is said', async (argv, stdout) => {
    expect(await ask(`${argv} --fields email,teams.name`, NO_INCLUDE)).toEqual({
      code: 0,
      stdout,
      stderr: "warning: this service doesn't send teams along: only ids are known\n",
      includes: ['teams', null],
    });
  });

  test('a status that the service refuses is asked for once', async () => {
    const { code, includes } = await ask('members list --status asleep');
    expect({ code, asked: includes.length }).toEqual({ code: 7, asked: 1 });
  });
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
