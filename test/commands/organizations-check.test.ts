import { describe, expect, test } from 'vitest';
import { CALLER_KINDS } from '../../src/sandbox/callers.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const LETTERS: Record<string, string> = { failed: 'F', unknown: '?', ok: 'o', off: '-' };
const RULES = [
  ...['two-factor-required', 'members-without-2fa', 'owners', 'admin-teams', 'pending-invitations'],
  ...['token-expiry', 'unused-tokens', 'audit-trail-token', 'settings'],
];

/** The statuses of RULES, a letter each. */
async function check(
  service: TestService,
  { rules = '', as = 'owner' }: { rules?: string; as?: (typeof CALLER_KINDS)[number] } = {},
) {
  const argv = ['organizations', 'check', '--rules', '-', '-o', 'json', '--max-retries', '0'];
  const { code, stdout } = await service.run(argv, { stdin: rules, as });
  const rows: { rule: string; status: string }[] = stdout === '' ? [] : JSON.parse(stdout);
  const find = (name: string): string => rows.find(({ rule }) => rule === name)?.status ?? '';
  return { code, statuses: rows.length > 0 ? RULES.map((name) => LETTERS[find(name)]).join('') : '.' };
}

test('organizations check prints what failed first', async () => {
  await transcript({ ...AT_TERMINAL, columns: 120, reads: true })`
    $ organizations check
    ORGANIZATION  RULE                 STATUS  FOUND                               EXPECTED
    acme          two-factor-required  failed  password, no single sign-on         true
    acme          members-without-2fa  failed  ada.auditor@example.com and 4 more  0
    acme          owners               failed  1 owner: olive.owner@example.com    2..5
    acme          admin-teams          failed  security                            []
    acme          pending-invitations  failed  ivan.invitee@example.com            14d
    acme          unused-tokens        failed  team:platform/laptop of rex         90d
    acme          token-expiry         ok      none expires within 14d             14d
    acme          audit-trail-token    ok      last used 2026-11-21                2d
    acme          settings             off                                         {}
    ! not shown: fix (use --fields or -o json)
    ! orgctl: 9 rules: 2 ok, 6 failed, 1 off
    !   acme, two-factor-required: orgctl organizations update collaborator-auth-policy=two_factor_mandatory --org=acme
    !   acme, admin-teams: orgctl teams update team-security --access=none --org=acme
    > GET /organizations/acme
    > GET /organizations/acme/organization-memberships?page%5Bsize%5D=100&include=user
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /ping
    > GET /teams/team-owners?include=users%2Corganization-memberships
    > GET /organizations/acme/entitlement-set
    > GET /organizations/acme/authentication-token?token=audit-trails
    > GET /organizations/acme/authentication-token
    > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
    = 13
  `;
  await transcript()`
    $ orgs check --org globex,nope -o csv --fields organization.id,rule,status,found
    organization.id,rule,status,found
    globex,owners,failed,1 owner: olive.owner@example.com
    globex,admin-teams,failed,security
    globex,pending-invitations,failed,noor.newcomer@example.com
    nope,two-factor-required,unknown,you are not a member of nope
    nope,members-without-2fa,unknown,you are not a member of nope
    nope,owners,unknown,you are not a member of nope
    nope,admin-teams,unknown,you are not a member of nope
    nope,pending-invitations,unknown,you are not a member of nope
    nope,token-expiry,unknown,you are not a member of nope
    nope,unused-tokens,unknown,you are not a member of nope
    nope,audit-trail-token,unknown,you are not a member of nope
    nope,settings,unknown,you are not a member of nope
    globex,two-factor-required,ok,single sign-on
    globex,token-expiry,ok,none expires within 14d
    globex,unused-tokens,ok,none unused for 90d
    globex,audit-trail-token,ok,last used 2026-11-21
    globex,members-without-2fa,off,single sign-on
    globex,settings,off,
    ! orgctl: 2 organizations: 4 ok, 3 failed, 9 unknown, 2 off
    !   nope: you are not a member of nope
    = 10
    $ organizations check --fields organization.id,rule,found -o ndjson --query [1]
    {"organization.id":"acme","rule":"members-without-2fa","found":["ada.auditor@example.com","milo.member@example.com","olive.owner@example.com","rex.registry-manager@example.com","tara.team-manager@example.com"]}
    ! {"error":{"code":"attention","exit":13,"message":"9 rules: 2 ok, 6 failed, 1 off"}}
    = 13
    $ --sandbox --org globex orgs check --query [?fix].fix -o ndjson
    "orgctl teams update team-1 --access=none --org=globex --sandbox"
    ! {"error":{"code":"attention","exit":13,"message":"9 rules: 4 ok, 3 failed, 2 off"}}
    = 13, nothing sent
  `;
});

