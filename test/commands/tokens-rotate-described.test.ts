import { describe, expect, test } from 'vitest';
import { createBytes } from '../support/bytes.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, startService } from '../support/service.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';
import { transcript } from '../support/transcript.ts';

/** Each run draws other numbers than the one before. */
const draw = () => ({ host: { randomBytes: createBytes('rotations') } });

describe('a token with a description', () => {
  test('gets another beside it, and is deleted when that has answered', () =>
    transcript({ ...AT_TERMINAL, ...draw(), reads: true })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      ! ✓ Created new token "ci" of team platform; it expires in 90 days (2027-02-19 09:00 UTC)
      ! ✓ Delivered to file:ci
      ! ✓ Verified: it is the current token
      ! ✓ Deleted the old one (at-1)
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /account/details
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > GET /account/details
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > DELETE /authentication-tokens/at-1
    `);

  test('has one date and nonce after the second time, and its old one stays with --keep-old', () =>
    transcript({ ...draw() })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --fields result,deleted
      rotated\tat-1
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes --keep-old 1d --fields result,deleted
      rotated\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-738455a675742b8b","expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate 'team:platform/ci 2026-11-21-738455a675742b8b' --expires 90d --to file:ci --yes --if-expires-within 1d
      unchanged\tteam:platform/ci\t2027-02-19T09:00:00.000Z\t\tfile:ci\tat-2\t\t
    `);

  test('is created only with --create-missing', () =>
    transcript({ ...AT_TERMINAL, ...draw() })`
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes
      ! orgctl: token "cii" of team platform does not exist
      !   → orgctl tokens list shows which there are. To create this one, add --create-missing.
      = 5
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes --create-missing -q
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cii 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      $ tokens rotate team:platform/cii --expires 90d --to file:ci --yes -q
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cii 2026-11-21-738455a675742b8b","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
    `);
});

describe("the caller's token", () => {
  test('is not replaced', () =>
    transcript({ ...draw() })`
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
    await transcript({ ...draw(), service, env: { ORGCTL_TOKEN: secret } })`
      $ tokens rotate team:owners/bot --expires 90d --to file:bot --yes
      failed\tteam:owners/bot\t\t\tfile:bot\t\tusage\ttoken "bot" of team owners is the token you are using
      ! orgctl: token "bot" of team owners is the token you are using
      !   → Use another token, or add --allow-self.
      = 2
      $ tokens rotate team:owners/bot --expires 90d --to file:bot --yes --allow-self
      rotated\tteam:owners/bot\t2027-02-19T09:00:00.000Z\ttrue\tfile:bot\tat-2\t\t
      > POST /teams/team-owners/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"bot 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
    `;
    const old = service.requests.filter(({ headers }) => headers.get('authorization')?.includes(secret));
    expect(old.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('may be any but the one of the audit trail if the service does not say who asks', () =>
    transcript({ ...draw(), service: { alter: hide(/account.details/) } })`
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
    await transcript({ ...draw(), service })`
      $ tokens rotate team:platform/ci --expires 90d --to file:ci --yes
      rotated\tteam:platform/ci\t2027-02-19T09:00:00.000Z\ttrue\tfile:ci\tat-2\t\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"ci 2026-11-21-e057f2246c19558a","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-1
      $ tokens rotate team:platform/cd --expires 90d --to file:cd --yes
      rotated\tteam:platform/cd\t2027-02-19T09:00:00.000Z\ttrue\tfile:cd\tat-4\t\t
      > POST /teams/team-platform/authentication-tokens {"data":{"type":"authentication-tokens","attributes":{"description":"cd 2026-11-21-738455a675742b8b","expired-at":"2027-02-19T09:00:00Z"}}}
      > DELETE /authentication-tokens/at-3
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
      failed\tteam:platform/ci\t\t\tfile:ci\t\tusage\t2 tokens may be the current one; at-1: ci; at-2: ci 2026-01-15-0123456789abcdef
      ! orgctl: 2 tokens may be the current one
      !   at-1: ci
      !   at-2: ci 2026-01-15-0123456789abcdef
      !   → Delete those that nobody uses, by their ids.
      = 2
    `;
  });
});
