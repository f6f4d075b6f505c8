import { describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { NOW, toText } from '../support/run.ts';
import { hide, type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const toInvitation = (name: string, team: string): string =>
  JSON.stringify({
    data: {
      type: 'organization-memberships',
      attributes: { email: `${name}@example.com` },
      relationships: { teams: { data: [{ type: 'teams', id: team }] } },
    },
  });
const toRefusal =
  (status: number, organization = '') =>
  (answer: Response, request: Request) =>
    request.url.includes(`/organizations/${organization}`)
      ? Response.json({ errors: [{ status: `${status}`, title: 'no' }] }, { status })
      : answer;

interface Item {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: object;
}

/** What lists at this path hold. */
const withData =
  (path: string, change: (data: readonly Item[]) => readonly Item[]) => async (answer: Response, request: Request) => {
    if (!request.url.includes(path)) return answer;
    const document = (await answer.json()) as { data: readonly Item[] };
    return Response.json({ ...document, data: change(document.data) });
  };
const OWN_MEMBERSHIPS = '/api/v2/organization-memberships';

describe('which organizations', () => {
  test('--all-orgs: those the caller is in, by name, and not those it is only invited to', () => {
    const places = [
      ['invited', 'Abba'],
      ['active', 'initech'],
      ['active', 'Globex'],
    ];
    const alter = withData(OWN_MEMBERSHIPS, ([first]) =>
      places.map(([status, id]) => ({
        ...first,
        id: `ou-${id}`,
        attributes: { ...first?.attributes, status },
        relationships: { ...first?.relationships, organization: { data: { type: 'organizations', id } } },
      })),
    );
    return transcript({ service: { alter }, reads: true })`
      $ members list --all-orgs --search olive --fields organization.id
      globex
      initech
      > GET /organization-memberships
      > GET /organizations/Globex/organization-memberships?q=olive&page%5Bsize%5D=100
      > GET /organizations/initech/organization-memberships?q=olive&page%5Bsize%5D=100
    `;
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

  test('a token whose organization is not shown: exit 2, and where the first reading is refused, its error', () =>
    transcript({
      service: {
        alter: (answer, { url }) =>
          /\/(account|teams)\//.test(url)
            ? Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404 })
            : answer,
      },
    })`
      $ AS=owners-team members list --all-orgs
      ! orgctl: this service doesn't show which organization your token belongs to
      !   → Name it with --org, or several with --orgs.
      = 2
      $ AS=audit-token members list --all-orgs
      ! orgctl: you can't list your organizations with an audit trail token
      !   Service: 404 not found (request request-1). It can only read the audit trail.
      !   → Use the token of a user, a team or the organization.
      = 5
    `);

  test('a token that all of them reject is one error, and no row', () =>
    transcript()`
      $ AS=none members remove milo.member@example.com --orgs acme,globex --yes
      ! orgctl: 127.0.0.1:PORT rejected your token (from ORGCTL_TOKEN)
      !   Service: 401 unauthorized (request request-1).
      !   → It is wrong, expired or replaced. Set ORGCTL_TOKEN to a new token.
      = 4
    `);

  test('a service that leaves out the organizations: exit 2', () =>
    transcript({
      service: { alter: withData(OWN_MEMBERSHIPS, (data) => data.map((one) => ({ ...one, relationships: {} }))) },
    })`
      $ members list --all-orgs
      ! orgctl: this service doesn't show which organizations you are in
      !   → Name them with --orgs, or one with --org.
      = 2
    `);

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

  test.each<[words: string, message: string, env?: Readonly<Record<string, string>>]>([
    ['--org acme --orgs globex', 'use --org or --orgs, not both'],
    ['--org acme --all-orgs', 'use --org or --all-orgs, not both'],
    ['--orgs acme --all-orgs', 'use --orgs or --all-orgs, not both'],
    ['--orgs ,', '--orgs is empty'],
    ['--orgs acme,..', "'..' can't be the name of an organization"],
    ['--all-orgs --page 2', "--page doesn't go with several organizations"],
  ])('members list %s: exit 2, and nothing is sent: %s', async (words, message, env = {}) => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['members', 'list', ...words.split(' ')], { env });
    expect({ code, stdout, requests: service.requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(stderr).toMatch(stderr.startsWith('{') ? `"message":"${message}"` : `orgctl: ${message}\n`);
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

  test('a service that leaves out of which organization a member is: the row says it all the same', () => {
    const alter = withData('/organizations/', (data) =>
      data.map((one) => ({ ...one, relationships: { ...one.relationships, organization: null } })),
    );
    return transcript({ service: { alter } })`
      $ members list --orgs acme,globex --search olive --fields organization.id
      acme
      globex
    `;
  });

  test('an organization that fails is a line on stderr, the others are whole, and the exit is 10', () =>
    transcript({ service: { alter: toRefusal(404, 'globex/') } })`
      $ members list --all-orgs --search olive --fields organization.id,email
      acme\tolive.owner@example.com
      initech\tolive.owner@example.com
      ! orgctl: 1 of 3 organizations failed
      !   the service doesn't show you the members of globex
      !   → Use the token of an owner.
      = 10
      $ members list --all-orgs --search olive --fields organization.id,email -o ndjson
      {"organization.id":"acme","email":"olive.owner@example.com"}
      {"organization.id":"initech","email":"olive.owner@example.com"}
      ! {"error":{"code":"incomplete","exit":10,"message":"1 of 3 organizations failed","reasons":["the service doesn't show you the members of globex"],"hint":"Use the token of an owner.","items":[{"item":"globex","code":"not-found","exit":5,"message":"the service doesn't show you the members of globex","reasons":["no","globex exists, and your token can read it."],"status":404,"errors":[{"status":"404","title":"no"}],"request":{"method":"GET","path":"/api/v2/organizations/globex/organization-memberships?q=olive&page%5Bsize%5D=100"},"hint":"Use the token of an owner."}]}}
      = 10
    `);

  test.each([
    [404, 'not-found', 5],
    [401, 'not-authenticated', 4],
    [403, 'forbidden', 6],
  ])('all that fail alike, with %d: that code, and nothing on stdout', async (status, code, exit) => {
    const service = await startService({ alter: toRefusal(status) });
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
  });

  test('an unknown field: exit 2', () =>
    transcript()`
      $ members list --all-orgs --fields organisation.id
      ! orgctl: unknown field: organisation.id
      !   → Did you mean organization.id? It has: organization.id, id, email, status, user.username, teams.name, type, created-at, is-org-two-factor-required, user, user.id, user.type, user.email, user.two-factor, user.two-factor.enabled, user.two-factor.verified, user.is-service-account, user.auth-method, user.avatar-url, user.permissions, teams, teams.id, teams.type, scim-identity, scim-identity.id, scim-identity.type, teams.users-count, teams.visibility, teams.sso-team-id, teams.scim-linked, teams.scim-group-name, teams.scim-updated-at, teams.scim-sync-paused, teams.is-unified, teams.hcp-resource-name, teams.non-service-users-count, teams.allow-member-token-management, teams.organization-access, teams.permissions, organization, organization.type.
      = 2
    `);

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
    await transcript({ service })`
      $ audit-token show --all-orgs --fields organization.id,status
      acme\texpiring
      globex\tok
      initech\tnone-or-not-permitted
      $ audit-token show --all-orgs --fields organization.id,status --fail-if-expires-within 9d
      acme\tok
      globex\tok
      initech\tnone-or-not-permitted
      $ audit-token show --all-orgs --fields organization.id,status --fail-if-expires-within 10d
      acme\texpiring
      globex\tok
      initech\tnone-or-not-permitted
      ! orgctl: 1 of 3 audit trail tokens need attention
      !   acme's audit trail token expires in 10 days (2026-12-01 09:00 UTC)
      !   → Replace them in time, here into a file (other places: orgctl help rotation):
      !   $ orgctl audit-token rotate --all-orgs --if-expires-within 10d --expires same --to 'file:./{org}.token'
      = 13
    `;
    await transcript({ service, now: NOW + 11 * 86_400_000 })`
      $ audit-token show --all-orgs --fields organization.id,status --fail-if-expires-within 10d 2>/dev/null
      acme\texpired
      globex\tok
      initech\tnone-or-not-permitted
      = 13
    `;
  });

  test('--fail-if-expires-within: a date that is none is not said to be past', () => {
    const alter = async (answer: Response, request: Request) => {
      if (!request.url.includes('/authentication-token')) return answer;
      const { data } = (await answer.json()) as { data: Item };
      return Response.json({ data: { ...data, attributes: { ...data.attributes, 'expired-at': 'soon' } } });
    };
    return transcript({ service: { alter } })`
      $ audit-token show --orgs acme,globex --fields organization.id,status --fail-if-expires-within 30d
      acme\tunknown
      globex\tunknown
      ! orgctl: unknown when 2 of 2 audit trail tokens expire
      !   unknown when acme's audit trail token expires
      !   unknown when globex's audit trail token expires
      !   → Rotate it with --expires: orgctl remembers the expiry that the service then gives.
      = 13
    `;
  });

  test('an organization that is named and not reached is a failed row', () =>
    transcript()`
      $ audit-token show --orgs ACME,typo,initech --fields organization.id,status,error.code
      ACME\tok\t
      initech\tnone-or-not-permitted\t
      typo\tfailed\tnot-found
      ! orgctl: 1 of 3 organizations failed
      !   you are not a member of typo
      !   Unknown: whether an organization named typo exists. Your organizations: acme, globex, initech.
      = 10
      $ AS=org-token audit-token show --orgs acme,globex --fields organization.id,status,error.code
      acme\tok\t
      globex\tfailed\tnot-found
      ! orgctl: 1 of 2 organizations failed
      !   your token can't show globex's audit trail token
      !   Unknown: whether an organization named globex exists.
      !   → Check the name: a token of a team or an organization works only in its own organization.
      = 10
    `);

  test.each([
    ['audit-token show', 'none-or-not-permitted'],
    ['tokens list --kind audit-trail', 'not-permitted'],
  ])(
    '%s --fail-if-expires-within: none is no failure where the caller would see one, and 10 where not',
    (verb, status) =>
      transcript({ service: { alter: hide(/globex\/authentication-token/) } })`
        $ ${verb} --orgs acme,globex --fail-if-expires-within 30d --fields organization.id,status -q
        acme\tok
        globex\tnone-or-not-permitted
        $ AS=member ${verb} --orgs acme,globex --fail-if-expires-within 30d --fields organization.id,status 2>/dev/null
        acme\t${status}
        globex\t${status}
        = 10
        $ ${verb} --orgs globex --fail-if-expires-within 30d --fields organization.id,status 2>/dev/null
        globex\tnone-or-not-permitted
        = 10
      `,
  );

  const HIDDEN = `acme\tnone-or-not-permitted
      globex\tnone-or-not-permitted
      ! orgctl: unknown when 2 of 2 audit trail tokens expire
      !   acme: it has none, or you can't see it
      !   globex: it has none, or you can't see it
      !   → Use the token of an owner, or name the other organizations with --orgs.
      = 10`;

  test.each<[name: string, as: string, service: Partial<SandboxOptions> & ServiceOptions]>([
    ['to whom it is not shown', 'AS=member ', {}],
    [
      'in the order of names, whatever is answered last',
      'AS=member ',
      { faults: [parseFault('GET /acme: delay=50ms')] },
    ],
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
    const service = await startService({ alter: toRefusal(401, 'globex/') });
    await service.ask('POST', '/organizations/acme/authentication-token?token=audit-trails', 'owner', {
      data: { type: 'authentication-token', attributes: { 'expired-at': '2026-12-01T09:00:00Z' } },
    });
    await transcript({ service })`
      $ audit-token show --all-orgs --fail-if-expires-within 30d --fields organization.id,status,error.code
      acme\texpiring\t
      globex\trefused\tnot-authenticated
      initech\tnone-or-not-permitted\t
      ! orgctl: 1 of 3 organizations failed
      !   globex: 127.0.0.1:PORT rejected your token; no
      !   → It is wrong, expired or replaced. Create a new one at http://127.0.0.1:PORT/app/settings/tokens.
      = 10
    `;
  });
});

describe('members invite', () => {
  test('each person into each organization; who is there already is left as they are', () =>
    transcript()`
      $ members invite ana@example.com milo.member@example.com --team audit --orgs globex,acme --fields result,organization.id,email
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

  test('a team that one of them lacks is a row there, for the people it was asked for', () => {
    const alter = withData('/globex/teams', (data) =>
      data.map((team) =>
        team.attributes['name'] === 'audit' ? { ...team, attributes: { ...team.attributes, name: 'auditors' } } : team,
      ),
    );
    const stdin = 'email,teams\nana@example.com,audit\nben@example.com,platform\n';
    return transcript({ service: { alter }, stdin })`
      $ members invite --file - --orgs acme,globex -q --fields result,organization.id,email,error.code
      invited\tacme\tana@example.com\t
      invited\tacme\tben@example.com\t
      failed\tglobex\tana@example.com\tusage
      invited\tglobex\tben@example.com\t
      ! orgctl: 1 of 4 failed
      !   ana@example.com: globex has no team 'audit'
      !   → Did you mean auditors? Teams of globex: owners, platform, security, auditors, network, data.
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ben@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      > POST /organizations/globex/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ben@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.globex"}]}}}}
      = 10
    `;
  });

  test('an organization that cannot be read is a row for each person', () =>
    transcript({ service: { alter: hide(/organizations\/globex\//) } })`
      $ members invite ana@example.com --team audit --orgs acme,globex --fields result,organization.id,email,error.code 2>/dev/null
      invited\tacme\tana@example.com\t
      failed\tglobex\tana@example.com\tnot-found
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      = 10
    `);

  test.each([
    'members invite ana@example.com --team audit --orgs acme,globx',
    'members invite ana@example.com --team audit --orgs acme,globx --dry-run',
    'members remove milo.member@example.com --orgs acme,globx --yes',
    'members resend ivan.invitee@example.com --orgs acme,globx --yes',
    'teams add platform ada.auditor@example.com --orgs acme,globx',
    'teams remove platform milo.member@example.com --orgs acme,globx --yes',
    'providers create hashicorp/google --orgs acme,globx',
    'providers delete public/hashicorp/aws --orgs acme,globx --yes',
    'members apply --file - --orgs acme,globx --yes',
  ])('%s: a name that the token does not reach ends it before anything is changed', async (line) => {
    const service = await startService();
    const result = await service.run(line.split(' '), { stdin: 'members: [ana@example.com]' });
    expect(result).toEqual({
      code: 5,
      stdout: '',
      stderr: toText(
        "orgctl: your token doesn't reach globx",
        '  It reaches acme, globex and initech.',
        '  → Did you mean globex? Nothing was changed.',
      ),
    });
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('one that the memberships leave out is asked for itself before it is called out of reach', async () => {
    const service = await startService({
      alter: async (given, request) => {
        if (!request.url.includes('/v2/organization-memberships')) return given;
        const page = (await given.json()) as { data: readonly object[] };
        return Response.json({ ...page, data: page.data.filter((one) => !JSON.stringify(one).includes('globex')) });
      },
    });
    const invite = async (orgs: string) =>
      await service.run(['members', 'invite', 'ana@example.com', '--team', 'audit', '--orgs', orgs, '--dry-run']);
    expect((await invite('acme,globex')).stderr).not.toContain("doesn't reach");
    expect(await invite('acme,globex,nope')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("your token doesn't reach nope\n"),
    });
  });

  test('where the service does not say what the token reaches, it is a row', () =>
    transcript({ service: { alter: hide(/v2\/organization-memberships|account/) } })`
      $ members invite ana@example.com --team team-audit --orgs acme,nope --fields result,organization.id,error.code 2>/dev/null
      invited\tacme\t
      failed\tnope\tnot-found
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      = 10
    `);

  test('who is there and lacks a team is said with the organization', () =>
    transcript()`
      $ members invite ada.auditor@example.com zed@example.com --team platform --orgs acme,initech --fields result,organization.id,email
      unchanged\tacme\tada.auditor@example.com
      invited\tacme\tzed@example.com
      failed\tinitech\tada.auditor@example.com
      not-attempted\tinitech\tzed@example.com
      ! 2 people in 2 organizations: 1 invited, 1 unchanged, 1 failed, 1 not attempted.
      ! orgctl: 1 of 4 failed
      !   ada.auditor@example.com: initech is full: it has reached its limit of 5 users
      !   Not attempted: zed@example.com in initech
      !   → Remove members or invitations you no longer need, or change the plan.
      !   $ orgctl feature-sets current --org initech
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"zed@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      > POST /organizations/initech/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ada.auditor@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform.initech"}]}}}}
      = 10
      $ members invite ada.auditor@example.com --team platform --orgs acme -o table
      ! ada.auditor@example.com is already a member of acme, but is not in platform: an invitation can't change teams
      ! 1 person in 1 organization: 1 unchanged.
      ! orgctl: ada.auditor@example.com is already a member of acme, but is not in platform
      !   → An invitation can't change teams. Use teams add.
      = 13
    `);

  test.each([
    ['members invite ana@example.com --orgs acme,globex', 2],
    ['members invite ana@example.com milo.member@example.com --team audit --all-orgs --fail-if-exists', 7],
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
      ! orgctl: with --orgs people are named by email, not by 'ou-ada'
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

test('many people are looked for without a word on how each organization is read', async () => {
  const service = await startService();
  const rows = Array.from(
    { length: 21 },
    (_, index) => `nobody-${index}@example.com,${index < 20 ? 'acme' : 'globex'}\n`,
  );
  const argv = ['members', 'remove', '--file', '-', '--orgs', 'acme,globex', '--ignore-missing', '--yes'];
  const { code, stderr } = await service.run(argv, { stdin: ['email,organization\n', ...rows].join('') });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '21 people in 2 organizations: 21 absent.\n' });
});

describe('members resend', () => {
  test('the invitations of each; printed commands name the organization', () =>
    transcript({
      service: {
        alter: withData('/organizations/globex/organization-memberships', () => []),
      },
    })`
      $ members resend ivan.invitee@example.com --orgs acme,globex --yes
      resent\tacme\tivan.invitee@example.com\tou-1\tplatform\t\t\t
      ! Revoking the invitation of ivan.invitee@example.com (platform). If this stops now, run:
      !   $ orgctl members invite ivan.invitee@example.com --team team-platform --org acme
      ! 1 person in 2 organizations: 1 resent.
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ivan.invitee@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      $ members resend ou-ivan --all-orgs --yes
      ! orgctl: with --all-orgs people are named by email, not by 'ou-ivan'
      !   → An email is the same in every organization.
      = 2, nothing sent
      $ members resend olive.owner@example.com no@example.com --orgs acme,initech --yes
      ! orgctl: no@example.com is in none of 2 organizations
      !   → Nothing was changed. Check the email.
      = 5
    `);

  test('an organization that cannot be read is a row', () =>
    transcript({ service: { alter: toRefusal(403, 'globex') } })`
      $ members resend ivan.invitee@example.com --orgs acme,globex --yes -q --fields result,organization.id,email,error.code
      resent\tacme\tivan.invitee@example.com\t
      failed\tglobex\tivan.invitee@example.com\tforbidden
      ! orgctl: 1 of 2 failed
      !   ivan.invitee@example.com: you don't have permission to list the members of globex; no
      !   → Use the token of a member of the organization.
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ivan.invitee@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      = 10
    `);
});

describe('teams', () => {
  test('list, and who is in a team where there is one of that name', () =>
    transcript({ reads: true })`
      $ teams list --orgs acme,initech --fields organization.id,name,users-count
      acme\towners\t1
      acme\tplatform\t1
      acme\tsecurity\t1
      acme\taudit\t2
      initech\towners\t1
      initech\tplatform\t1
      initech\tsecurity\t1
      initech\taudit\t1
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/initech/teams?page%5Bsize%5D=100
      $ teams members network --all-orgs
      globex\tou-sam.globex\tsam.sso@example.com\tactive\tsam-sso
      ! (no team network in acme and initech)
      > GET /organization-memberships
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/globex/teams?page%5Bsize%5D=100
      > GET /organizations/initech/teams?page%5Bsize%5D=100
      > GET /teams/team-network.globex/relationships/organization-memberships?include=user&page%5Bsize%5D=100
      $ teams members team-platform --all-orgs
      ! orgctl: with --all-orgs a team is named by its name, not by 'team-platform'
      !   → An id is of one organization.
      = 2, nothing sent
      $ teams members no-such --all-orgs
      ! orgctl: none of 3 organizations has a team 'no-such'
      !   → See the teams of one:
      !   $ orgctl teams list --org acme
      > GET /organization-memberships
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/globex/teams?page%5Bsize%5D=100
      > GET /organizations/initech/teams?page%5Bsize%5D=100
      = 2
      $ teams members platform --orgs acme,globex --limit 3 -o table
      ORGANIZATION  EMAIL                             STATUS   USER                  ID
      acme          rex.registry-manager@example.com  active   rex-registry-manager  ou-rex
      acme          ivan.invitee@example.com          invited                        ou-ivan
      globex        rex.registry-manager@example.com  active   rex-registry-manager  ou-rex.globex
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/globex/teams?page%5Bsize%5D=100
      > GET /teams/team-platform/relationships/organization-memberships?include=user&page%5Bsize%5D=100
      > GET /teams/team-platform.globex/relationships/organization-memberships?include=user&page%5Bsize%5D=100
    `);

  test('one that cannot be read is a line on stderr', () =>
    transcript({ service: { alter: toRefusal(403, 'globex') } })`
      $ teams members platform --all-orgs --fields organization.id,email
      acme\trex.registry-manager@example.com
      acme\tivan.invitee@example.com
      initech\trex.registry-manager@example.com
      initech\tpeter.programmer@example.com
      ! orgctl: 1 of 3 organizations failed
      !   you don't have permission to list the teams of globex; no
      !   → Use the token of a member of the organization.
      = 10
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

  test('get: a row of each that has it', () =>
    transcript({ reads: true })`
      $ providers get hashicorp/aws --orgs acme,globex
      acme\tprov-hashicorp-aws\tpublic\thashicorp\taws\t2026-10-22T09:00:00.000Z
      ! orgctl: 1 of 2 organizations failed
      !   globex has no provider public/hashicorp/aws
      !   → Check the registry, the namespace and the name.
      > GET /organizations/acme/registry-providers/public/hashicorp/aws
      > GET /organizations/globex/registry-providers/public/hashicorp/aws
      > GET /organization-memberships?include=teams
      > GET /organizations/globex/registry-providers?page%5Bsize%5D=100
      = 10
      $ providers get inventory --orgs acme --query [].[organization.id,ready,missing]
      [
        [
          "acme",
          false,
          [
            "no version yet"
          ]
        ]
      ]
      > GET /organizations/acme/registry-providers/private/acme/inventory
      > GET /organizations/acme/registry-providers/private/acme/inventory/versions?page%5Bsize%5D=100
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

test('requests are made side by side, and none twice', async () => {
  const service = await startService();
  await service.run(['members', 'list', '--all-orgs']);
  expect(toRequestLines(service.requests, { plain: String })).toHaveLength(4);
});
