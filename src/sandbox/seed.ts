import type { MembershipStatus, RegistryName } from '../wire/resources.ts';
import { recordSystemEvent } from './audit-events.ts';
import type { CallerKind, TokenKind } from './callers.ts';
import { ORGANIZATIONS } from './documents.ts';
import { PLANS } from './feature-set-fixtures.ts';
import type { Ids } from './ids.ts';
import { insertEligibleFeatureSet, insertFeatureSet } from './queries/feature-sets.ts';
import { insertMembership, insertUser } from './queries/memberships.ts';
import { getOrganization, insertOrganization, type OrganizationRow, setUserLimit } from './queries/organizations.ts';
import { insertProvider } from './queries/providers.ts';
import { insertTeam, OWNERS_TEAM } from './queries/teams.ts';
import { insertToken } from './queries/tokens.ts';
import { SCHEMA, TABLES } from './schema.ts';
import type { Store } from './store.ts';

/** What a new state is filled with. */
export type Seed = { kind: 'demo' } | { kind: 'empty' } | { kind: 'members'; count: number };

const MOST_MEMBERS = 1_000_000;

/** `demo`, `empty` or `members=<count>`; undefined when it is none of these. */
export function parseSeed(text: string): Seed | undefined {
  if (text === 'demo' || text === 'empty') {
    return { kind: text };
  }
  const count = Number(/^members=(\d{1,7})$/.exec(text)?.[1] ?? Number.NaN);
  return count <= MOST_MEMBERS ? { kind: 'members', count } : undefined;
}

function toSeedText(seed: Seed): string {
  return seed.kind === 'members' ? `members=${seed.count}` : seed.kind;
}

/** The text of a ready-made token, by its kind and, where it serves one only, its organization. */
export function toReadyText(kind: TokenKind, organization?: string): string {
  return organization === undefined ? `sandbox.${kind}` : `sandbox.${kind}.${organization}`;
}

export interface Sowing {
  readonly store: Store;
  readonly ids: Ids;
  readonly now: number;
}

interface Person {
  readonly email: string;
  readonly username: string | null;
  readonly team: string;
  readonly status: MembershipStatus;
}

interface OrganizationSeed {
  readonly name: string;
  readonly email: string;
  readonly note: string;
  readonly curation: boolean;
  readonly trialUsed: boolean;
  /** Everybody who is there from the start leaves no room for another. */
  readonly full: boolean;
  readonly auditToken: boolean;
  readonly people: readonly Person[];
  readonly providers: readonly (readonly [RegistryName, string, string])[];
}

type UserKind = Extract<CallerKind, 'owner' | 'member' | 'team-manager' | 'registry-manager'>;

/** The people behind the user tokens, in every organization; what they may do follows from their teams. */
const CALLERS: readonly (Person & { readonly kind: UserKind })[] = [
  { kind: 'owner', email: 'olive.owner@example.com', username: 'olive-owner', team: OWNERS_TEAM, status: 'active' },
  { kind: 'member', email: 'milo.member@example.com', username: 'milo-member', team: 'audit', status: 'active' },
  {
    kind: 'team-manager',
    email: 'tara.team-manager@example.com',
    username: 'tara-team-manager',
    team: 'security',
    status: 'active',
  },
  {
    kind: 'registry-manager',
    email: 'rex.registry-manager@example.com',
    username: 'rex-registry-manager',
    team: 'platform',
    status: 'active',
  },
];

const TEAM_SEEDS = [
  { name: OWNERS_TEAM, visibility: 'organization', managesMemberships: true, managesProviders: true },
  { name: 'platform', visibility: 'organization', managesMemberships: false, managesProviders: true },
  { name: 'security', visibility: 'organization', managesMemberships: true, managesProviders: false },
  { name: 'audit', visibility: 'secret', managesMemberships: false, managesProviders: false },
] as const;

const ORGANIZATION_SEEDS: readonly OrganizationSeed[] = [
  {
    name: 'acme',
    email: 'platform@acme.example.com',
    note: 'everything on',
    curation: true,
    trialUsed: false,
    full: false,
    auditToken: true,
    people: [
      { email: 'ada.auditor@example.com', username: 'ada-auditor', team: 'audit', status: 'active' },
      { email: 'ivan.invitee@example.com', username: null, team: 'platform', status: 'invited' },
    ],
    providers: [
      ['public', 'hashicorp', 'aws'],
      ['public', 'hashicorp', 'random'],
      ['public', 'integrations', 'github'],
      ['private', 'acme', 'internal-dns'],
      ['private', 'acme', 'inventory'],
    ],
  },
  {
    name: 'globex',
    email: 'cloud@globex.example.com',
    note: 'trial used, so no trial feature set',
    curation: true,
    trialUsed: true,
    full: false,
    auditToken: true,
    people: [
      { email: 'gina.globex@example.com', username: 'gina-globex', team: 'platform', status: 'active' },
      { email: 'noor.newcomer@example.com', username: null, team: 'audit', status: 'invited' },
    ],
    providers: [
      ['public', 'hashicorp', 'google'],
      ['private', 'globex', 'reactor'],
    ],
  },
  {
    name: 'initech',
    email: 'it@initech.example.com',
    note: 'public provider curation disabled, user limit reached',
    curation: false,
    trialUsed: false,
    full: true,
    auditToken: false,
    people: [{ email: 'peter.programmer@example.com', username: null, team: 'platform', status: 'invited' }],
    providers: [['private', 'initech', 'tps']],
  },
];

