import { requireOrganization, requirePermission } from '../access.ts';
import { toFeatureSet, toListDocument } from '../documents.ts';
import { readPageIfAsked, toRange } from '../pagination.ts';
import {
  countEligibleFeatureSets,
  countFeatureSets,
  listEligibleFeatureSets,
  listFeatureSets,
} from '../queries/feature-sets.ts';
import type { Answer, Context, Route } from '../route.ts';

export const FEATURE_SET_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/feature-sets', documented: true, handle: listAll },
  { method: 'GET', path: '/organizations/:organization_name/feature-sets', documented: true, handle: listEligible },
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
