import type { Value } from '../lib/sqlite.ts';
import type { TeamRow } from './rows.ts';
import { type Condition, isOneOf, type Listing, type Store } from './store.ts';

// CROSS makes SQLite begin with the service accounts, which are few, instead of the members of the team.
const COLUMNS = `teams.*,
  (SELECT count(*) FROM users
   CROSS JOIN memberships ON memberships.user = users.seq AND memberships.status = 'active'
   CROSS JOIN membership_teams ON membership_teams.membership = memberships.seq
   WHERE users.is_service_account = 1 AND membership_teams.team = teams.seq) AS service_accounts`;

export function selectTeams(store: Store, ...conditions: readonly (Condition | false)[]): Listing<TeamRow> {
  return store.select(COLUMNS, 'teams', conditions);
}

export function findTeam(store: Store, where: string, ...values: readonly Value[]): TeamRow | undefined {
  return selectTeams(store, [where, ...values]).list()[0];
}

interface Numbered {
  seq: number;
}

export function listTeamsOf(store: Store, memberships: readonly Numbered[]): (membership: Numbered) => TeamRow[] {
  const seqs = memberships.map(({ seq }) => seq);
  const isWanted = isOneOf('membership', seqs);
  const pairs = store.select<{ membership: number; team: number }>('*', 'membership_teams', [isWanted], 'team').list();
  // Each team is read once: many members of a page are in the same teams.
  const rows = selectTeams(store, isOneOf('seq', [...new Set(pairs.map(({ team }) => team))])).list();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const byMembership = new Map<number, TeamRow[]>(seqs.map((seq) => [seq, []]));
  for (const { membership, team } of pairs) byMembership.get(membership)?.push(bySeq.get(team) as TeamRow);
  return ({ seq }) => byMembership.get(seq) ?? [];
}
