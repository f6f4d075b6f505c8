import { describe, expect, test } from 'vitest';
import type { CallerKind, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { failed, NOW, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const REFUSED = { errors: [{ status: '404', title: 'not found' }] };
const toInvitation = (name: string, team: string): string =>
  JSON.stringify({
    data: {
      type: 'organization-memberships',
      attributes: { email: `${name}@example.com` },
      relationships: { teams: { data: [{ type: 'teams', id: team }] } },
    },
  });
const toRefusal = (status: number, organization: string) => (answer: Response, request: Request) =>
  request.url.includes(`/organizations/${organization}/`)
    ? Response.json({ errors: [{ status: `${status}`, title: 'no' }] }, { status })
    : answer;

describe('which organizations', () => {
  test('--all-orgs: those the caller is in, by name, and not those it is only invited to', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (!request.url.includes('/api/v2/organization-memberships')) return answer;
        const document = (await answer.json()) as { data: { attributes: object; relationships: object }[] };
        const [first] = document.data;
        const other = (status: string, id: string) => ({
          ...first,
          id: `ou-${id}`,
          attributes: { ...first?.attributes, status },
          relationships: { ...first?.relationships, organization: { data: { type: 'organizations', id } } },
        });
        const data = [other('invited', 'Abba'), other('active', 'initech'), other('active', 'Globex')];
        return Response.json({ ...document, data });
      },
    });
    const { code, stdout } = await service.run(['members', 'list', '--all-orgs', '--fields', 'organization.id']);
    expect({ code, names: [...new Set(stdout.trim().split('\n'))] }).toEqual({ code: 0, names: ['globex', 'initech'] });
    expect(service.requests.map(({ path }) => path.split('?')[0])).toEqual([
      '/api/v2/organization-memberships',
      '/api/v2/organizations/Globex/organization-memberships',
      '/api/v2/organizations/initech/organization-memberships',
    ]);
  });

  test('--all-orgs: the one of a team token, and of an organization token', () =>
    transcript({ reads: true })`
      $ AS=owners-team members list --all-orgs --limit 1 --fields organization.id,email
      acme\tolive.owner@example.com
      > GET /organization-memberships
      > GET /account/details
      > GET /teams/team-owners
      > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100
      $ AS=org-token members list --all-orgs --limit 1 --fields organization.id,email
      acme\tolive.owner@example.com
      > GET /organization-memberships
      > GET /account/details
      > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100
    `);

  test('a token whose organization is not shown: exit 2, and where the first reading is refused, its error', async () => {
    const service = await startService({
      alter: (answer, request) =>
        /\/(account|teams)\//.test(request.url) ? Response.json(REFUSED, { status: 404 }) : answer,
    });
    expect(await service.run(['members', 'list', '--all-orgs'], { as: 'owners-team' })).toEqual(
      failed(
        2,
        toText(
          "orgctl: this service doesn't show which organization your token belongs to",
          '  → Name it with --org, or several with --orgs.',
        ),
      ),
    );
    const audit = await service.run(['members', 'list', '--all-orgs'], { as: 'audit-token' });
    expect({ ...audit, stderr: audit.stderr.split('\n')[0] }).toMatchObject({ code: 5, stdout: '' });
  });

  test('a service that leaves out the organizations: exit 2', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (!request.url.includes('/api/v2/organization-memberships')) return answer;
        const document = (await answer.json()) as { data: { relationships: object }[] };
        return Response.json({ ...document, data: document.data.map((one) => ({ ...one, relationships: {} })) });
      },
    });
    expect(await service.run(['members', 'list', '--all-orgs'])).toEqual(
      failed(
        2,
        toText(
          "orgctl: this service doesn't show which organizations you are in",
          '  → Name them with --orgs, or one with --org.',
        ),
      ),
    );
  });

  test('an organization of the environment gives way, and each name counts once', () =>
    transcript()`
      $ members list --orgs globex,acme --orgs GLOBEX --limit 7 --fields organization.id,email
      acme\tolive.owner@example.com
      acme\tmilo.member@example.com
      acme\ttara.team-manager@example.com
      acme\trex.registry-manager@example.com
      acme\tada.auditor@example.com
      acme\tivan.invitee@example.com
      globex\tolive.owner@example.com
    `);

  test.each([
    ['--org acme --orgs globex', 'use --org or --orgs, not both'],
    ['--org acme --all-orgs', 'use --org or --all-orgs, not both'],
    ['--orgs acme --all-orgs', 'use --orgs or --all-orgs, not both'],
    ['--orgs ,', '--orgs is empty'],
    ['--orgs acme,..', "'..' can't be the name of an organization"],
    ['--all-orgs --page 2', "--page doesn't go with several organizations"],
    ['--all-orgs -o jsonapi', "jsonapi doesn't go with several organizations"],
  ])('members list %s: exit 2, and nothing is sent', async (words, message) => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['members', 'list', ...words.split(' ')]);
    const said = stderr.startsWith('{') ? (JSON.parse(stderr).error.message as string) : stderr.split('\n')[0];
    expect({ code, stdout, said, requests: service.requests }).toEqual({
      code: 2,
      stdout: '',
      said: stderr.startsWith('{') ? message : `orgctl: ${message}`,
      requests: [],
    });
  });

  test('a format that ORGCTL_OUTPUT names counts too', async () => {
    const service = await startService();
    const { code } = await service.run(['members', 'list', '--all-orgs'], { env: { ORGCTL_OUTPUT: 'jsonapi' } });
    expect({ code, requests: service.requests }).toEqual({ code: 2, requests: [] });
  });
});

