import { describe, test } from 'vitest';
import { createBytes } from '../support/bytes.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { transcript } from '../support/transcript.ts';

/** Each run draws other numbers than the one before. */
const draw = () => ({ host: { randomBytes: createBytes('rotations') } });

describe('several organizations', () => {
  test('have a place each, and a row', () =>
    transcript({ ...draw() })`
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
      ! warning: nothing was delivered to file:acme this time: the token there is dead
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    `);

  test('are sentences at a terminal', () =>
    transcript({ ...AT_TERMINAL, ...draw() })`
      $ audit-token rotate --all-orgs --expires 90d --to file:{org} --yes
      ! ✓ Rotated acme's audit trail token, and delivered it to file:acme
      ! ✓ Rotated globex's audit trail token, and delivered it to file:globex
      ! 3 tokens: 2 rotated, 1 failed
      ! orgctl: 1 of 3 failed
      !   audit trail token in initech: initech has no audit trail token
      !   → orgctl tokens list shows which there are. To create this one, add --create-missing.
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
