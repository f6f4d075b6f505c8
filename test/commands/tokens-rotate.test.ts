import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createBytes } from '../support/bytes.ts';
import { createFolder } from '../support/files.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';
import { transcript } from '../support/transcript.ts';

/** Each run draws other numbers than the one before. */
const draw = () => ({ host: { randomBytes: createBytes('rotations') } });

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
    transcript({ ...AT_TERMINAL, ...draw() })`
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

describe('a token with a description', () => {
  test('gets another beside it, and is deleted when that has answered', () =>
    transcript({ ...AT_TERMINAL, ...draw(), reads: true })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      ! ✓ Created new token "ci" of team platform; it expires in 90 days (2027-02-19 09:00 UTC)
      ! ✓ Delivered to file:ci
      ! ✓ Verified: it is the current token
      ! ✓ Deleted the old one (at-2)
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /account/details
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > GET /account/details
      > GET /authentication-tokens/at-1
      > DELETE /authentication-tokens/at-2
    `);

  test('has one date and nonce after the second time, and its old one stays with --keep-old', () =>
    transcript({ ...draw() })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --fields result,deleted
      rotated\tat-2
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-2
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --keep-old 1d --fields result,deleted
      rotated\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-738455a675742b8b","expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --if-expires-within 1d
      unchanged\t2027-02-19T09:00:00.000Z\t\tfile:ci\tat-3\t\t
    `);

  test('is created only with --create-missing', () =>
    transcript({ ...AT_TERMINAL, ...draw() })`
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes
      ! orgctl: token "cii" of team platform does not exist
      !   → Add --create-missing to create it.
      = 5
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes --create-missing -q
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cii 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes -q
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cii 2026-11-21-738455a675742b8b","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-2
    `);
});

test('a dry run leaves nothing behind', async () => {
  const home = createFolder();
  await transcript({ ...draw(), home })`
    $ tokens rotate organization --expires 90d --to file:org --dry-run
    planned\t2027-02-19T09:00:00Z\t\tfile:org\t\t\t
    $ tokens rotate team:platform/ci --expires 90d --to file:ci --dry-run -o ndjson
    {"id":null,"type":"authentication-tokens","organization":{"id":"acme","type":"organizations"},"places":["file:ci"],"changed":false,"result":"planned","expired-at":"2027-02-19T09:00:00Z"}
  `;
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
    rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:one,file:two\tat-1\t\t
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --yes --to file:three --expires 30d
    rotated\t2026-12-21T09:00:00.000Z\ttrue\tfile:three\tat-2\t\t
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2026-12-21T09:00:00Z"}}}
  `);

