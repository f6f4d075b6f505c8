import { describe, expect, test } from 'vitest';
import { readExpiry } from '../../src/tokens/expiry.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';
import { findTeam } from '../support/team-tokens.ts';
import { transcript } from '../support/transcript.ts';

const DAY = 86_400_000;
const BODY = { data: { type: 'authentication-token' } };

/** A policy of acme for tokens of every kind. */
async function setPolicy(service: TestService, days: number, isOn = true): Promise<void> {
  const policies = ['team', 'organization', 'audit_trails'].map((kind) => ({
    'token-type': kind,
    'max-ttl-ms': days * DAY,
  }));
  const change = (path: string, type: string, attributes: object) =>
    service.ask('PATCH', `/organizations/acme${path}`, 'owner', { data: { type, attributes } });
  await change('/token-ttl-policies', 'organization-token-ttl-policies', { 'token-ttl-policies': policies });
  await change('', 'organizations', { 'max-ttl-enabled': isOn });
}

describe('tokens list', () => {
  test('reads tokens of every kind, what expires first before all else', () =>
    transcript({ reads: true })`
      $ tokens list
      team:platform/ci\t2027-01-05T09:00:00.000Z\t2026-11-21T06:36:00.000Z\tok\tat-1
      team:platform/laptop of rex\t2027-07-24T09:00:00.000Z\t\tok\tat-2
      audit-trail\t\t2026-11-21T08:00:00.000Z\tok\tat-3
      organization\t\t\tok\tat-4
      team:owners\t\t\tok\tat-5
      > GET /organizations/acme
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organizations/acme/authentication-token
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > GET /organizations/acme/teams?page%5Bsize%5D=100
    `);

  test('has fields', () =>
    transcript()`
      $ tokens ls --fields organization.id,kind,team.name,description,created-by,created-at,last-used-at,expired-at -o csv
      organization.id,kind,team.name,description,created-by,created-at,last-used-at,expired-at
      acme,team,platform,ci,user-olive,2026-09-07T09:00:00.000Z,2026-11-21T06:36:00.000Z,2027-01-05T09:00:00.000Z
      acme,team,platform,laptop of rex,user-olive,2026-07-24T09:00:00.000Z,,2027-07-24T09:00:00.000Z
      acme,audit-trail,,,acme,2026-11-01T09:00:00.000Z,2026-11-21T08:00:00.000Z,
      acme,organization,,,acme,2026-11-01T09:00:00.000Z,,
      acme,team,owners,,acme,2026-11-01T09:00:00.000Z,,
      $ tokens list --expires-within 60d -o ndjson
      {"id":"at-1","type":"authentication-tokens","created-at":"2026-09-07T09:00:00.000Z","last-used-at":"2026-11-21T06:36:00.000Z","description":"ci","expired-at":"2027-01-05T09:00:00.000Z","created-by":{"id":"user-olive","type":"users"},"team":{"id":"team-platform","type":"teams","name":"platform"},"organization":{"id":"acme","type":"organizations"},"expires":"2027-01-05T09:00:00.000Z","token":"team:platform/ci","kind":"team","status":"expiring"}
    `);

  test('filters', () =>
    transcript({ reads: true })`
      $ tokens list --kind audit-trail,organization
      audit-trail\t\t2026-11-21T08:00:00.000Z\tok\tat-1
      organization\t\t\tok\tat-2
      > GET /organizations/acme
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organizations/acme/authentication-token
      $ tokens list --team Platform --unused-for 100d
      team:platform/laptop of rex\t2027-07-24T09:00:00.000Z\t\tok\tat-3
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/acme
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      $ tokens list --kind audit-trail,user
      ! orgctl: --kind takes audit-trail, organization and team, not 'user'
      = 2, nothing sent
      $ tokens list --team platform --kind organization
      ! orgctl: --team works only with --kind team
      = 2, nothing sent
      $ tokens list --team nobodies
      ! orgctl: acme has no team 'nobodies'
      !   → Teams: owners, platform, security, audit.
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      = 2
    `);

  test('takes several organizations, in a table at a terminal', () =>
    transcript({ ...AT_TERMINAL, columns: 100 })`
      $ tokens list --org nope,globex,acme
      ORGANIZATION  TOKEN                        EXPIRES      LAST USED  STATUS  ID
      acme          team:platform/ci             in 45 days   today      ok      at-1
      acme          team:platform/laptop of rex  in 245 days  never      ok      at-2
      acme          audit-trail                  never        today      ok      at-3
      acme          organization                 never        never      ok      at-4
      acme          team:owners                  never        never      ok      at-5
      globex        audit-trail                  never        today      ok      at-6
      globex        organization                 never        never      ok      at-7
      globex        team:owners                  never        never      ok      at-8
      ! orgctl: 1 of 3 organizations failed
      !   nope: you are not a member of nope
      = 10
    `);

  test("has a row for what can't be read, and then the check fails", () =>
    transcript()`
      $ AS=member tokens list --expires-within 1d
      audit-trail\t\t\tnot-permitted\t
      organization\t\t\tnot-permitted\t
      team:?\t\t\tnot-permitted\t
      ! not-permitted: there is none, or you can't see it. Owners, the owners team token and the organization token can.
      $ AS=member tokens list --kind team --fail-if-expires-within 1d
      team:?\t\t\tnot-permitted\t
      ! not-permitted: there is none, or you can't see it. Owners, the owners team token and the organization token can.
      ! orgctl: unknown when the token expires
      = 10
      $ tokens list --org nowhere
      ! orgctl: you are not a member of nowhere
      !   → Your organizations: acme, globex, initech.
      = 5
    `);

  test('knows that there is none only where the caller may see it', async () => {
    await transcript()`
      $ --sandbox --org initech tokens list --kind audit-trail --fail-if-expires-within 1d
      $ --sandbox --org initech --as member tokens list --kind audit-trail --fail-if-expires-within 1d
      audit-trail\t\t\tnot-permitted\t
      ! not-permitted: there is none, or you can't see it. Owners, the owners team token and the organization token can.
      ! orgctl: unknown when the token expires
      = 10, nothing sent
      $ tokens list --org initech --kind audit-trail --fail-if-expires-within 1d
    `;
  });

  test.each([
    ['', 'team:audit ok, team:? not-permitted', 10],
    [' --team audit', 'team:audit ok', 0],
  ] as const)('of a caller who sees the tokens of the own team alone, tokens list%s: %s', async (more, rows, code) => {
    const service = await startService({
      async alter(answer, request) {
        const list = /\/(team-tokens|teams)\?/.exec(request.url)?.[1];
        if (list === undefined) return answer;
        const own = await findTeam(service, 'audit');
        const { body } = await service.ask('GET', `/organizations/acme/${list}`);
        const data = (body as { data: { id: string; attributes: object }[] }).data.filter((one) =>
          JSON.stringify(one).includes(own),
        );
        for (const { attributes } of data) Object.assign(attributes, { permissions: { 'can-view-api-token': true } });
        return Response.json({ data, meta: { pagination: { 'total-count': data.length } } });
      },
    });
    await service.ask('POST', `/teams/${await findTeam(service, 'audit')}/authentication-token`, 'owner', BODY);
    const argv = `tokens list --kind team --fail-if-expires-within 1d --fields token,status -q${more}`;
    const result = await service.run(argv.split(' '), { as: 'member' });
    expect(result.stdout.trim().replaceAll('\t', ' ').replaceAll('\n', ', ')).toBe(rows);
    expect(result.code).toBe(code);
  });

  test('takes the earlier of the own end and that of a policy which is on', async () => {
    const service = await startService();
    await setPolicy(service, 100, false);
    await transcript({ service })`
      $ tokens list --team platform --fields token,expires,status --quiet
      team:platform/ci\t2027-01-05T09:00:00.000Z\tok
      team:platform/laptop of rex\t2027-07-24T09:00:00.000Z\tok
    `;
    await setPolicy(service, 100);
    await transcript({ service })`
      $ tokens list --team platform --fields token,expires,status
      team:platform/laptop of rex\t2026-11-01T09:00:00.000Z\texpired
      team:platform/ci\t2026-12-16T09:00:00.000Z\texpiring
      $ tokens list --fail-if-expires-within 20d -q --kind organization
      organization\t2027-02-09T09:00:00.000Z\t\tok\tat-1
      $ tokens list --fail-if-expires-within 20d -q --kind team --unused-for 1y
      ! orgctl: 1 of 3 tokens expires within 20d
      = 13
    `;
  });

  test.each([
    ['of two policies of one kind the stricter counts', [100, 50, 200], '2026-12-21T09:00:00.000Z\texpiring\n'],
    ['a policy beyond all dates sets no end', [1e9], '\tok\n'],
  ])('%s', async (_what, limits, shown) => {
    const policy = (days: number) => ({ 'token-type': 'team', 'max-ttl-ms': days * DAY });
    const data = limits.map((days) => ({ id: `p${days}`, type: 'x', attributes: policy(days) }));
    const service = await startService({
      faults: ['GET acme: with=max-ttl-enabled:true'],
      alter: (given, { url }) => (url.includes('ttl-policies') ? Response.json({ data }) : given),
    });
    const { stdout } = await service.run('tokens list --team owners --fields token,expires,status -q'.split(' '));
    expect(stdout).toContain(`team:owners\t${shown}`);
  });

  test.each([
    [{ 'expired-at': null }],
    [{ 'expired-at': '2027-01-01T00:00:00.000Z' }],
    [{ 'created-at': '2026-01-01T00:00:00.000Z' }],
  ])('a token of a policy ends at an unknown time where the service shows only %j', (attributes) =>
    expect(readExpiry(attributes, DAY)).toBeUndefined(),
  );

  test('shows the one token of Terraform Enterprise once', async () => {
    const service = await startService({ like: 'enterprise' });
    const list = async (...more: string[]) =>
      (await service.run(['tokens', 'list', '--fields', 'token', ...more])).stdout.split('\n').filter(Boolean);
    expect((await list()).sort()).toEqual([
      'organization',
      'team:owners',
      'team:platform/ci',
      'team:platform/laptop of rex',
    ]);
    expect(await list('--kind', 'audit-trail')).toEqual([]);
  });
});