describe('members list', () => {
  test('a row says first of which organization it is, in every format', () =>
    transcript()`
      $ members list --all-orgs --search olive
      acme\tou-olive\tolive.owner@example.com\tactive\tolive-owner\towners
      globex\tou-olive.globex\tolive.owner@example.com\tactive\tolive-owner\towners
      initech\tou-olive.initech\tolive.owner@example.com\tactive\tolive-owner\towners
      $ members list --orgs acme --search olive
      acme\tou-olive\tolive.owner@example.com\tactive\tolive-owner\towners
      $ members list --all-orgs --search olive -o csv
      organization.id,id,email,status,user.username,teams.name\r
      acme,ou-olive,olive.owner@example.com,active,olive-owner,owners\r
      globex,ou-olive.globex,olive.owner@example.com,active,olive-owner,owners\r
      initech,ou-olive.initech,olive.owner@example.com,active,olive-owner,owners\r
      $ members list --all-orgs --search olive -o table
      ORGANIZATION  EMAIL                    STATUS  TEAMS   USER         ID
      acme          olive.owner@example.com  active  owners  olive-owner  ou-olive
      globex        olive.owner@example.com  active  owners  olive-owner  ou-olive.globex
      initech       olive.owner@example.com  active  owners  olive-owner  ou-olive.initech
      $ members list --orgs acme,globex --search olive -o ndjson --fields organization.id,email
      {"organization.id":"acme","email":"olive.owner@example.com"}
      {"organization.id":"globex","email":"olive.owner@example.com"}
      $ members list --all-orgs --status invited
      acme\tou-ivan\tivan.invitee@example.com\tinvited\t\tplatform\t2026-09-27T09:00:00.000Z
      globex\tou-noor.globex\tnoor.newcomer@example.com\tinvited\t\taudit\t2026-09-27T09:00:00.000Z
      initech\tou-peter.initech\tpeter.programmer@example.com\tinvited\t\tplatform\t2026-09-26T09:00:00.000Z
      $ members list --all-orgs --pending-older-than 55d --fields email
      peter.programmer@example.com
      $ members list --all-orgs --search nobody-at-all -o json
      []
    `);

  test('json is one array, also with a limit', async () => {
    const service = await startService();
    const all = await service.run(['members', 'list', '--all-orgs', '-o', 'json']);
    const some = await service.run(['members', 'list', '--all-orgs', '-o', 'json', '--limit', '8']);
    const rows = JSON.parse(all.stdout) as { organization: { id: string } }[];
    expect(rows.map(({ organization }) => organization.id)).toEqual([
      ...Array(6).fill('acme'),
      ...Array(10).fill('globex'),
      ...Array(5).fill('initech'),
    ]);
    expect(JSON.parse(some.stdout)).toEqual(rows.slice(0, 8));
  });

  test('a service that leaves out of which organization a member is: the row says it all the same', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (!request.url.includes('/organizations/')) return answer;
        const document = (await answer.json()) as { data: { relationships: object }[] };
        const data = document.data.map((one) => ({
          ...one,
          relationships: { ...one.relationships, organization: null },
        }));
        return Response.json({ ...document, data });
      },
    });
    const { stdout } = await service.run([
      'members',
      'list',
      '--orgs',
      'acme,globex',
      '--search',
      'olive',
      '--fields',
      'organization.id',
    ]);
    expect(stdout).toBe('acme\nglobex\n');
  });

  test('an organization that fails is a line on stderr, the others are whole, and the exit is 10', async () => {
    const service = await startService({ alter: toRefusal(404, 'globex') });
    const { plain } = await createNames(service.sandbox);
    const argv = ['members', 'list', '--all-orgs', '--search', 'olive', '--fields', 'organization.id,email'];
    const result = await service.run(argv);
    expect({ ...result, stderr: plain(result.stderr) }).toEqual({
      code: 10,
      stdout: 'acme\tolive.owner@example.com\ninitech\tolive.owner@example.com\n',
      stderr: toText(
        'orgctl: 1 of 3 organizations failed',
        "  the service doesn't show you the members of globex",
        '  → Use the token of an owner.',
      ),
    });
    const json = await service.run([...argv, '-o', 'json']);
    expect(JSON.parse(json.stdout)).toHaveLength(2);
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: {
        code: 'incomplete',
        exit: 10,
        message: '1 of 3 organizations failed',
        items: [{ item: 'globex', code: 'not-found', exit: 5, status: 404 }],
      },
    });
  });

  test.each([
    [404, 'not-found', 5],
    [401, 'not-authenticated', 4],
    [403, 'forbidden', 6],
  ])('all that fail alike, with %d: that code, and nothing on stdout', async (status, code, exit) => {
    const service = await startService({
      alter: (answer, request) =>
        request.url.includes('/organizations/')
          ? Response.json({ errors: [{ status: `${status}`, title: 'no' }] }, { status })
          : answer,
    });
    for (const format of ['json', 'ndjson', 'csv']) {
      const result = await service.run(['members', 'list', '--orgs', 'acme,globex', '-o', format]);
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: exit, stdout: '' });
      if (format === 'csv') continue;
      expect(JSON.parse(result.stderr)).toMatchObject({ error: { code, message: '2 of 2 organizations failed' } });
    }
  });

  test('one organization alone fails as with --org', async () => {
    const service = await startService();
    const { plain } = await createNames(service.sandbox);
    const [alone, several] = await Promise.all(
      ['--org', '--orgs'].map((option) => service.run(['members', 'list', option, 'nope'])),
    );
    expect(several?.code).toBe(5);
    expect(plain(several?.stderr ?? '').replace(/request-\d/, '')).toBe(
      plain(alone?.stderr ?? '').replace(/request-\d/, ''),
    );
  });

  test('a list that keeps changing: what was printed stays, json has none of it, and the exit is 10', async () => {
    let total = 100;
    const service = await startService({
      seed: { kind: 'members', count: 250 },
      async alter(answer, request) {
        if (!request.url.includes('/organizations/acme/')) return answer;
        const document = (await answer.json()) as { meta: { pagination: object } };
        total += 1;
        const pagination = { ...document.meta.pagination, 'total-count': total };
        return Response.json({ ...document, meta: { pagination } });
      },
    });
    const argv = ['members', 'list', '--orgs', 'acme,globex', '--fields', 'organization.id,id'];
    const json = await service.run([...argv, '-o', 'json']);
    const rows = JSON.parse(json.stdout) as { 'organization.id': string }[];
    expect({ code: json.code, names: [...new Set(rows.map((row) => row['organization.id']))] }).toEqual({
      code: 10,
      names: ['globex'],
    });
    expect(JSON.parse(json.stderr).error.items).toMatchObject([{ item: 'acme', code: 'incomplete' }]);
    const partial = await service.run([...argv, '-o', 'json', '--allow-partial']);
    expect(partial.code).toBe(10);
    expect(JSON.parse(partial.stdout)).toHaveLength(rows.length + 100);
  });

  test('an unknown field: exit 2', async () => {
    const service = await startService();
    const { code, stderr } = await service.run(['members', 'list', '--all-orgs', '--fields', 'organisation.id']);
    expect({ code, first: stderr.split('\n')[0] }).toEqual({
      code: 2,
      first: 'orgctl: unknown field: organisation.id',
    });
  });

  test('Ctrl-C ends it', async () => {
    let send: () => void = () => undefined;
    const service = await startService({
      alter(answer, request) {
        if (request.url.includes('/globex/')) send();
        return answer;
      },
    });
    const { code, stderr } = await service.run(['members', 'list', '--all-orgs'], {
      onStart(sender) {
        send = () => sender('SIGINT');
      },
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'Interrupted.\n' });
  });
});

