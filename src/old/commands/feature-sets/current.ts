import type { Context } from '../../context/context.ts';
import { getMember, toText } from '../../json-object.ts';
import { toOrganization } from '../../resources/organization.ts';
import type { MemberCounts } from '../../service/memberships.ts';
import { readAll } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import type { Resource } from '../../wire/json-api.ts';
import { ORGANIZATIONS, ofSeveral, showEach } from '../organizations.ts';
import { toFailedStatus } from '../row-error.ts';
import { verb } from '../verb.ts';
import { CURRENT_COLUMNS, CURRENT_STATUS_COLUMNS } from './columns.ts';

export const current = verb({
  name: 'feature-sets current',
  help: "Show an organization's plan, its limits and how many users it has",
  effect: 'reads',
  options: ORGANIZATIONS,
  examples: [
    'orgctl feature-sets current',
    'orgctl feature-sets current --query left',
    'orgctl feature-sets current --all-orgs -o csv',
  ],
  columns: CURRENT_COLUMNS,
  others: ofSeveral(CURRENT_STATUS_COLUMNS),
  printsOne: true,
  run: (context) => (context.organizations.isOne ? showCurrent(context) : showAll(context)),
});

async function showCurrent({ identity, screen, services }: Context): Promise<void> {
  const data = await findCurrent(await services.current(), identity.organization());
  await (await screen.output()).one(CURRENT_COLUMNS, { data });
}

async function showAll(context: Context): Promise<void> {
  const service = await context.services.current();
  await showEach(
    context,
    CURRENT_STATUS_COLUMNS,
    async (_one, organization) => {
      const { attributes, ...found } = await findCurrent(service, organization);
      return { ...found, attributes: { ...attributes, status: 'ok' } };
    },
    (organization, error) => ({
      ...toRow(organization, undefined),
      attributes: { status: toFailedStatus(error), error },
    }),
  );
}

/** The feature set that the organization has, as far as that can be known, and how many users it has. */
async function findCurrent(service: Service, organization: string) {
  const [eligible, everyone, members, entitlements, plan] = await Promise.all([
    readAll(service.listFeatureSets(organization, {})),
    readAll(service.listFeatureSets(undefined, {})),
    service.memberships.countByStatus(organization),
    service.plans.findEntitlements(organization),
    findPlan(service, organization),
  ]);
  // What the organization is offered says more of it than what everyone is.
  const known = [...eligible, ...everyone.filter(({ id }) => !eligible.some((one) => one.id === id))];
  const set = choose(known, plan);
  const attributes = set?.attributes ?? {};
  const limit = findLimit(entitlements, attributes);
  const row = toRow(organization, set);
  return {
    ...row,
    attributes: {
      ...attributes,
      ...(set === undefined ? { name: 'identifier' in plan ? plan.identifier : null } : {}),
      ...readUse(members, limit),
      'audit-logging': entitlements?.attributes?.['audit-logging'] ?? attributes['audit-logging'] ?? null,
      'plan-from': set === undefined && !('identifier' in plan) ? 'unknown' : plan.from,
      entitlements: entitlements?.attributes ?? null,
    },
  };
}

type Plan =
  | { readonly from: 'subscription'; readonly set: Resource }
  | { readonly from: 'organization'; readonly identifier: string }
  | { readonly from: 'only-current' };

/** Which plan the service says it is. */
async function findPlan({ plans }: Service, organization: string): Promise<Plan> {
  const set = await plans.findSubscribed(organization);
  if (set !== undefined) return { from: 'subscription', set };
  const shown = await plans.findOrganization(organization);
  const identifier = toText(getMember(shown, 'attributes', 'plan-identifier'));
  return identifier === undefined || identifier === ''
    ? { from: 'only-current' }
    : { from: 'organization', identifier };
}

/** Identifiers repeat, so that one alone need not decide. */
function choose(known: readonly Resource[], plan: Plan): Resource | undefined {
  if (plan.from === 'subscription') return known.find(({ id }) => id === plan.set.id) ?? plan.set;
  const fit =
    plan.from === 'organization'
      ? known.filter(({ attributes }) => attributes?.['identifier'] === plan.identifier)
      : known;
  const current = fit.filter(({ attributes }) => attributes?.['is-current'] === true);
  if (current.length === 1) return current[0];
  return plan.from === 'organization' && fit.length === 1 ? fit[0] : undefined;
}

/**
 * Null for no limit, undefined where the service doesn't say. Assumed: where the entitlements and the plan name
 * different limits of users, the entitlements count.
 */
function findLimit(
  entitlements: Resource | undefined,
  attributes: Readonly<Record<string, unknown>>,
): number | null | undefined {
  for (const from of [entitlements?.attributes ?? {}, attributes]) {
    const limit = from['user-limit'];
    if (typeof limit === 'number' || (limit === null && Object.hasOwn(from, 'user-limit'))) return limit;
  }
  return undefined;
}

/** Assumed: an invitation takes a seat as a member does, and an inactive member takes none. */
function readUse({ active, invited, inactive }: MemberCounts, limit: number | null | undefined) {
  const used = active + invited;
  return {
    active,
    invited,
    inactive,
    used,
    ...(limit === undefined ? {} : { limit, left: limit === null ? null : Math.max(0, limit - used) }),
  };
}

function toRow(organization: string, set: Resource | undefined) {
  return {
    id: set?.id ?? null,
    type: 'feature-sets',
    relationships: { organization: { data: toOrganization(organization) } },
  };
}
