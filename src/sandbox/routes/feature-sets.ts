import { assertFound } from '../access.ts';
import { createFlaw, readForm } from '../bodies.ts';
import { type Answer, asMembers, type Call, type Route, readQuery } from '../call.ts';
import { formatEntitlements, formatFeatureSet, formatSubscription } from '../documents.ts';
import { changePlan, findPlan } from '../organizations.ts';
import { answerList, answerOne, readPageIfAsked } from '../pages.ts';
import type { FeatureSetRow, OrganizationRow } from '../rows.ts';
import { contains, type Listing } from '../store.ts';

const DOCUMENTED = { documented: true, hosted: true } as const;
const ORGANIZATION = '/organizations/:organization_name';

export const FEATURE_SETS: readonly Route[] = [
  ['GET', '/feature-sets', 'feature-sets.read', listAll, DOCUMENTED],
  ['GET', `${ORGANIZATION}/feature-sets`, 'organizations.read', listEligible, DOCUMENTED],
  ['GET', `${ORGANIZATION}/entitlement-set`, 'organizations.read', showEntitlements],
  ['GET', `${ORGANIZATION}/subscription`, 'organizations.read', showSubscription, { hosted: true }],
  // How an operator of the service changes the plan of an organization.
  ['GET', '/admin/feature-sets', 'plans.list', listPlans, { hosted: true }],
  ['POST', `/admin${ORGANIZATION}/subscription`, 'organizations.manage', subscribe, { hosted: true }],
];

function listAll(call: Call): Answer {
  return answerAll(call, call.store.select('id, attributes', 'feature_sets', [['is_listed = 1']]));
}

function listEligible(call: Call, { seq }: OrganizationRow): Answer {
  const from = 'eligible_feature_sets AS eligible JOIN feature_sets ON feature_sets.seq = eligible.feature_set';
  const isOwn = ['eligible.organization = ?', seq] as const;
  return answerAll(call, call.store.select('feature_sets.id, eligible.attributes', from, [isOwn], 'feature_sets.seq'));
}

/** All of them at once unless the request asks for a page. */
function answerAll(call: Call, rows: Listing<FeatureSetRow>): Answer {
  return answerList(call, readPageIfAsked(call), rows, (page) => ({ data: page.map(formatFeatureSet) }));
}

function showEntitlements(call: Call, organization: OrganizationRow): Answer {
  const plan = findPlan(call.store, organization.seq);
  return answerOne(call, { data: [formatEntitlements(organization, plan, call)] });
}

function showSubscription({ store }: Call, organization: OrganizationRow): Answer {
  return answerSubscription(organization, assertFound(findPlan(store, organization.seq)));
}

/** The plan is always included. */
function answerSubscription(organization: OrganizationRow, plan: FeatureSetRow): Answer {
  const data = formatSubscription(organization, plan);
  return { status: 200, body: { data, included: [formatFeatureSet(plan)] } };
}

/** Those too that the service no longer lists. */
function listPlans(call: Call): Answer {
  const search = contains(readQuery(call, 'q'), "lower(attributes ->> 'name')");
  return answerAll(call, call.store.select('id, attributes', 'feature_sets', [search]));
}

function subscribe(call: Call, organization: OrganizationRow): Answer {
  const { data } = readForm(call, undefined, {});
  const wanted = asMembers(asMembers(asMembers(data['relationships'])['feature-set'])['data'])['id'];
  const plan = typeof wanted === 'string' ? findFeatureSet(call, wanted) : undefined;
  if (plan === undefined) throw createFlaw('relationships/feature-set', 'Feature set must be the id of one');
  changePlan(call.store, organization.seq, plan, asMembers(data['attributes'])['contract-user-limit']);
  return answerSubscription(organization, plan);
}

/** The first with that id or identifier. */
export function findFeatureSet({ store }: Call, name: string): FeatureSetRow | undefined {
  const sql = "SELECT id, attributes FROM feature_sets WHERE id = ? OR attributes ->> 'identifier' = ? ORDER BY seq";
  return store.first(sql, name, name);
}
