import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';
import { transcript } from '../support/transcript.ts';

describe('a token that is replaced', () => {
  test('is read, created, read again, delivered, and tried', () =>
    transcript({ ...AT_TERMINAL, reads: true })`
      $ audit-token rotate --expires 90d --to file:audit --yes
      ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
      ! ✓ Delivered to file:audit
      ! ✓ Verified: it is the current token
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organization/audit-trail?page%5Bsize%5D=1
    `);

  test('may be of an organization or a team', () =>
    transcript(AT_TERMINAL)`
      $ tokens rotate organization --expires never --to file:org --yes
      ! ✓ Created acme's new organization token; it never expires
      ! ✓ Delivered to file:org
      ! ✓ Verified: it is the current token
      > POST /organizations/acme/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":null}}}
      $ tokens rotate team:platform --expires 2027-01-01 --to env-file:.env#TFE_TOKEN --yes
      ! ✓ Created acme's new token of team platform; it expires in 41 days (2027-01-01 00:00 UTC)
      ! ✓ Delivered to env-file:.env#TFE_TOKEN
      ! ✓ Verified: it is the current token
      > POST /teams/team-platform/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-01-01T00:00:00Z"}}}
      $ tokens rotate team:team-platform --expires 2027-01-01T12:00:00+02:00 --to env-file:.env#TFE_TOKEN --yes -q
      > POST /teams/team-platform/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-01-01T10:00:00Z"}}}
    `);
});

test('a dry run leaves nothing behind', async () => {
  const home = createFolder();
  await transcript({ ...AT_TERMINAL, home })`
    $ tokens rotate organization --expires 90d --to file:org --dry-run
    ! Would replace acme's organization token, and deliver the new one to file:org
    $ audit-token rotate --org acme,globex --expires 90d --to file:{org} --dry-run
    ! Would replace acme's audit trail token, and deliver the new one to file:acme
    ! Would replace globex's audit trail token, and deliver the new one to file:globex
    ! 2 tokens: 2 planned
  `;
  expect(readdirSync(home)).toEqual([]);
});

test('takes places and expiry from settings, which options replace', () =>
  transcript({ home: createHomeOf({ config: { to: ['file:one', 'file:two'], expires: '90d' } }) })`
    $ audit-token rotate --yes
    rotated\taudit-trail\t2027-02-19T09:00:00.000Z\ttrue\tfile:one,file:two\tat-1\t\t
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --yes --to file:three --expires 30d
    rotated\taudit-trail\t2026-12-21T09:00:00.000Z\ttrue\tfile:three\tat-2\t\t
    ! warning: nothing was delivered to file:one, file:two this time: the token there no longer works
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2026-12-21T09:00:00Z"}}}
  `);

