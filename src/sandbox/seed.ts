import { recordSystemEvent } from './audit-events.ts';
import { toReadyMadeToken } from './callers.ts';
import { ORGANIZATIONS } from './documents.ts';
import { FEATURE_SET_FIXTURES } from './feature-set-fixtures.ts';
import {
  CALLER_FIXTURES,
  ORGANIZATION_FIXTURES,
  type OrganizationFixture,
  TEAM_FIXTURES,
} from './organization-fixtures.ts';
import { insertEligibleFeatureSet, insertFeatureSet } from './queries/feature-sets.ts';
import { insertMembership, insertUser } from './queries/memberships.ts';
import { insertOrganization, limitToPresentUsers } from './queries/organizations.ts';
import { insertProvider } from './queries/providers.ts';
import { insertTeam } from './queries/teams.ts';
import { insertToken, toHash } from './queries/tokens.ts';
import type { ChangeContext } from './route.ts';
import { SCHEMA, TABLES, TEAM_COUNTS, TOKEN_POLICIES } from './schema.ts';
import type { Store } from './store.ts';

export type Seed = { kind: 'demo' } | { kind: 'empty' } | { kind: 'members'; count: number };

const MOST_MEMBERS = 1_000_000;
const DAY = 86_400_000;

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
    seq: insertFeatureSet(store, ids.id('fs'), fixture.attributes),
  }));
  const users = addCallers(change);
  for (const organization of ORGANIZATION_FIXTURES) {
    const { seq, teams } = addOrganization(change, organization, users, seed.kind !== 'empty');
    for (const { fixture, seq: featureSet } of featureSets) {
      if (fixture.trial === true && organization.trialUsed) continue;
      insertEligibleFeatureSet(store, seq, featureSet, { ...fixture.attributes, ...fixture.eligible });
    }
    if (seed.kind === 'members' && organization === ORGANIZATION_FIXTURES[0])
      addMembers(change, seq, teams, seed.count);
  }
}

function addCallers({ store, ids, now }: ChangeContext): Map<string, number> {
  const users = new Map<string, number>();
  for (const { kind, email, username } of CALLER_FIXTURES) {
    const id = ids.id('user');
    const user = insertUser(store, { id, email, username });
    users.set(email, user);
    insertToken(store, {
      text: toReadyMadeToken(kind),
      id: ids.id('at'),
      kind,
      organization: null,
      user,
      createdAt: now,
      creator: { type: 'users', id },
    });
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
  const { name, email, curation, note } = fixture;
  const id = ids.id('org');
  const seq = insertOrganization(store, { id, name, email, createdAt: now - 90 * DAY, curation, note });
  const teams = new Map<string, number>();
  for (const team of TEAM_FIXTURES) {
    teams.set(team.name, insertTeam(store, { ...team, id: ids.id('team'), organization: seq }));
  }
  for (const [index, person] of [...CALLER_FIXTURES, ...(populated ? fixture.people : [])].entries()) {
    const team = teams.get(person.team);
    insertMembership(store, {
      id: ids.id('ou'),
      organization: seq,
      user: callers.get(person.email) ?? insertUser(store, { ...person, id: ids.id('user') }),
      status: person.status,
      createdAt: now - (60 - index) * DAY,
      teams: team === undefined ? [] : [team],
    });
  }
  if (fixture.full) limitToPresentUsers(store, seq);
  addTokens(change, { seq, id, name }, fixture.auditToken && populated);
  for (const [registryName, namespace, provider] of populated ? fixture.providers : []) {
    const address = { registryName, namespace, name: provider };
    insertProvider(store, { ...address, id: ids.id('prov'), organization: seq, createdAt: now - 30 * DAY });
  }
  return { seq, teams };
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
    insertToken(store, {
      text: toReadyMadeToken(kind, organization.name),
      id,
      kind,
      organization: organization.seq,
      user: null,
      createdAt: now - 20 * DAY,
      creator: { type: ORGANIZATIONS, id: organization.name },
    });
    if (kind !== 'audit-token') continue;
    // A job reads the token each day; what created all this is older than the audit trail goes back.
    for (const days of [3, 2, 1]) {
      const read = { type: 'authentication_token', action: 'show', id } as const;
      recordSystemEvent({ store, ids, now: now - days * DAY }, organization, read);
    }
  }
}

/** Every tenth is still invited, every seventh is in a second team. One statement a table: a row each would take long. */
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

/** Brings the state of an earlier version to what SCHEMA says, inside a transaction of the caller's. Nothing in it is lost. */
export function migrate(store: Store, version: number): void {
  if (version < 2) hashTokens(store);
  store.execute(TOKEN_POLICIES);
}

/** From version 2 on tokens are hashes, and teams count their active members alone. */
function hashTokens(store: Store): void {
  store.execute('ALTER TABLE tokens RENAME COLUMN text TO hash');
  for (const { hash: text } of store.all<{ hash: string }>('SELECT hash FROM tokens')) {
    store.run('UPDATE tokens SET hash = ? WHERE hash = ?', toHash(text), text);
  }
  store.execute(`
    DROP TRIGGER team_joined;
    DROP TRIGGER team_left;
    DROP TRIGGER membership_changed;
    DROP TRIGGER membership_removed;
    ${TEAM_COUNTS}
    UPDATE teams SET users_count =
      (SELECT count(*) FROM membership_teams JOIN memberships ON memberships.seq = membership_teams.membership
       WHERE membership_teams.team = teams.seq AND memberships.status = 'active');
  `);
}
