import { describe, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

describe('audit-token show', () => {
  test('shows one as lines, and several as rows', async () => {
    const service = await startService();
    await service.run(['audit-token', 'generate', '--expires', '90d', '--yes']);
    await transcript({ ...AT_TERMINAL, columns: 100, service, reads: true })`
      $ audit-token show
      Organization:  acme
      Created:       today (2026-11-21 09:00 UTC)
      Last used:     never
      Expires:       in 90 days (2027-02-19 09:00 UTC)
      ID:            at-1
      > GET /ping
      > GET /organizations/acme/authentication-token?token=audit-trails
      > GET /organizations/acme
    `;
    await transcript({ ...AT_TERMINAL, columns: 100, service })`
      $ audit-token get --org initech,globex,acme,nope
      ORGANIZATION  EXPIRES     STATUS     CREATED      LAST USED  ID
      acme          in 90 days  ok         today        never      at-1
      globex        never       ok         20 days ago  today      at-2
      initech                   not-found
      nope                      not-found
      ! orgctl: 2 of 4 organizations failed
      !   initech: initech has no audit trail token, or the service doesn't show it
      !   nope: you are not a member of nope
      = 10
      $ audit-token show -o ndjson
      {"id":"at-1","type":"authentication-tokens","created-at":"2026-11-21T09:00:00.000Z","last-used-at":null,"description":null,"expired-at":"2027-02-19T09:00:00.000Z","created-by":{"id":"user-olive","type":"users"},"team":null,"organization":{"id":"acme","type":"organizations"},"expires":"2027-02-19T09:00:00.000Z","status":"ok"}
      $ AS=member audit-token show
      ! orgctl: you don't have permission to show the audit trail token of acme
      !   Owners, the owners team token and the organization token can.
      = 5
    `;
  });

  test('fails if it expires soon, or if that is unknown', async () => {
    const service = await startService();
    await service.run(['audit-token', 'generate', '--expires', '30d', '--yes']);
    await transcript({ service })`
      $ audit-token show --fail-if-expires-within 29d
      acme\t2026-11-21T09:00:00.000Z\t\t2026-12-21T09:00:00.000Z\tat-1
      $ audit-token show --fail-if-expires-within 30d
      acme\t2026-11-21T09:00:00.000Z\t\t2026-12-21T09:00:00.000Z\tat-1
      ! orgctl: the token expires within 30d
      = 13
      $ audit-token show --org acme,globex --fail-if-expires-within 1mo
      acme\t2026-12-21T09:00:00.000Z\texpiring\t2026-11-21T09:00:00.000Z\t\tat-1
      globex\t\tok\t2026-11-01T09:00:00.000Z\t2026-11-21T08:00:00.000Z\tat-2
      ! orgctl: 1 of 2 tokens expires within 1mo
      = 13
      $ audit-token show --org initech --fail-if-expires-within 1d
      ! orgctl: initech has no audit trail token, or the service doesn't show it
      = 5
    `;
    const odd = await startService({
      async alter(answer) {
        return Response.json(
          JSON.parse((await answer.text()).replaceAll('"expired-at":null', '"expired-at":"some day"')),
        );
      },
    });
    await transcript({ service: odd })`
      $ audit-token show --fail-if-expires-within 1d
      acme\t2026-11-01T09:00:00.000Z\t2026-11-21T08:00:00.000Z\t\tat-1
      ! orgctl: unknown when the token expires
      = 10
    `;
  });
});

describe('audit-token generate', () => {
  test('prints the secret alone, or one object of JSON', () =>
    transcript()`
      $ ORGCTL_OUTPUT=json audit-token generate --dry-run
      {
        "id": null,
        "type": "authentication-tokens",
        "organization": {
          "id": "acme",
          "type": "organizations"
        },
        "changed": false,
        "result": "planned"
      }
      $ audit-token generate --yes -o csv
      ! orgctl: -o csv can't be used with generate, which prints the secret
      !   → It takes -o json.
      = 2, nothing sent
      $ ORGCTL_OUTPUT=csv audit-token generate --yes 2>/dev/null
      = 2, nothing sent
      $ audit-token generate --yes --query token 2>/dev/null
      = 2, nothing sent
      $ audit-token generate --yes -o json --fields id 2>/dev/null
      = 2, nothing sent
      $ audit-token generate --yes --fields token 2>/dev/null
      = 2, nothing sent
    `);

  test('says beside the secret when it expires', () =>
    transcript({ ...AT_TERMINAL, columns: 100 })`
      $ audit-token generate --expires 2027-01-31 --yes
      SECRET-1
      ! ✓ Created acme's new audit trail token; it expires in 71 days (2027-01-31 00:00 UTC)
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-01-31T00:00:00Z"}}}
    `);

  test('says if the secret can not be written', async () => {
    await transcript({ stdoutClosed: true })`
      $ audit-token generate --yes
      ! orgctl: acme's audit trail token was replaced, but the new one is lost: stdout is closed
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{}}}
      = 12
      $ audit-token generate --yes -o json 2>/dev/null
      > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{}}}
      = 12
    `;
  });
});
