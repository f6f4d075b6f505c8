import type { Client } from '../../api/client.ts';
import { readDecoration } from '../../api/not-found.ts';
import { hasAuditTokens, readTokenLimits, showToken } from '../../api/tokens.ts';
import { defineVerb } from '../../cli/command.ts';
import { showEachOrg } from '../../cli/each-org.ts';
import { option } from '../../cli/options.ts';
import { OrgctlError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { addDuration } from '../../lib/time.ts';
import { AUDIT_TOKEN_COLUMNS } from '../../tokens/columns.ts';
import { assertNoneExpires, EXPIRING_WITHIN, findExpiryStatus } from '../../tokens/expiry.ts';
import { createRow } from '../../tokens/read-tokens.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: AUDIT_TOKEN_COLUMNS,
  options: [
    option('--fail-if-expires-within <duration>', 'exit 13 if it expires within this time, by itself or by a policy'),
  ],
  examples: ['audit-token show', 'audit-token show --all-orgs --fail-if-expires-within 30d'],
  async run(session, { failIfExpiresWithin: within }) {
    const { client, runtime } = session;
    const now = runtime.now();
    const failBy = within === undefined ? undefined : addDuration(now, within, 1, '--fail-if-expires-within');
    const read = async (org: string): Promise<JsonObject> => {
      const token = await readAuditToken(client, org);
      return { ...token, status: findExpiryStatus(token.expires, now, failBy ?? now + EXPIRING_WITHIN) };
    };
    const records = await showEachOrg(session, AUDIT_TOKEN_COLUMNS, read);
    if (within !== undefined && failBy !== undefined) assertNoneExpires(records, failBy, within);
  },
});

async function readAuditToken(client: Client, org: string): Promise<JsonObject> {
  if ((await readDecoration(hasAuditTokens(client, org))) === false) {
    throw new OrgctlError('not-found', `this service has no audit trail tokens, so ${org} has none`);
  }
  const [token, limits] = await Promise.all([
    showToken(client, { kind: 'audit-trail', org }),
    // A policy that can't be read leaves the expiry unknown.
    readDecoration(readTokenLimits(client, org)),
  ]);
  return createRow(org, 'audit-trail', token, limits);
}
