import type { Change } from './call.ts';
import { formatReadyToken } from './callers.ts';
import { DAY } from './dates.ts';
import { recordSystemEvent } from './events.ts';
import * as fixtures from './fixtures.ts';
import { insertMembership, insertUser } from './people.ts';
import { insertProvider } from './routes/providers.ts';
import type { ProviderRow } from './rows.ts';
import { SCHEMA, TABLE_NAMES } from './schema.ts';
import { fold, type Store } from './store.ts';
import { insertToken } from './tokens.ts';

export type Seed = { kind: 'demo' } | { kind: 'empty' } | { kind: 'members'; count: number };

export function parseSeed(text: string): Seed | undefined {
  if (text === 'demo' || text === 'empty') return { kind: text };
  const count = Number(/^members=(\d{1,7})$/.exec(text)?.[1] ?? Number.NaN);
  return count <= 1_000_000 ? { kind: 'members', count } : undefined;
}

export function readSeed(store: Store): string {
  return store.first<{ value: string }>("SELECT value FROM settings WHERE name = 'seed'")?.value ?? '';
}

type Organization = { seq: number; id: string; name: string; teams: Map<string, number> };

/** Creates the tables again and fills them, inside a transaction of the caller's. */
export function fillState(change: Change, seed: Seed): void {
  const { store, ids, now } = change;
  store.execute(TABLE_NAMES.map((name) => `DROP TABLE IF EXISTS ${name};`).join('\n'));
  store.execute(SCHEMA);
  store.insert('settings', { name: 'seed', value: seed.kind === 'members' ? `members=${seed.count}` : seed.kind });
  const featureSets = fixtures.FEATURE_SET_FIXTURES.map(({ attributes }) => {
    return store.insert('feature_sets', { id: ids.id('fs'), attributes: JSON.stringify(attributes) }).seq;
  });
  const callers = addCallers(change);
  const isPopulated = seed.kind !== 'empty';
  const organizations = fixtures.ORGANIZATION_FIXTURES.map((fixture, index) => {
    const organization = addOrganization(change, fixture);
    const people = [...fixtures.CALLER_FIXTURES, ...(isPopulated ? fixture.people : [])];
    for (const [nth, person] of people.entries()) {
      addPerson(change, organization, { ...person, created_at: now - (60 - nth) * DAY }, callers);
    }
    const limit = 'UPDATE organizations SET user_limit = active + invited WHERE seq = ?';
    if (fixture.isFull) store.run(limit, organization.seq);
    addTokens(change, organization, isPopulated && fixture.hasAuditToken);
    if (isPopulated) addProviders(change, organization, fixture);
    addPlans(change, organization, fixture, featureSets);
    if (seed.kind === 'members' && index === 0) addMembers(change, organization, seed.count);
    return { fixture, organization };
  });
  for (const { fixture, organization } of organizations) {
    for (const team of fixture.managedTeams) addTeam(change, organization, team);
    const created_at = now - 40 * DAY;
    for (const person of isPopulated ? fixture.managed : []) addPerson(change, organization, { ...person, created_at });
  }
  if (isPopulated) for (const { fixture, organization } of organizations) addTeamTokens(change, organization, fixture);
}

function addCallers({ store, ids, now }: Change): Map<string | null, number> {
  const seqs = new Map<string | null, number>();
  for (const { kind, user } of fixtures.CALLER_FIXTURES) {
    const id = ids.id('user');
    const seq = insertUser(store, { ...user, id });
    const token = { id: ids.id('at'), kind, user: seq, created_at: now, creator_type: 'users', creator_id: id };
    insertToken(store, formatReadyToken(kind), token);
    seqs.set(user.email, seq);
  }
  return seqs;
}

function addOrganization(change: Change, fixture: fixtures.OrganizationFixture): Organization {
  const { store, ids, now } = change;
  const { name, email, note, curation, hasScim, isUnified } = fixture;
  const id = ids.id('org');
  const flags = { curation, has_scim: hasScim, is_unified: isUnified, created_at: now - 90 * DAY };
  const { seq } = store.insert('organizations', { id, name, folded: fold(name), email, note, ...flags });
  const organization = { seq, id, name, teams: new Map<string, number>() };
  for (const team of fixtures.TEAM_FIXTURES) addTeam(change, organization, team);
  return organization;
}

