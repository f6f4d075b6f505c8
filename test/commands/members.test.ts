import { describe, expect, test } from 'vitest';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import { type Json, PEOPLE, toJsonText, toMemberRecord, toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import type { RunOptions } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';

interface Options extends RunOptions {
  readonly org?: string;
  readonly service?: ServiceOptions;
  readonly as?: CallerKind;
  /** Run first, by the owner. */
  readonly before?: string;
}

/** Runs it against the demo; ids have names in what comes back. `writes` are the requests that would change something. */
async function run(argv: string, { service: serviceOptions = {}, before, ...options }: Options = {}) {
  const service = await startService(serviceOptions);
  const { plain, real } = await createNames(service.sandbox);
  if (before !== undefined) await service.run(real(before).split(' '), options);
  const sent = service.requests.length;
  const result = await service.run(real(argv).split(' '), options);
  const requests = toRequestLines(service.requests.slice(sent), { plain });
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) },
    writes: requests.filter((request) => !request.startsWith('GET ')),
  };
}

const toText = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

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

const ACME = { id: 'acme', type: 'organizations' };

describe('members invite: who is there already', () => {
  test('is left as they are', async () => {
    const { result, writes } = await run('members invite ada.auditor@example.com --team audit');
    expect(result).toEqual({
      code: 0,
      stdout: 'unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t\n',
      stderr: '',
    });
    expect(writes).toEqual([]);
  });

  test('is known by an address in another case, given twice', async () => {
    const { result, writes } = await run('members invite ADA.auditor@example.com Ada.Auditor@Example.com --team audit');
    expect(result).toEqual({
      code: 0,
      stdout: 'unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t\n',
      stderr: '',
    });
    expect(writes).toEqual([]);
  });

  test('twice the same invitation changes nothing the second time', async () => {
    const invite = 'members invite new@example.com --team audit';
    const { result, writes } = await run(invite, { before: invite });
    expect(result).toEqual({
      code: 0,
      stdout: 'unchanged\tnew@example.com\tacme\tou-1\taudit\t\t\t\n',
      stderr: '',
    });
    expect(writes).toEqual([]);
  });

  test('and lacks a team that was asked for: exit 13, teams-missing', async () => {
    const { result, writes } = await run('members invite ada.auditor@example.com --team platform,audit');
    expect(result).toEqual({
      code: 13,
      stdout: 'unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\tplatform\t\t\n',
      stderr: toText(
        'orgctl: some were there already, but not in every team asked for',
        '  ada.auditor@example.com (ou-ada, active) is not in platform',
        '  → An invitation does not change the teams of somebody who is there: add them to the team in the service.',
      ),
    });
    expect(writes).toEqual([]);
  });

  test('and lacks a team, while another is invited: json', async () => {
    const { result, writes } = await run(
      'members invite ada.auditor@example.com new@example.com --team platform -o json',
    );
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
    expect(result).toEqual({
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
            message: 'some were there already, but not in every team asked for',
            reasons: ['ada.auditor@example.com (ou-ada, active) is not in platform'],
            hint: 'An invitation does not change the teams of somebody who is there: add them to the team in the service.',
          },
        }),
      ),
    });
    expect(writes).toHaveLength(1);
  });

  test('--fail-if-exists: exit 7, no one is invited', async () => {
    const { result, writes } = await run(
      'members invite ada.auditor@example.com new@example.com --team platform --fail-if-exists',
    );
    expect(result).toEqual({
      code: 7,
      stdout: '',
      stderr: toText(
        'orgctl: acme has one of them already',
        '  ada.auditor@example.com (ou-ada, active)',
        '  → Nothing was sent. Leave out --fail-if-exists to invite the others.',
      ),
    });
    expect(writes).toEqual([]);
  });

  test('--fail-if-exists with new people alone: all are invited', async () => {
    const { result, writes } = await run('members invite a@example.com b@example.com --team audit --fail-if-exists');
    expect(result.code).toBe(0);
    expect(writes).toHaveLength(2);
  });
});

