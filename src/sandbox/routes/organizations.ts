import * as v from 'valibot';
import { assertFound, findByName, findMay, findPlan, getOrganization } from '../access.ts';
import { readForm, text } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route, readQuery } from '../call.ts';
import { formatEntitlements, formatOrganization, formatSubscription, type Resource } from '../documents.ts';
import { recordEvent } from '../events.ts';
import { answerAll, answerOne, type Resources } from '../pages.ts';
import { insertMembership } from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { DEFAULT_SETTINGS, type OrganizationRow, readSettings } from '../rows.ts';
import { type Condition, contains, fold, NO_ROWS } from '../store.ts';

const ONE = '/organizations/:organization_name';

/** What clients ask for. The sandbox has no projects, and includes nothing for the last. */
const includes = ['subscription', 'entitlement_set', 'default-project'];

export const ORGANIZATIONS: readonly Route[] = [
  ['GET', '/organizations', 'organizations.list', list, { includes }],
  ['POST', '/organizations', 'organizations.create', create],
  ['GET', ONE, 'organizations.read', show, { includes }],
  ['PATCH', ONE, 'organizations.manage', change],
  ['DELETE', ONE, 'organizations.manage', remove],
  // The sandbox has no stacks. Clients look for stacks before they delete an organization.
  ['GET', `${ONE}/stacks`, 'organizations.read', (call) => answerAll(call, NO_ROWS, () => ({ data: [] }))],
];

/** Those where a person is an active member; for other callers the one of their token. */
function list(call: Call): Answer {
  const { caller, store } = call;
  const search = readQuery(call, 'q');
  const isJoined = "seq IN (SELECT organization FROM memberships WHERE user = ? AND status = 'active')";
  const isOwn: Condition = caller.user === null ? ['seq = ?', caller.organization] : [isJoined, caller.user.seq];
  const rows = store.select<OrganizationRow>('*', 'organizations', [
    isOwn,
    contains(search, 'folded', 'lower(email)'),
    search === undefined && contains(readQuery(call, 'q[name]'), 'folded'),
    search === undefined && contains(readQuery(call, 'q[email]'), 'lower(email)'),
  ]);
  return answerAll(call, rows, (some) => formatOrganizations(call, some));
}

function show(call: Call, organization: OrganizationRow): Answer {
  return answerOne(call, formatOrganizations(call, [organization]));
}

/** The caller becomes the first owner. Of two plans with that identifier it is the first. */
function create(call: Call): Answer {
  const { store, ids, now, rules, caller } = call;
  const wanted = readOrganization(call, undefined);
  const plan = "SELECT min(seq) FROM feature_sets WHERE attributes ->> 'identifier' = ?";
  const limit = `SELECT attributes ->> 'user-limit' AS user_limit FROM feature_sets WHERE seq = (${plan})`;
  const usual = {
    created_at: now,
    curation: 1,
    note: 'created by a request',
    ...store.first<object>(limit, rules.firstPlan),
  };
  const { seq } = store.insert('organizations', { ...usual, ...wanted, id: ids.id('org') });
  const offer = `INSERT INTO eligible_feature_sets (organization, feature_set, attributes) SELECT ?, seq,
    json_set(attributes, '$."is-current"', json(iif(seq = (${plan}), 'true', 'false'))) FROM feature_sets`;
  store.run(offer, seq, rules.firstPlan);
  const owners = { name: OWNERS_TEAM, name_folded: OWNERS_TEAM, visibility: 'organization' };
  const { seq: team } = store.insert('teams', { ...owners, id: ids.id('team'), organization: seq });
  const user = assertFound(caller.user).seq;
  insertMembership(store, { id: ids.id('ou'), organization: seq, user, status: 'active', created_at: now }, [team]);
  return answerChange(call, seq, 'create');
}

/** What the body leaves out stays. A new name changes the namespace of private providers and the creator of tokens, too. */
function change(call: Call, organization: OrganizationRow): Answer {
  const { store } = call;
  const { seq } = organization;
  const wanted = readOrganization(call, organization);
  store.update('organizations', seq, wanted);
  const providers = `UPDATE providers SET namespace = ?, namespace_folded = ?
    WHERE organization = ? AND registry_name = 'private'`;
  store.run(providers, wanted.name, wanted.folded, seq);
  const tokens = "UPDATE tokens SET creator_id = ? WHERE organization = ? AND creator_type = 'organizations'";
  store.run(tokens, wanted.name, seq);
  return answerChange(call, seq, 'update');
}

function remove({ store }: Call, { seq }: OrganizationRow): Answer {
  store.remove('organizations', seq);
  return NO_CONTENT;
}

function answerChange(call: Call, seq: number, action: 'create' | 'update'): Answer {
  const organization = assertFound(getOrganization(call, seq));
  recordEvent(call, organization, { type: 'organization', action, id: organization.id });
  return answerOne(call, formatOrganizations(call, [organization]), action === 'create' ? 201 : 200);
}

function formatOrganizations(call: Call, rows: readonly OrganizationRow[]): Resources {
  const { include, store, rules } = call;
  const included: Resource[] = [];
  const data = rows.map((row) => {
    const plan = findPlan(store, row.seq);
    const hasPlans = plan !== undefined && rules.kind !== 'enterprise';
    if (hasPlans && include.has('subscription')) included.push(formatSubscription(row, plan));
    if (include.has('entitlement_set')) included.push(formatEntitlements(row, plan, call));
    return formatOrganization(row, plan, findMay(call, row.seq), call);
  });
  return { data, included };
}

function readOrganization(call: Call, present: OrganizationRow | undefined) {
  const [name, email] = [text('Name', /^[\w-]+$/), text('Email', /^[^\s@]+@[^\s@]+$/)];
  const { values, note, check } = readForm(call, 'organizations', {
    name: present === undefined ? name : v.optional(name, present.name),
    email: present === undefined ? email : v.optional(email, present.email),
    ...SETTINGS_SCHEMA,
  });
  const other = findByName(call, values.name ?? '');
  if (other !== undefined && other.seq !== present?.seq) note('attributes/name', 'Name has already been taken');
  const { name: newName, email: newEmail, ...given } = check();
  const settings = JSON.stringify({ ...(present === undefined ? DEFAULT_SETTINGS : readSettings(present)), ...given });
  return { name: newName, folded: fold(newName), email: newEmail, settings };
}

const SETTINGS_SCHEMA = Object.fromEntries(
  Object.entries(DEFAULT_SETTINGS).map(([name, usual]) => {
    const isValid = (value: unknown): boolean =>
      typeof value === typeof usual || (usual === null && typeof value !== 'object');
    return [name, v.optional(v.custom<unknown>(isValid, `${name} is invalid`))];
  }),
);