test.each([
  ['missing --to', 'organization --expires 90d'],
  ['missing --expires', 'organization --to file:a'],
  ['--expires must be in the future', 'organization --to file:a --expires 2026-11-21'],
  ["'5 weeks'", "organization --to file:a --expires 90d --if-expires-within '5 weeks'"],
  ["'ftp:a' is not a place", 'organization --to ftp:a --expires 90d'],
  ["'user:me' is not a token", 'user:me --to file:a --expires 90d'],
  ['rotate takes no ids', 'at-AbcdefGhijklmnop --to file:a --expires 90d'],
  ['nope', 'team:nope/ci --to file:a --expires 90d'],
  ["its folder doesn't exist", 'audit-trail --to file:no/such --expires 90d'],
  ['--keep-old goes with', 'team:platform --to file:a --expires 90d --keep-old 1d'],
])('%s: exit 2, and nothing is created', async (message, words) => {
  const { run, requests } = await startService();
  const argv = words.match(/'[^']*'|[^' ]+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const { code, stderr } = await run(['tokens', 'rotate', ...argv, '--yes']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('prints the secret alone with --to stdout', () =>
  transcript({ ...AT_TERMINAL, ...draw() })`
    $ audit-token rotate --expires 90d --to stdout --yes
    SECRET-1
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to stdout
    ! ✓ Verified: it is the current token
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to stdout --yes -q
    SECRET-2
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to stdout --yes --dry-run
    ! Would replace acme's audit trail token, and deliver the new one to stdout
    $ audit-token rotate --expires 90d --to stdout --yes --verify-command /bin/false
    SECRET-3
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to stdout
    ! orgctl: acme's audit trail token was delivered, and does not work: the verify command failed: exit code 1
    !   → It is saved. Fix the problem and run the same command again.
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    = 12
    $ audit-token rotate --expires 90d --to stdout --yes -o json
    ! orgctl: --to stdout prints only the secret, in no format
    = 2, nothing sent
  `);

test('has rows in every format', () =>
  transcript({ ...draw() })`
    $ audit-token rotate --expires 90d --to file:audit --to exec:/bin/cat --yes -o ndjson
    {"id":"at-1","type":"authentication-tokens","organization":{"id":"acme","type":"organizations"},"places":["file:audit","exec:/bin/cat"],"changed":true,"result":"rotated","fingerprint":"FINGERPRINT","verified":true,"deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
    ! [removed]
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:audit --yes -o csv
    result,expired-at,verified,places,id,error.code,error.message
    rotated,2027-02-19T09:00:00.000Z,true,file:audit,at-2,,
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:audit --yes -q
    rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:audit\tat-3\t\t
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to exec:/bin/false --yes -o ndjson
    {"id":"at-4","type":"authentication-tokens","organization":{"id":"acme","type":"organizations"},"places":["exec:/bin/false"],"changed":true,"result":"failed","created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z","error":{"code":"not-delivered","message":"the new token was not delivered to exec:/bin/false: exit code 1"}}
    ! {"error":{"code":"not-delivered","exit":12,"message":"the new token was not delivered to exec:/bin/false: exit code 1","hint":"It is saved. Fix the problem and run the same command again."}}
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    = 12
  `);

test('delivers to the other places if one fails, and to all of them in the next run, without a new token', async () => {
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

test('a service that can not tell is asked in vain, and --verify-command gets the secret on stdin', () =>
  transcript({ ...AT_TERMINAL, ...draw(), service: { documentOnly: true } })`
    $ audit-token rotate --expires 90d --to file:org --yes
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! warning: unknown whether the new token works: nothing confirms it
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:org --yes --verify-command 'sh -c "diff - org"'
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! ✓ Verified: it is the current token
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to file:org --yes --verify-command /bin/false
    ! ✓ Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC)
    ! ✓ Delivered to file:org
    ! orgctl: acme's audit trail token was delivered, and does not work: the verify command failed: exit code 1
    !   → It is saved. Fix the problem and run the same command again.
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    = 12
  `);

describe('several organizations', () => {
  test('have a place each, and a row', () =>
    transcript({ ...draw() })`
      $ audit-token rotate --org globex,acme --expires 90d --to file:{org} --yes
      acme\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:acme\tat-1\t\t
      globex\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:globex\tat-2\t\t
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > POST /organizations/globex/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      $ audit-token rotate --org globex,acme --expires 90d --to file:{org} --yes --if-expires-within 30d -o ndjson
      {"id":"at-1","type":"authentication-tokens","organization":{"id":"acme","type":"organizations"},"places":["file:acme"],"changed":false,"result":"unchanged","deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
      {"id":"at-2","type":"authentication-tokens","organization":{"id":"globex","type":"organizations"},"places":["file:globex"],"changed":false,"result":"unchanged","deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
      $ audit-token rotate --org acme --expires 90d --to file:only-{org} --yes
      rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:only-acme\tat-3\t\t
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    `);

  test('are sentences at a terminal', () =>
    transcript({ ...AT_TERMINAL, ...draw() })`
      $ audit-token rotate --all-orgs --expires 90d --to file:{org} --yes
      ! ✓ Rotated acme's audit trail token, and delivered it to file:acme
      ! ✓ Rotated globex's audit trail token, and delivered it to file:globex
      ! ✓ Rotated initech's audit trail token, and delivered it to file:initech
      ! 3 tokens: 3 rotated
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > POST /organizations/globex/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > POST /organizations/initech/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      $ ORGCTL_BASE_URL= ORGCTL_TOKEN= ORGCTL_ORG= audit-token rotate --sandbox --org acme,initech --expires 90d --to file:{org} --yes --create-missing
      ! ✓ Rotated acme's audit trail token, and delivered it to file:acme
      ! ✓ Created initech's audit trail token, and delivered it to file:initech
      ! 2 tokens: 2 rotated
    `);

  test('end before the first POST if a place is shared, or can not be written', () =>
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
      ! orgctl: this needs a confirmation: 2 tokens will be replaced. Go on?
      !   acme's audit trail token
      !   globex's audit trail token
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
    `);

  test('go on if one fails', () =>
    transcript({ ...draw() })`
      $ tokens rotate organization --org acme,nope --expires 90d --to file:{org} --yes
      acme\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:acme\tat-1\t\t
      nope\tfailed\t\t\tfile:nope\t\tnot-found\tyou are not a member of nope
      ! orgctl: 1 of 2 failed
      !   organization token in nope: you are not a member of nope
      !   → Your organizations: acme, globex, initech.
      > POST /organizations/acme/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      > POST /organizations/nope/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      = 10
    `);

  test('create a token only with --create-missing where there is none', () =>
    transcript({ ...draw(), env: { ORGCTL_BASE_URL: '', ORGCTL_TOKEN: '', ORGCTL_ORG: '' } })`
      $ audit-token rotate --sandbox --all-orgs --expires 90d --to file:{org} --yes
      acme\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:acme\tat-1\t\t
      globex\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:globex\tat-2\t\t
      initech\tfailed\t\t\tfile:initech\t\tnot-found\tinitech has no audit trail token
      ! orgctl: 1 of 3 failed
      !   audit trail token in initech: initech has no audit trail token
      !   → Add --create-missing to create it.
      = 10, nothing sent
      $ audit-token rotate --sandbox --all-orgs --expires 90d --to file:{org} --yes --create-missing
      acme\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:acme\tat-3\t\t
      globex\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:globex\tat-4\t\t
      initech\trotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:initech\tat-5\t\t
    `);
});

describe("the caller's token", () => {
  test('is not replaced', () =>
    transcript({ ...draw() })`
      $ AS=org-token tokens rotate organization --expires 90d --to file:org --yes --allow-self
      failed\t\t\tfile:org\t\tusage\tacme's organization token is the token you are using
      ! orgctl: acme's organization token is the token you are using
      !   → Use another token.
      = 2
      $ AS=owners-team tokens rotate team:owners --expires 90d --to file:org --yes
      failed\t\t\tfile:org\t\tusage\tacme's token of team owners is the token you are using
      ! orgctl: acme's token of team owners is the token you are using
      !   → Use another token.
      = 2
    `);

  test('has its description rotated with --allow-self, and is deleted with the new secret', async () => {
    const service = await startService();
    const { secret } = await addTeamToken(service, 'owners', 'bot');
    await transcript({ ...draw(), service, env: { ORGCTL_TOKEN: secret } })`
      $ tokens rotate team:owners/bot --expires 90d --to file:bot --yes
      failed\t\t\tfile:bot\t\tusage\ttoken "bot" of team owners is the token you are using
      ! orgctl: token "bot" of team owners is the token you are using
      !   → Use another token, or add --allow-self.
      = 2
      $ tokens rotate team:owners/bot --expires 90d --to file:bot --yes --allow-self
      rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:bot\tat-1\t\t
      > POST /teams/team-owners/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"bot 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-2
    `;
    const old = service.requests.filter(({ headers }) => headers.get('authorization')?.includes(secret));
    expect(old.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('may be any but the one of the audit trail if the service does not say who asks', () =>
    transcript({ ...draw(), service: { alter: hide(/account.details/) } })`
      $ tokens rotate organization --expires 90d --to file:org --yes
      failed\t\t\tfile:org\t\tusage\tacme's organization token may be the token you are using: the service doesn't say
      ! orgctl: acme's organization token may be the token you are using: the service doesn't say
      !   → If it is not, add --allow-self.
      = 2
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      failed\t\t\tfile:ci\t\tusage\ttoken "ci" of team platform may be the token you are using
      ! orgctl: token "ci" of team platform may be the token you are using
      !   → Use another token, or add --allow-self.
      = 2
      $ audit-token rotate --expires 90d --to file:audit --yes
      rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:audit\tat-1\t\t
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate organization --expires 90d --to file:org --yes --allow-self
      rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:org\tat-2\t\t
      > POST /organizations/acme/authentication-token {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    `);
});

describe('the old token of a description', () => {
  test('is the only one of that description, or with a date and 16 hex digits', async () => {
    const service = await startService();
    await addTeamToken(service, 'platform', 'ci 2026-01-15-kubernetesprod');
    await addTeamToken(service, 'platform', 'cd 2026-01-15-0123456789abcdef');
    await transcript({ ...draw(), service })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:ci\tat-1\t\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-2
      $ tokens rotate team:platform/cd --expires 90d --to file:cd --yes
      rotated\t2027-02-19T09:00:00.000Z\ttrue\tfile:cd\tat-3\t\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cd 2026-11-21-738455a675742b8b","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-4
    `;
    expect(Object.keys(await listDescribed(service))).toEqual([
      'ci 2026-11-21-e057f2246c19558a',
      'cd 2026-11-21-738455a675742b8b',
      'laptop of rex',
      'ci 2026-01-15-kubernetesprod',
    ]);
  });

  test('is not known if there are two', async () => {
    const service = await startService();
    await addTeamToken(service, 'platform', 'ci 2026-01-15-0123456789abcdef');
    await transcript({ ...draw(), service })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      failed\t\t\tfile:ci\t\tusage\t2 tokens may be the current one; at-1: ci; at-2: ci 2026-01-15-0123456789abcdef
      ! orgctl: 2 tokens may be the current one
      !   at-1: ci
      !   at-2: ci 2026-01-15-0123456789abcdef
      !   → Delete those that nobody uses, by their ids.
      = 2
    `;
  });
});

test('a secret for a later step of GitHub Actions is masked first', () =>
  transcript({ files: { outputs: '' } })`
    $ GITHUB_OUTPUT=outputs audit-token rotate --expires 90d --to github-output:token --yes -q
    rotated\t2027-02-19T09:00:00.000Z\ttrue\tgithub-output:token\tat-1\t\t
    ! ::add-mask::SECRET-1
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
  `);