test('organizations check takes rules from a file', () =>
  transcript({
    files: {
      'rules.yaml': 'owners: 1..5\nunused-tokens: off\nadmin-teams: [security]\nsettings: { session-timeout: 60 }\n',
      'empty.yaml': '# nothing\n',
      'wrong.yaml': 'owners: 5..2\nowner: 1..2\n',
      'list.yaml': '- owners\n',
    },
  })`
    $ organizations check --init
    # off switches a rule off
    # fails when neither a second factor nor single sign-on is required
    two-factor-required: true
    # fails when more active people have no second factor
    members-without-2fa: 0
    # fails when fewer or more owners can log in
    owners: 2..5
    # fails when a team other than owners and these manages members, teams or their access
    admin-teams: []
    # fails when an invitation is older
    pending-invitations: 14d
    # fails when a token expires within this time, or has expired
    token-expiry: 14d
    # fails when a token that is older has not been used for this long
    unused-tokens: 90d
    # fails when there is none, or it was not used within this time
    audit-trail-token: 2d
    # fails when an attribute of the organization has another value than here
    settings: {}
    $ organizations check --rules rules.yaml --fields rule,status,expected,fix
    two-factor-required\tfailed\ttrue\torgctl organizations update collaborator-auth-policy=two_factor_mandatory --org=acme
    members-without-2fa\tfailed\t0\t
    pending-invitations\tfailed\t14d\t
    settings\tfailed\t{"session-timeout":60}\torgctl organizations update session-timeout=60 --org=acme
    owners\tok\t1..5\t
    admin-teams\tok\t["security"]\t
    token-expiry\tok\t14d\t
    audit-trail-token\tok\t2d\t
    ! orgctl: 8 rules: 4 ok, 4 failed
    = 13
    $ organizations check --rules empty.yaml --fields rule,status
    two-factor-required\tfailed
    members-without-2fa\tfailed
    owners\tfailed
    admin-teams\tfailed
    pending-invitations\tfailed
    unused-tokens\tfailed
    token-expiry\tok
    audit-trail-token\tok
    settings\toff
    ! orgctl: 9 rules: 2 ok, 6 failed, 1 off
    = 13
    $ organizations check --rules wrong.yaml
    ! orgctl: wrong.yaml: 2 problems, nothing was sent
    !   owner: no such rule (did you mean owners?)
    !   owners: it must be a range such as 2..5, not "5..2"
    = 2, nothing sent
    $ organizations check --rules list.yaml
    ! orgctl: list.yaml has no rules
    !   → Print one with orgctl organizations check --init.
    = 2, nothing sent
  `);

test('organizations check reads only what its rules need', () => {
  const off = RULES.map((rule) => `${rule}: off\n`);
  const without = (...rules: string[]): string =>
    off.filter((line) => !rules.includes(line.split(':')[0] ?? '')).join('');
  return transcript({
    reads: true,
    files: { 'two.yaml': without('two-factor-required', 'owners'), 'none.yaml': off.join('') },
  })`
    $ organizations check --rules two.yaml --fields rule,status
    two-factor-required\tfailed
    owners\tfailed
    ! orgctl: 2 rules: 2 failed
    > GET /organizations/acme
    > GET /organizations/acme/teams?page%5Bsize%5D=100
    > GET /teams/team-owners?include=users%2Corganization-memberships
    = 13
    $ organizations check --rules none.yaml
    ! 0 rules: none checked
    > GET /organizations/acme
    $ organizations check --rules none.yaml --org nope
    ! orgctl: 0 rules: none checked
    !   nope: you are not a member of nope
    > GET /organizations/nope
    > GET /organization-memberships?include=teams
    = 10
  `;
});

/** Where all is well. */
const WELL = `members-without-2fa: 0
owners: 1..5
admin-teams: [security]
pending-invitations: 9y
token-expiry: 1s
unused-tokens: 9y
audit-trail-token: 9y
settings: { cost-estimation-enabled: false }
`;
const WELL_FAULTS = [
  'GET organizations/acme: with=collaborator-auth-policy:two_factor_mandatory',
  'GET organizations/acme: with=max-ttl-enabled:true',
  'GET organization-memberships: with=enabled:true',
];