describe('members invite: teams', () => {
  test('a team named in several ways is sent once', async () => {
    const { writes } = await run('members invite new@example.com --team audit,AUDIT --team team-audit');
    expect(writes).toEqual([
      'POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}',
    ]);
  });

  test('an unknown name: exit 2, with the known ones', async () => {
    const { result, writes } = await run('members invite new@example.com --team nope');
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: toText(
        "orgctl: acme has no team 'nope'",
        '  known: owners, platform, security, audit',
        '  → See them all:',
        '  $ orgctl teams list --org acme',
      ),
    });
    expect(writes).toEqual([]);
  });

  const TWINS = alterList('/teams', (teams) =>
    teams.map((team) => {
      const attributes = team['attributes'] as Json;
      return attributes['name'] === 'security' ? { ...team, attributes: { ...attributes, name: 'Audit' } } : team;
    }),
  );

  test('a name that could mean two: exit 2, with both', async () => {
    const { result, writes } = await run('members invite new@example.com --team AUDIT', { service: TWINS });
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: toText(
        "orgctl: 'AUDIT' could mean 2 teams of acme",
        '  Audit (team-security)',
        '  audit (team-audit)',
        '  → Name one by its id (team-…).',
      ),
    });
    expect(writes).toEqual([]);
  });

  test('the exact name wins over one in another case', async () => {
    const { result } = await run('members invite new@example.com --team Audit --fields teams.id', { service: TWINS });
    expect(result).toEqual({ code: 0, stdout: 'team-security\n', stderr: '' });
  });
});

describe('members invite: several at once', () => {
  test('the limit of the organization stops the rest, with one reason for all', async () => {
    const { result, writes } = await run('members invite a@example.com b@example.com c@example.com --team platform', {
      org: 'initech',
    });
    expect(result).toEqual({
      code: 7,
      stdout: toText(
        'failed\ta@example.com\tinitech\t\t\t\torganization-limit\tcannot invite a@example.com to initech: the service answered 400; bad request: The organization initech has reached its limit of 5 users; a limit of the organization makes the invitation impossible',
        'not-attempted\tb@example.com\tinitech\t\t\t\t\t',
        'not-attempted\tc@example.com\tinitech\t\t\t\t\t',
      ),
      stderr: toText(
        'orgctl: 1 of 3 failed',
        '  cannot invite a@example.com to initech: the service answered 400; bad request: The organization initech has reached its limit of 5 users; a limit of the organization makes the invitation impossible',
        '  not attempted: b@example.com, c@example.com',
        '  → Remove members or invitations that are no longer needed, or raise the limit with the plan.',
      ),
    });
    expect(writes).toHaveLength(1);
  });

  test('the limit met after one was invited: exit 10', async () => {
    const { result, writes } = await run(
      'members invite a@example.com b@example.com c@example.com --team platform --fields email,result -o json',
      { org: 'initech', before: 'members remove ou-peter.initech --yes' },
    );
    expect(result).toEqual({
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
            reasons: [
              'cannot invite b@example.com to initech: the service answered 400; bad request: The organization initech has reached its limit of 5 users; a limit of the organization makes the invitation impossible',
              'not attempted: c@example.com',
            ],
            hint: 'Remove members or invitations that are no longer needed, or raise the limit with the plan.',
            items: [
              {
                item: 'b@example.com',
                code: 'organization-limit',
                exit: 7,
                message: 'cannot invite b@example.com to initech: the service answered 400',
                reasons: [
                  'bad request: The organization initech has reached its limit of 5 users',
                  'a limit of the organization makes the invitation impossible',
                ],
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
                hint: 'Remove members or invitations that are no longer needed, or raise the limit with the plan.',
              },
            ],
          },
        }),
      ),
    });
    expect(writes).toHaveLength(2);
  });
});

