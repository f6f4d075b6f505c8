import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../support/command-tree.ts';
import { run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** The commands that take several organizations, as one of them is called, and what they end with. */
const SEVERAL: Record<string, [line: string, code: number]> = {
  'audit-token rotate': ['audit-token rotate --expires 90d --to file:{org} --yes', 0],
  'audit-token show': ['audit-token show', 0],
  'feature-sets current': ['feature-sets current', 0],
  'members apply': ['members apply --file - --dry-run', 0],
  'members invite': ['members invite new@example.com --team platform --dry-run', 0],
  'members list': ['members list', 0],
  'members plan': ['members plan --file -', 13],
  'members remove': ['members remove milo.member@example.com --dry-run', 0],
  'members report': ['members report', 0],
  'members resend': ['members resend noor.newcomer@example.com ivan.invitee@example.com --dry-run', 0],
  'organizations check': ['organizations check', 13],
  'organizations show': ['organizations show', 0],
  'organizations update': ['organizations update session-timeout=60 --dry-run', 0],
  'providers create': ['providers create public/hashicorp/null --dry-run', 0],
  'providers delete': ['providers delete public/hashicorp/aws --ignore-missing --dry-run', 0],
  'providers list': ['providers list', 0],
  'teams add': ['teams add platform milo.member@example.com --dry-run', 0],
  'teams create': ['teams create reviewers --dry-run', 0],
  'teams delete': ['teams delete platform --dry-run', 0],
  'teams list': ['teams list', 0],
  'teams members': ['teams members platform', 0],
  'teams remove': ['teams remove audit milo.member@example.com --dry-run', 0],
  'teams update': ['teams update platform --access none --dry-run', 0],
  'tokens list': ['tokens list', 0],
  'tokens rotate': ['tokens rotate organization --expires 90d --to file:{org} --yes', 0],
};
const ROSTER = 'members: [{ email: new@example.com, teams: [platform] }]\n';

test('the commands of the contract take several organizations, and no others', async () => {
  const { taking } = await readCommandTree();
  expect(taking('--all-orgs').sort()).toEqual(Object.keys(SEVERAL));
});

test('other commands refuse several organizations', () =>
  transcript()`
    $ members mine --org acme,globex
    ! orgctl: this command takes one organization, not 2 (--org)
    = 2, nothing sent
    $ members list --org acme,,globex
    ! orgctl: --org has an empty name
    = 2, nothing sent
    $ members list --org acme --all-orgs
    ! orgctl: use --org or --all-orgs, not both
    = 2, nothing sent
  `);

describe.each(Object.entries(SEVERAL))('%s', (_words, [line, exit]) => {
  const run = async (orgs: string) => {
    const service = await startService();
    const argv = [...line.split(' '), '--org', orgs, '-o', 'csv'];
    const { code, stdout, stderr } = await service.run(argv, { stdin: ROSTER });
    const [first, ...cells] = Array.from(stdout.matchAll(/^[^,]+/gm), String);
    return { code, stderr, first, cells: [...new Set(cells)] };
  };

  test('prints rows in order of organization, which comes first', async () => {
    expect(await run('globex,acme')).toMatchObject({ code: exit, first: 'organization.id', cells: ['acme', 'globex'] });
  });

  test('goes on if one fails', async () => {
    const { code, stderr, cells } = await run('globex,b-nope,acme');
    expect({ code, cells: cells.filter((cell) => cell !== 'b-nope') }).toEqual({ code: 10, cells: ['acme', 'globex'] });
    expect(stderr).toMatch(/^ {2}(.* in )?b-nope: /m);
  });
});

test('--all-orgs means those that you are an active member of, and each counts once', () =>
  transcript({
    reads: true,
    service: {
      async alter(answer, { url }) {
        if (!url.includes('/v2/organization-memberships')) return answer;
        const text = await answer.text();
        return new Response(text.replace('"status":"active"', '"status":"invited"'), {
          headers: { 'content-type': 'application/vnd.api+json' },
        });
      },
    },
  })`
    $ members list --all-orgs --search olive --fields organization.id
    globex
    initech
    > GET /organization-memberships?include=teams
    > GET /organizations/globex/organization-memberships?q=olive&page%5Bsize%5D=100&include=user%2Cteams
    > GET /organizations/initech/organization-memberships?q=olive&page%5Bsize%5D=100&include=user%2Cteams
    $ members list --org acme,ACME --search olive --fields organization.id
    acme
    > GET /organizations/acme/organization-memberships?q=olive&page%5Bsize%5D=100&include=user%2Cteams
  `);

test('an error is explained once, also where --all-orgs is a single organization', async () => {
  const organization = { data: { id: 'acme', type: 'organizations' } };
  const own = {
    id: 'ou-1',
    type: 'organization-memberships',
    attributes: { status: 'active' },
    relationships: { organization },
  };
  const { origin } = await startScripted([answer(200, { data: [own] }), answer(401, { errors: [] })]);
  const { code, stderr } = await run(['teams', 'list', '--all-orgs'], {
    env: { ORGCTL_BASE_URL: origin, ORGCTL_TOKEN: 'a-token-of-tests' },
  });
  expect(code).toBe(4);
  expect(stderr).toContain('rejected your token (from ORGCTL_TOKEN)\n');
});
