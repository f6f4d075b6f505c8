import * as v from 'valibot';
import {
  assertFound,
  findOrganizationByName,
  findOrganizationRow,
  withOrganization,
  withPermission,
} from '../access.ts';
import { createFieldError, parseAttributes, text } from '../bodies.ts';
import { type Context, NO_CONTENT, type Reply, type Route, readQuery } from '../context.ts';
import { recordEvent } from '../events.ts';
import { replyAll, replyOne } from '../pages.ts';
import { insertMembership } from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { formatEntitlements, formatOrganization } from '../resources.ts';
import { DEFAULT_SETTINGS, type OrganizationRow, readSettings } from '../rows.ts';
import { type Condition, contains, fold, NO_ROWS } from '../store.ts';

const ITEM = '/organizations/:organization_name';

/** Clients ask for it, and the sandbox has no projects. */
const includes = ['default-project'];

export const ORGANIZATIONS: Route[] = [
  { method: 'GET', path: '/organizations', handle: withPermission('service.read', list), includes },
  { method: 'POST', path: '/organizations', handle: withPermission('organizations.create', create) },
  { method: 'GET', path: ITEM, handle: withOrganization('organizations.read', show), includes },
  { method: 'PATCH', path: ITEM, handle: withOrganization('organizations.manage', update) },
  { method: 'DELETE', path: ITEM, handle: withOrganization('organizations.manage', remove) },
  { method: 'GET', path: `${ITEM}/entitlement-set`, handle: withOrganization('organizations.read', showEntitlements) },
  // The sandbox has no stacks. Clients look for stacks before they delete an organization.
  { method: 'GET', path: `${ITEM}/stacks`, handle: withOrganization('organizations.read', listStacks) },
];

function list(ctx: Context): Reply {
  const { caller, store } = ctx;
  const isJoined = "seq IN (SELECT organization FROM memberships WHERE user = ? AND status = 'active')";
  const isOwn: Condition = caller.user === null ? ['seq = ?', caller.organization] : [isJoined, caller.user.seq];
  const rows = store.select<OrganizationRow>('*', 'organizations', [
    isOwn,
    contains(readQuery(ctx, 'q'), 'folded', 'lower(email)'),
  ]);
  return replyAll(ctx, rows, (page) => ({ data: page.map((row) => formatOrganization(ctx, row)) }));
}

function show(ctx: Context, organization: OrganizationRow): Reply {
  return replyOne(ctx, { data: [formatOrganization(ctx, organization)] });
}

function showEntitlements(ctx: Context, organization: OrganizationRow): Reply {
  return replyOne(ctx, { data: [formatEntitlements(ctx, organization)] });
}

function listStacks(ctx: Context): Reply {
  return replyAll(ctx, NO_ROWS, () => ({ data: [] }));
}

function create(ctx: Context): Reply {
  const { store, ids, now, rules, caller } = ctx;
  const columns = readOrganization(ctx, undefined);
  const firstPlan = rules.isReal ? 'free' : 'standard';
  const plan = "SELECT min(seq) FROM feature_sets WHERE attributes ->> 'identifier' = ?";
  const sql = `SELECT attributes ->> 'user-limit' AS user_limit FROM feature_sets WHERE seq = (${plan})`;
  const limit = store.first<object>(sql, firstPlan);
  const defaults = { created_at: now, curation: 1, note: 'created by a request', ...limit };
  const { seq } = store.insert('organizations', { ...defaults, ...columns, id: ids.id('org') });
  const plans = `INSERT INTO eligible_feature_sets (organization, feature_set, attributes) SELECT ?, seq,
    json_set(attributes, '$."is-current"', json(iif(seq = (${plan}), 'true', 'false'))) FROM feature_sets`;
  store.run(plans, seq, firstPlan);
  const owners = { name: OWNERS_TEAM, name_folded: OWNERS_TEAM, visibility: 'organization' };
  const { seq: team } = store.insert('teams', { ...owners, id: ids.id('team'), organization: seq });
  const user = assertFound(caller.user).seq;
  insertMembership(store, { id: ids.id('ou'), organization: seq, user, status: 'active', created_at: now }, [team]);
  return replySaved(ctx, seq, 'create');
}

/** A new name changes the namespace of private providers and the creator of tokens, too. */
function update(ctx: Context, organization: OrganizationRow): Reply {
  const { store } = ctx;
  const { seq } = organization;
  const columns = readOrganization(ctx, organization);
  store.update('organizations', seq, columns);
  const providers = `UPDATE providers SET namespace = ?, namespace_folded = ?
    WHERE organization = ? AND registry_name = 'private'`;
  store.run(providers, columns.name, columns.folded, seq);
  const tokens = "UPDATE tokens SET creator_id = ? WHERE organization = ? AND creator_type = 'organizations'";
  store.run(tokens, columns.name, seq);
  return replySaved(ctx, seq, 'update');
}

function remove({ store }: Context, { seq }: OrganizationRow): Reply {
  store.remove('organizations', seq);
  return NO_CONTENT;
}

function replySaved(ctx: Context, seq: number, action: 'create' | 'update'): Reply {
  const organization = assertFound(findOrganizationRow(ctx, seq));
  recordEvent(ctx, organization, { type: 'organization', action, id: organization.id });
  return replyOne(ctx, { data: [formatOrganization(ctx, organization)] }, action === 'create' ? 201 : 200);
}

function readOrganization(ctx: Context, existing: OrganizationRow | undefined) {
  const { name, email, ...changes } = parseAttributes(ctx, 'organizations', {
    name: v.optional(text('Name', /^[\w-]+$/), existing?.name ?? ''),
    email: v.optional(text('Email', /^[^\s@]+@[^\s@]+$/), existing?.email ?? ''),
    ...SETTINGS_SCHEMA,
  });
  const other = findOrganizationByName(ctx, name);
  if (other !== undefined && other.seq !== existing?.seq) {
    throw createFieldError('attributes/name', 'Name has already been taken');
  }
  const settings = { ...(existing ? readSettings(existing) : DEFAULT_SETTINGS), ...changes };
  return { name, folded: fold(name), email, settings: JSON.stringify(settings) };
}

const MINUTES = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(525_600)));

/** The other settings are true or false. */
const SCHEMAS: Record<string, v.GenericSchema> = {
  'collaborator-auth-policy': v.picklist(['password', 'two_factor_mandatory']),
  'default-execution-mode': v.picklist(['remote', 'local', 'agent']),
  'owners-team-saml-role-id': v.nullable(v.string()),
  'session-remember': MINUTES,
  'session-timeout': MINUTES,
};

const SETTINGS_SCHEMA = Object.fromEntries(
  Object.keys(DEFAULT_SETTINGS).map((name) => {
    const schema = v.message(SCHEMAS[name] ?? v.boolean(), `${name} is invalid`);
    return [name, v.optional(schema)];
  }),
);
