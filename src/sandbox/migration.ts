import { toHash } from './queries/tokens.ts';
import { TEAM_COUNTS } from './schema.ts';
import type { Store } from './store.ts';

/** Brings a state of version 1 to what SCHEMA says, inside a transaction of the caller's. Nothing in it is lost. */
export function migrate(store: Store): void {
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
