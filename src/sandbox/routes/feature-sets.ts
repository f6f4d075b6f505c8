import { requireOrganization, requirePermission, requirePresent } from '../access.ts';
import { toEntitlementSet, toFeatureSet, toListDocument, toSubscription } from '../documents.ts';
import { readPageIfAsked, toRange } from '../pagination.ts';
import {
  countEligibleFeatureSets,
  countFeatureSets,
  findCurrentFeatureSet,
  listEligibleFeatureSets,
  listFeatureSets,
} from '../queries/feature-sets.ts';
import type { Answer, Context, Route } from '../route.ts';

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
  const { store, url } = context;
  const page = readPageIfAsked(url);
  const data = listFeatureSets(store, toRange(page)).map(toFeatureSet);
  return { status: 200, body: toListDocument(url, page, countFeatureSets(store), data) };
}

function listEligible(context: Context): Answer {
  const { seq } = requireOrganization(context, 'feature-sets.list-eligible');
  const { store, url } = context;
  const page = readPageIfAsked(url);
  const data = listEligibleFeatureSets(store, seq, toRange(page)).map(toFeatureSet);
  return { status: 200, body: toListDocument(url, page, countEligibleFeatureSets(store, seq), data) };
}

/** Assumed: what the current plan has, and the organization's own limit. */
function showEntitlements(context: Context): Answer {
  const organization = requireOrganization(context, 'entitlements.show');
  return {
    status: 200,
    body: {
      data: toEntitlementSet(organization, findCurrentFeatureSet(context.store, organization.seq), context.rules),
    },
  };
}

/** Assumed: every organization has subscribed to the current plan, which is always sent along. */
function showSubscription(context: Context): Answer {
  const organization = requireOrganization(context, 'subscription.show');
  const current = requirePresent(findCurrentFeatureSet(context.store, organization.seq));
  return { status: 200, body: { data: toSubscription(organization, current), included: [toFeatureSet(current)] } };
}
