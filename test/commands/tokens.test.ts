import { describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

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

async function addToken(service: TestService, team: string, attributes: object): Promise<string> {
  const { body } = await service.ask('GET', `/organizations/acme/teams?filter%5Bnames%5D=${team}`);
  const { id } = (body as { data: [{ id: string }] }).data[0];
  const made = await service.ask('POST', `/teams/${id}/authentication-tokens`, 'owner', {
    data: { type: 'authentication-tokens', attributes },
  });
  return (made.body as { data: { id: string } }).data.id;
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
      TOKEN                         EXPIRES      LAST USED  STATUS  ID
      team platform: ci             in 45 days   today      ok      at-1
      team platform: laptop of rex  in 245 days  never      ok      at-2
      audit trail                   never        never      ok      at-3
      organization                  never        never      ok      at-4
      team owners                   never        never      ok      at-5
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
      ! 0 of 5 tokens expire within 30 days, 4 were never used.
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
      !   Who can, as far as is known: owners, the owners team token, the organization token.
      = 5
    `);
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
      /Delete acme's token ci of team platform \(last used today, created by olive-owner\)\? /,
    );
    expect(await list(service, '-q')).not.toContainEqual(expect.stringContaining('ci'));
    const gone = await service.run(['tokens', 'delete', 'team:platform/ci', '--yes']);
    expect(gone).toMatchObject({ code: 5, stderr: expect.stringContaining("team platform has no token 'ci'") });
  });
});
