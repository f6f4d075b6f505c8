import { expect, test } from 'vitest';
import { startService } from '../../support/service.ts';
import { transcript } from '../../support/transcript.ts';

const refuse =
  (...organizations: readonly string[]) =>
  (answer: Response, request: Request) =>
    organizations.some((organization) => request.url.includes(`/organizations/${organization}/`))
      ? Response.json({ errors: [{ status: '403', title: 'no' }] }, { status: 403 })
      : answer;

test('each organization is asked, and its answer is an element of one array, by name', () =>
  transcript({ reads: true })`
    $ api GET '/organizations/{org}/entitlement-set?a={org}' --orgs globex,acme --query '[].{organization:organization,id:body.data.id}'
    [
      {
        "organization": {
          "id": "acme",
          "type": "organizations"
        },
        "id": "org-1"
      },
      {
        "organization": {
          "id": "globex",
          "type": "organizations"
        },
        "id": "org-2"
      }
    ]
    > GET /organizations/acme/entitlement-set?a=acme
    > GET /organizations/globex/entitlement-set?a=globex
  `);

test('what a refusal means is said once, of one that is named, too', async () => {
  const service = await startService();
  const { stderr } = await service.run(['api', '/organizations/{org}/nosuch', '--orgs', 'acme', '-o', 'json']);
  const { error } = JSON.parse(stderr) as { error: { reasons: readonly string[] } };
  expect(error.reasons).toEqual([...new Set(error.reasons)]);
});

test('with --all every page of each', () =>
  transcript()`
    $ api GET '/organizations/{org}/teams' --all -f 'page[size]=3' --all-orgs --query '[].join(\`" "\`, [organization.id, to_string(length(body.data))]) | join(\`", "\`, @)'
    "acme 4, globex 6, initech 4"
  `);

test('one that failed is an element with its error, and the end is 10, or the code of all', () => {
  const found =
    '--query \'[].join(`" "`, [organization.id, body.data.type || error.code]) | join(`", "`, @)\' 2>/dev/null';
  return Promise.all([
    transcript({ service: { alter: refuse('globex') } })`
      $ api GET '/organizations/{org}/entitlement-set' --orgs acme,globex ${found}
      "acme entitlement-sets, globex forbidden"
      = 10
    `,
    transcript({ service: { alter: refuse('globex', 'acme') } })`
      $ api GET '/organizations/{org}/entitlement-set' --orgs acme,globex ${found}
      "acme forbidden, globex forbidden"
      = 6
    `,
  ]);
});

test('a query can leave out what failed', () =>
  transcript({ service: { alter: refuse('globex') } })`
    $ api GET '/organizations/{org}/teams' --orgs acme,globex --query '[?body].length(body.data)' 2>/dev/null
    [
      4
    ]
    = 10
  `);

test.each([
  ['api', 'GET', '/organizations/{org}/teams'],
  ['members', 'list'],
])('a query that does not fit what failed, of %s: that is said first', async (...words) => {
  const service = await startService({ alter: refuse('globex') });
  const { code, stdout, stderr } = await service.run([
    ...words,
    ...['--orgs', 'acme,globex', '--query', '[].abs(email || body.data || error)'],
  ]);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: { reasons: readonly string[] } };
  expect({ code, stdout, reasons: error.reasons }).toEqual({
    code: 10,
    stdout: '',
    reasons: expect.arrayContaining([
      expect.stringContaining('globex'),
      expect.stringContaining("--query doesn't fit the result: "),
    ]) as unknown,
  });
});

test('without --all the first pages are said to be that, once for all', () =>
  transcript()`
    $ api GET '/organizations/{org}/teams' --orgs acme,globex -f 'page[size]=3' --query 'length(@)'
    2
    ! {"note":{"message":"Only page 1 of acme, globex. Add --all for all of them."}}
    $ api GET '/organizations/{org}/teams' --org acme -f 'page[size]=3' --query 'length(data)'
    3
    ! {"note":{"message":"Page 1 of 2 (3 of 4). Add --all for all of them."}}
    $ api '/organizations/acme/teams?page[size]=3&page[number]=1' --query 'length(data)'
    3
    $ api /organizations/acme/teams -f 'page[size]=3' --all --query 'length(data)'
    4
    $ api /organizations/acme/teams -q -f 'page[size]=3' --query 'length(data)'
    3
  `);

test('of one, {org} is the one in use, and what is printed is its answer alone', () =>
  transcript({ reads: true })`
    $ api GET '/organizations/{org}/teams' --org globex --query 'data[0].relationships.organization.data.id'
    "globex"
    > GET /organizations/globex/teams
    $ api DELETE '/organizations/{org}/registry-providers/public/hashicorp/aws' --dry-run --query planned.method
    "DELETE"
    ! {"note":{"message":"orgctl can't say what this changes, or undo it."}}
    ! {"planned":{"effect":"send DELETE /organizations/acme/registry-providers/public/hashicorp/aws","method":"DELETE","url":"http://127.0.0.1:PORT/api/v2/organizations/acme/registry-providers/public/hashicorp/aws"}}
  `);

test('several are only read, in json, and only where the path says where their names belong', () =>
  transcript()`
    $ api GET /organizations/acme/teams --orgs acme,globex
    ! orgctl: --orgs works only with {org} in the path
    !   → For example: /organizations/{org}
    = 2, nothing sent
    $ api DELETE '/organizations/{org}' --all-orgs
    ! orgctl: --all-orgs works only with GET, not with DELETE
    !   → Name one with --org.
    = 2, nothing sent
    $ api GET '/organizations/{org}/../teams' --all-orgs
    ! orgctl: can't use the path '/organizations/{org}/../teams': it climbs with dots
    !   → Give a path below the base URL, such as /organizations/acme/teams.
    = 2, nothing sent
    $ api GET '/organizations/{org}/teams' --all-orgs -o ndjson 2>/dev/null
    = 2, nothing sent
    $ api GET '/organizations/{org}/teams' --all-orgs -o jsonapi 2>/dev/null
    = 2, nothing sent
  `);
