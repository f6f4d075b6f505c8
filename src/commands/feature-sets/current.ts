import type { Client } from '../../api/client.ts';
import { listFeatureSets } from '../../api/feature-sets.ts';
import { flatten } from '../../api/flatten.ts';
import { countMembers, listMembers } from '../../api/memberships.ts';
import { findEntitlements, findSubscribedFeatureSet } from '../../api/organizations.ts';
import type { Resource } from '../../api/types.ts';
import { defineVerb } from '../../cli/command.ts';
import { showEachOrg } from '../../cli/each-org.ts';
import { createOrgRecord, type JsonObject } from '../../lib/json.ts';
import { CURRENT_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: CURRENT_COLUMNS,
  examples: ['feature-sets current', 'feature-sets current --query left', 'feature-sets current --all-orgs -o csv'],
  async run(session) {
    await showEachOrg(session, CURRENT_COLUMNS, (org) => readCurrent(session.client, org));
  },
});

async function readCurrent(client: Client, org: string): Promise<JsonObject> {
  const count = async (status: string): Promise<number> =>
    (await countMembers(client, org, status)) ?? (await listMembers(client, org, { status }, { own: [] }).all()).length;
  const [eligible, everyone, active, invited, entitlements, subscribed] = await Promise.all([
    listFeatureSets(client, org).all(),
    listFeatureSets(client, undefined).all(),
    count('active'),
    count('invited'),
    findEntitlements(client, org),
    findSubscribedFeatureSet(client, org),
  ]);
  const plan = subscribed ?? findPlan(eligible) ?? findPlan(everyone);
  // Entitlements override the plan (facts). Null for no limit; undefined if the service does not show it.
  const limits = [entitlements, plan?.attributes].map((source) => source?.['user-limit']);
  const limit = limits.find((one) => typeof one === 'number' || one === null);
  const used = active + invited;
  const left = typeof limit === 'number' ? Math.max(0, limit - used) : limit;
  return {
    ...(plan ? flatten(plan) : { id: null, type: 'feature-sets', name: null }),
    'audit-logging': entitlements?.['audit-logging'] ?? plan?.attributes?.['audit-logging'] ?? null,
    organization: createOrgRecord(org),
    active,
    invited,
    used,
    limit,
    left,
    status: left === 0 ? 'full' : 'ok',
  };
}

function findPlan(sets: Resource[]): Resource | undefined {
  const current = sets.filter(({ attributes }) => attributes?.['is-current'] === true);
  return current.length === 1 ? current[0] : undefined;
}