describe('audit-token show', () => {
  test('a row for each organization, also for one without a token', () =>
    transcript()`
      $ audit-token show --all-orgs
      acme\tat-1\t2026-11-01T09:00:00.000Z\t\t\tok\t
      globex\tat-2\t2026-11-01T09:00:00.000Z\t\t\tok\t
      initech\t\t\t\t\tnone-or-not-permitted\t
      $ audit-token show --all-orgs -o table
      ORGANIZATION  EXPIRES  STATUS                 CREATED      LAST USED  ID
      acme          never    ok                     20 days ago  never      at-1
      globex        never    ok                     20 days ago  never      at-2
      initech                none or not permitted
      $ audit-token show --orgs acme,initech -o ndjson --fields organization.id,organization,status,id
      {"organization.id":"acme","organization":{"id":"acme","type":"organizations"},"status":"ok","id":"at-1"}
      {"organization.id":"initech","organization":{"id":"initech","type":"organizations"},"status":"none-or-not-permitted","id":null}
    `);

  test('--fail-if-expires-within: 13, and the command that replaces those', async () => {
    const service = await startService();
    await service.ask('POST', '/organizations/acme/authentication-token?token=audit-trails', 'owner', {
      data: { type: 'authentication-token', attributes: { 'expired-at': '2026-12-01T09:00:00Z' } },
    });
    const argv = ['audit-token', 'show', '--all-orgs', '--fields', 'organization.id,status'];
    expect(await service.run(argv)).toEqual({
      code: 0,
      stdout: 'acme\texpiring\nglobex\tok\ninitech\tnone-or-not-permitted\n',
      stderr: '',
    });
    expect(await service.run([...argv, '--fail-if-expires-within', '9d'])).toEqual({
      code: 0,
      stdout: 'acme\tok\nglobex\tok\ninitech\tnone-or-not-permitted\n',
      stderr: '',
    });
    const soon = await service.run([...argv, '--fail-if-expires-within', '10d']);
    expect(soon).toEqual({
      code: 13,
      stdout: 'acme\texpiring\nglobex\tok\ninitech\tnone-or-not-permitted\n',
      stderr: toText(
        'orgctl: 1 of 3 audit trail tokens need attention',
        "  acme's audit trail token expires in 10 days (2026-12-01 09:00 UTC)",
        '  → Replace them in time: orgctl audit-token rotate --all-orgs --if-expires-within 10d --expires same --to file:<folder>/{org}',
      ),
    });
    const later = await service.run([...argv, '--fail-if-expires-within', '10d'], { now: NOW + 11 * 86_400_000 });
    expect({ code: later.code, stdout: later.stdout.split('\n')[0] }).toEqual({ code: 13, stdout: 'acme\texpired' });
  });

  test('an organization that is named and not reached is a failed row', async () => {
    const service = await startService();
    const show = async (as: CallerKind, orgs: string) => {
      const argv = ['audit-token', 'show', '--orgs', orgs, '--fields', 'organization.id,status,error.code'];
      const { code, stdout, stderr } = await service.run(argv, { as });
      return [code, stdout, stderr.split('\n')[1]];
    };
    expect(await show('owner', 'ACME,typo,initech')).toEqual([
      10,
      'ACME\tok\t\ninitech\tnone-or-not-permitted\t\ntypo\tfailed\tnot-found\n',
      '  you are not a member of typo',
    ]);
    expect(await show('org-token', 'acme,globex')).toEqual([
      10,
      'acme\tok\t\nglobex\tfailed\tnot-found\n',
      "  your token can't show globex's audit trail token",
    ]);
  });

  const HIDDEN = `acme\tnone-or-not-permitted
      globex\tnone-or-not-permitted
      ! orgctl: unknown when 2 of 2 audit trail tokens expire
      !   acme: it has none, or you can't see it
      !   globex: it has none, or you can't see it
      !   → Use the token of an owner, or name the other organizations with --orgs.
      = 10`;

  test.each<[name: string, as: string, service: Partial<SandboxOptions>]>([
    ['to whom it is not shown', 'AS=member ', {}],
    ['of a service that shows no token', '', { documentOnly: true }],
  ])(
    '--fail-if-expires-within never says that all is well %s',
    (_name, as, service) =>
      transcript({ service })`
      $ ${as}audit-token show --orgs acme,globex --fields organization.id,status
      acme\tnone-or-not-permitted
      globex\tnone-or-not-permitted
      $ ${as}audit-token show --orgs acme,globex --fields organization.id,status --fail-if-expires-within 30d
      ${HIDDEN}
    `,
  );

  test('a failure is a row and 10, which goes before 13', async () => {
    const service = await startService({ alter: toRefusal(401, 'globex') });
    await service.ask('POST', '/organizations/acme/authentication-token?token=audit-trails', 'owner', {
      data: { type: 'authentication-token', attributes: { 'expired-at': '2026-12-01T09:00:00Z' } },
    });
    const result = await service.run([
      ...'audit-token show --all-orgs --fail-if-expires-within 30d --fields'.split(' '),
      'organization.id,status,error.code',
    ]);
    expect(result).toEqual({
      code: 10,
      stdout: 'acme\texpiring\t\nglobex\trefused\tnot-authenticated\ninitech\tnone-or-not-permitted\t\n',
      stderr: toText(
        'orgctl: 1 of 3 organizations failed',
        `  globex: ${new URL(service.url).host} rejected your token; no`,
        `  → It is wrong, expired or replaced. Create a new one at ${new URL(service.url).origin}/app/settings/tokens.`,
      ),
    });
  });
});

