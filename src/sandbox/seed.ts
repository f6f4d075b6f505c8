import type { Change } from './call.ts';
import { formatReadyToken } from './callers.ts';
import { DAY } from './dates.ts';
import { recordSystemEvent } from './events.ts';
import { CALLER_FIXTURES, FEATURE_SET_FIXTURES, ORGANIZATION_FIXTURES, TEAM_FIXTURES } from './fixtures.ts';
import { insertMembership, insertUser } from './people.ts';
import { insertProvider } from './routes/providers.ts';
import { SCHEMA, TABLE_NAMES } from './schema.ts';
import { fold, type Store } from './store.ts';
import { insertTeam } from './teams.ts';
import { insertToken } from './tokens.ts';

export type Seed = { kind: 'demo' } | { kind: 'empty' } | { kind: 'members'; count: number };

const MAX_MEMBERS = 1_000_000;

export function parseSeed(text: string): Seed | undefined {
  if (text === 'demo' || text === 'empty') return { kind: text };
  const count = Number(/^members=(\d{1,7})$/.exec(text)?.[1] ?? Number.NaN);
  return count <= MAX_MEMBERS ? { kind: 'members', count } : undefined;
}

export function readSeed(store: Store): string {
  return store.first<{ value: string }>("SELECT value FROM settings WHERE name = 'seed'")?.value ?? '';
}

type Fixture = (typeof ORGANIZATION_FIXTURES)[number];

interface Organization {
  seq: number;
  id: string;
  name: string;
  /** Row numbers, by name. */
  teams: Map<string, number>;
}

/** Creates the tables again and fills them, inside a transaction of the caller's. */
export function fillState(change: Change, seed: Seed): void {
  const { store } = change;
  store.execute(TABLE_NAMES.map((name) => `DROP TABLE IF EXISTS ${name};`).join('\n'));
  store.execute(SCHEMA);
  store.insert('settings', { name: 'seed', value: seed.kind === 'members' ? `members=${seed.count}` : seed.kind });
  const featureSets = FEATURE_SET_FIXTURES.map((fixture) => addFeatureSet(change, fixture));
  const callers = addCallers(change);
  const isPopulated = seed.kind !== 'empty';
  const organizations = ORGANIZATION_FIXTURES.map((fixture, index) => {
    const organization = addOrganization(change, fixture);
    addPeople(change, organization, [...CALLER_FIXTURES, ...(isPopulated ? fixture.people : [])], callers);
    if (fixture.isFull)
      store.run('UPDATE organizations SET user_limit = active + invited WHERE seq = ?', organization.seq);
    addTokens(change, organization, fixture.hasAuditToken && isPopulated);
    if (isPopulated) addProviders(change, organization, fixture);
    addPlans(change, organization, fixture, featureSets);
    if (seed.kind === 'members' && index === 0) addMembers(change, organization, seed.count);
    return { fixture, organization };
  });
  for (const { fixture, organization } of organizations) addManaged(change, organization, fixture, isPopulated);
  for (const { fixture, organization } of isPopulated ? organizations : [])
    addTeamTokens(change, organization, fixture);
}

function addFeatureSet(
  { store, ids }: Change,
  { attributes, isRetired }: (typeof FEATURE_SET_FIXTURES)[number],
): number {
  const row = { id: ids.id('fs'), is_listed: isRetired ? 0 : 1, attributes: JSON.stringify(attributes) };
  return store.insert('feature_sets', row).seq;
}

/** Returns their row numbers, by address. */
function addCallers({ store, ids, now }: Change): Map<string, number> {
  const entries = CALLER_FIXTURES.map(({ kind, user }): [string, number] => {
    const id = ids.id('user');
    const seq = insertUser(store, { ...user, id });
    const token = { id: ids.id('at'), kind, user: seq, created_at: now, creator_type: 'users', creator_id: id };
    insertToken(store, formatReadyToken(kind), token);
    return [user.email ?? '', seq];
  });
  return new Map(entries);
}

function addOrganization(
  change: Change,
  { name, email, note, curation = 1, hasScim, isUnified }: Fixture,
): Organization {
  const { store, ids, now } = change;
  const id = ids.id('org');
  const flags = { curation, has_scim: hasScim, is_unified: isUnified };
  const times = { created_at: now - 90 * DAY };
  const { seq } = store.insert('organizations', { id, name, folded: fold(name), email, note, ...flags, ...times });
  const organization = { seq, id, name, teams: new Map<string, number>() };
  for (const team of TEAM_FIXTURES) addTeam(change, organization, team);
  return organization;
}

type TeamFixture = (typeof TEAM_FIXTURES)[number];

function addTeam({ store, ids, now }: Change, { seq, teams }: Organization, fixture: TeamFixture): void {
  const { name, visibility, access = [], ssoTeamId = null, scimGroup = null } = fixture;
  const managed = {
    sso_team_id: ssoTeamId,
    scim_group_name: scimGroup,
    scim_updated_at: scimGroup === null ? null : now - DAY,
  };
  const team = { id: ids.id('team'), organization: seq, name, visibility, access: JSON.stringify(access), ...managed };
  teams.set(name, insertTeam(store, team));
}

/** `known`: row numbers of users who are there already. */
function addPeople(
  { store, ids, now }: Change,
  { seq, teams }: Organization,
  people: Fixture['people'],
  known: ReadonlyMap<string, number>,
): void {
  for (const [index, { user, status, teams: names }] of people.entries()) {
    const id = ids.id('ou');
    const person = known.get(user.email ?? '') ?? insertUser(store, { ...user, id: ids.id('user') });
    const membership = { id, organization: seq, user: person, status, created_at: now - (60 - index) * DAY };
    insertMembership(
      store,
      membership,
      names.map((name) => teams.get(name) ?? 0),
    );
  }
}