describe('members remove: whom', () => {
  test('no one is removed while one of them is unknown: exit 5', async () => {
    const { result, writes } = await run('members remove ou-ada nobody@example.com --yes');
    expect(result).toEqual({
      code: 5,
      stdout: '',
      stderr: toText(
        'orgctl: nobody@example.com is neither a member of acme nor invited',
        '  the list shows only what this token may see',
        '  → Look for the person in the list, which --search makes shorter:',
        '  $ orgctl members list --org acme',
      ),
    });
    expect(writes).toEqual([]);
  });

  test('--ignore-missing: the others are removed', async () => {
    const { result, writes } = await run('members remove nobody@example.com ou-nobody ou-ada --yes --ignore-missing');
    expect(result).toEqual({
      code: 0,
      stdout: toText(
        'absent\tnobody@example.com\tacme\t\t\t\t\t',
        'absent\t\tacme\tou-nobody\t\t\t\t',
        'removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t',
      ),
      stderr: toText(
        'nobody@example.com is neither a member of acme nor invited: nothing to remove',
        'ou-nobody is neither a member of acme nor invited: nothing to remove',
        'removed ada.auditor@example.com (ou-ada, active) from acme',
      ),
    });
    expect(writes).toEqual(['DELETE /organization-memberships/ou-ada']);
  });

  test('--ignore-missing with unknown people alone: done, without a question', async () => {
    const { result, writes } = await run('members remove nobody@example.com --ignore-missing -o json');
    expect(result).toEqual({
      code: 0,
      stdout: toJsonText([
        {
          id: null,
          type: 'organization-memberships',
          changed: false,
          email: 'nobody@example.com',
          organization: ACME,
          result: 'absent',
        },
      ]),
      stderr: toText(
        '{"note":{"message":"nobody@example.com is neither a member of acme nor invited: nothing to remove"}}',
      ),
    });
    expect(writes).toEqual([]);
  });

  test('a member of another organization than the current one: exit 2, and no one is removed', async () => {
    const { result, writes } = await run('members remove ou-ada ou-gina.globex --yes');
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: toText(
        'orgctl: gina.globex@example.com (ou-gina.globex, active) belongs to globex, not to acme',
        '  → Nothing was removed. If globex is meant, say so with --org globex.',
      ),
    });
    expect(writes).toEqual([]);
  });

  test('one person named in several ways is removed once', async () => {
    const { result, writes } = await run(
      'members remove ou-ada name:Ada-Auditor ADA.auditor@example.com user-ada --yes',
    );
    expect(result).toEqual({
      code: 0,
      stdout: 'removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t\n',
      stderr: toText('removed ada.auditor@example.com (ou-ada, active) from acme'),
    });
    expect(writes).toEqual(['DELETE /organization-memberships/ou-ada']);
  });

  test('mixed outcomes: exit 10, with what was done and what was not', async () => {
    const { result, writes } = await run('members remove ou-ada ou-olive ou-ivan --yes');
    expect(result).toEqual({
      code: 10,
      stdout: toText(
        'removed\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t',
        'failed\tolive.owner@example.com\tacme\tou-olive\towners\t\tforbidden\tcannot remove olive.owner@example.com (ou-olive, active) from acme: the service answered 403; forbidden: You cannot remove yourself from an organization you own; nobody can remove themselves from an organization they own',
        'removed\tivan.invitee@example.com\tacme\tou-ivan\tplatform\t\t\t',
      ),
      stderr: toText(
        'removed ada.auditor@example.com (ou-ada, active) from acme',
        'removed ivan.invitee@example.com (ou-ivan, invited) from acme',
        'orgctl: 1 of 3 failed',
        '  cannot remove olive.owner@example.com (ou-olive, active) from acme: the service answered 403; forbidden: You cannot remove yourself from an organization you own; nobody can remove themselves from an organization they own',
        '  → Let another owner remove this membership.',
      ),
    });
    expect(writes).toHaveLength(3);
  });
});

describe('a person who could be several', () => {
  // Two memberships of one address, as a service may have for an account and an invitation.
  const TWINS = alterList('/organization-memberships', (members) =>
    members.flatMap((member) => {
      const attributes = member['attributes'] as Json;
      return [member, { ...member, id: 'ou-0ther', attributes: { ...attributes, status: 'invited' } }];
    }),
  );
  for (const verb of ['show', 'remove']) {
    for (const [reference, told] of [
      ['ada.auditor@example.com', 'ada.auditor@example.com'],
      ['ada-auditor', 'user ada-auditor'],
    ]) {
      test(`members ${verb} ${reference}: exit 2, with both`, async () => {
        const { result, writes } = await run(`members ${verb} ${reference} --yes`, { service: TWINS });
        expect(result).toEqual({
          code: 2,
          stdout: '',
          stderr: toText(
            `orgctl: ${told} could mean 2 memberships of acme`,
            '  ada.auditor@example.com (ou-ada, active)',
            '  ada.auditor@example.com (ou-0ther, invited)',
            '  → Name one by its id (ou-…).',
          ),
        });
        expect(writes).toEqual([]);
      });
    }
  }
});

