import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createBytes } from '../support/bytes.ts';
import { createFolder } from '../support/files.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';
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
    ! warning: nothing was delivered to file:one, file:two this time: the token there is dead
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
    $ audit-token rotate --expires 90d --to stdout --yes -o json
    ! orgctl: --to stdout prints only the secret, in no format
    = 2, nothing sent
  `);

test('is an object with its places, or with what failed', () =>
  transcript({ ...draw() })`
    $ audit-token rotate --expires 90d --to file:audit --to exec:/bin/cat --yes -o ndjson
    {"id":"at-1","type":"authentication-tokens","token":"audit-trail","organization":{"id":"acme","type":"organizations"},"places":["file:audit","exec:/bin/cat"],"changed":true,"result":"rotated","fingerprint":"FINGERPRINT","verified":true,"deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z"}
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --expires 90d --to exec:/bin/false --yes -o ndjson
    {"id":"at-2","type":"authentication-tokens","token":"audit-trail","organization":{"id":"acme","type":"organizations"},"places":["exec:/bin/false"],"changed":true,"result":"failed","verified":null,"deleted":[],"created-at":"2026-11-21T09:00:00.000Z","expired-at":"2027-02-19T09:00:00.000Z","error":{"code":"not-delivered","message":"the new token was not delivered to exec:/bin/false: exit code 1"}}
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

test("verified is null if the service can't tell, and --verify-command gets the secret on stdin", () =>
  transcript({ ...AT_TERMINAL, ...draw(), files: { killed: 'kill -9 $$' }, service: { documentOnly: true } })`
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
