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
import type { Answer, Context, Route } from '../route.ts';
import type { Listing } from '../store.ts';

export const FEATURE_SET_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/feature-sets', documented: true, hosted: true, handle: listAll },
  {
    method: 'GET',
    path: '/organizations/:organization_name/feature-sets',
    documented: true,
    hosted: true,
    handle: listEligible,
  },
  {
    method: 'GET',
    path: '/organizations/:organization_name/entitlement-set',
    documented: false,
    handle: showEntitlements,
  },
  {
    method: 'GET',
    path: '/organizations/:organization_name/subscription',
    documented: false,
    hosted: true,
    handle: showSubscription,
  },
];

function listAll(context: Context): Answer {
  requirePermission(context, 'feature-sets.list');
  return answerFeatureSets(context, selectFeatureSets(context.store));
}

function listEligible(context: Context): Answer {
  const { seq } = requireOrganization(context, 'feature-sets.list-eligible');
  return answerFeatureSets(context, selectEligibleFeatureSets(context.store, seq));
}

/** Everything at once unless pages are asked for. */
export function answerFeatureSets(context: Context, rows: Listing<FeatureSetRow>): Answer {
  return answerList(context, readPageIfAsked(context.url), rows, (page) => ({ data: page.map(toFeatureSet) }));
}

/** Assumed: what the current plan has, and the organization's own limit. */
function showEntitlements(context: Context): Answer {
  const organization = requireOrganization(context, 'entitlements.show');
  const current = findCurrentFeatureSet(context.store, organization.seq);
  return answerOne(context, { data: [toEntitlementSet(organization, current, context.rules)] });
}

/** Assumed: every organization has subscribed to the current plan, which is always sent along. */
function showSubscription(context: Context): Answer {
  const organization = requireOrganization(context, 'subscription.show');
  const current = requirePresent(findCurrentFeatureSet(context.store, organization.seq));
  return { status: 200, body: { data: toSubscription(organization, current), included: [toFeatureSet(current)] } };
}
