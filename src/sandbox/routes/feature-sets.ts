import { assertFound, findPlan } from '../access.ts';
import type { Answer, Call, Route } from '../call.ts';
import { formatEntitlements, formatFeatureSet, formatSubscription } from '../documents.ts';
import { answerAll, answerOne } from '../pages.ts';
import type { FeatureSetRow, OrganizationRow } from '../rows.ts';
import type { Listing } from '../store.ts';

const DOCUMENTED = { documented: true, hosted: true } as const;
const ORGANIZATION = '/organizations/:organization_name';

export const FEATURE_SETS: readonly Route[] = [
  ['GET', '/feature-sets', 'feature-sets.read', listAll, DOCUMENTED],
  ['GET', `${ORGANIZATION}/feature-sets`, 'organizations.read', listEligible, DOCUMENTED],
  ['GET', `${ORGANIZATION}/entitlement-set`, 'organizations.read', showEntitlements],
  ['GET', `${ORGANIZATION}/subscription`, 'organizations.read', showSubscription, { hosted: true }],
];

function listAll(call: Call): Answer {
  return answer(call, call.store.select('id, attributes', 'feature_sets', []));
}

function listEligible(call: Call, { seq }: OrganizationRow): Answer {
  const from = 'eligible_feature_sets AS eligible JOIN feature_sets ON feature_sets.seq = eligible.feature_set';
  const isOwn = ['eligible.organization = ?', seq] as const;
  return answer(call, call.store.select('feature_sets.id, eligible.attributes', from, [isOwn], 'feature_sets.seq'));
}

function answer(call: Call, rows: Listing<FeatureSetRow>): Answer {
  return answerAll(call, rows, (page) => ({ data: page.map(formatFeatureSet) }));
}

function showEntitlements(call: Call, organization: OrganizationRow): Answer {
  const plan = findPlan(call.store, organization.seq);
  return answerOne(call, { data: [formatEntitlements(organization, plan, call)] });
}

function showSubscription({ store }: Call, organization: OrganizationRow): Answer {
  const plan = assertFound(findPlan(store, organization.seq));
  const data = formatSubscription(organization, plan);
  return { status: 200, body: { data, included: [formatFeatureSet(plan)] } };
}