test.each([
  ['missing --expires and --to', 'organization'],
  ['missing --to', 'organization --expires 90d'],
  ['missing --expires', 'organization --to file:a'],
  ['--expires must be in the future', 'organization --to file:a --expires 2026-11-21'],
  ["'5 weeks'", "organization --to file:a --expires 90d --if-expires-within '5 weeks'"],
  ["'ftp:a' is not a place", 'organization --to ftp:a --expires 90d'],
  ["'user:me' is not a token", 'user:me --to file:a --expires 90d'],
  ['rotate takes no ids', 'at-AbcdefGhijklmnop --to file:a --expires 90d'],
  ['nope', 'team:nope/ci --to file:a --expires 90d'],
  ["its folder doesn't exist", 'audit-trail --to file:no/such --expires 90d'],
  ['--keep-old needs a token', 'team:platform --to file:a --expires 90d --keep-old 1d'],
])('%s: exit 2, and nothing is created', async (message, words) => {
  const { run, requests } = await startService();
  const argv = words.match(/'[^']*'|[^' ]+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const { code, stderr } = await run(['tokens', 'rotate', ...argv, '--yes']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('prints the secret alone with --to stdout', () =>
  transcript(AT_TERMINAL)`
    $ audit-token rotate --expires 90d --to stdout --yes
    SECRET-1
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to stdout
    ! ✓ Verified: it is the current token
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to stdout --yes -q
    SECRET-2
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to stdout --yes -o json
    ! orgctl: --to stdout prints only the secret, in no format
    = 2, nothing sent
  `);

test('is an object with its places, or with what failed', () =>
  transcript()`
    $ audit-token rotate --expires 90d --to file:audit --to exec:/bin/cat --yes -o ndjson
    {"id":"at-1","type":"authentication-tokens","token":"audit-trail","organization":{"id":"acme","type":"organizations"},"places":["file:audit","exec:/bin/cat"],"changed":true,"result":"rotated","fingerprint":"FINGERPRINT","verified":true,"deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to exec:/bin/false --yes -o ndjson
    {"id":"at-2","type":"authentication-tokens","token":"audit-trail","organization":{"id":"acme","type":"organizations"},"places":["exec:/bin/false"],"changed":true,"result":"failed","verified":null,"deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z","error":{"code":"not-delivered","message":"the new token was not delivered to exec:/bin/false: exit code 1"}}
    ! {"error":{"code":"not-delivered","exit":12,"message":"the new token was not delivered to exec:/bin/false: exit code 1","hint":"It is saved. Fix the problem and run the same command again."}}
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    = 12
  `);

test('delivers to the other places if one fails, and the next run to all of them', async () => {
  const home = createFolder();
  await transcript({ ...AT_TERMINAL, home })`
    $ audit-token rotate --expires 90d --to exec:/bin/false --to file:audit --yes
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:audit
    ! orgctl: the new token was not delivered to exec:/bin/false: exit code 1
    !   → It is saved. Fix the problem and run the same command again.
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    = 12
    $ audit-token rotate --expires 90d --to exec:/bin/true --to file:audit --yes
    ! ✓ acme's new audit trail token was created by an earlier run
    ! ✓ Delivered to exec:/bin/true
    ! ✓ Delivered to file:audit
    ! ✓ Verified: it is the current token
  `;
});

test("verified is null if the service can't tell, and --verify-command gets the secret on stdin", () =>
  transcript({ ...AT_TERMINAL, files: { killed: 'kill -9 $$' }, service: { documentOnly: true } })`
    $ audit-token rotate --expires 90d --to file:org --yes --verify-command '/bin/sh killed'
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! warning: the verify command told nothing: it was killed by SIGKILL
    ! warning: unknown whether the new token works: nothing confirms it
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:org --yes
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! warning: unknown whether the new token works: nothing confirms it
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:org --yes --verify-command '/bin/sh -c "diff - org"'
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! ✓ Verified: the verify command accepts it
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:org --yes --verify-command /bin/false
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! orgctl: acme's audit trail token was delivered, but does not work: the verify command failed: exit code 1
    !   → It is saved. Fix the problem and run the same command again.
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    = 12
    $ audit-token rotate --expires 90d --to exec:/bin/false --yes --verify-command '/bin/sh killed'
    ! ✓ acme's new audit trail token was created by an earlier run
    ! orgctl: the new token was not delivered to exec:/bin/false: exit code 1
    !   → It is saved. Fix the problem and run the same command again.
    = 12
  `);

test('a secret for a later step of GitHub Actions is masked first', () =>
  transcript({ files: { outputs: '' } })`
    $ GITHUB_OUTPUT=outputs audit-token rotate --expires 90d --to github-output:token --yes -q
    rotated\taudit-trail\t2027-02-19T09:00:00.000Z\ttrue\tgithub-output:token\tat-1\t\t
    ! ::add-mask::SECRET-1
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
  `);

describe('a token with a description', () => {
  test('gets another beside it, and is deleted when that has answered', () =>
    transcript({ ...AT_TERMINAL, reads: true })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      ! ✓ Created new token "ci" of team platform; it expires in 90 days (2027-02-19 09:00 UTC)
      ! ✓ Delivered to file:ci
      ! ✓ Verified: it is the current token
      ! ✓ Deleted the old one (at-1)
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /account/details
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-a6685f3b62d57bfc","expired-at":"2027-02-19T09:00:00Z"}}}
      > GET /account/details
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > DELETE /authentication-tokens/at-1
    `);

  test('has one date and nonce after the second time, and its old one stays with --keep-old', () =>
    transcript()`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --fields result,deleted
      rotated\tat-1
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-a6685f3b62d57bfc","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --keep-old 1d --fields result,deleted
      rotated\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-b3d8acb98c59e4a8","expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate 'team:platform/ci 2026-11-21-b3d8acb98c59e4a8' --expires 90d --to file:ci --yes --if-expires-within 1d
      unchanged\tteam:platform/ci\t2027-02-19T09:00:00.000Z\t\tfile:ci\tat-2\t\t
    `);

  test('is created only with --create-missing', () =>
    transcript(AT_TERMINAL)`
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes
      ! orgctl: token "cii" of team platform does not exist
      !   → orgctl tokens list shows them. To create this one, add --create-missing.
      = 5
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes --create-missing -q
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cii 2026-11-21-b3d8acb98c59e4a8","expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes -q
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cii 2026-11-21-f5ff61d7b533cd73","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
    `);
});

describe("the caller's token", () => {
  test('is not replaced', () =>
    transcript()`
      $ AS=org-token tokens rotate organization --expires 90d --to file:org --yes --allow-self
      failed\torganization\t\t\tfile:org\t\tusage\tacme's organization token is the token you are using
      ! orgctl: acme's organization token is the token you are using
      !   → Use another token.
      = 2
      $ AS=owners-team tokens rotate team:owners --expires 90d --to file:org --yes
      failed\tteam:owners\t\t\tfile:org\t\tusage\tacme's token of team owners is the token you are using
      ! orgctl: acme's token of team owners is the token you are using
      !   → Use another token.
      = 2
    `);

  test('has its description rotated with --allow-self, and is deleted with the new secret', async () => {
    const service = await startService();
    const { secret } = await addTeamToken(service, 'owners', 'bot');
    await transcript({ service, env: { ORGCTL_TOKEN: secret } })`
      $ tokens rotate team:owners/bot --expires 90d --to file:bot --yes
      failed\tteam:owners/bot\t\t\tfile:bot\t\tusage\ttoken "bot" of team owners is the token you are using
      ! orgctl: token "bot" of team owners is the token you are using
      !   → Use another token, or add --allow-self.
      = 2
      $ tokens rotate team:owners/bot --expires 90d --to file:bot --yes --allow-self
      rotated\tteam:owners/bot\t2027-02-19T09:00:00.000Z\ttrue\tfile:bot\tat-2\t\t
      > POST /teams/team-owners/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"bot 2026-11-21-e21c9380778aa397","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
    `;
    const old = service.requests.filter(({ headers }) => headers.get('authorization')?.includes(secret));
    expect(old.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('may be any but the one of the audit trail if the service does not say who asks', () =>
    transcript({ service: { alter: hide(/account.details/) } })`
      $ tokens rotate organization --expires 90d --to file:org --yes
      failed\torganization\t\t\tfile:org\t\tusage\tacme's organization token may be the token you are using: the service doesn't say
      ! orgctl: acme's organization token may be the token you are using: the service doesn't say
      !   → If it is not, add --allow-self.
      = 2
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      failed\tteam:platform/ci\t\t\tfile:ci\t\tusage\ttoken "ci" of team platform may be the token you are using: the service doesn't say
      ! orgctl: token "ci" of team platform may be the token you are using: the service doesn't say
      !   → Use another token, or add --allow-self.
      = 2
      $ audit-token rotate --expires 90d --to file:audit --yes
      rotated\taudit-trail\t2027-02-19T09:00:00.000Z\ttrue\tfile:audit\tat-1\t\t
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate organization --expires 90d --to file:org --yes --allow-self
      rotated\torganization\t2027-02-19T09:00:00.000Z\ttrue\tfile:org\tat-2\t\t
      > POST /organizations/acme/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    `);
});

describe('the old token of a description', () => {
  test('is the only one of that description, or with a date and 16 hex digits', async () => {
    const service = await startService();
    await addTeamToken(service, 'platform', 'ci 2026-01-15-kubernetesprod');
    await addTeamToken(service, 'platform', 'cd 2026-01-15-0123456789abcdef');
    await transcript({ service })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      rotated\tteam:platform/ci\t2027-02-19T09:00:00.000Z\ttrue\tfile:ci\tat-2\t\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-a6685f3b62d57bfc","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
      $ tokens rotate team:platform/cd --expires 90d --to file:cd --yes
      rotated\tteam:platform/cd\t2027-02-19T09:00:00.000Z\ttrue\tfile:cd\tat-4\t\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cd 2026-11-21-b3d8acb98c59e4a8","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-3
    `;
    expect(Object.keys(await listDescribed(service))).toEqual([
      'ci 2026-11-21-a6685f3b62d57bfc',
      'cd 2026-11-21-b3d8acb98c59e4a8',
      'laptop of rex',
      'ci 2026-01-15-kubernetesprod',
    ]);
  });

  test('is not known if there are two', async () => {
    const service = await startService();
    await addTeamToken(service, 'platform', 'ci 2026-01-15-0123456789abcdef');
    await transcript({ service })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      failed\tteam:platform/ci\t\t\tfile:ci\t\tusage\t2 tokens may be the current one; at-1: ci; at-2: ci 2026-01-15-0123456789abcdef
      ! orgctl: 2 tokens may be the current one
      !   at-1: ci
      !   at-2: ci 2026-01-15-0123456789abcdef
      !   → Delete those that nobody uses, by their ids.
      = 2
    `;
  });
});

describe('several organizations', () => {
  test('have a place each, and a row', () =>
    transcript()`
      $ audit-token rotate --org globex,acme --expires 90d --to file:{org} --yes
      acme\trotated\taudit-trail\t2027-02-19T09:00:00.000Z\ttrue\tfile:acme\tat-1\t\t
      globex\trotated\taudit-trail\t2027-02-19T09:00:00.000Z\ttrue\tfile:globex\tat-2\t\t
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > POST /organizations/globex/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      $ audit-token rotate --org globex,acme --expires 90d --to file:{org} --yes --if-expires-within 30d -o ndjson
      {"id":"at-1","type":"authentication-tokens","token":"audit-trail","organization":{"id":"acme","type":"organizations"},"places":["file:acme"],"changed":false,"result":"unchanged","deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
      {"id":"at-2","type":"authentication-tokens","token":"audit-trail","organization":{"id":"globex","type":"organizations"},"places":["file:globex"],"changed":false,"result":"unchanged","deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
      $ audit-token rotate --org acme --expires 90d --to file:only-{org} --yes
      rotated\taudit-trail\t2027-02-19T09:00:00.000Z\ttrue\tfile:only-acme\tat-3\t\t
      ! warning: nothing was delivered to file:acme this time: the token there no longer works
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    `);

  test('are sentences at a terminal', () =>
    transcript(AT_TERMINAL)`
      $ audit-token rotate --all-orgs --expires 90d --to file:{org} --yes
      ! ✓ Rotated acme's audit trail token, and delivered it to file:acme
      ! ✓ Rotated globex's audit trail token, and delivered it to file:globex
      ! 3 tokens: 2 rotated, 1 failed
      ! orgctl: 1 of 3 failed
      !   audit trail token in initech: initech has no audit trail token
      !   → orgctl tokens list shows them. To create this one, add --create-missing.
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > POST /organizations/globex/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      = 10
      $ ORGCTL_BASE_URL= ORGCTL_TOKEN= ORGCTL_ORG= audit-token rotate --sandbox --org acme,initech --expires 90d --to file:{org} --yes --create-missing
      ! ✓ Rotated acme's audit trail token, and delivered it to file:acme
      ! ✓ Created initech's audit trail token, and delivered it to file:initech
      ! 2 tokens: 2 rotated
    `);

  test("send no POST if a place is shared or can't be written", () =>
    transcript({ files: { globex: '' } })`
      $ audit-token rotate --org acme,globex --expires 90d --to file:audit --yes
      ! orgctl: file:audit would get the tokens of several organizations
      !   → Put {org} into it.
      = 2, nothing sent
      $ audit-token rotate --org acme,globex --expires 90d --to stdout --yes
      ! orgctl: stdout would get the tokens of several organizations
      !   → Put {org} into it.
      = 2, nothing sent
      $ audit-token rotate --org acme,globex --expires 90d --to file:{org}/token --yes
      ! orgctl: can't deliver to file:acme/token: its folder doesn't exist
      = 2
      $ audit-token rotate --org acme,globex --expires 90d --to file:{org}
      ! orgctl: this needs a confirmation: Replace these 2 tokens?
      !   acme's audit trail token
      !   globex's audit trail token
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
    `);
});
