import type { Resource } from '../../wire/json-api.ts';
import { ORGANIZATIONS } from '../../wire/resources.ts';
import { isAllowed, requireOrganization, requirePermission, requirePresent } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import {
  type Included,
  toEntitlementSet,
  toIncluded,
  toListDocument,
  toOrganization,
  toSubscription,
} from '../documents.ts';
import { readPageIfAsked, toRange } from '../pagination.ts';
import { createInvalid, type Flaw } from '../problems.ts';
import { findCurrentFeatureSet, findFeatureSet, offerFeatureSets } from '../queries/feature-sets.ts';
import { insertMembership } from '../queries/memberships.ts';
import {
  countOrganizations,
  DEFAULT_SETTINGS,
  deleteOrganization,
  findOrganization,
  getOrganization,
  insertOrganization,
  listOrganizations,
  type OrganizationFilter,
  type OrganizationRow,
  readSettings,
  updateOrganization,
} from '../queries/organizations.ts';
import { insertTeam, OWNERS_TEAM } from '../queries/teams.ts';
import { findTypeFlaws, type Members, readParameter, readText, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';
import { changePlan } from './plans.ts';

const ALL = '/organizations';
const ONE = `${ALL}/:organization_name`;

/** As clients have it; the sandbox has no projects, so that nothing is included for the last. */
const INCLUDES = ['subscription', 'entitlement_set', 'default-project'] as const;

/** Outside the service's document, which refers to them, so Assumed throughout. */
export const ORGANIZATION_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, documented: false, includes: INCLUDES, handle: list },
  { method: 'POST', path: ALL, documented: false, handle: create },
  { method: 'GET', path: ONE, documented: false, includes: INCLUDES, handle: show },
  { method: 'PATCH', path: ONE, documented: false, handle: change },
  { method: 'DELETE', path: ONE, documented: false, handle: remove },
  { method: 'GET', path: `${ONE}/stacks`, documented: false, handle: listStacks },
];

const NAME = /^[\w-]+$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The caller's own; everything at once unless pages are asked for. */
function list(context: Context): Answer {
  requirePermission(context, 'organizations.list');
  const { caller, store, url } = context;
  const page = readPageIfAsked(url);
  const text = readParameter(url, 'q');
  const filter: OrganizationFilter = {
    caller,
    search: text,
    name: text === undefined ? readParameter(url, 'q[name]') : undefined,
    email: text === undefined ? readParameter(url, 'q[email]') : undefined,
  };
  const { data, included } = toResources(context, listOrganizations(store, filter, toRange(page)));
  return { status: 200, body: toListDocument(url, page, countOrganizations(store, filter), data, included) };
}

function show(context: Context): Answer {
  const { data, included } = toResources(context, [requireOrganization(context, 'organizations.show')]);
  return { status: 200, body: { data: data[0], ...included } };
}

/** Who creates it owns it. */
function create(context: Context): Answer {
  requirePermission(context, 'organizations.create');
  const { store, ids, now, rules, caller } = context;
  const { name, email, settings } = readOrganization(context, undefined);
  const seq = insertOrganization(store, {
    id: ids.id('org'),
    name,
    email,
    createdAt: now,
    curation: true,
    hasScim: false,
    isUnified: false,
    note: 'created by a request',
    settings,
  });
  offerFeatureSets(store, seq);
  changePlan(context, seq, requirePresent(findFeatureSet(store, rules.firstPlan)));
  const owners = { name: OWNERS_TEAM, visibility: 'organization', access: [] };
  const team = insertTeam(store, { ...owners, id: ids.id('team'), organization: seq });
  insertMembership(store, {
    id: ids.id('ou'),
    organization: seq,
    user: requirePresent(caller.user ?? undefined).seq,
    status: 'active',
    createdAt: now,
    teams: [team],
  });
  return answerWith(context, 201, seq, 'create');
}

/** What the body leaves out stays as it is. */
function change(context: Context): Answer {
  const organization = requireOrganization(context, 'organizations.change');
  updateOrganization(context.store, organization, readOrganization(context, organization));
  return answerWith(context, 200, organization.seq, 'update');
}

function remove(context: Context): Answer {
  deleteOrganization(context.store, requireOrganization(context, 'organizations.delete').seq);
  return NO_CONTENT;
}

/** The sandbox has none; clients look for them before they delete an organization. */
function listStacks(context: Context): Answer {
  requireOrganization(context, 'organizations.show');
  return { status: 200, body: toListDocument(context.url, readPageIfAsked(context.url), 0, []) };
}

function answerWith(context: Context, status: number, seq: number, action: 'create' | 'update'): Answer {
  const organization = requirePresent(getOrganization(context.store, seq));
  recordEvent(context, organization, { type: 'organization', action, id: organization.id });
  return { status, body: { data: toResources(context, [organization]).data[0] } };
}

function toResources(
  context: Context,
  rows: readonly OrganizationRow[],
): { readonly data: Resource[]; readonly included: Included } {
  const { include, store, rules } = context;
  const included: Resource[] = [];
  const data = rows.map((row) => {
    const current = findCurrentFeatureSet(store, row.seq);
    if (include.has('subscription') && current !== undefined && rules.kind !== 'enterprise') {
      included.push(toSubscription(row, current));
    }
    if (include.has('entitlement_set')) included.push(toEntitlementSet(row, current, rules));
    return toOrganization(row, current, (operation) => isAllowed(context, row.seq, operation), context);
  });
  return { data, included: toIncluded(context, included) };
}

interface Wanted {
  readonly name: string;
  readonly email: string;
  readonly settings: string;
}

/** Throws 422. `present`: the organization that is changed; undefined for a new one. */
function readOrganization(context: Context, present: OrganizationRow | undefined): Wanted {
  const data = toMembers(context.body()['data']);
  const attributes = toMembers(data['attributes']);
  const flaws = findTypeFlaws(data, ORGANIZATIONS);
  const read = (name: string, label: string, pattern: RegExp, absent: string | undefined): string => {
    if (absent !== undefined && attributes[name] === undefined) return absent;
    const value = readText(attributes, name, label, flaws);
    if (value === undefined || pattern.test(value)) return value ?? '';
    flaws.push({ detail: `${label} is invalid`, pointer: `/data/attributes/${name}` });
    return value;
  };
  const name = read('name', 'Name', NAME, present?.name);
  const email = read('email', 'Email', EMAIL, present?.email);
  const other = findOrganization(context.store, name);
  if (other !== undefined && other.seq !== present?.seq) {
    flaws.push({ detail: 'Name has already been taken', pointer: '/data/attributes/name' });
  }
  const known = present === undefined ? DEFAULT_SETTINGS : readSettings(present);
  const settings = { ...known, ...readNewSettings(attributes, flaws) };
  if (flaws.length > 0) throw createInvalid(flaws);
  return { name, email, settings: JSON.stringify(settings) };
}

/** The settings that the sandbox knows, each of its own kind; all other attributes are passed over. */
function readNewSettings(attributes: Members, flaws: Flaw[]): Members {
  const known = Object.entries(DEFAULT_SETTINGS).filter(([name]) => attributes[name] !== undefined);
  for (const [name, usual] of known) {
    const value = attributes[name];
    if (typeof value === typeof usual || (usual === null && (value === null || typeof value !== 'object'))) continue;
    flaws.push({ detail: `${name} is invalid`, pointer: `/data/attributes/${name}` });
  }
  return Object.fromEntries(known.map(([name]) => [name, attributes[name]]));
}
