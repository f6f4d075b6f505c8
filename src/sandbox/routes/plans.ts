import { requireOrganization, requirePermission } from '../access.ts';
import { toFeatureSet, toListDocument, toSubscription } from '../documents.ts';
import { readPageIfAsked, toRange } from '../pagination.ts';
import { createInvalid } from '../problems.ts';
import {
  countFeatureSets,
  type FeatureSetRow,
  findFeatureSet,
  listFeatureSets,
  subscribe,
} from '../queries/feature-sets.ts';
import { limitUsers } from '../queries/organizations.ts';
import { readParameter, toMembers } from '../request.ts';
import type { Answer, Context, Route } from '../route.ts';

/** Outside the service's document, so Assumed throughout: how an operator of the service changes an organization's plan. */
export const PLAN_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/admin/feature-sets', documented: false, hosted: true, handle: list },
  {
    method: 'POST',
    path: '/admin/organizations/:organization_name/subscription',
    documented: false,
    hosted: true,
    handle: change,
  },
];

function list(context: Context): Answer {
  requirePermission(context, 'plans.list');
  const { store, url } = context;
  const page = readPageIfAsked(url);
  const filter = { all: true, search: readParameter(url, 'q') };
  const data = listFeatureSets(store, toRange(page), filter).map(toFeatureSet);
  return { status: 200, body: toListDocument(url, page, countFeatureSets(store, filter), data) };
}

function change(context: Context): Answer {
  const organization = requireOrganization(context, 'plans.change');
  const data = toMembers(context.body()['data']);
  const wanted = toMembers(toMembers(toMembers(data['relationships'])['feature-set'])['data'])['id'];
  const plan = typeof wanted === 'string' ? findFeatureSet(context.store, wanted) : undefined;
  if (plan === undefined) {
    const pointer = '/data/relationships/feature-set';
    throw createInvalid([{ detail: 'Feature set must be the id of one', pointer }]);
  }
  changePlan(context, organization.seq, plan, toMembers(data['attributes'])['contract-user-limit']);
  return { status: 200, body: { data: toSubscription(organization, plan), included: [toFeatureSet(plan)] } };
}

/** Users are limited by the contract, else by the plan. */
export function changePlan(
  { store }: Context,
  organization: number,
  plan: FeatureSetRow,
  contractLimit?: unknown,
): void {
  subscribe(store, organization, plan);
  const limit = contractLimit ?? toMembers(JSON.parse(plan.attributes))['user-limit'];
  limitUsers(store, organization, Number.isInteger(limit) ? Number(limit) : null);
}
