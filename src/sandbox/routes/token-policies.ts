import { TOKEN_POLICIES } from '../../wire/resources.ts';
import { isAllowed, requireOrganization } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toTokenPolicy } from '../documents.ts';
import type { Operation } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { listTokenPolicies, setMaxTtl, TOKEN_TYPES, type TokenType } from '../queries/token-policies.ts';
import { findTypeFlaws, type Members, toMembers } from '../request.ts';
import type { Answer, Context, Route } from '../route.ts';

const PATH = '/organizations/:organization_name/token-ttl-policies';

/** What every organization has until an owner sets another: two years of the mean length. Milliseconds, as the next. */
const DEFAULT_MAX_TTL = 63_113_904_000;
const SHORTEST_MAX_TTL = 3_600_000;

/**
 * Outside the service's document, so Assumed throughout; also that the default, which is listed, limits nothing, and that
 * the others do only while the organization's `max-ttl-enabled` is true: the document knows of no limit.
 */
export const TOKEN_POLICY_ROUTES: readonly Route[] = [
  { method: 'GET', path: PATH, documented: false, handle: list },
  { method: 'PATCH', path: PATH, documented: false, handle: change },
];

function list(context: Context): Answer {
  return toAnswer(context, requireOwned(context, 'token-policies.list'));
}

/** What the body leaves out stays as it is. A limit that is on holds at once, for tokens that exist too. */
function change(context: Context): Answer {
  const organization = requireOwned(context, 'token-policies.change');
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

/** 404 for who is no member, and 403 for members who may not. */
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
  const data = toMembers(context.body()['data']);
  const flaws: Flaw[] = findTypeFlaws(data, TOKEN_POLICIES);
  const given = toMembers(data['attributes'])['token-ttl-policies'];
  const pointer = '/data/attributes/token-ttl-policies';
  if (!Array.isArray(given) || given.length === 0) {
    flaws.push({ detail: 'Token ttl policies must name at least one policy', pointer });
    throw createInvalid(flaws);
  }
  const wanted = given.map((policy: unknown, index) => readPolicy(toMembers(policy), `${pointer}/${index}`, flaws));
  if (flaws.length > 0) throw createInvalid(flaws);
  return wanted.filter((policy) => policy !== undefined);
}

function readPolicy(policy: Members, pointer: string, flaws: Flaw[]): Wanted | undefined {
  const type = TOKEN_TYPES.find((known) => known === policy['token-type']);
  if (type === undefined) {
    flaws.push({ detail: `Token type must be one of: ${TOKEN_TYPES.join(', ')}`, pointer: `${pointer}/token-type` });
  }
  const maxTtl = policy['max-ttl-ms'];
  const isInRange = Number.isInteger(maxTtl) && Number(maxTtl) >= SHORTEST_MAX_TTL && Number(maxTtl) <= DEFAULT_MAX_TTL;
  if (!isInRange) {
    const detail = `Max ttl ms must be a whole number from ${SHORTEST_MAX_TTL} to ${DEFAULT_MAX_TTL}`;
    flaws.push({ detail, pointer: `${pointer}/max-ttl-ms` });
  }
  return type === undefined || !isInRange ? undefined : { type, maxTtl: Number(maxTtl) };
}
