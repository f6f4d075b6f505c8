import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';
import { silence, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';

test.each([
  ['audit', 'audit-token audit-trail'],
  ['members i', 'invite'],
  ['members ls --page', '--page --page-size'],
  ['members list --dry', '--dry-run'],
  ['--as owner te', 'teams'],
  ['--as m', 'member'],
  ['members list --limit ', ''],
  ['members list --output=c', '--output=csv'],
  ['-o ', 'table tsv csv json ndjson markdown html'],
  ['members list --fields ema', 'email'],
  ['members list --fields email,tea', 'email,teams.name email,teams.id'],
  ['completion p', 'powershell'],
  ['help ex', 'exit-codes'],
  ['help members inv', 'invite'],
  ['sandbox serve --like ', 'document hosted enterprise'],
  ['audit-token rotate --to ', 'file: env-file: exec: github-output: stdout'],
  ['audit-token rotate --to=st', '--to=stdout'],
  ['tokens rotate ', 'audit-trail organization team:'],
  ['tokens delete audit-trail org', 'organization'],
  ['tokens list --kind team,o', 'team,organization'],
  ['audit-trail follow --to ', 'exec:'],
  ['settings get ca', 'ca-file'],
  ['settings unset re', 'read-only'],
  ['settings set ou', 'output'],
  ['settings set output js', 'json'],
  ['settings set debug ', 'true false'],
  ['settings set org ', ''],
  ['settings set nope ', ''],
  ['auth use d', 'default'],
  ['unknown ', ''],
  ['members list --unknown=', ''],
  // From the sandbox.
  ['--sandbox members list --team ', 'owners platform security audit'],
  ['--sandbox teams members pl', 'platform'],
  ['--sandbox teams add platform mi', 'milo.member@example.com'],
  ['--sandbox members remove a@example.com mi', 'milo.member@example.com'],
  ['--sandbox members get mi', 'milo.member@example.com'],
  ['--sandbox members resend iv', 'ivan.invitee@example.com'],
  ['--sandbox members list --search x --team pl', 'platform'],
  ['--sandbox --as member members list --org=gl', '--org=globex'],
  ['--sandbox members invite --team platform,se', 'platform,security'],
  ['--sandbox teams add audit --from pl', 'platform'],
  ['--sandbox teams update pl', 'platform'],
  ['--sandbox teams delete audit pl', 'platform'],
  ['teams create new --access manage-teams,no', 'manage-teams,none'],
  ['teams update audit --visibility o', 'organization'],
  ['--sandbox organizations show gl', 'globex'],
  ['--sandbox orgs update session-timeout=60 coll', 'collaborator-auth-policy='],
  ['--sandbox orgs update perm', ''],
  ['--sandbox tokens delete team:pl', 'team:platform'],
  ['--sandbox providers get public/hashicorp/a', 'public/hashicorp/aws'],
  ['--sandbox providers delete private/acme/inventory hashicorp/a', 'hashicorp/aws'],
  ['--sandbox providers versions inv', 'inventory'],
  ['--sandbox providers publish ', 'private/acme/internal-dns private/acme/inventory'],
])('orgctl %s', async (line, words) => {
  const { stdout, ...ended } = await run(['completion', 'bash', '--line', `orgctl ${line}`]);
  expect({ ...ended, words: stdout.trim().split('\n').join(' ') }).toEqual({ code: 0, stderr: '', words });
});

test.each([
  ['bash', 'report\n'],
  ['zsh', 'report\tPrint an access review: everyone, their teams, owners and two-factor authentication\n'],
  ['fish', 'report\tPrint an access review: everyone, their teams, owners and two-factor authentication\n'],
  ['powershell', 'report\tPrint an access review: everyone, their teams, owners and two-factor authentication\n'],
])('%s gets descriptions if it shows them', async (shell, printed) => {
  expect((await run(['completion', shell, '--line', 'orgctl members rep'])).stdout).toBe(printed);
});

test('profiles are those of config.json', async () => {
  const home = createHomeOf({ config: { profiles: { work: {}, home: {} } } });
  const { stdout } = await run(['completion', 'bash', '--line', 'orgctl --profile w'], { home });
  expect(stdout).toBe('work\n');
});

test('one request is sent, and nothing is kept', async () => {
  const service = await startService();
  const home = createFolder();
  for (const length of [1, 2]) {
    const { stdout } = await service.run(['completion', 'bash', '--line', 'orgctl teams members pl'], { home });
    expect({ stdout, sent: service.requests.length }).toEqual({ stdout: 'platform\n', sent: length });
  }
});

test('a name that a shell would run is not offered, and one with a blank only in a line without quotes', async () => {
  const names = ['platform', 'pl a', 'pl`id`', 'pl$(id)'];
  const data = names.map((name, index) => ({ id: `team-${index}`, type: 'teams', attributes: { name } }));
  const { run: call } = await startService({ alter: () => Response.json({ data }) });
  const complete = async (word: string) =>
    (await call(['completion', 'bash', '--line', `orgctl teams members ${word}`])).stdout;
  expect([await complete('pl'), await complete('"pl')]).toEqual(['platform\npl a\n', 'platform\n']);
});

const LINE = ['completion', 'bash', '--line', 'orgctl teams members '];
const NOTHING = { code: 0, stdout: '', stderr: '' };

// orgctl itself waits 30 s for an answer, and asks again.
test("doesn't wait for a service that doesn't answer", { timeout: 10_000 }, async () => {
  const { origin, requests } = await startScripted(silence);
  const env = { ORGCTL_BASE_URL: `${origin}/api/v2`, ORGCTL_TOKEN: 'a-token-of-tests', ORGCTL_ORG: 'acme' };
  expect(await run(LINE, { env })).toEqual(NOTHING);
  expect(requests).toHaveLength(1);
});

test.each([
  ['no token', { ORGCTL_ORG: 'acme' }],
  ['no organization', { ORGCTL_TOKEN: 'a-token-of-tests' }],
])('%s: nothing, and no message', async (_what, env) => {
  expect(await run(LINE, { env })).toEqual(NOTHING);
});

test('a command that prints the token is not run', async () => {
  const home = createHomeOf({
    config: { org: 'acme', 'base-url': 'http://127.0.0.1:9/api/v2', 'token-command': 'touch ran' },
  });
  expect(await run(LINE, { home })).toEqual(NOTHING);
  expect(existsSync(join(home, 'ran'))).toBe(false);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('%s gets a script that asks orgctl', async (shell) => {
  const stdout = expect.stringContaining(`orgctl completion ${shell} `);
  expect(await run(['completion', shell])).toEqual({ code: 0, stdout, stderr: '' });
});
