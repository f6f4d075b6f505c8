import * as v from 'valibot';
import { findMay } from '../access.ts';
import { members, readForm } from '../bodies.ts';
import type { Answer, Call, Route } from '../call.ts';
import { formatColumns } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { type OrganizationRow, readSettings } from '../rows.ts';

const TYPE = 'organization-token-ttl-policies';
const PATH = '/organizations/:organization_name/token-ttl-policies';

/** How long tokens may be valid, while the organization's `max-ttl-enabled` is true. A member who is no owner gets 403. */
export const TOKEN_POLICIES: readonly Route[] = [
  ['GET', PATH, 'memberships.read', answer],
  ['PATCH', PATH, 'memberships.read', change],
];

const TYPES = ['organization', 'team', 'user', 'audit_trails', 'metrics'] as const;
export type TokenType = (typeof TYPES)[number];

/** Two mean years: what is listed until an owner sets another. It limits nothing. */
const DEFAULT_MAX_TTL = 63_113_904_000;
const MIN_MAX_TTL = 3_600_000;

type PolicyRow = Record<'max_ttl_ms' | 'created_at' | 'updated_at', number> & { token_type: TokenType };

function listPolicies({ store }: Call, organization: OrganizationRow): PolicyRow[] {
  return store.all('SELECT * FROM token_policies WHERE organization = ?', organization.seq);
}

export function findMaxTtl(call: Call, organization: OrganizationRow, type: TokenType): number | undefined {
  if (readSettings(organization)['max-ttl-enabled'] !== true) return undefined;
  return listPolicies(call, organization).find((row) => row.token_type === type)?.max_ttl_ms;
}

function change(call: Call, organization: OrganizationRow): Answer {
  const { store, now } = call;
  if (!findMay(call, organization.seq)('token-policies.change')) throw createProblem(403);
  const sql = `INSERT INTO token_policies (organization, token_type, max_ttl_ms, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET max_ttl_ms = excluded.max_ttl_ms, updated_at = excluded.updated_at`;
  for (const { 'token-type': type, 'max-ttl-ms': maxTtl } of readPolicies(call)) {
    store.run(sql, organization.seq, type, maxTtl, now, now);
  }
  recordEvent(call, organization, { type: 'organization', action: 'update', id: organization.id });
  return answer(call, organization);
}

function readPolicies(call: Call) {
  const range = `Max ttl ms must be a whole number from ${MIN_MAX_TTL} to ${DEFAULT_MAX_TTL}`;
  const isInRange = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= MIN_MAX_TTL && Number(value) <= DEFAULT_MAX_TTL;
  const types = v.picklist(TYPES, `Token type must be one of: ${TYPES.join(', ')}`);
  const policy = members({
    'token-type': v.optional(types, '' as 'user'),
    'max-ttl-ms': v.optional(v.custom<number>(isInRange, range), 0),
  });
  const none = 'Token ttl policies must name at least one policy';
  const policies = v.optional(v.pipe(v.array(policy, none), v.minLength(1, none)), []);
  const form = readForm(call, TYPE, { 'token-ttl-policies': policies });
  return form.check()['token-ttl-policies'];
}

function answer(call: Call, organization: OrganizationRow): Answer {
  if (!findMay(call, organization.seq)('token-policies.read')) throw createProblem(403);
  const { id, created_at } = organization;
  const known = listPolicies(call, organization);
  const data = TYPES.map((type) => {
    const usual = { token_type: type, max_ttl_ms: DEFAULT_MAX_TTL, created_at, updated_at: created_at };
    const row: PolicyRow = known.find((each) => each.token_type === type) ?? usual;
    const attributes = formatColumns(row, 'token_type', 'max_ttl_ms', 'created_at', 'updated_at');
    return { id: id.replace(/^org-/, `ttl-${type.replace('_', '-')}-`), type: TYPE, attributes };
  });
  return { status: 200, body: { data } };
}