function addTeam({ store, ids, now }: Change, { seq, teams }: Organization, fixture: fixtures.TeamFixture): void {
  const { name, visibility = 'organization', access = [], ssoTeamId: sso_team_id = null, scimGroup = null } = fixture;
  const scim = { scim_group_name: scimGroup, scim_updated_at: scimGroup === null ? null : now - DAY };
  const team = { id: ids.id('team'), organization: seq, name, visibility, access: JSON.stringify(access) };
  teams.set(name, store.insert('teams', { ...team, name_folded: fold(name), sso_team_id, ...scim }).seq);
}

/** Row numbers of users who are there already, by address. */
type Known = ReadonlyMap<string | null, number>;
type Person = fixtures.PersonFixture & { created_at: number };

function addPerson({ store, ids }: Change, organization: Organization, person: Person, known?: Known): void {
  const { user: fields, status, teams, scim, created_at } = person;
  const id = ids.id('ou');
  const user = known?.get(fields.email) ?? insertUser(store, { ...fields, id: ids.id('user') });
  const identity = scim === undefined ? {} : { scim_identity: ids.uuid(), scim_status: scim };
  const memberOf = teams.flatMap((name) => organization.teams.get(name) ?? []);
  insertMembership(store, { id, organization: organization.seq, user, status, created_at }, memberOf, identity);
}

function addTokens(change: Change, organization: Organization, hasAuditToken: boolean): void {
  const { store, ids, now } = change;
  const { seq, name } = organization;
  const creator = { created_at: now - 20 * DAY, creator_type: 'organizations', creator_id: name };
  for (const kind of ['owners-team', 'org-token', ...(hasAuditToken ? ['audit-token' as const] : [])] as const) {
    const id = ids.id('at');
    insertToken(store, formatReadyToken(kind, name), { id, kind, organization: seq, ...creator });
    // The trail has a job that reads the token each day.
    for (const days of kind === 'audit-token' ? [3, 2, 1] : []) {
      const read = { type: 'authentication_token', action: 'show', id } as const;
      recordSystemEvent({ ...change, now: now - days * DAY }, organization, read);
    }
  }
}

type Fixture = fixtures.OrganizationFixture;

function addProviders({ store, ids, now }: Change, { seq }: Organization, { providers }: Fixture): void {
  for (const address of providers) {
    const [registry = '', namespace = '', name = ''] = address.split('/');
    const registry_name = registry as ProviderRow['registry_name'];
    const row = { id: ids.id('prov'), organization: seq, created_at: now - 30 * DAY };
    insertProvider(store, { ...row, registry_name, namespace, name });
  }
}

function addPlans({ store }: Change, { seq }: Organization, { plan, hasUsedTrial }: Fixture, sets: number[]): void {
  const current = fixtures.FEATURE_SET_FIXTURES.find(({ attributes }) => attributes['name'] === plan);
  for (const [index, fixture] of fixtures.FEATURE_SET_FIXTURES.entries()) {
    if (hasUsedTrial && fixture.attributes['identifier'] === 'trial') continue;
    const attributes = { ...fixture.attributes, ...fixture.eligible, 'is-current': fixture === current };
    const eligible = { organization: seq, feature_set: sets[index], attributes: JSON.stringify(attributes) };
    store.insert('eligible_feature_sets', eligible);
  }
}

function addTeamTokens({ store, ids, now }: Change, { seq, name, teams }: Organization, { tokens }: Fixture): void {
  const owner = store.first<{ id: string }>("SELECT id FROM users WHERE username = 'olive-owner'");
  const creator = { creator_type: 'users', creator_id: owner?.id ?? '' };
  for (const { description, created, expires, used } of tokens) {
    const text = `${formatReadyToken('team-token', name)}.platform.${description.replaceAll(' ', '-')}`;
    const times = { created_at: now - created * DAY, expired_at: now + expires * DAY };
    const place = { kind: 'team-token', organization: seq, team: teams.get('platform') ?? null } as const;
    const last_used_at = used === null ? null : now - used * DAY;
    insertToken(store, text, { id: ids.id('at'), description, ...place, ...times, last_used_at, ...creator });
  }
}

/** Every tenth is still invited, every seventh is in a second team. Each table is filled by one statement, which is fast. */
function addMembers({ store, ids, now }: Change, { seq, teams }: Organization, count: number): void {
  const next = (table: string): number =>
    (store.first<{ last: number | null }>(`SELECT max(seq) AS last FROM ${table}`)?.last ?? 0) + 1;
  const [firstUser, firstMembership] = [next('users'), next('memberships')];
  const userIds = JSON.stringify(ids.ids('user', count) ?? []);
  const membershipIds = JSON.stringify(ids.ids('ou', count) ?? []);
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
