import * as v from 'valibot';
import { findPermissions, withOrganization } from '../access.ts';
import { optionalObject, parseAttributes } from '../bodies.ts';
import type { Context, Reply, Route } from '../context.ts';
import { createHttpError } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { formatColumns } from '../resources.ts';
import { type OrganizationRow, readSettings } from '../rows.ts';

const TYPE = 'organization-token-ttl-policies';
const PATH = '/organizations/:organization_name/token-ttl-policies';

/** Policies apply while the organization's `max-ttl-enabled` is true. A member who is not an owner gets 403. */
export const TOKEN_POLICIES: Route[] = [
  { method: 'GET', path: PATH, handle: withOrganization('memberships.read', list) },
  { method: 'PATCH', path: PATH, handle: withOrganization('memberships.read', update) },
];

const TYPES = ['organization', 'team', 'user', 'audit_trails', 'metrics'] as const;
export type TokenType = (typeof TYPES)[number];

/** Two mean years, listed until an owner sets another limit. The default limits nothing. */
const DEFAULT_MAX_TTL = 63_113_904_000;
const MIN_MAX_TTL = 3_600_000;

type PolicyRow = Record<'max_ttl_ms' | 'created_at' | 'updated_at', number> & { token_type: TokenType };

function listPolicies({ store }: Context, organization: OrganizationRow): PolicyRow[] {
  return store.all('SELECT * FROM token_policies WHERE organization = ?', organization.seq);
}

export function findMaxTtl(ctx: Context, organization: OrganizationRow, type: TokenType): number | undefined {
  if (readSettings(organization)['max-ttl-enabled'] !== true) return undefined;
  return listPolicies(ctx, organization).find((row) => row.token_type === type)?.max_ttl_ms;
}

function update(ctx: Context, organization: OrganizationRow): Reply {
  const { store, now } = ctx;
  if (!findPermissions(ctx, organization.seq).has('token-policies.change')) throw createHttpError(403);
  const sql = `INSERT INTO token_policies (organization, token_type, max_ttl_ms, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET max_ttl_ms = excluded.max_ttl_ms, updated_at = excluded.updated_at`;
  for (const { 'token-type': type, 'max-ttl-ms': maxTtl } of readPolicies(ctx)) {
    store.run(sql, organization.seq, type, maxTtl, now, now);
  }
  recordEvent(ctx, organization, { type: 'organization', action: 'update', id: organization.id });
  return list(ctx, organization);
}

function readPolicies(ctx: Context) {
  const range = `Max ttl ms must be a whole number from ${MIN_MAX_TTL} to ${DEFAULT_MAX_TTL}`;
  const isInRange = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= MIN_MAX_TTL && Number(value) <= DEFAULT_MAX_TTL;
  const types = v.picklist(TYPES, `Token type must be one of: ${TYPES.join(', ')}`);
  const policy = optionalObject({
    'token-type': v.optional(types, '' as 'user'),
    'max-ttl-ms': v.optional(v.custom<number>(isInRange, range), 0),
  });
  const none = 'Token ttl policies must name at least one policy';
  const policies = v.optional(v.pipe(v.array(policy, none), v.minLength(1, none)), []);
  return parseAttributes(ctx, TYPE, { 'token-ttl-policies': policies })['token-ttl-policies'];
}

function list(ctx: Context, organization: OrganizationRow): Reply {
  if (!findPermissions(ctx, organization.seq).has('token-policies.read')) throw createHttpError(403);
  const { id, created_at } = organization;
  const policies = listPolicies(ctx, organization);
  const data = TYPES.map((type) => {
    const defaultRow = { token_type: type, max_ttl_ms: DEFAULT_MAX_TTL, created_at, updated_at: created_at };
    const row: PolicyRow = policies.find((each) => each.token_type === type) ?? defaultRow;
    const attributes = formatColumns(row, 'token_type', 'max_ttl_ms', 'created_at', 'updated_at');
    return { id: id.replace(/^org-/, `ttl-${type.replace('_', '-')}-`), type: TYPE, attributes };
  });
  return { status: 200, body: { data } };
}
