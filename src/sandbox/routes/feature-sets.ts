import { requireOrganization, requirePermission, requirePresent } from '../access.ts';
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
import { type Answer, type Context, type Route, routesAbout } from '../route.ts';
import type { Listing } from '../store.ts';

const ofCaller = routesAbout(requirePermission);
const ofOrganization = routesAbout(requireOrganization);
const ONE = '/organizations/:organization_name';
const DOCUMENTED = { documented: true, hosted: true };

export const FEATURE_SET_ROUTES: readonly Route[] = [
  ofCaller('GET', '/feature-sets', 'feature-sets.list', listAll, DOCUMENTED),
  ofOrganization('GET', `${ONE}/feature-sets`, 'feature-sets.list-eligible', listEligible, DOCUMENTED),
  ofOrganization('GET', `${ONE}/entitlement-set`, 'entitlements.show', showEntitlements),
  ofOrganization('GET', `${ONE}/subscription`, 'subscription.show', showSubscription, { hosted: true }),
];

function listAll(context: Context): Answer {
  return answerFeatureSets(context, selectFeatureSets(context.store));
}

function listEligible(context: Context, { seq }: OrganizationRow): Answer {
  return answerFeatureSets(context, selectEligibleFeatureSets(context.store, seq));
}

/** Everything at once unless pages are asked for. */
export function answerFeatureSets(context: Context, rows: Listing<FeatureSetRow>): Answer {
  return answerList(context, readPageIfAsked(context.url), rows, (page) => ({ data: page.map(toFeatureSet) }));
}

/** Assumed: what the current plan has, and the organization's own limit. */
function showEntitlements(context: Context, organization: OrganizationRow): Answer {
  const current = findCurrentFeatureSet(context.store, organization.seq);
  return answerOne(context, { data: [toEntitlementSet(organization, current, context.rules)] });
}

/** Assumed: every organization has subscribed to the current plan, which is always sent along. */
function showSubscription(context: Context, organization: OrganizationRow): Answer {
  const current = requirePresent(findCurrentFeatureSet(context.store, organization.seq));
  return { status: 200, body: { data: toSubscription(organization, current), included: [toFeatureSet(current)] } };
}