describe('values the document does not show', () => {
  const REFUSED = [
    {
      argv: 'members list --status pending',
      says: [
        'orgctl: cannot list the members of acme: the service answered 400',
        '  bad request: filter[status] must be one of: invited, active',
        '  → Check the values of the options: the service did not accept one.',
        '  request request-1',
      ],
    },
    {
      argv: 'members list --include friends',
      says: [
        'orgctl: cannot list the members of acme: the service answered 400',
        '  bad request: Invalid include parameter',
        '  → Check the values of the options: the service did not accept one.',
        '  request request-1',
      ],
    },
    {
      argv: 'members list --page-size 101',
      says: [
        'orgctl: cannot list the members of acme: the service answered 422',
        '  invalid attribute: page[size] must be between 1 and 100',
        '  → Correct what the service names, and run the command again.',
        '  request request-1',
      ],
    },
  ];
  for (const { argv, says } of REFUSED) {
    test(`${argv}: sent as given, and the refusal is explained`, async () => {
      const { result } = await run(argv);
      expect(result).toEqual({ code: 7, stdout: '', stderr: toText(...says) });
    });
  }

  test('a service that refuses an include that was not asked for is asked again without', async () => {
    const { result } = await run('members list --status invited', {
      service: {
        alter: (answer, request) =>
          request.url.includes('include=')
            ? Response.json({ errors: [{ status: '400', title: 'bad request' }] }, { status: 400 })
            : answer,
      },
    });
    expect(result).toEqual({
      code: 0,
      stdout: 'ou-ivan\tinvited\tivan.invitee@example.com\t\tteam-platform\n',
      stderr: '',
    });
  });
});

