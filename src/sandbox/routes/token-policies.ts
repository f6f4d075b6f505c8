import { isAllowed, requireOrganization } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toTokenPolicy } from '../documents.ts';
import type { Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { listTokenPolicies, setMaxTtl, TOKEN_TYPES, type TokenType } from '../queries/token-policies.ts';
import { type Form, type Members, readForm, toMembers } from '../request.ts';
import { type Answer, type Context, ORGANIZATION, type Route, routesAbout } from '../route.ts';
import { TOKEN_POLICIES } from '../wire/resources.ts';

const PATH = `${ORGANIZATION}/token-ttl-policies`;

/** The policy of every organization until an owner sets another, in milliseconds: two mean years. */
const DEFAULT_MAX_TTL = 63_113_904_000;
const SHORTEST_MAX_TTL = 3_600_000;

const ofOwned = routesAbout(requireOwned);

/**
 * Outside the service's document, so Assumed throughout. The default policy is listed and limits nothing; the others limit
 * only while the organization's `max-ttl-enabled` is true.
 */
export const TOKEN_POLICY_ROUTES: readonly Route[] = [
  ofOwned('GET', PATH, 'token-policies.list', toAnswer),
  ofOwned('PATCH', PATH, 'token-policies.change', change),
];

/** Policies that the body leaves out stay as they are. A limit that is on holds at once, also for tokens that exist. */
function change(context: Context, organization: OrganizationRow): Answer {
  const { store, now } = context;
  for (const { type, maxTtl } of readPolicies(context)) setMaxTtl(store, organization.seq, type, maxTtl, now);
  recordEvent(context, organization, { type: 'organization', action: 'update', id: organization.id });
  return toAnswer(context, organization);
}

function toAnswer({ store }: Context, organization: OrganizationRow): Answer {
  const set = listTokenPolicies(store, organization.seq);
  const data = TOKEN_TYPES.map((type) => {
    const { created_at } = organization;
    const usual = { token_type: type, max_ttl_ms: DEFAULT_MAX_TTL, created_at, updated_at: created_at };
    return toTokenPolicy(organization.id, set.find((row) => row.token_type === type) ?? usual);
  });
  return { status: 200, body: { data } };
}

/** Throws 404 for a caller who is no member, and 403 for a member who may not do this. */
function requireOwned(context: Context, operation: Operation): OrganizationRow {
  const organization = requireOrganization(context, 'memberships.list');
  if (!isAllowed(context, organization.seq, operation)) throw createProblem(403);
  return organization;
}

interface Wanted {
  readonly type: TokenType;
  readonly maxTtl: number;
}

function readPolicies(context: Context): readonly Wanted[] {
  const form = readForm(context, TOKEN_POLICIES);
  const given = form.attributes['token-ttl-policies'];
  const isList = Array.isArray(given) && given.length > 0;
  if (!isList) form.note('attributes/token-ttl-policies', 'Token ttl policies must name at least one policy');
  const wanted = isList ? given.map((policy: unknown, index) => readPolicy(toMembers(policy), index, form)) : [];
  form.check();
  return wanted.filter((policy) => policy !== undefined);
}

function readPolicy(policy: Members, index: number, { note }: Form): Wanted | undefined {
  const path = `attributes/token-ttl-policies/${index}`;
  const type = TOKEN_TYPES.find((known) => known === policy['token-type']);
  if (type === undefined) note(`${path}/token-type`, `Token type must be one of: ${TOKEN_TYPES.join(', ')}`);
  const maxTtl = policy['max-ttl-ms'];
  const isInRange = Number.isInteger(maxTtl) && Number(maxTtl) >= SHORTEST_MAX_TTL && Number(maxTtl) <= DEFAULT_MAX_TTL;
  if (!isInRange) {
    note(`${path}/max-ttl-ms`, `Max ttl ms must be a whole number from ${SHORTEST_MAX_TTL} to ${DEFAULT_MAX_TTL}`);
  }
  return type === undefined || !isInRange ? undefined : { type, maxTtl: Number(maxTtl) };
}