describe('members invite', () => {
  test('each person into each organization; who is there already is left as they are', () =>
    transcript()`
      $ members invite ana@example.com ${'milo.member@example.com'} --team audit --orgs globex,acme --fields result,organization.id,email
      invited\tacme\tana@example.com
      unchanged\tacme\tmilo.member@example.com
      invited\tglobex\tana@example.com
      unchanged\tglobex\tmilo.member@example.com
      ! 2 people in 2 organizations: 2 invited, 2 unchanged.
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit.globex"}]}}}}
      $ members invite ana@example.com --team audit --orgs acme
      unchanged\tacme\tana@example.com\tou-1\taudit\t\t\t
      ! 1 person in 1 organization: 1 unchanged.
    `);

  test('a full organization ends what is left of it alone', () =>
    transcript()`
      $ members invite ana@example.com ben@example.com --team platform --all-orgs --fields result,organization.id,email,error.code -q
      invited\tacme\tana@example.com\t
      invited\tacme\tben@example.com\t
      invited\tglobex\tana@example.com\t
      invited\tglobex\tben@example.com\t
      failed\tinitech\tana@example.com\torganization-limit
      not-attempted\tinitech\tben@example.com\t
      ! orgctl: 1 of 6 failed
      !   ana@example.com: initech is full: it has reached its limit of 5 users
      !   Not attempted: ben@example.com in initech
      !   → Remove members or invitations you no longer need, or change the plan.
      !   $ orgctl feature-sets current --org initech
      > POST /organizations/acme/organization-memberships ${toInvitation('ana', 'team-platform')}
      > POST /organizations/acme/organization-memberships ${toInvitation('ben', 'team-platform')}
      > POST /organizations/globex/organization-memberships ${toInvitation('ana', 'team-platform.globex')}
      > POST /organizations/globex/organization-memberships ${toInvitation('ben', 'team-platform.globex')}
      > POST /organizations/initech/organization-memberships ${toInvitation('ana', 'team-platform.initech')}
      = 10
    `);

  test('a team that one of them lacks is a row there, for the people it was asked for', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (!request.url.includes('/globex/teams')) return answer;
        const document = (await answer.json()) as { data: { attributes: { name: string } }[]; meta: object };
        const data = document.data.map((team) =>
          team.attributes.name === 'audit' ? { ...team, attributes: { ...team.attributes, name: 'auditors' } } : team,
        );
        return Response.json({ ...document, data });
      },
    });
    const { code, stdout, stderr } = await service.run(
      [
        'members',
        'invite',
        '--file',
        '-',
        '--orgs',
        'acme,globex',
        '-q',
        '--fields',
        'result,organization.id,email,error.code',
      ],
      { stdin: 'email,teams\nana@example.com,audit\nben@example.com,platform\n' },
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 10,
      stdout: toText(
        'invited\tacme\tana@example.com\t',
        'invited\tacme\tben@example.com\t',
        'failed\tglobex\tana@example.com\tusage',
        'invited\tglobex\tben@example.com\t',
      ),
      stderr: toText(
        'orgctl: 1 of 4 failed',
        "  ana@example.com: globex has no team 'audit'",
        '  → Did you mean auditors? Teams of globex: owners, platform, security, auditors, network, data.',
      ),
    });
  });

  test('an organization that cannot be read is a row for each person', async () => {
    const service = await startService();
    const argv = ['members', 'invite', 'ana@example.com', '--team', 'audit', '--orgs', 'acme,nope', '-o', 'json'];
    const { code, stdout } = await service.run(argv);
    expect(code).toBe(10);
    expect(JSON.parse(stdout)).toMatchObject([
      { result: 'invited', organization: { id: 'acme' } },
      { result: 'failed', organization: { id: 'nope' }, email: 'ana@example.com', error: { code: 'not-found' } },
    ]);
  });

  test.each([
    ['members invite ana@example.com --orgs acme,globex', 2],
    ['members invite ana@example.com milo.member@example.com --team audit --all-orgs --fail-if-exists', 7],
    ['members invite ana@example.com --team audit --all-orgs -o jsonapi', 2],
    ['members invite ana@example.com --team nope --all-orgs', 2],
  ])('%s: exit %d, and no one is invited', async (line, code) => {
    const service = await startService();
    const ended = await service.run(line.split(' '));
    expect(ended.code).toBe(code);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('members remove', () => {
  test('--orgs names where from', () =>
    transcript()`
      $ members remove tara.team-manager@example.com --orgs globex,initech --yes
      removed\tglobex\ttara.team-manager@example.com\tou-tara.globex\tsecurity\t\t\t
      removed\tinitech\ttara.team-manager@example.com\tou-tara.initech\tsecurity\t\t\t
      ! 1 person in 2 organizations: 2 removed.
      > DELETE /organization-memberships/ou-tara.globex
      > DELETE /organization-memberships/ou-tara.initech
      $ members remove ou-ada --orgs globex --yes
      ! orgctl: --orgs takes emails, not 'ou-ada'
      !   → An email is the same in every organization.
      = 2, nothing sent
      $ members remove olive.owner@example.com --orgs acme --yes
      ! orgctl: --orgs never removes you: olive.owner@example.com (you)
      !   → Nothing was removed. Leave yourself out.
      = 2
      $ members remove no@example.com --orgs acme,globex --yes -q
      ! orgctl: no@example.com is in none of 2 organizations
      !   → Nothing was changed. Check the email, or add --ignore-missing.
      = 5
    `);
});

describe('providers', () => {
  test('list', () =>
    transcript()`
      $ providers list --all-orgs --registry private
      acme\tprov-acme-internal-dns\tprivate\tacme\tinternal-dns\t2026-10-22T09:00:00.000Z
      acme\tprov-acme-inventory\tprivate\tacme\tinventory\t2026-10-22T09:00:00.000Z
      globex\tprov-globex-reactor\tprivate\tglobex\treactor\t2026-10-22T09:00:00.000Z
      initech\tprov-initech-tps\tprivate\tinitech\ttps\t2026-10-22T09:00:00.000Z
    `);

  test('create: a row for each in each organization; a name alone is private there', () =>
    transcript()`
      $ providers create hashicorp/google billing --all-orgs --fields result,organization.id,address,error.code
      created\tacme\tpublic/hashicorp/google\t
      created\tacme\tprivate/acme/billing\t
      unchanged\tglobex\tpublic/hashicorp/google\t
      created\tglobex\tprivate/globex/billing\t
      failed\tinitech\tpublic/hashicorp/google\tforbidden
      created\tinitech\tprivate/initech/billing\t
      ! 3 private providers are listed now, and can't be used until you publish a version of each with a platform and its files.
      ! orgctl: 1 of 6 failed
      !   public/hashicorp/google: initech doesn't allow public providers
      !   → Ask the operator to enable public provider curation, or add it as a private one.
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"google","namespace":"hashicorp","registry-name":"public"}}}
      > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"billing","namespace":"acme","registry-name":"private"}}}
      > POST /organizations/globex/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"billing","namespace":"globex","registry-name":"private"}}}
      > POST /organizations/initech/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"billing","namespace":"initech","registry-name":"private"}}}
      = 10
      $ providers create private/acme/billing --orgs acme,globex
      ! orgctl: the namespace of a private provider is its organization, and acme is not globex
      !   → Use private/globex/billing, or add --org acme.
      = 2, nothing sent
    `);

  test('delete: absent where it is not, and asked about with the organizations that have it', () =>
    transcript()`
      $ providers delete public/hashicorp/google --orgs acme,globex
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Delete public/hashicorp/google from globex?
      !   public/hashicorp/google is in globex. Only globex's entry goes; the public registry keeps the provider.
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ providers delete public/hashicorp/google --orgs acme,globex --yes
      absent\tacme\tpublic/hashicorp/google\t\t\t
      deleted\tglobex\tpublic/hashicorp/google\tprov-hashicorp-google\t\t
      > DELETE /organizations/globex/registry-providers/public/hashicorp/google
      $ providers delete public/hashicorp/google public/hashicorp/aws --orgs acme,globex --yes
      ! orgctl: public/hashicorp/google is in none of 2 organizations
      !   → Nothing was deleted. Check the address, and which token you use.
      = 5
    `);
});

describe('doctor', () => {
  test('a row for each organization', () =>
    transcript()`
      $ doctor --all-orgs
      acme\tok\tyour token can read acme; acme has one, never expires; acme doesn't limit how long audit trail tokens are valid
      globex\tok\tyour token can read globex; globex has one, never expires; globex doesn't limit how long audit trail tokens are valid
      initech\tattention\tthe plan of initech has no audit logging
      ! orgctl: 1 of 3 organizations needs attention
      !   initech: the plan of initech has no audit logging
      !   → To see all checks of one, run doctor with --org.
      = 13
      $ doctor --orgs acme,nope --fields organization.id,status,result,error.code
      acme\tok\tok\t
      nope\tfailed\tfailed\tnot-found
      ! orgctl: 1 of 2 organizations failed
      !   you are not a member of nope. Unknown: whether an organization named nope exists. Your organizations: acme, globex, initech
      !   → Check the name of the organization and which token is in use.
      = 10
    `);

  test('what needs attention is 13', async () => {
    const service = await startService();
    const { code, stdout } = await service.run(['doctor', '--orgs', 'acme', '--fields', 'organization.id,result'], {
      as: 'audit-token',
    });
    expect({ code, stdout }).toEqual({ code: 13, stdout: 'acme\tattention\n' });
  });

  test('what is wrong for all of them ends it', async () => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['doctor', '--orgs', 'acme'], {
      env: { ORGCTL_TOKEN: '' },
    });
    expect({ code, stdout, first: stderr.split('\n')[0] }).toEqual({
      code: 4,
      stdout: '',
      first: `orgctl: token: none for ${new URL(service.url).origin}`,
    });
  });
});

test('requests are made side by side, and none twice', async () => {
  const service = await startService();
  await service.run(['members', 'list', '--all-orgs']);
  expect(toRequestLines(service.requests, { plain: String })).toHaveLength(4);
});