describe('--include', () => {
  const REFUSED: readonly (readonly [string, string])[] = [
    ['', ''],
    [',', ''],
    ['none,teams', 'none,teams'],
    ['user,none', 'user,none'],
  ];
  for (const verb of ['list', 'mine', 'show ou-ada']) {
    for (const [given, told] of REFUSED) {
      test(`members ${verb} --include '${given}': exit 2, and nothing is sent`, async () => {
        const service = await startService();
        const result = await service.run(['members', ...verb.split(' '), '--include', given]);
        expect(result).toEqual({
          code: 2,
          stdout: '',
          stderr: toText(
            `orgctl: --include takes names or none, not '${told}'`,
            '  → For example: --include user,teams',
          ),
        });
        expect(service.requests).toEqual([]);
      });
    }
  }

  test('given twice, once with none: exit 2', async () => {
    const { result } = await run('members list --include user --include none');
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
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
      'ou-ada\tactive\tada.auditor@example.com\tada-auditor\taudit\n',
    ],
    [
      'members list --email ada.auditor@example.com',
      'user,teams',
      'ou-ada\tactive\tada.auditor@example.com\tada-auditor\taudit\n',
    ],
    [
      'members list --email ada.auditor@example.com --include none',
      null,
      'ou-ada\tactive\tada.auditor@example.com\t\tteam-audit\n',
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

  test('a field that the service does not send along is said to be empty', async () => {
    const refuse: ServiceOptions['alter'] = (answer, request) =>
      request.url.includes('include=')
        ? Response.json({ errors: [{ status: '400', detail: 'Invalid include parameter' }] }, { status: 400 })
        : answer;
    for (const [argv, prints] of [
      ['members list --email ada.auditor@example.com --fields email,teams.name', 'ada.auditor@example.com\t\n'],
      ['members show ou-ada --fields email,teams.name', 'ada.auditor@example.com\t\n'],
    ] as const) {
      expect(await ask(argv, { alter: refuse })).toEqual({
        code: 0,
        stdout: prints,
        stderr: 'warning: this service does not send teams along: fields of it stay empty\n',
        includes: ['teams', null],
      });
    }
  });

  test('a status that the service refuses is asked for once', async () => {
    const { code, includes } = await ask('members list --status asleep');
    expect({ code, asked: includes.length }).toEqual({ code: 7, asked: 1 });
  });
});

describe('a service that sends less about people', () => {
  const NO_INCLUDE: ServiceOptions = {
    alter: (answer, request) =>
      request.url.includes('include=')
        ? Response.json({ errors: [{ status: '400', title: 'bad request' }] }, { status: 400 })
        : answer,
  };
  /** Takes the parameter, and sends no user along. */
  const DEAF: ServiceOptions = {
    async alter(answer, request) {
      if (!request.url.includes('include=')) return answer;
      const document = (await answer.json()) as Json;
      return Response.json({ ...document, included: undefined }, { status: answer.status });
    },
  };
  const NO_NAMES = toText(
    'orgctl: this service does not tell the user names of acme',
    '  → Name people by email or by membership id (ou-…).',
  );
  for (const [how, service] of [
    ['refuses include=user', NO_INCLUDE],
    ['ignores include=user', DEAF],
  ] as const) {
    for (const argv of ['show olive', 'remove olive --yes', 'remove olive --ignore-missing --yes']) {
      test(`${how}: members ${argv}: exit 2, since every member would seem to be absent`, async () => {
        const { result, writes } = await run(`members ${argv}`, { service });
        expect(result).toEqual({ code: 2, stdout: '', stderr: NO_NAMES });
        expect(writes).toEqual([]);
      });
    }

    for (const reference of ['ada.auditor@example.com', 'ou-ada', 'user-ada']) {
      test(`${how}: ${reference} needs no user name`, async () => {
        const { result, writes } = await run(`members remove ${reference} --yes`, { service });
        expect(result).toEqual({
          code: 0,
          stdout: 'removed\tada.auditor@example.com\tacme\tou-ada\t\t\t\t\n',
          stderr: toText('removed ada.auditor@example.com (ou-ada, active) from acme'),
        });
        expect(writes).toEqual(['DELETE /organization-memberships/ou-ada']);
      });
    }

    test(`${how}: a search without results means that the person is unknown`, async () => {
      const { result, writes } = await run('members remove zzz --ignore-missing --yes', { service });
      expect(result).toEqual({
        code: 0,
        stdout: 'absent\t\tacme\t\t\t\t\t\n',
        stderr: toText('user zzz is neither a member of acme nor invited: nothing to remove'),
      });
      expect(writes).toEqual([]);
    });
  }

  /** Neither memberships nor users have an address. */
  const NO_EMAILS: ServiceOptions = {
    async alter(answer, request) {
      if (request.method !== 'GET' || !request.url.includes('organization-memberships')) return answer;
      const text = JSON.stringify(await answer.json(), (name, value) => (name === 'email' ? undefined : value));
      return new Response(text, { status: answer.status, headers: { 'content-type': 'application/vnd.api+json' } });
    },
  };
  for (const argv of [
    'invite ada.auditor@example.com --team audit',
    'invite new@example.com ada.auditor@example.com --team audit',
    'show ada.auditor@example.com',
    'remove ada.auditor@example.com --ignore-missing --yes',
  ]) {
    test(`without emails: members ${argv}: exit 2, and nothing is written`, async () => {
      const { result, writes } = await run(`members ${argv}`, { service: NO_EMAILS });
      expect(result).toEqual({
        code: 2,
        stdout: '',
        stderr: toText(
          'orgctl: this service does not tell the email addresses of acme',
          '  → Name people by membership ids (ou-…).',
        ),
      });
      expect(writes).toEqual([]);
    });
  }
});

describe('members mine', () => {
  test('shows the organization of each', async () => {
    const { result } = await run('members mine');
    expect(result).toEqual({
      code: 0,
      stdout: toText(
        'ou-olive\tacme\tactive\towners',
        'ou-olive.globex\tglobex\tactive\towners',
        'ou-olive.initech\tinitech\tactive\towners',
      ),
      stderr: '',
    });
  });

  test('--include organization sends it along', async () => {
    const { result } = await run('members mine --include organization --limit 1 -o json');
    expect(JSON.parse(result.stdout)).toMatchObject([{ organization: { id: 'acme', name: 'acme' } }]);
  });

  test('an organization token is in its organization', async () => {
    expect((await run('members mine', { as: 'org-token' })).result).toEqual({
      code: 0,
      stdout: '\tacme\t\t\n',
      stderr: '',
    });
    const { result } = await run('members mine -o json', { as: 'org-token' });
    expect(JSON.parse(result.stdout)).toEqual([
      { type: 'organization-memberships', organization: { id: 'acme', type: 'organizations' } },
    ]);
  });

  test('a team token has no memberships, and stderr says so', async () => {
    expect((await run('members mine', { as: 'owners-team' })).result).toEqual({
      code: 0,
      stdout: '',
      stderr: toText('this token has no memberships: only a user token has its own'),
    });
  });
});
