import type { Client } from '../api/client.ts';
import { showOrganization } from '../api/organizations.ts';
import { quoteWord } from '../lib/text.ts';
import { createOrgRecord } from '../output/columns.ts';
import type { Finding } from './evidence.ts';
import { openOrganization } from './organization.ts';
import type { PreparedRule } from './rules/index.ts';

export type CheckRow = ReturnType<typeof createRow>;

/** A row for each rule. Throws if the organization itself can't be read. */
export async function checkOrganization(client: Client, org: string, rules: PreparedRule[], now: number) {
  const { attributes = {} } = await showOrganization(client, org);
  const organization = openOrganization(client, org, attributes, now);
  return Promise.all(rules.map(async (rule) => createRow(org, rule, await rule.check(organization))));
}

export function createRow(org: string, { name, expected }: PreparedRule, { status, found, fix = [] }: Finding) {
  const commands = fix.map((words) => ['orgctl', ...words, `--org=${org}`].map(quoteWord).join(' '));
  return { organization: createOrgRecord(org), rule: name, status, found, expected, fix: commands };
}
