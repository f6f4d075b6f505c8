import { ofCaller, ofOrganization } from '../access.ts';
import {
  type FeatureSetRow,
  findFeatureSet,
  readAttributes,
  selectFeatureSets,
  subscribe,
} from '../queries/feature-sets.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { readForm, readParameter, toMembers } from '../request.ts';
import { type Answer, type Context, ORGANIZATION, type Route } from '../route.ts';
import { answerFeatureSets, answerSubscription } from './feature-sets.ts';

const PLAN = `/admin${ORGANIZATION}/subscription`;

/** Outside the service's document, so Assumed throughout: how an operator of the service changes an organization's plan. */
export const PLAN_ROUTES: readonly Route[] = [
  ofCaller('GET', '/admin/feature-sets', 'plans.list', list, { hosted: true }),
  ofOrganization('POST', PLAN, 'plans.change', change, { hosted: true }),
];

function list(context: Context): Answer {
  return answerFeatureSets(context, selectFeatureSets(context.store, true, readParameter(context.url, 'q')));
}

function change(context: Context, organization: OrganizationRow): Answer {
  const form = readForm(context);
  const wanted = toMembers(toMembers(toMembers(form.data['relationships'])['feature-set'])['data'])['id'];
  const plan = typeof wanted === 'string' ? findFeatureSet(context.store, wanted) : undefined;
  if (plan === undefined) throw form.refuse('relationships/feature-set', 'Feature set must be the id of one');
  changePlan(context, organization.seq, plan, form.attributes['contract-user-limit']);
  return answerSubscription(organization, plan);
}

/** The contract limits the number of users; without one the plan does. */
export function changePlan(
  { store }: Context,
  organization: number,
  plan: FeatureSetRow,
  contractLimit?: unknown,
): void {
  subscribe(store, organization, plan);
  const limit = contractLimit ?? readAttributes(plan)['user-limit'];
  store.update('organizations', organization, { user_limit: Number.isInteger(limit) ? Number(limit) : null });
}
