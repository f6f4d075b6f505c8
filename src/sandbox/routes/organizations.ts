import { findMay, ofCaller, ofOrganization, requirePresent } from '../access.ts';
import { answerList, answerOne, NO_ROWS, type Resources } from '../answers.ts';
import { recordEvent } from '../audit-events.ts';
import { toEntitlementSet, toOrganization, toSubscription } from '../documents.ts';
import { readPageIfAsked } from '../pagination.ts';
import { findCurrentFeatureSet, findFeatureSet, offerFeatureSets } from '../queries/feature-sets.ts';
import { insertMembership } from '../queries/memberships.ts';
import {
  DEFAULT_SETTINGS,
  deleteOrganization,
  findOrganization,
  getOrganization,
  insertOrganization,
  type OrganizationRow,
  readSettings,
  selectOrganizationsOf,
  updateOrganization,
} from '../queries/organizations.ts';
import { insertTeam, OWNERS_TEAM } from '../queries/teams.ts';
import { type Form, type Members, readForm, readParameter } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, ORGANIZATION, type Route } from '../route.ts';
import type { Resource } from '../wire/json-api.ts';
import { ORGANIZATIONS } from '../wire/resources.ts';
import { changePlan } from './plans.ts';

const ALL = '/organizations';

/** What clients ask for. The sandbox has no projects, and includes nothing for the last. */
const INCLUDES = ['subscription', 'entitlement_set', 'default-project'] as const;

/** Outside the service's document, which refers to them, so Assumed throughout. */
export const ORGANIZATION_ROUTES: readonly Route[] = [
  ofCaller('GET', ALL, 'organizations.list', list, { includes: INCLUDES }),
  ofCaller('POST', ALL, 'organizations.create', create),
  ofOrganization('GET', ORGANIZATION, 'organizations.show', show, { includes: INCLUDES }),
  ofOrganization('PATCH', ORGANIZATION, 'organizations.change', change),
  ofOrganization('DELETE', ORGANIZATION, 'organizations.delete', remove),
  ofOrganization('GET', `${ORGANIZATION}/stacks`, 'organizations.show', listStacks),
];

const NAME = /^[\w-]+$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Lists the organizations of the caller, all at once unless the request asks for a page. */
function list(context: Context): Answer {
  const { caller, store, url } = context;
  const page = readPageIfAsked(url);
  const search = readParameter(url, 'q');
  const [name, email] = search === undefined ? ['q[name]', 'q[email]'].map((each) => readParameter(url, each)) : [];
  const rows = selectOrganizationsOf(store, caller, { search, name, email });
  return answerList(context, page, rows, (some) => toResources(context, some));
}

function show(context: Context, organization: OrganizationRow): Answer {
  return answerOne(context, toResources(context, [organization]));
}

/** The caller becomes the first owner. */
function create(context: Context): Answer {
  const { store, ids, now, rules, caller } = context;
  const { name, email, settings } = readOrganization(context, undefined);
  const usual = { created_at: now, curation: 1, note: 'created by a request' };
  const seq = insertOrganization(store, { ...usual, id: ids.id('org'), name, email, settings });
  offerFeatureSets(store, seq);
  changePlan(context, seq, requirePresent(findFeatureSet(store, rules.firstPlan)));
  const owners = { name: OWNERS_TEAM, visibility: 'organization', access: [] };
  const team = insertTeam(store, { ...owners, id: ids.id('team'), organization: seq });
  const user = requirePresent(caller.user ?? undefined).seq;
  const membership = { id: ids.id('ou'), organization: seq, user, status: 'active', created_at: now } as const;
  insertMembership(store, membership, [team]);
  return answerWith(context, 201, seq, 'create');
}

/** Attributes that the body leaves out stay as they are. */
function change(context: Context, organization: OrganizationRow): Answer {
  updateOrganization(context.store, organization, readOrganization(context, organization));
  return answerWith(context, 200, organization.seq, 'update');
}

function remove({ store }: Context, { seq }: OrganizationRow): Answer {
  deleteOrganization(store, seq);
  return NO_CONTENT;
}

/** The sandbox has no stacks. Clients look for stacks before they delete an organization. */
function listStacks(context: Context): Answer {
  return answerList(context, readPageIfAsked(context.url), NO_ROWS, () => ({ data: [] }));
}

function answerWith(context: Context, status: number, seq: number, action: 'create' | 'update'): Answer {
  const organization = requirePresent(getOrganization(context.store, seq));
  recordEvent(context, organization, { type: 'organization', action, id: organization.id });
  return answerOne(context, toResources(context, [organization]), status);
}

function toResources(context: Context, rows: readonly OrganizationRow[]): Resources {
  const { include, store, rules } = context;
  const included: Resource[] = [];
  const data = rows.map((row) => {
    const current = findCurrentFeatureSet(store, row.seq);
    if (include.has('subscription') && current !== undefined && rules.kind !== 'enterprise') {
      included.push(toSubscription(row, current));
    }
    if (include.has('entitlement_set')) included.push(toEntitlementSet(row, current, rules));
    return toOrganization(row, current, findMay(context, row.seq), context);
  });
  return { data, included };
}

interface Wanted {
  readonly name: string;
  readonly email: string;
  readonly settings: string;
}

/** Throws 422. `present`: the organization that is changed; undefined for a new one. */
function readOrganization(context: Context, present: OrganizationRow | undefined): Wanted {
  const form = readForm(context, ORGANIZATIONS);
  const read = (name: 'name' | 'email', label: string, pattern: RegExp): string =>
    present !== undefined && form.attributes[name] === undefined ? present[name] : form.text(name, label, pattern);
  const name = read('name', 'Name', NAME);
  const email = read('email', 'Email', EMAIL);
  const other = findOrganization(context.store, name);
  if (other !== undefined && other.seq !== present?.seq) form.note('attributes/name', 'Name has already been taken');
  const known = present === undefined ? DEFAULT_SETTINGS : readSettings(present);
  const settings = { ...known, ...readNewSettings(form) };
  form.check();
  return { name, email, settings: JSON.stringify(settings) };
}

/** Reads the settings that the sandbox knows, and passes over all other attributes. */
function readNewSettings({ attributes, value }: Form): Members {
  const given = Object.entries(DEFAULT_SETTINGS).filter(([name]) => attributes[name] !== undefined);
  return Object.fromEntries(
    given.map(([name, usual]) => {
      const isValid = (sent: unknown): boolean =>
        typeof sent === typeof usual || (usual === null && (sent === null || typeof sent !== 'object'));
      return [name, value<unknown>(name, name, usual, isValid)];
    }),
  );
}
