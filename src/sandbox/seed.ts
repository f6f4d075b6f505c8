import { DAY } from '../lib/time.ts';
import { formatSeedToken } from './callers.ts';
import type { Transaction } from './context.ts';
import { recordSystemEvent } from './events.ts';
import * as fixtures from './fixtures.ts';
import { findUser, insertMembership, insertUser } from './people.ts';
import { insertProvider } from './providers.ts';
import type { ProviderRow } from './rows.ts';
import { SCHEMA, TABLE_NAMES } from './schema.ts';
import { fold, type Store } from './store.ts';
import { insertToken } from './tokens.ts';

const SEED = /^(?:demo|empty|members=(\d{1,6}))$/;

export function isSeed(text: string): boolean {
  return SEED.test(text);
}

export function readSeed(store: Store): string {
  return store.first<{ value: string }>("SELECT value FROM settings WHERE name = 'seed'")?.value ?? '';
}

type Fixture = fixtures.OrganizationFixture;
type Person = fixtures.PersonFixture;
type Organization = { seq: number; id: string; name: string; teams: Map<string, number> };

/** Creates the tables again and fills them. Needs a transaction. */
export function fillState(tx: Transaction, seed: string): void {
  const { store, ids, now } = tx;
  store.execute(TABLE_NAMES.map((name) => `DROP TABLE IF EXISTS ${name};`).join('\n'));
  store.execute(SCHEMA);
  store.insert('settings', { name: 'seed', value: seed });
  const featureSets = fixtures.FEATURE_SET_FIXTURES.map((attributes) => {
    return store.insert('feature_sets', { id: ids.id('fs'), attributes: JSON.stringify(attributes) }).seq;
  });
  addCallers(tx);
  const isPopulated = seed !== 'empty';
  const [, members = 0] = SEED.exec(seed) ?? [];
  for (const [index, fixture] of fixtures.ORGANIZATION_FIXTURES.entries()) {
    const organization = addOrganization(tx, fixture);
    for (const team of fixture.managedTeams ?? []) addTeam(tx, organization, team);
    const people = [...fixtures.CALLER_FIXTURES, ...(isPopulated ? fixture.people : [])];
    for (const [nth, person] of people.entries()) addPerson(tx, organization, person, now - (60 - nth) * DAY);
    // The limit of initech is reached in every seed.
    const limit = 'UPDATE organizations SET user_limit = min(user_limit, active + invited) WHERE seq = ?';
    store.run(limit, organization.seq);
    const hasAuditLogging = findFeatureSet(fixture.plan)?.['audit-logging'] === true;
    addTokens(tx, organization, isPopulated && hasAuditLogging);
    addPlans(tx, organization, fixture, featureSets);
    if (index === 0) addMembers(tx, organization, Number(members));
    if (!isPopulated) continue;
    addProviders(tx, organization, fixture);
    addTeamTokens(tx, organization, fixture);
  }
}

function addCallers({ store, ids, now }: Transaction): void {
  for (const { kind, user } of fixtures.CALLER_FIXTURES) {
    const id = ids.id('user');
    const seq = insertUser(store, { ...user, id });
    const token = { id: ids.id('at'), kind, user: seq, created_at: now, creator_type: 'users', creator_id: id };
    insertToken(store, formatSeedToken(kind), token);
  }
}

function addOrganization(tx: Transaction, { name, email, note, plan, columns }: Fixture): Organization {
  const { store, ids, now } = tx;
  const id = ids.id('org');
  const user_limit = findFeatureSet(plan)?.['user-limit'] as number | null;
  const row = { id, name, folded: fold(name), email, note, created_at: now - 90 * DAY, curation: 1, user_limit };
  const { seq } = store.insert('organizations', { ...row, ...columns });
  const organization = { seq, id, name, teams: new Map<string, number>() };
  for (const team of fixtures.TEAM_FIXTURES) addTeam(tx, organization, team);
  return organization;
}

function findFeatureSet(name: string) {
  return fixtures.FEATURE_SET_FIXTURES.find((featureSet) => featureSet['name'] === name);
}

function addTeam(tx: Transaction, { seq, teams }: Organization, fixture: fixtures.TeamFixture): void {
  const { store, ids, now } = tx;
  const { name, visibility = 'organization', access = [], ssoId: sso_team_id = null, scimGroup = null } = fixture;
  const scim = { scim_group_name: scimGroup, scim_updated_at: scimGroup === null ? null : now - DAY };
  const team = { id: ids.id('team'), organization: seq, name, visibility, access: JSON.stringify(access) };
  teams.set(name, store.insert('teams', { ...team, name_folded: fold(name), sso_team_id, ...scim }).seq);
}

