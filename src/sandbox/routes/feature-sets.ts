import { ofCaller, ofOrganization, requirePresent } from '../access.ts';
import { answerList, answerOne } from '../answers.ts';
import { toEntitlementSet, toFeatureSet, toSubscription } from '../documents.ts';
import { readPageIfAsked } from '../pagination.ts';
import {
  type FeatureSetRow,
  findCurrentFeatureSet,
  selectEligibleFeatureSets,
  selectFeatureSets,
} from '../queries/feature-sets.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { type Answer, type Context, ORGANIZATION, type Route } from '../route.ts';
import type { Listing } from '../rows.ts';

const DOCUMENTED = { documented: true, hosted: true };

export const FEATURE_SET_ROUTES: readonly Route[] = [
  ofCaller('GET', '/feature-sets', 'feature-sets.list', listAll, DOCUMENTED),
  ofOrganization('GET', `${ORGANIZATION}/feature-sets`, 'feature-sets.list-eligible', listEligible, DOCUMENTED),
  ofOrganization('GET', `${ORGANIZATION}/entitlement-set`, 'entitlements.show', showEntitlements),
  ofOrganization('GET', `${ORGANIZATION}/subscription`, 'subscription.show', showSubscription, { hosted: true }),
];

function listAll(context: Context): Answer {
  return answerFeatureSets(context, selectFeatureSets(context.store));
}

function listEligible(context: Context, { seq }: OrganizationRow): Answer {
  return answerFeatureSets(context, selectEligibleFeatureSets(context.store, seq));
}

/** Answers all of them at once unless the request asks for a page. */
export function answerFeatureSets(context: Context, rows: Listing<FeatureSetRow>): Answer {
  return answerList(context, readPageIfAsked(context.url), rows, (page) => ({ data: page.map(toFeatureSet) }));
}

/**
 * Assumed: the entitlements of an organization are those of its current plan, with the organization's own limit of
 * users.
 */
function showEntitlements(context: Context, organization: OrganizationRow): Answer {
  const current = findCurrentFeatureSet(context.store, organization.seq);
  return answerOne(context, { data: [toEntitlementSet(organization, current, context.rules)] });
}

function showSubscription(context: Context, organization: OrganizationRow): Answer {
  return answerSubscription(organization, requirePresent(findCurrentFeatureSet(context.store, organization.seq)));
}

/** Assumed: every organization has a subscription, and the answer always includes its plan. */
export function answerSubscription(organization: OrganizationRow, plan: FeatureSetRow): Answer {
  return { status: 200, body: { data: toSubscription(organization, plan), included: [toFeatureSet(plan)] } };
}
