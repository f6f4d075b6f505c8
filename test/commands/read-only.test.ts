import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** Each command that changes something, and the request that is refused. */
const WRITES = [
  ['audit-token generate --yes', 'POST /api/v2/organizations/acme/authentication-token'],
  ['audit-token delete --yes', 'DELETE /api/v2/organizations/acme/authentication-token'],
  ['members invite new@example.com --team team-platform', 'POST /api/v2/organizations/acme/organization-memberships'],
  ['members remove ou-ada --yes', 'DELETE /api/v2/organization-memberships/ou-ada'],
  ['providers create hashicorp/null', 'POST /api/v2/organizations/acme/registry-providers'],
  [
    'providers delete public/hashicorp/aws --yes',
    'DELETE /api/v2/organizations/acme/registry-providers/public/hashicorp/aws',
  ],
] as const;

const READS = [
  'audit-token show',
  'members list',
  'members mine',
  'members show ou-ada',
  'providers list',
  'providers get hashicorp/aws',
  'feature-sets list',
  'feature-sets list --eligible',
  'teams list',
];

describe('ORGCTL_READ_ONLY', () => {
  test.each(WRITES)('refuses %s', (argv, request) => {
    const said = `! orgctl: read-only mode is on (from ORGCTL_READ_ONLY), nothing was sent
      !   The request was ${request}.
      !   → Unset it there to allow changes.
      = 2`;
    return transcript({ env: { ORGCTL_READ_ONLY: '1' } })`
      $ ${argv}
      ${said}
      $ ${argv} --dry-run --quiet
      ${said}
    `;
  });

  for (const argv of READS) {
    test(`allows ${argv}`, async () => {
      const service = await startService();
      const { real } = await createNames(service.sandbox);
      const result = await service.run(real(argv).split(' '), { env: { ORGCTL_READ_ONLY: 'true' } });
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    });
  }

  for (const value of ['0', 'false', 'no', 'off', '']) {
    test(`${JSON.stringify(value)} is no`, async () => {
      const service = await startService();
      const result = await service.run(['providers', 'create', 'hashicorp/null'], {
        env: { ORGCTL_READ_ONLY: value },
      });
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    });
  }
});
