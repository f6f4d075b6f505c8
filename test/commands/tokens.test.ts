import { describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const JSON_API = { headers: { 'content-type': 'application/vnd.api+json' } };
const NOT_FOUND = { errors: [{ status: '404', title: 'not found' }] };
const notFound = (): Response => Response.json(NOT_FOUND, { status: 404, ...JSON_API });
const toPolicies = (milliseconds: number) => ({
  data: {
    type: 'organization-token-ttl-policies',
    attributes: {
      'token-ttl-policies': ['team', 'organization', 'audit_trails'].map((type) => ({
        'token-type': type,
        'max-ttl-ms': milliseconds,
      })),
    },
  },
});
const DAY = 86_400_000;

/** What the list shows of each token. */
async function list(
  service: TestService,
  argv: string,
  as?: Parameters<TestService['run']>[1],
): Promise<readonly string[]> {
  const { stdout } = await service.run(
    `tokens list --fields organization.id,kind,team.name,description,expires,expires-by,status ${argv}`.split(' '),
    as,
  );
  return stdout.split('\n').slice(0, -1);
}

async function findTeam(service: TestService, name: string): Promise<string> {
  const { body } = await service.ask('GET', `/organizations/acme/teams?filter%5Bnames%5D=${name}`);
  return (body as { data: [{ id: string }] }).data[0].id;
}

interface Made {
  readonly data: { readonly id: string; readonly attributes: { readonly token: string } };
}

async function addToken(service: TestService, team: string, attributes: object): Promise<Made['data']> {
  const path = `/teams/${await findTeam(service, team)}/authentication-tokens`;
  const { body } = await service.ask('POST', path, 'owner', { data: { type: 'authentication-tokens', attributes } });
  return (body as Made).data;
}

async function setPolicy(service: TestService, days: number, isOn = true): Promise<void> {
  await service.ask('PATCH', '/organizations/acme/token-ttl-policies', 'owner', toPolicies(days * DAY));
  const data = { type: 'organizations', attributes: { 'max-ttl-enabled': isOn } };
  await service.ask('PATCH', '/organizations/acme', 'owner', { data });
}

describe('tokens list', () => {
  test('shows tokens of every kind, what expires first before all else', () =>
    transcript()`
      $ tokens list
      acme\tteam\tplatform\tci\tuser-olive\t2026-09-07T09:00:00.000Z\t2026-11-21T06:36:00.000Z\t2027-01-05T09:00:00.000Z\t2027-01-05T09:00:00.000Z\ttoken\tok\tat-1
      acme\tteam\tplatform\tlaptop of rex\tuser-olive\t2026-07-24T09:00:00.000Z\t\t2027-07-24T09:00:00.000Z\t2027-07-24T09:00:00.000Z\ttoken\tok\tat-2
      acme\taudit-trail\t\t\tacme\t2026-11-01T09:00:00.000Z\t\t\t\t\tok\tat-3
      acme\torganization\t\t\tacme\t2026-11-01T09:00:00.000Z\t\t\t\t\tok\tat-4
      acme\tteam\towners\t\tacme\t2026-11-01T09:00:00.000Z\t\t\t\t\tok\tat-5
      ! 0 of 5 tokens expire within 30 days, 4 were never used.
      $ tokens list -o table
      TOKEN                        EXPIRES      LAST USED  STATUS  ID
      team:platform/ci             in 45 days   today      ok      at-1
      team:platform/laptop of rex  in 245 days  never      ok      at-2
      audit-trail                  never        never      ok      at-3
      organization                 never        never      ok      at-4
      team:owners                  never        never      ok      at-5
      ! 0 of 5 tokens expire within 30 days, 4 were never used.
      $ tokens list --expires-within 60d --fields status,team,created-by.type -o json -q
      [
        {
          "status": "expiring",
          "team": {
            "id": "team-platform",
            "type": "teams",
            "name": "platform"
          },
          "created-by.type": "users"
        }
      ]
      $ tokens list --kind audit-trail,organization --fields kind,last-used-at
      audit-trail\t
      organization\t
      ! 0 of 2 tokens expire within 30 days, 2 were never used.
      $ tokens list --team Platform --fields team.name,description
      platform\tci
      platform\tlaptop of rex
      ! 0 of 2 tokens expire within 30 days, 1 was never used.
      $ tokens list --unused-for 100d --fields description
      laptop of rex
      ! 0 of 5 tokens expire within 30 days, 4 were never used, 1 was not used for 100 days.
    `);

  test('refuses what is no kind, and a team that is not there, before it asks for tokens', () =>
    transcript()`
      $ tokens list --kind audit-trail,user
      ! orgctl: --kind takes audit-trail, organization and team, not 'user'
      !   → Tokens of people, agents, metrics and SCIM are not shown.
      = 2, nothing sent
      $ tokens list --team nobodies
      ! orgctl: acme has no team 'nobodies'
      !   → Teams of acme: owners, platform, security, audit.
      = 2
      $ tokens list --team platform --kind organization
      ! orgctl: --team shows tokens of a team alone
      !   → Leave out --kind, or --team.
      = 2, nothing sent
      $ tokens list --org nowhere
      ! orgctl: you are not a member of nowhere
      !   Service: 404 not found (request request-1).
      !   Unknown: whether an organization named nowhere exists. Your organizations: acme, globex, initech.
      = 5
    `);

  const answer = (body: object): Response => Response.json(body, JSON_API);

  test('orders the tokens of several organizations altogether, or within each where rows come as they are read', async () => {
    const service = await startService();
    const body = (expiredAt: string) => ({
      data: { type: 'authentication-token', attributes: { 'expired-at': expiredAt } },
    });
    const of = (organization: string) => `/organizations/${organization}/authentication-token`;
    await service.ask('POST', of('globex'), 'owner', body('2026-12-01T00:00:00Z'));
    await service.ask('POST', of('acme'), 'owner', body('2026-12-24T00:00:00Z'));
    const run = async (format: string) => {
      const argv = `tokens list --orgs globex,acme --expires-within 60d --fields organization.id,expires -o ${format}`;
      const { code, stdout, stderr } = await service.run(argv.split(' '));
      return { code, ends: stdout.match(/acme|globex|2\d{3}-\d\d-\d\d/g), stderr };
    };
    const table = ['globex', '2026-12-01', 'acme', '2026-12-24', 'acme', '2027-01-05'];
    const streamed = ['acme', '2026-12-24', 'acme', '2027-01-05', 'globex', '2026-12-01'];
    const stderr = '3 of 8 tokens expire within 60 days, 7 were never used.\n';
    expect((await run('json')).ends).toEqual(table);
    // Its times are relative.
    expect(await run('table')).toEqual({ code: 0, ends: ['globex', 'acme', 'acme'], stderr });
    expect(await run('csv')).toEqual({ code: 0, ends: streamed, stderr });
    expect((await run('ndjson')).ends).toEqual(streamed);
  });

  test.each([
    ['an organization that fails is a line on stderr', /globex\/team-tokens/, 500, 10, /globex: /],
    [
      'none is shown to an owner where others are, so there is none',
      /globex\/authentication-token/,
      404,
      0,
      /used\.\n$/,
    ],
    ['a refusal of one way is none either', /globex\/authentication-token\?/, 403, 0, /; 1 can't be read\.\n$/],
  ])('%s', async (_what, where, status, code, said) => {
    const service = await startService({
      alter: (given, request) =>
        where.test(request.url) ? Response.json({ errors: [{ status, title: 'no' }] }, { status, ...JSON_API }) : given,
    });
    const result = await service.run(
      'tokens list --orgs acme,globex --max-retries 0 --kind audit-trail,team,organization'.split(' '),
    );
    expect(result).toMatchObject({ code, stderr: expect.stringMatching(said) });
    expect(result.stdout.match(/^acme\t/gm)).toHaveLength(5);
  });

  test('says when a policy that is on ends a token before its own date', async () => {
    const service = await startService();
    await setPolicy(service, 100, false);
    const own = 'acme\tteam\tplatform\tci\t2027-01-05T09:00:00.000Z\ttoken\tok';
    const never = 'acme\torganization\t\t\t\t\tok';
    expect(await list(service, '-q')).toEqual(expect.arrayContaining([own, never]));
    await setPolicy(service, 100);
    expect(await list(service, '-q')).toEqual([
      'acme\tteam\tplatform\tlaptop of rex\t2026-11-01T09:00:00.000Z\tpolicy\texpired',
      'acme\tteam\tplatform\tci\t2026-12-16T09:00:00.000Z\tpolicy\texpiring',
      'acme\taudit-trail\t\t\t2027-02-09T09:00:00.000Z\tpolicy\tok',
      'acme\torganization\t\t\t2027-02-09T09:00:00.000Z\tpolicy\tok',
      'acme\tteam\towners\t\t2027-02-09T09:00:00.000Z\tpolicy\tok',
    ]);
    const { stdout } = await service.run(['tokens', 'list', '-o', 'table']);
    expect(stdout).toMatch(/^team:platform\/ci +in 25 days +today +expiring, by policy +at-/m);
    // What every organization has that set none limits nothing.
    await setPolicy(service, 730.485);
    expect(await list(service, '-q')).toEqual(expect.arrayContaining([own, never]));
  });

  test('ends with 13 where one expires in time, and not for one with a description that has ended', async () => {
    let now = Date.parse('2026-11-21T09:00:00Z');
    const service = await startService({ now: () => now });
    await addToken(service, 'audit', { description: 'short', 'expired-at': '2026-11-22T00:00:00Z' });
    const watch = (argv: string) =>
      service.run(['tokens', 'list', '-q', '--fail-if-expires-within', ...argv.split(' ')], { now });
    expect(await watch('2h')).toMatchObject({ code: 0, stderr: '' });
    const late = await watch('30d');
    expect(late).toMatchObject({ code: 13, stderr: expect.stringContaining('1 of 6 tokens expires within 30 days') });
    expect(late.stdout.split('\n')).toHaveLength(7);
    now += 5 * DAY;
    expect(await watch('30d')).toMatchObject({ code: 0 });
    expect((await watch('60d')).stderr).toContain('1 of 6 tokens expires within 60 days');
  });

  test('says what can not be seen, and a watch does not call that well', async () => {
    const service = await startService();
    const none = ['audit-trail', 'organization', 'team'].map((kind) => `acme\t${kind}\t\t\t\t\tnot-permitted`);
    expect(await list(service, '-q', { as: 'member' })).toEqual(none);
    const who = 'Who can, as far as is known: owners, the owners team token, the organization token.';
    expect(await service.run(['tokens', 'list'], { as: 'member' })).toMatchObject({
      code: 0,
      stderr: `No tokens; 3 can't be read. ${who}\n`,
    });
    // None of them is said to be one of those that a filter asks for.
    expect(
      await service.run(['tokens', 'list', '--kind', 'audit-trail', '--expires-within', '1h'], { as: 'member' }),
    ).toEqual({
      code: 0,
      stdout: '',
      stderr: `No tokens; 1 can't be read. ${who}\nNo audit trail token, or none that you can see: acme.\n`,
    });
    const watched = await service.run('tokens list --fail-if-expires-within 1d'.split(' '), { as: 'member' });
    expect(watched).toMatchObject({ code: 10, stderr: expect.stringContaining("; 3 can't be read.") });
    // An owner sees that there is none, where the service is known to show such tokens: not every one does.
    await service.ask('DELETE', '/organizations/acme/authentication-token?token=audit-trails');
    const watchOne = (argv: string) => service.run(`tokens list --fail-if-expires-within 1d --kind ${argv}`.split(' '));
    const unknown = '  acme: no audit trail token, or none that you can see';
    for (const kinds of ['audit-trail', 'audit-trail,organization']) {
      expect(await watchOne(kinds)).toMatchObject({ code: 10, stderr: expect.stringContaining(unknown) });
    }
    expect((await watchOne('organization')).code).toBe(0);
    // Its plan has no audit logging.
    expect((await watchOne('audit-trail --org initech')).code).toBe(0);
    await service.ask('DELETE', '/organizations/acme/authentication-token');
    expect((await watchOne('organization')).code).toBe(0);
    await service.ask('POST', '/organizations/globex/authentication-token?token=audit-trails', 'owner', {
      data: { type: 'authentication-token' },
    });
    expect((await watchOne('audit-trail,organization --orgs acme,globex')).code).toBe(0);
    // And where all of the path is missing, not even an owner does.
    const bare = await startService({
      alter: (given, request) => (request.url.includes('/authentication-token') ? notFound() : given),
    });
    expect((await bare.run('tokens list --fail-if-expires-within 1d -q'.split(' '))).code).toBe(10);
    const empty = await startService({
      alter: async (given, request) => (request.url.includes('/team-tokens') ? answer({ data: [], meta: {} }) : given),
    });
    const teams = 'tokens list --kind team --fail-if-expires-within 1d -q'.split(' ');
    expect((await empty.run(teams, { as: 'member' })).code).toBe(10);
    expect(await empty.run(teams)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('asks for the one token of each team where the service can not list them', async () => {
    const service = await startService({
      alter: (given, request) => (request.url.includes('/team-tokens') ? notFound() : given),
    });
    const id = await findTeam(service, 'audit');
    await service.ask('POST', `/teams/${id}/authentication-token`, 'owner', { data: { type: 'authentication-token' } });
    const found = ['acme\tteam\towners\t\t\t\tok', 'acme\tteam\taudit\t\t\t\tok'];
    expect(await list(service, '--kind team -q')).toEqual(found);
    expect(await list(service, '--team audit -q')).toEqual(found.slice(1));
    // Who may not see the token of any team asks for none.
    const before = service.requests.length;
    expect(await list(service, '--kind team -q', { as: 'member' })).toEqual(['acme\tteam\t\t\t\t\tnot-permitted']);
    expect(service.requests.slice(before).filter(({ path }) => path.startsWith('/api/v2/teams/'))).toEqual([]);
  });

  test('on Terraform Enterprise the organization token is one row, whatever the service says of itself', async () => {
    const enterprise = await startService({ like: 'enterprise' });
    const kinds = async (service: TestService) => (await list(service, '-q')).map((row) => row.split('\t')[1]);
    expect(await kinds(enterprise)).toEqual(['team', 'team', 'organization', 'team']);
    const silent = await startService({
      like: 'enterprise',
      alter: (given) => {
        for (const name of ['tfp-appname', 'x-tfe-version', 'x-tfe-current-version']) given.headers.delete(name);
        return given;
      },
    });
    expect(await kinds(silent)).toEqual(['team', 'team', 'organization', 'team']);
  });

  test('shows no text of a token, whatever a service sends', async () => {
    const secret = 'shown.atlasv1.0123456789abcdefghijklmnop';
    const service = await startService({
      alter: async (given, request) => {
        const isToken = request.method === 'GET' && /-token/.test(request.url) && given.status === 200;
        return isToken
          ? answer(JSON.parse((await given.text()).replaceAll('"token":null', `"token":"${secret}"`)))
          : given;
      },
    });
    for (const argv of ['tokens list -o json', 'tokens list -o json --debug', 'audit-token show -o json']) {
      const { code, stdout, stderr } = await service.run(argv.split(' '));
      expect(code).toBe(0);
      expect(stdout).toContain('at-');
      expect(stdout + stderr).not.toContain(secret);
    }
  });
});

describe('tokens delete', () => {
  test('asks, says what was deleted, and names one among several by its id', async () => {
    const service = await startService();
    await addToken(service, 'platform', { description: 'ci 2026-11-20-0123456789abcd' });
    const both = await service.run(['tokens', 'delete', 'team:platform/ci', '--yes']);
    expect(both).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/2 tokens match 'team:platform\/ci'/),
    });
    const exact = await service.run(['tokens', 'delete', 'team:platform/ci 2026-11-20-0123456789abcd', '--yes']);
    expect(exact.stdout).toMatch(/^deleted\tacme\tteam\tplatform\tci 2026-11-20-0123456789abcd\tat-\w+\t\t\n$/);
    const asked = await service.run(['tokens', 'delete', 'team:platform/ci'], {
      tty: { stdin: true, stderr: true },
      stdin: 'y\n',
    });
    expect(asked.stderr).toMatch(
      /^Last used today, created by olive-owner\.\n.*\n.*Delete acme's token ci of team platform\? /,
    );
    expect(await list(service, '-q')).not.toContainEqual(expect.stringContaining('ci'));
    const gone = await service.run(['tokens', 'delete', 'team:platform/ci', '--yes']);
    expect(gone).toMatchObject({ code: 5, stderr: expect.stringContaining("team platform has no token 'ci'") });
  });

  test('leaves the token that asks, unless that is allowed', async () => {
    const service = await startService();
    const { attributes } = await addToken(service, 'owners', { description: 'ci' });
    const env = { ORGCTL_TOKEN: attributes.token };
    const refused = await service.run(['tokens', 'delete', 'team:owners/ci', '--yes'], { env });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("acme's token ci of team owners is the token that asks"),
    });
    const other = await service.run(['tokens', 'delete', 'team:platform/laptop of rex', '--yes'], { env });
    expect(other.code).toBe(0);
    const own = await service.run(['tokens', 'delete', 'team:owners/ci', '--yes', '--allow-self'], { env });
    expect(own).toMatchObject({ code: 0, stdout: expect.stringMatching(/^deleted\tacme\tteam\towners\tci\t/) });
    // Of a service that does not say which token asks, what it is for says enough.
    const silent = await startService({
      alter: async (given, request) => {
        if (!request.url.endsWith('/account/details')) return given;
        const { data } = (await given.json()) as { data: { links?: unknown } };
        const { links: _links, ...rest } = data;
        return Response.json({ data: rest }, JSON_API);
      },
    });
    const organization = await silent.run(['tokens', 'delete', 'organization', '--yes'], { as: 'org-token' });
    expect(organization.code).toBe(2);
    // Of a team with several that says too little.
    const bot = await addToken(silent, 'owners', { description: 'bot' });
    const asBot = { env: { ORGCTL_TOKEN: bot.attributes.token } };
    for (const name of [bot.id, 'team:owners/bot']) {
      expect(await silent.run(['tokens', 'delete', name, '--yes'], asBot)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/token bot of team owners may be the token that asks$/m),
      });
    }
    expect(silent.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    // Where that can't be read just now, nothing says that it is not the one.
    const busy = await startService({
      alter: (given, request) =>
        request.url.endsWith('/account/details') ? Response.json({}, { status: 503, ...JSON_API }) : given,
    });
    const unknown = await busy.run(['tokens', 'delete', 'organization', '--yes', '--max-retries', '0'], {
      as: 'org-token',
    });
    expect(unknown.code).toBe(9);
    expect(busy.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  // OTF knows accounts of people alone.
  test('leaves what may be the token that asks, where the service does not say which one that is', async () => {
    const service = await startService({
      alter: (given, request) => (request.url.endsWith('/account/details') ? new Response('', { status: 404 }) : given),
    });
    const remove = (name: string, ...more: string[]) =>
      service.run(['tokens', 'delete', name, '--yes', ...more], { as: 'org-token' });
    for (const name of ['organization', 'team:platform/ci']) {
      expect(await remove(name)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/ may be the token that asks$/m),
      });
    }
    expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect((await remove('organization', '--allow-self')).code).toBe(0);
  });

  test('deletes nothing where one is not found, or is of no team of the organization', async () => {
    const service = await startService();
    for (const [name, code, said] of [
      ['team:platform/none', 5, "team platform has no token 'none'"],
      ['team:platform', 5, "can't show the token of team platform"],
      ['team:nobodies/ci', 2, "acme has no team 'nobodies'"],
      ['at-0000000000000000', 5, "can't show token at-0000000000000000"],
      ['user:olive', 2, "no token is called 'user:olive'"],
    ] as const) {
      const result = await service.run(['tokens', 'delete', 'team:platform/ci', name, '--yes']);
      expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
    }
    const { stderr } = await service.run(['tokens', 'delete', 'at-nope', '--yes']);
    expect(stderr).toContain('  → See which there are:\n  $ orgctl --org acme tokens list\n');
    expect(stderr.split('\n')).toHaveLength(5);
    const misspelt = await service.run(['tokens', 'delete', 'team:platform/cii', '--yes']);
    expect(misspelt.stderr).toContain('  → Did you mean team:platform/ci? See which there are:\n');
    const [first = ''] = await list(service, '-q --expires-within 60d');
    expect(first).toContain('\tci\t');
    const elsewhere = await service.run([
      'tokens',
      'delete',
      `team:${await findTeam(service, 'platform')}/ci`,
      '--org',
      'globex',
      '--yes',
    ]);
    expect(elsewhere.code).toBe(2);
    expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('goes by team ids and token ids, of tokens without a description too, each once', async () => {
    const service = await startService();
    const { id } = await addToken(service, 'audit', { description: '' });
    const team = await findTeam(service, 'audit');
    await service.ask('POST', `/teams/${team}/authentication-token`, 'owner', {
      data: { type: 'authentication-token' },
    });
    const names = [`team:${team}/`, id, 'team:audit'];
    const { stdout } = await service.run(['tokens', 'delete', ...names, '--yes', '--fields', 'result,team.name,id']);
    expect(stdout.split('\n').length - 1).toBe(2);
    expect(stdout).toContain(`deleted\taudit\t${id}\n`);
  });

  test('of the audit trail is refused on Terraform Enterprise, where it would be the main token', async () => {
    const service = await startService({ like: 'enterprise' });
    const refused = await service.run(['tokens', 'delete', 'audit-trail', '--yes']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-enterprise') });
    expect((await service.run(['tokens', 'delete', 'organization', '--yes'])).code).toBe(0);
  });
});

test('a time that a service never set, and sends as the first one it knows, is never', async () => {
  const service = await startService({
    async alter(given, request) {
      if (!request.url.includes('/team-tokens')) return given;
      const text = (await given.text()).replaceAll('"last-used-at":null', '"last-used-at":"0001-01-01T00:00:00Z"');
      return new Response(text, { status: given.status, ...JSON_API });
    },
  });
  const { stdout } = await service.run(['tokens', 'list', '-o', 'table'], { columns: 120 });
  expect(stdout).toMatch(/^team:platform\/laptop of rex +in \d+ days +never +ok /m);
  expect(stdout).not.toContain('years ago');
});

test('a narrow table keeps what says of a row why it has no date', async () => {
  const { stdout } = await run(['--sandbox', 'tokens', 'list', '--all-orgs', '-o', 'table'], {
    env: { COLUMNS: '60' },
  });
  expect(stdout).toMatch(/^initech +audit-trail +none or not\n +permitted$/m);
});

test('of a team that is seen, a refusal of its token can only be permission', async () => {
  const service = await startService();
  const argv = ['tokens', 'rotate', 'team:platform', '--expires', '90d', '--to', 'file:./team-token', '--yes'];
  const { code, stderr } = await service.run(argv, { as: 'team-manager' });
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining("you don't have permission to generate the token of team platform"),
  ]);
});
