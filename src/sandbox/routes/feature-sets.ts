import { assertFound, findPlan, withOrganization, withPermission } from '../access.ts';
import { createFieldError } from '../bodies.ts';
import { asObject, type Context, type Reply, type Route, readQuery } from '../context.ts';
import { replyAll } from '../pages.ts';
import { formatFeatureSet, formatSubscription } from '../resources.ts';
import { type FeatureSetRow, type OrganizationRow, readAttributes } from '../rows.ts';
import { type Condition, fold, type RowQuery } from '../store.ts';

const ALL = '/feature-sets';
const ELIGIBLE = '/organizations/:organization_name/feature-sets';
const SUBSCRIPTION = '/organizations/:organization_name/subscription';

/** Only the hosted edition has these routes. */
export const FEATURE_SETS: Route[] = [
  { method: 'GET', path: ALL, handle: withPermission('service.read', listAll), documented: true },
  { method: 'GET', path: ELIGIBLE, handle: withOrganization('organizations.read', listEligible), documented: true },
  { method: 'GET', path: SUBSCRIPTION, handle: withOrganization('organizations.read', showSubscription) },
  // The tests of other clients begin by changing the plan, as an operator of the service would.
  { method: 'GET', path: `/admin${ALL}`, handle: withPermission('service.read', searchPlans) },
  { method: 'POST', path: `/admin${SUBSCRIPTION}`, handle: withOrganization('organizations.manage', subscribe) },
];

function listAll(ctx: Context): Reply {
  return replyFeatureSets(ctx, ctx.store.select('id, attributes', 'feature_sets', []));
}

function listEligible(ctx: Context, { seq }: OrganizationRow): Reply {
  const from = 'eligible_feature_sets AS eligible JOIN feature_sets ON feature_sets.seq = eligible.feature_set';
  const isOwn: Condition = ['eligible.organization = ?', seq];
  return replyFeatureSets(ctx, ctx.store.select('id, eligible.attributes', from, [isOwn]));
}

function replyFeatureSets(ctx: Context, rows: RowQuery<FeatureSetRow>): Reply {
  return replyAll(ctx, rows, (page) => ({ data: page.map(formatFeatureSet) }));
}

function showSubscription({ store }: Context, organization: OrganizationRow): Reply {
  const plan = assertFound(findPlan(store, organization.seq));
  const data = formatSubscription(organization, plan);
  return { status: 200, body: { data, included: [formatFeatureSet(plan)] } };
}

/** The largest plan stands for those that are no longer sold. */
function searchPlans(ctx: Context): Reply {
  const search = fold(readQuery(ctx, 'q') ?? '');
  const plans = ctx.store.all<FeatureSetRow>('SELECT id, attributes FROM feature_sets ORDER BY seq');
  const found = plans.filter((plan) => search.includes(fold(String(readAttributes(plan)['name']))));
  return { status: 200, body: { data: (found.length > 0 ? found : plans.toReversed()).map(formatFeatureSet) } };
}

function subscribe(ctx: Context, organization: OrganizationRow): Reply {
  const { store } = ctx;
  const data = asObject(ctx.body()['data']);
  const { id } = asObject(asObject(asObject(data['relationships'])['feature-set'])['data']);
  const plan = store.first<FeatureSetRow>('SELECT id, attributes FROM feature_sets WHERE id = ?', String(id));
  if (plan === undefined) throw createFieldError('relationships/feature-set', 'Feature set must be the id of one');
  const update = `UPDATE eligible_feature_sets SET attributes = json_set(attributes, '$."is-current"',
    json(iif(feature_set = (SELECT seq FROM feature_sets WHERE id = ?), 'true', 'false'))) WHERE organization = ?`;
  store.run(update, plan.id, organization.seq);
  const limit = asObject(data['attributes'])['contract-user-limit'] ?? readAttributes(plan)['user-limit'];
  store.update('organizations', organization.seq, { user_limit: typeof limit === 'number' ? limit : null });
  return showSubscription(ctx, organization);
}
