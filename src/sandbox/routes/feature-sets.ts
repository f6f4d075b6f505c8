import { assertFound, findPlan } from '../access.ts';
import type { Context, Reply, Route } from '../context.ts';
import { replyAll, replyOne } from '../pages.ts';
import { formatEntitlements, formatFeatureSet, formatSubscription } from '../resources.ts';
import type { FeatureSetRow, OrganizationRow } from '../rows.ts';
import type { Condition, RowQuery } from '../store.ts';

const DOCUMENTED = { documented: true, hosted: true } as const;
const ORGANIZATION = '/organizations/:organization_name';

export const FEATURE_SETS: Route[] = [
  ['GET', '/feature-sets', 'feature-sets.read', listAll, DOCUMENTED],
  ['GET', `${ORGANIZATION}/feature-sets`, 'organizations.read', listEligible, DOCUMENTED],
  ['GET', `${ORGANIZATION}/entitlement-set`, 'organizations.read', showEntitlements],
  ['GET', `${ORGANIZATION}/subscription`, 'organizations.read', showSubscription, { hosted: true }],
];

function listAll(ctx: Context): Reply {
  return replyFeatureSets(ctx, ctx.store.select('id, attributes', 'feature_sets', []));
}

function listEligible(ctx: Context, { seq }: OrganizationRow): Reply {
  const from = 'eligible_feature_sets AS eligible JOIN feature_sets ON feature_sets.seq = eligible.feature_set';
  const isOwn: Condition = ['eligible.organization = ?', seq];
  return replyFeatureSets(
    ctx,
    ctx.store.select('feature_sets.id, eligible.attributes', from, [isOwn], 'feature_sets.seq'),
  );
}

function replyFeatureSets(ctx: Context, rows: RowQuery<FeatureSetRow>): Reply {
  return replyAll(ctx, rows, (page) => ({ data: page.map(formatFeatureSet) }));
}

function showEntitlements(ctx: Context, organization: OrganizationRow): Reply {
  return replyOne(ctx, { data: [formatEntitlements(ctx, organization)] });
}

function showSubscription({ store }: Context, organization: OrganizationRow): Reply {
  const plan = assertFound(findPlan(store, organization.seq));
  const data = formatSubscription(organization, plan);
  return { status: 200, body: { data, included: [formatFeatureSet(plan)] } };
}
