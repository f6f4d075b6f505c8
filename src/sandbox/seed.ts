import { recordSystemEvent } from './audit-events.ts';
import { toReadyMadeToken } from './callers.ts';
import { FEATURE_SET_FIXTURES, RETIRED_FEATURE_SET_FIXTURES } from './feature-set-fixtures.ts';
import { DAY } from './iso-date.ts';
import {
  CALLER_FIXTURES,
  ORGANIZATION_FIXTURES,
  type OrganizationFixture,
  TEAM_FIXTURES,
  type TeamFixture,
} from './organization-fixtures.ts';
import { getUser, insertMembership, insertUser } from './queries/memberships.ts';
import { insertOrganization, limitToPresentUsers } from './queries/organizations.ts';
import { insertProvider } from './queries/providers.ts';
import { insertTeam } from './queries/teams.ts';
import { insertToken } from './queries/tokens.ts';
import type { ChangeContext } from './route.ts';
import type { Store } from './rows.ts';
import { SCHEMA, TABLES } from './schema.ts';
import { ORGANIZATIONS, USERS } from './wire/resources.ts';

export type Seed = { kind: 'demo' } | { kind: 'empty' } | { kind: 'members'; count: number };

const MOST_MEMBERS = 1_000_000;

export function parseSeed(text: string): Seed | undefined {
  if (text === 'demo' || text === 'empty') return { kind: text };
  const count = Number(/^members=(\d{1,7})$/.exec(text)?.[1] ?? Number.NaN);
  return count <= MOST_MEMBERS ? { kind: 'members', count } : undefined;
}

function toSeedText(seed: Seed): string {
  return seed.kind === 'members' ? `members=${seed.count}` : seed.kind;
}

export function readSeedText(store: Store): string {
  return store.first<{ value: string }>("SELECT value FROM settings WHERE name = 'seed'")?.value ?? '';
}

/** Creates the tables again and fills them, inside a transaction of the caller's. */
export function fillState(change: ChangeContext, seed: Seed): void {
  const { store, ids } = change;
  store.execute(TABLES.map((table) => `DROP TABLE IF EXISTS ${table};`).join('\n'));
  store.execute(SCHEMA);
  store.insert('settings', { name: 'seed', value: toSeedText(seed) });

  const featureSets = FEATURE_SET_FIXTURES.map((fixture) => ({
    fixture,
    seq: store.insert('feature_sets', { id: ids.id('fs'), attributes: JSON.stringify(fixture.attributes) }),
  }));
  for (const { attributes } of RETIRED_FEATURE_SET_FIXTURES) {
    store.insert('feature_sets', { id: ids.id('fs'), is_listed: 0, attributes: JSON.stringify(attributes) });
  }
  const users = addCallers(change);
  const isPopulated = seed.kind !== 'empty';
  const organizations = ORGANIZATION_FIXTURES.map((organization) => {
    const { seq, teams } = addOrganization(change, organization, users, isPopulated);
    const current = FEATURE_SET_FIXTURES.find(({ attributes }) => attributes['name'] === organization.plan);
    for (const { fixture, seq: featureSet } of featureSets) {
      if (fixture.trial === true && organization.trialUsed) continue;
      const attributes = { ...fixture.attributes, ...fixture.eligible, 'is-current': fixture === current };
      const eligible = { organization: seq, feature_set: featureSet, attributes: JSON.stringify(attributes) };
      store.insert('eligible_feature_sets', eligible);
    }
    if (seed.kind === 'members' && organization === ORGANIZATION_FIXTURES[0])
      addMembers(change, seq, teams, seed.count);
    return { fixture: organization, seq, teams };
  });
  // These come last, so that the ids of all others stay what they were in earlier versions.
  for (const { fixture, ...organization } of organizations) addManaged(change, fixture, organization, isPopulated);
  for (const { fixture, ...organization } of isPopulated ? organizations : []) {
    addTeamTokens(change, fixture, organization, users.get('olive.owner@example.com'));
  }
}

function addCallers({ store, ids, now }: ChangeContext): Map<string, number> {
  const users = new Map<string, number>();
  for (const { kind, email, username } of CALLER_FIXTURES) {
    const id = ids.id('user');
    const user = insertUser(store, { id, email, username });
    users.set(email, user);
    const token = { id: ids.id('at'), kind, user, created_at: now, creator_type: USERS, creator_id: id };
    insertToken(store, { ...token, text: toReadyMadeToken(kind) });
  }
  return users;
}

function addOrganization(
  change: ChangeContext,
  fixture: OrganizationFixture,
  callers: ReadonlyMap<string, number>,
  populated: boolean,
): { seq: number; teams: ReadonlyMap<string, number> } {
  const { store, ids, now } = change;
  const { name, email, curation, hasScim, isUnified, note } = fixture;
  const id = ids.id('org');
  const flags = { curation: Number(curation), has_scim: Number(hasScim), is_unified: Number(isUnified) };
  const seq = insertOrganization(store, { id, name, email, note, ...flags, created_at: now - 90 * DAY });
  const teams = new Map<string, number>();
  for (const team of TEAM_FIXTURES) teams.set(team.name, addTeam(change, seq, team));
  for (const [index, person] of [...CALLER_FIXTURES, ...(populated ? fixture.people : [])].entries()) {
    const { email: address, username, status } = person;
    const membership = { id: ids.id('ou'), organization: seq, status, created_at: now - (60 - index) * DAY };
    const user = callers.get(address) ?? insertUser(store, { id: ids.id('user'), email: address, username });
    const team = teams.get(person.team);
    insertMembership(store, { ...membership, user }, team === undefined ? [] : [team]);
  }
  if (fixture.full) limitToPresentUsers(store, seq);
  addTokens(change, { seq, id, name }, fixture.auditToken && populated);
  for (const [registryName, namespace, provider] of populated ? fixture.providers : []) {
    const address = { registryName, namespace, name: provider };
    insertProvider(store, { ...address, id: ids.id('prov'), organization: seq, createdAt: now - 30 * DAY });
  }
  return { seq, teams };
}

