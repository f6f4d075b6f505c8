import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AT_TERMINAL, type RunOptions, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const home = mkdtempSync(join(tmpdir(), 'orgctl-api-'));
afterAll(() => rmSync(home, { recursive: true }));

const file = join(home, 'team.json');
writeFileSync(file, '{"data":{"type":"teams","attributes":{"name":"data"}}}');
const stdin = '{"data":{"type":"teams","attributes":{"name":"a-secret-name"}}}';

test('a path alone is read, with or without its slash, for {org} and with query parameters', () =>
  transcript({ reads: true })`
    $ api organizations/acme/teams --query data[0].attributes.name
    "owners"
    > GET /organizations/acme/teams
    $ api /organizations/{org}/teams?q=audit --org globex --query data[0].id
    "team-audit.globex"
    > GET /organizations/globex/teams?q=audit
    $ api get feature-sets -f page[size]=1 --field page[number]=2 -f 'q=a b&c' --query data[0].id
    "fs-trial"
    > GET /feature-sets?page%5Bsize%5D=1&page%5Bnumber%5D=2&q=a+b%26c
    $ api organizations/nope/teams
    ! orgctl: you are not a member of nope
    !   → Your organizations: acme, globex, initech.
    > GET /organizations/nope/teams
    > GET /organization-memberships?include=teams
    = 5
  `);

test('--all reads every page as one document', () =>
  transcript({ reads: true })`
    $ api organizations/acme/teams --all -f page[size]=3 --query '{rows: length(data), rest: meta}' -o json
    {
      "rows": 4,
      "rest": null
    }
    > GET /organizations/acme/teams?page%5Bsize%5D=3
    > GET /organizations/acme/teams?page%5Bnumber%5D=2&page%5Bsize%5D=3
    $ api account/details --all
    ! orgctl: /account/details is not a list
    !   → Leave out --all.
    > GET /account/details?page%5Bsize%5D=100
    = 2
  `);

test('a document is printed as it came, and laid out at a terminal', async () => {
  const line = ['--sandbox', 'api', 'organizations/{org}/entitlement-set'];
  const { stdout: plain } = await run(line);
  const { stdout: laidOut } = await run(line, AT_TERMINAL);
  expect(plain).toBe(`${JSON.stringify(JSON.parse(plain))}\n`);
  expect(laidOut).toBe(`${JSON.stringify(JSON.parse(plain), null, 2)}\n`);
});

test('what is no JSON is printed without what steers a terminal', () =>
  transcript({ ...AT_TERMINAL, service: { alter: () => new Response('a\u001b[31m\u202eb\n') } })`
    $ api ping
    ab
  `);

test('writes take a body from a file or stdin, and never ask', () =>
  transcript({ home, stdin })`
    $ api POST /organizations/{org}/teams --input ${file} --query data.id
    "team-1"
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"data"}}}
    $ api post organizations/acme/teams --input - --query data.attributes.name
    "a-secret-name"
    > POST /organizations/acme/teams ${stdin}
    $ api DELETE teams/team-platform
    > DELETE /teams/team-platform
    $ api POST organizations/acme/teams --input ${file}
    ! orgctl: the service rejected the request
    !   /data/attributes/name: Name has already been taken
    > POST /organizations/acme/teams {"data":{"type":"teams","attributes":{"name":"data"}}}
    = 7
  `);

test('--debug and --dry-run print no body', async () => {
  await transcript({ home, stdin })`
    $ api POST organizations/acme/teams --input - --debug --query type
    null
    ! debug: POST http://127.0.0.1:PORT/api/v2/organizations/acme/teams: 200 (0 ms, request request-1)
    > POST /organizations/acme/teams ${stdin}
    $ api POST organizations/acme/teams --input - --dry-run --debug
    {"planned":{"method":"POST","path":"/organizations/acme/teams"}}
  `;
  await transcript(AT_TERMINAL)`
    $ api DELETE teams/team-audit --dry-run
    ! Would send DELETE /teams/team-audit
  `;
});

const token = '/organizations/acme/authentication-token';
const body = JSON.stringify({ data: { type: 'authentication-token', attributes: {} } });

test.each<[what: string, options: RunOptions, argv: string[], code: number, shown: boolean]>([
  ['is shown', {}, [], 0, true],
  ['that a closed pipe did not take is lost, and it is said', { stdoutClosed: true }, [], 12, false],
  ['is shown whole to a query that finds nothing', {}, ['--query', 'tokn'], 1, true],
  ['is shown whole to a query that finds nothing for a name', {}, ['--query', '{t: data.tokn}'], 1, true],
  ['is shown whole to a query that does not fit', {}, ['--query', 'abs(data)'], 1, true],
  ['is left out by a query for something else', {}, ['--query', 'data.id'], 0, false],
])('the secret in an answer: %s', async (_what, options, argv, code, shown) => {
  const service = await startService();
  const ended = await service.run(['api', 'POST', token, '--input', '-', ...argv], { stdin: body, ...options });
  expect({ code: ended.code, shown: /"token": ?"sandbox\./.test(ended.stdout) }).toEqual({ code, shown });
  if (code === 12) expect(ended.stderr).toContain('has a secret, which is lost: stdout is closed');
});

test.each([
  ['../x', "'../x' is not a path below the base URL"],
  ['https://evil.example/x', "'https://evil.example/x' is not a path below the base URL"],
  ['PSOT teams', "unknown method 'PSOT'"],
  ['GET teams --input -', 'GET has no body'],
  ['POST teams --all', '--all works only with GET'],
  ['teams -f nope', "-f takes key=value, not 'nope'"],
  ['teams -o csv', "-o csv can't be used with orgctl api"],
  ['POST teams --input -', '--input is not JSON'],
  ['POST teams --input nope.json', "can't read nope.json: it doesn't exist"],
  ['organizations/{org}/teams --org a,b', 'this command takes one organization, not 2 (--org)'],
])('api %s is refused: 2', async (line, why) => {
  const { code, stdout, stderr } = await run(['--sandbox', 'api', ...line.split(' ')], { stdin: 'secret: no json' });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.split('\n')[0]).toBe(`orgctl: ${why}`);
  expect(stderr).not.toContain('secret');
});