const DAY = 86_400_000;

/** Makes the tables anew and fills them, inside a transaction of the caller's. */
export function sow(sowing: Sowing, seed: Seed): void {
  const { store, ids } = sowing;
  store.execute(TABLES.map((table) => `DROP TABLE IF EXISTS ${table};`).join('\n'));
  store.execute(SCHEMA);
  store.run("INSERT INTO settings (name, value) VALUES ('seed', ?)", toSeedText(seed));

  const featureSets = PLANS.map((plan) => ({
    plan,
    seq: insertFeatureSet(store, ids.id('fs'), plan.attributes),
  }));
  const users = sowCallers(sowing);
  for (const organization of ORGANIZATION_SEEDS) {
    const { seq, teams } = sowOrganization(sowing, organization, users, seed.kind !== 'empty');
    for (const { plan, seq: featureSet } of featureSets) {
      if (!(plan.trial === true && organization.trialUsed)) {
        insertEligibleFeatureSet(store, seq, featureSet, { ...plan.attributes, ...plan.eligible });
      }
    }
    if (seed.kind === 'members' && organization === ORGANIZATION_SEEDS[0]) {
      sowMembers(sowing, seq, teams, seed.count);
    }
  }
}

export function readSeedText(store: Store): string {
  return store.first<{ value: string }>("SELECT value FROM settings WHERE name = 'seed'")?.value ?? '';
}

function sowCallers({ store, ids, now }: Sowing): Map<string, number> {
  const users = new Map<string, number>();
  for (const { kind, email, username } of CALLERS) {
    const id = ids.id('user');
    const user = insertUser(store, { id, email, username });
    users.set(email, user);
    insertToken(store, {
      text: toReadyText(kind),
      id: ids.id('at'),
      kind,
      organization: null,
      user,
      createdAt: now,
      expiredAt: null,
      creator: { type: 'users', id },
    });
  }
  return users;
}

function sowOrganization(
  { store, ids, now }: Sowing,
  seed: OrganizationSeed,
  callers: ReadonlyMap<string, number>,
  populated: boolean,
): { seq: number; teams: ReadonlyMap<string, number> } {
  const seq = insertOrganization(store, {
    id: ids.id('org'),
    name: seed.name,
    email: seed.email,
    createdAt: now - 90 * DAY,
    curation: seed.curation,
    note: seed.note,
  });
  const teams = new Map<string, number>();
  for (const team of TEAM_SEEDS) {
    teams.set(team.name, insertTeam(store, { ...team, id: ids.id('team'), organization: seq }));
  }
  for (const [index, person] of [...CALLERS, ...(populated ? seed.people : [])].entries()) {
    const { email, username, status } = person;
    const team = teams.get(person.team);
    insertMembership(store, {
      id: ids.id('ou'),
      organization: seq,
      user: callers.get(email) ?? insertUser(store, { id: ids.id('user'), email, username }),
      status,
      createdAt: now - (60 - index) * DAY,
      teams: team === undefined ? [] : [team],
    });
  }
  const organization = requireRow(getOrganization(store, seq));
  if (seed.full) {
    setUserLimit(store, seq, organization.active + organization.invited);
  }
  sowTokens({ store, ids, now }, seed, organization, populated);
  if (populated) {
    for (const [registryName, namespace, name] of seed.providers) {
      const id = ids.id('prov');
      insertProvider(store, { id, organization: seq, registryName, namespace, name, createdAt: now - 30 * DAY });
    }
  }
  return { seq, teams };
}

function sowTokens(
  { store, ids, now }: Sowing,
  seed: OrganizationSeed,
  organization: OrganizationRow,
  populated: boolean,
): void {
  const kinds = [
    'owners-team',
    'org-token',
    ...(seed.auditToken && populated ? ['audit-token' as const] : []),
  ] as const;
  for (const kind of kinds) {
    const id = ids.id('at');
    insertToken(store, {
      text: toReadyText(kind, seed.name),
      id,
      kind,
      organization: organization.seq,
      user: null,
      createdAt: now - 20 * DAY,
      expiredAt: null,
      creator: { type: ORGANIZATIONS, id: organization.name },
    });
    if (kind === 'audit-token') {
      // What made all this is older than the audit trail goes back; a job looks at the token each day.
      for (const days of [3, 2, 1]) {
        const looked = { type: 'authentication_token', action: 'show', id } as const;
        recordSystemEvent(store, ids, organization, now - days * DAY, looked);
      }
    }
  }
}

/** Every tenth is still invited, every seventh is in a second team. One statement a table: a row each would take long. */
function sowMembers(
  { store, ids, now }: Sowing,
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
    const invited = (index + 1) % 10 === 0;
    users.push([firstUser + index, userIds[index], `${name}@example.com`, invited ? null : name]);
    memberships.push([
      firstMembership + index,
      membershipIds[index],
      firstUser + index,
      invited ? 'invited' : 'active',
    ]);
    memberTeams.push([firstMembership + index, teams.get('platform')]);
    if ((index + 1) % 7 === 0) {
      memberTeams.push([firstMembership + index, teams.get('audit')]);
    }
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

function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw new Error('A row just inserted is gone');
  }
  return row;
}
