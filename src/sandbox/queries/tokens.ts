import { createHash } from 'node:crypto';
import { type Caller, HOLDERS, type TokenKind } from '../callers.ts';
import { contains, type Selection, type Store } from '../rows.ts';
import { isShownTeam, OWNERS_TEAM } from './teams.ts';

export interface TokenRow {
  readonly hash: string;
  readonly id: string;
  readonly kind: TokenKind;
  readonly organization: number | null;
  /** The team of a `team-token`. */
  readonly team: number | null;
  readonly user: number | null;
  readonly created_at: number;
  readonly expired_at: number | null;
  readonly last_used_at: number | null;
  readonly creator_type: string;
  readonly creator_id: string;
  /** A token of a team that has one stands beside the others of that team; null for the one token of a place. */
  readonly description: string | null;
}

/** A place has one token without a description at a time. */
export type TokenPlace = Pick<TokenRow, 'kind' | 'organization' | 'team'>;

type NewToken = Pick<TokenRow, 'id' | 'kind' | 'created_at' | 'creator_type' | 'creator_id'> &
  Partial<TokenRow> & { readonly text: string };

interface CallerRow extends TokenPlace, Pick<TokenRow, 'id' | 'user' | 'last_used_at'> {
  readonly user_id: string | null;
  readonly username: string | null;
}

/** The state has the hash of a token instead of its text: the token cannot be used with it. */
export function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The caller a token stands for, found by its hash or its id; undefined when it is unknown or has expired. Assumed: a
 * token policy that an owner sets ends older tokens of the organization at once, and leaves the tokens of people alone.
 */
export function findCaller(
  store: Store,
  token: { readonly hash: string } | { readonly id: string },
  now: number,
): Caller | undefined {
  const [column, value] = 'id' in token ? ['id', token.id] : ['hash', token.hash];
  const row = store.first<CallerRow>(
    `SELECT tokens.id, tokens.kind, tokens.organization, tokens.team, tokens.user, tokens.last_used_at,
       users.id AS user_id, users.username
     FROM tokens LEFT JOIN users ON users.seq = tokens.user
     WHERE tokens.${column} = ? AND (tokens.expired_at IS NULL OR tokens.expired_at > ?)
       AND NOT EXISTS (SELECT 1 FROM token_policies AS policy
         JOIN organizations ON organizations.seq = policy.organization
         WHERE policy.organization = tokens.organization
         AND json_extract(organizations.settings, '$."max-ttl-enabled"') = 1
         AND policy.token_type = CASE tokens.kind
           WHEN 'audit-token' THEN 'audit_trails' WHEN 'org-token' THEN 'organization'
           WHEN 'owners-team' THEN 'team' WHEN 'team-token' THEN 'team' END
         AND tokens.created_at + policy.max_ttl_ms <= ?)`,
    value,
    now,
    now,
  );
  if (row === undefined) return undefined;
  const user =
    row.user === null || row.user_id === null ? null : { seq: row.user, id: row.user_id, name: row.username ?? '' };
  return {
    holder: HOLDERS[row.kind],
    key: user === null ? row.id : user.id,
    tokenId: row.id,
    tokenUsedAt: row.last_used_at,
    organization: row.organization,
    team: row.team,
    user,
  };
}

export function findToken(store: Store, { kind, organization, team }: TokenPlace): TokenRow | undefined {
  const sql = 'SELECT * FROM tokens WHERE kind = ? AND organization IS ? AND team IS ? AND description IS NULL';
  return store.first(sql, kind, organization, team);
}

export interface TeamTokenRow extends TokenRow {
  readonly team_id: string;
}

const TEAM_TOKENS = `tokens JOIN teams ON teams.organization = tokens.organization
  AND (teams.seq = tokens.team OR (tokens.kind = 'owners-team' AND teams.name = '${OWNERS_TEAM}'))`;

/** Undefined where no team has a token of that id. */
export function findTeamToken(store: Store, id: string): TeamTokenRow | undefined {
  return store.first(`SELECT tokens.*, teams.id AS team_id FROM ${TEAM_TOKENS} WHERE tokens.id = ?`, id);
}

const RANKS = {
  'expired-at': ['tokens.expired_at IS NULL', 'tokens.expired_at'],
  'last-used-at': ['tokens.last_used_at IS NULL', 'tokens.last_used_at'],
  'created-by': ['tokens.creator_id'],
  'team-name': ['teams.name_folded'],
} as const;

/** By what a list can be ordered; with a minus, backwards. */
export const TOKEN_ORDERS = (Object.keys(RANKS) as (keyof typeof RANKS)[]).flatMap(
  (name) => [name, `-${name}`] as const,
);

interface TeamTokenFilter {
  readonly search: string | undefined;
  readonly withOwners: boolean;
  /** The row numbers of the secret teams that are wanted too; all when undefined. */
  readonly secret: ReadonlySet<number> | undefined;
}

/**
 * Of every team, with a description and without. Assumed: a list of tokens that is ordered by a time has the tokens
 * without such a time last.
 */
export function selectTeamTokens(
  store: Store,
  organization: number,
  { search, withOwners, secret }: TeamTokenFilter,
  order: (typeof TOKEN_ORDERS)[number],
): Selection<TeamTokenRow> {
  const ranks = RANKS[order.replace(/^-/, '') as keyof typeof RANKS].map(
    (rank) => `${rank} ${order.startsWith('-') ? 'DESC' : 'ASC'}`,
  );
  return store.select(
    'tokens.*, teams.id AS team_id',
    TEAM_TOKENS,
    [
      ['tokens.organization = ?', organization],
      ["tokens.kind IN ('team-token', 'owners-team')"],
      !withOwners && ["tokens.kind <> 'owners-team'"],
      contains(search, 'teams.name_folded'),
      secret !== undefined && isShownTeam(secret),
    ],
    `${ranks.join(', ')}, tokens.rowid`,
  );
}

export function isDescriptionTaken(store: Store, { organization, team }: TokenPlace, description: string): boolean {
  return (
    store.count('tokens WHERE organization IS ? AND team IS ? AND description = ?', organization, team, description) > 0
  );
}

/** Those without a description. */
export function listPlacedTokens(store: Store): TokenRow[] {
  return store.all('SELECT * FROM tokens WHERE description IS NULL');
}

export function insertToken(store: Store, { text, ...row }: NewToken): TokenRow {
  const usual = { organization: null, team: null, user: null, expired_at: null, last_used_at: null, description: null };
  const token = { ...usual, ...row, hash: toHash(text) };
  store.insert('tokens', token);
  return token;
}

export function deleteToken(store: Store, id: string): void {
  store.run('DELETE FROM tokens WHERE id = ?', id);
}

export function touchToken(store: Store, id: string, now: number): void {
  store.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', now, id);
}