function addTeam({ store, ids, now }: ChangeContext, organization: number, fixture: TeamFixture): number {
  const { scimGroup, ssoTeamId, ...team } = fixture;
  const scim = scimGroup === undefined ? {} : { scim_group_name: scimGroup, scim_updated_at: now - DAY };
  return insertTeam(store, { ...team, ...scim, sso_team_id: ssoTeamId ?? null, id: ids.id('team'), organization });
}

/** Adds the people and teams that an identity provider manages, and service accounts. */
function addManaged(
  change: ChangeContext,
  fixture: OrganizationFixture,
  organization: { readonly seq: number; readonly teams: ReadonlyMap<string, number> },
  isPopulated: boolean,
): void {
  const { store, ids, now } = change;
  const { seq } = organization;
  const teams = new Map(organization.teams);
  for (const team of fixture.managedTeams) teams.set(team.name, addTeam(change, seq, team));
  for (const { scim, teams: names, status, user } of isPopulated ? fixture.managed : []) {
    const membership = { id: ids.id('ou'), organization: seq, status, created_at: now - 40 * DAY };
    const person = { ...membership, user: insertUser(store, { ...user, id: ids.id('user') }) };
    const identity = scim === undefined ? {} : { scim_identity: ids.uuid(), scim_status: scim };
    const memberOf = names.flatMap((name) => teams.get(name) ?? []);
    insertMembership(store, { ...person, ...identity }, memberOf);
  }
}

function addTokens(
  change: ChangeContext,
  organization: { readonly seq: number; readonly id: string; readonly name: string },
  hasAuditToken: boolean,
): void {
  const { store, ids, now } = change;
  for (const kind of ['owners-team', 'org-token', 'audit-token'] as const) {
    if (kind === 'audit-token' && !hasAuditToken) continue;
    const id = ids.id('at');
    const creator = { creator_type: ORGANIZATIONS, creator_id: organization.name };
    const token = { id, kind, organization: organization.seq, created_at: now - 20 * DAY, ...creator };
    insertToken(store, { ...token, text: toReadyMadeToken(kind, organization.name) });
    if (kind !== 'audit-token') continue;
    // The trail has a job that reads the token each day. It does not go back to the creation of the organization.
    for (const days of [3, 2, 1]) {
      const read = { type: 'authentication_token', action: 'show', id } as const;
      recordSystemEvent({ store, ids, now: now - days * DAY }, organization, read);
    }
  }
}

/** `owner`: who made them. */
function addTeamTokens(
  { store, ids, now }: ChangeContext,
  { name, tokens }: OrganizationFixture,
  { seq, teams }: { readonly seq: number; readonly teams: ReadonlyMap<string, number> },
  owner: number | undefined,
): void {
  const creator = { creator_type: USERS, creator_id: getUser(store, owner ?? 0)?.id ?? '' };
  for (const { team, description, created, expires, used } of tokens) {
    insertToken(store, {
      ...creator,
      id: ids.id('at'),
      kind: 'team-token',
      organization: seq,
      team: teams.get(team) ?? null,
      description,
      created_at: now - created * DAY,
      expired_at: now + expires * DAY,
      last_used_at: used === null ? null : now - used * DAY,
      text: `${toReadyMadeToken('team-token', name)}.${team}.${description.replaceAll(' ', '-')}`,
    });
  }
}

/** Every tenth is still invited, every seventh is in a second team. Each table is filled by one statement, which is fast. */
function addMembers(
  { store, ids, now }: ChangeContext,
  organization: number,
  teams: ReadonlyMap<string, number>,
  count: number,
): void {
  const [firstUser, firstMembership] = [nextSeq(store, 'users'), nextSeq(store, 'memberships')];
  const userIds = ids.ids('user', count);
  const membershipIds = ids.ids('ou', count);
  const users: unknown[] = [];
  const memberships: unknown[] = [];
  const memberTeams: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `member-${String(index + 1).padStart(6, '0')}`;
    const isInvited = (index + 1) % 10 === 0;
    const [user, membership] = [firstUser + index, firstMembership + index];
    users.push([user, userIds[index], `${name}@example.com`, isInvited ? null : name]);
    memberships.push([membership, membershipIds[index], user, isInvited ? 'invited' : 'active']);
    memberTeams.push([membership, teams.get('platform')]);
    if ((index + 1) % 7 === 0) memberTeams.push([membership, teams.get('audit')]);
  }
  store.run(
    `INSERT INTO users (seq, id, email, email_folded, username, username_folded)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 2, value ->> 3, value ->> 3 FROM json_each(?)`,
    JSON.stringify(users),
  );
  store.run(
    `INSERT INTO memberships (seq, id, organization, user, status, created_at)
     SELECT value ->> 0, value ->> 1, ?, value ->> 2, value ->> 3, ? FROM json_each(?)`,
    organization,
    now - DAY,
    JSON.stringify(memberships),
  );
  store.run(
    'INSERT INTO membership_teams (membership, team) SELECT value ->> 0, value ->> 1 FROM json_each(?)',
    JSON.stringify(memberTeams),
  );
}

function nextSeq(store: Store, table: 'users' | 'memberships'): number {
  return (store.first<{ last: number | null }>(`SELECT max(seq) AS last FROM ${table}`)?.last ?? 0) + 1;
}