function addManaged(change: Change, organization: Organization, fixture: Fixture, isPopulated: boolean): void {
  const { store, ids, now } = change;
  const { seq, teams } = organization;
  for (const team of fixture.managedTeams ?? []) addTeam(change, organization, team);
  for (const { user, status, teams: names, scim } of (isPopulated && fixture.managed) || []) {
    const id = ids.id('ou');
    const person = insertUser(store, { ...user, id: ids.id('user') });
    const identity = scim === undefined ? {} : { scim_identity: ids.uuid(), scim_status: scim };
    const membership = { id, organization: seq, user: person, status, created_at: now - 40 * DAY, ...identity };
    insertMembership(
      store,
      membership,
      names.map((name) => teams.get(name) ?? 0),
    );
  }
}

function addTokens(change: Change, organization: Organization, hasAuditToken: boolean): void {
  const { store, ids, now } = change;
  const { seq, name } = organization;
  const kinds = ['owners-team', 'org-token', ...(hasAuditToken ? (['audit-token'] as const) : [])] as const;
  for (const kind of kinds) {
    const id = ids.id('at');
    const creator = { creator_type: 'organizations', creator_id: name };
    const token = { id, kind, organization: seq, created_at: now - 20 * DAY, ...creator };
    insertToken(store, formatReadyToken(kind, name), token);
    // The trail has a job that reads the token each day.
    for (const days of kind === 'audit-token' ? [3, 2, 1] : []) {
      const read = { type: 'authentication_token', action: 'show', id } as const;
      recordSystemEvent({ ...change, now: now - days * DAY }, organization, read);
    }
  }
}

function addProviders({ store, ids, now }: Change, { seq }: Organization, { providers }: Fixture): void {
  for (const [registry_name, namespace, name] of providers) {
    const provider = { id: ids.id('prov'), organization: seq, registry_name, namespace, name };
    insertProvider(store, { ...provider, created_at: now - 30 * DAY });
  }
}

function addPlans({ store }: Change, { seq }: Organization, { plan, hasUsedTrial }: Fixture, sets: number[]): void {
  const current = FEATURE_SET_FIXTURES.find(({ attributes }) => attributes['name'] === plan);
  for (const [index, fixture] of FEATURE_SET_FIXTURES.entries()) {
    if (fixture.isRetired || (hasUsedTrial && fixture.attributes['identifier'] === 'trial')) continue;
    const attributes = { ...fixture.attributes, ...fixture.eligible, 'is-current': fixture === current };
    const eligible = { organization: seq, feature_set: sets[index], attributes: JSON.stringify(attributes) };
    store.insert('eligible_feature_sets', eligible);
  }
}

function addTeamTokens(
  { store, ids, now }: Change,
  { seq, name, teams }: Organization,
  { tokens = [] }: Fixture,
): void {
  const owner = store.first<{ id: string }>("SELECT id FROM users WHERE username = 'olive-owner'");
  for (const { description, created, expires, used } of tokens) {
    const text = `${formatReadyToken('team-token', name)}.platform.${description.replaceAll(' ', '-')}`;
    insertToken(store, text, {
      creator_type: 'users',
      creator_id: owner?.id ?? '',
      id: ids.id('at'),
      kind: 'team-token',
      organization: seq,
      team: teams.get('platform') ?? null,
      description,
      created_at: now - created * DAY,
      expired_at: now + expires * DAY,
      last_used_at: used === null ? null : now - used * DAY,
    });
  }
}

/** Every tenth is still invited, every seventh is in a second team. Each table is filled by one statement, which is fast. */
function addMembers({ store, ids, now }: Change, { seq, teams }: Organization, count: number): void {
  const next = (table: string): number =>
    (store.first<{ last: number | null }>(`SELECT max(seq) AS last FROM ${table}`)?.last ?? 0) + 1;
  const [firstUser, firstMembership] = [next('users'), next('memberships')];
  const [userIds, membershipIds] = [ids.ids('user', count), ids.ids('ou', count)];
  const people = Array.from({ length: count }, (_, index) => {
    const name = `member-${String(index + 1).padStart(6, '0')}`;
    const isInvited = (index + 1) % 10 === 0;
    return {
      user: [firstUser + index, userIds[index], `${name}@example.com`, isInvited ? null : name],
      membership: [firstMembership + index, membershipIds[index], firstUser + index, isInvited ? 'invited' : 'active'],
      teams: ['platform', ...((index + 1) % 7 === 0 ? ['audit'] : [])].map((team) => [
        firstMembership + index,
        teams.get(team),
      ]),
    };
  });
  store.run(
    `INSERT INTO users (seq, id, email, email_folded, username, username_folded)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 2, value ->> 3, value ->> 3 FROM json_each(?)`,
    JSON.stringify(people.map(({ user }) => user)),
  );
  store.run(
    `INSERT INTO memberships (seq, id, organization, user, status, created_at)
     SELECT value ->> 0, value ->> 1, ?, value ->> 2, value ->> 3, ? FROM json_each(?)`,
    seq,
    now - DAY,
    JSON.stringify(people.map(({ membership }) => membership)),
  );
  store.run(
    'INSERT INTO membership_teams (membership, team) SELECT value ->> 0, value ->> 1 FROM json_each(?)',
    JSON.stringify(people.flatMap((person) => person.teams)),
  );
}