function addPerson(tx: Transaction, organization: Organization, person: Person, created_at: number): void {
  const { store, ids } = tx;
  const { user: fields, status, teams, scim } = person;
  const id = ids.id('ou');
  const user = findUser(store, fields.email ?? '') ?? insertUser(store, { ...fields, id: ids.id('user') });
  const identity = scim === undefined ? {} : { scim_identity: ids.uuid(), scim_status: scim };
  const memberOf = teams.flatMap((name) => organization.teams.get(name) ?? []);
  insertMembership(store, { id, organization: organization.seq, user, status, created_at }, memberOf, identity);
}

function addTokens(tx: Transaction, organization: Organization, hasAuditToken: boolean): void {
  const { store, ids, now } = tx;
  const { seq, name, teams } = organization;
  const creator = { created_at: now - 20 * DAY, creator_type: 'organizations', creator_id: name };
  for (const kind of ['owners-team', 'org-token', ...(hasAuditToken ? ['audit-token' as const] : [])] as const) {
    const id = ids.id('at');
    const last_used_at = kind === 'audit-token' ? now - DAY / 24 : null;
    const team = kind === 'owners-team' ? (teams.get('owners') ?? null) : null;
    insertToken(store, formatSeedToken(kind, name), { id, kind, organization: seq, team, last_used_at, ...creator });
    // These events look as if a job read the token each day.
    for (const days of kind === 'audit-token' ? [3, 2, 1] : []) {
      const read = { type: 'authentication_token', action: 'show', id } as const;
      recordSystemEvent({ ...tx, now: now - days * DAY }, organization, read);
    }
  }
}

function addProviders({ store, ids, now }: Transaction, { seq }: Organization, { providers }: Fixture): void {
  for (const address of providers.split(' ')) {
    const [registry = '', namespace = '', name = ''] = address.split('/');
    const registry_name = registry as ProviderRow['registry_name'];
    const row = { id: ids.id('prov'), organization: seq, created_at: now - 30 * DAY };
    insertProvider(store, { ...row, registry_name, namespace, name });
  }
}

function addPlans({ store }: Transaction, { seq }: Organization, fixture: Fixture, featureSets: number[]): void {
  const current = findFeatureSet(fixture.plan);
  for (const [index, plan] of fixtures.FEATURE_SET_FIXTURES.entries()) {
    if (fixture.hasUsedTrial && plan['identifier'] === 'trial') continue;
    const attributes = JSON.stringify({ ...plan, 'is-current': plan === current });
    store.insert('eligible_feature_sets', { organization: seq, feature_set: featureSets[index], attributes });
  }
}

function addTeamTokens(tx: Transaction, { seq, name, teams }: Organization, { tokens = [] }: Fixture): void {
  const { store, ids, now } = tx;
  const owner = store.first<{ id: string }>("SELECT id FROM users WHERE username = 'olive-owner'");
  const creator = { creator_type: 'users', creator_id: owner?.id ?? '' };
  for (const { description, created, expires, used } of tokens) {
    const text = `${formatSeedToken('team-token', name)}.platform.${description.replaceAll(' ', '-')}`;
    const times = { created_at: now - created * DAY, expired_at: now + expires * DAY };
    const place = { kind: 'team-token', organization: seq, team: teams.get('platform') ?? null } as const;
    const last_used_at = used === null ? null : now - used * DAY;
    insertToken(store, text, { id: ids.id('at'), description, ...place, ...times, last_used_at, ...creator });
  }
}

/** Every tenth is invited, every seventh is in a second team. Fills each table with one statement, for speed. */
function addMembers(tx: Transaction, { seq, teams }: Organization, count: number): void {
  const { store, ids, now } = tx;
  const next = (table: string): number =>
    (store.first<{ last: number | null }>(`SELECT max(seq) AS last FROM ${table}`)?.last ?? 0) + 1;
  const [firstUser, firstMembership] = [next('users'), next('memberships')];
  const userIds = JSON.stringify(Array.from({ length: count }, () => ids.id('user')));
  const membershipIds = JSON.stringify(Array.from({ length: count }, () => ids.id('ou')));
  const isInvited = '(key + 1) % 10 = 0';
  const insertUsers = `INSERT INTO users (seq, id, email, email_folded, username, username_folded)
    SELECT ? + key, value, name || '@example.com', name || '@example.com', iif(${isInvited}, NULL, name),
      iif(${isInvited}, NULL, name) FROM (SELECT *, printf('member-%06d', key + 1) AS name FROM json_each(?))`;
  store.run(insertUsers, firstUser, userIds);
  const insertMemberships = `INSERT INTO memberships (seq, id, organization, user, status, created_at)
    SELECT ? + key, value, ?, ? + key, iif(${isInvited}, 'invited', 'active'), ? FROM json_each(?)`;
  store.run(insertMemberships, firstMembership, seq, firstUser, now - DAY, membershipIds);
  const insertTeams = 'INSERT INTO membership_teams (membership, team) SELECT ? + key, ? FROM json_each(?)';
  store.run(insertTeams, firstMembership, teams.get('platform') ?? 0, membershipIds);
  store.run(`${insertTeams} WHERE (key + 1) % 7 = 0`, firstMembership, teams.get('audit') ?? 0, membershipIds);
}