describe('unknown is never ok', () => {
  test('for any caller', async () => {
    const service = await startService({ faults: WELL_FAULTS });
    const seen: Record<string, string> = {};
    for (const as of CALLER_KINDS) {
      const { code, statuses } = await check(service, { rules: WELL, as });
      const strict = await check(service, { as });
      seen[as] = `${code} ${statuses}, ${strict.code} ${strict.statuses}`;
    }
    expect(seen).toEqual({
      owner: '0 ooooooooo, 13 ooFFFoFo-',
      'owners-team': '0 ooooooooo, 13 ooFFFoFo-',
      'org-token': '0 ooooooooo, 13 ooFFFoFo-',
      member: '10 o???????o, 10 o??FF???-',
      // Sees all people, and not all teams.
      'team-manager': '10 oo??o???o, 10 oo?FF???-',
      'registry-manager': '10 o???????o, 10 o??FF???-',
      'audit-token': '10 ?????????, 10 ?????????',
      none: '4 ., 4 .',
    });
  });

  test('where the service has nothing but the document', async () => {
    expect(await check(await startService({ documentOnly: true }))).toEqual({ code: 10, statuses: '?????????' });
  });

  test.each([
    ['organizations/acme', '?????????'],
    ['acme/entitlement-set', 'ooooooo?o'],
    ['acme/organization-memberships', 'o?oo?oooo'],
    ['acme/teams', 'oo??ooooo'],
    ['/teams/team-', 'oo?oooooo'],
    ['acme/team-tokens', 'ooooo??oo'],
    // A 404 to somebody who sees all tokens means that there is none.
    ['acme/authentication-token', 'ooooo???o oooooooFo'],
    ['acme/token-ttl-policies', 'ooooo?ooo'],
    // A service that doesn't name itself shows by its tokens what it is.
    ['ping', 'ooooooooo ooooooo?o'],
  ])('whatever %s answers', async (words, expected) => {
    const seen = new Set<string>();
    for (const action of ['403', '404', '500', 'html=200', 'truncate']) {
      const service = await startService({ faults: [`GET ${words}: ${action}`, ...WELL_FAULTS] });
      seen.add((await check(service, { rules: WELL })).statuses);
    }
    expect([...seen].join(' ')).toBe(expected);
  });

  test.each([
    ['attributes', '?????????'],
    ['permissions', 'o??????oo'],
    ['collaborator-auth-policy', '?oooooooo'],
    ['saml-enabled', 'o?ooooooo'],
    ['included', 'o??oooooo'],
    ['relationships', 'o??oooooo'],
    ['two-factor', 'o?ooooooo'],
    ['status', 'oo?oooooo'],
    ['email', 'oo?oooooo'],
    ['is-service-account', 'oo?oooooo'],
    ['created-at', 'oooo???oo'],
    ['expired-at', 'ooooo?ooo'],
    ['max-ttl-ms', 'ooooo?ooo'],
    ['token-type', 'ooooo?ooo'],
    ['name', 'oo??ooooo'],
    ['organization-access', 'ooo?ooooo'],
    ['manage-teams', 'ooo?ooooo'],
    ['audit-logging', 'ooooooo?o'],
    ['cost-estimation-enabled', 'oooooooo?'],
  ])('without %s', async (name, expected) => {
    const service = await startService({ faults: [`GET *: without=${name}`, ...WELL_FAULTS] });
    expect((await check(service, { rules: WELL })).statuses).toBe(expected);
  });

  // `enabled` is whether somebody has a second factor.
  test.each([
    ['nothing', 'oFooFoFFo'],
    ['collaborator-auth-policy', '?FooFoFFo'],
    ['saml-enabled', 'o?ooFoFFo'],
    ['status', 'o??o?oFFo'],
    ['enabled', 'o?ooFoFFo'],
    ['is-service-account', 'o??oFoFFo'],
    ['manage-teams', 'oFo?FoFFo'],
    ['created-at', 'oFoo??FFo'],
    ['expired-at', 'oFooF?FFo'],
    ['last-used-at', 'oFooFo??o'],
    ['max-ttl-ms', 'oFooF?FFo'],
    ['max-ttl-ms:-1', 'oFooF?FFo'],
    ['max-ttl-ms:9007199254740991', 'oFooFoFFo'],
    ['token-type', 'oFooF?FFo'],
    ['audit-logging', 'oFooFoF?o'],
    ['cost-estimation-enabled', 'oFooFoFFF'],
  ])('where %s is odd', async (name, expected) => {
    const service = await startService({
      faults: [...WELL_FAULTS.slice(0, 2), `GET *: with=${name.includes(':') ? name : `${name}:odd`}`],
    });
    expect((await check(service, { rules: WELL.replaceAll('9y', '1s') })).statuses).toBe(expected);
  });

  test('an empty list of members is not all members', async () => {
    const service = await startService({
      alter: (answer, { url }) =>
        url.includes('/acme/organization-memberships')
          ? Response.json({ data: [], meta: { pagination: { 'total-count': 0 } } })
          : answer,
    });
    const { code, stdout } = await service.run(['organizations', 'check', '--fields', 'rule,status,found']);
    expect(code).toBe(10);
    expect(stdout).toContain('members-without-2fa\tunknown\tmembers not shown');
    expect(stdout).toContain('pending-invitations\tunknown\tmembers not shown');
  });

  test('but what is surely wrong has failed, whatever could not be read', async () => {
    const service = await startService({
      faults: ['GET authentication-token: 500', 'GET /teams/team-: html', 'GET entitlement-set: truncate'],
    });
    expect((await check(service)).statuses).toBe('FF?FF?F?-');
  });
});
