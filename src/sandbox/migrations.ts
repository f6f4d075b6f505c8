import { toHash } from './queries/tokens.ts';
import type { Store } from './rows.ts';
import { MEMBERS_BY_TEAM, RELEASES, TOKEN_PLACES, TOKEN_POLICIES, TRIGGERS, USERS_TABLE } from './schema.ts';

/** Brings the state of an earlier version to what SCHEMA says, inside a transaction of the caller's. Nothing in it is lost. */
export function migrate(store: Store, version: number): void {
  if (version < 4) reachFour(store, version);
  addDescriptions(store);
}

function reachFour(store: Store, version: number): void {
  for (const { name } of store.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")) {
    store.execute(`DROP TRIGGER ${name}`);
  }
  if (version < 2) hashTokens(store);
  if (version < 3) store.execute(TOKEN_POLICIES);
  addManagement(store);
  store.execute(TRIGGERS);
  store.execute(RELEASES);
  addSettings(store);
}

/** From version 2 on tokens are hashes, and teams count their active members alone. */
function hashTokens(store: Store): void {
  store.execute('ALTER TABLE tokens RENAME COLUMN text TO hash');
  for (const { hash: text } of store.all<{ hash: string }>('SELECT hash FROM tokens')) {
    store.run('UPDATE tokens SET hash = ? WHERE hash = ?', toHash(text), text);
  }
  store.execute(`
    ${MEMBERS_BY_TEAM}
    UPDATE teams SET users_count =
      (SELECT count(*) FROM membership_teams JOIN memberships ON memberships.seq = membership_teams.membership
       WHERE membership_teams.team = teams.seq AND memberships.status = 'active');
  `);
}

/**
 * From version 4 on members can be inactive or from SCIM, teams can be filled by SSO or SCIM and have any access, and
 * users can be service accounts, which have no address.
 */
function addManagement(store: Store): void {
  store.execute(`
    ALTER TABLE organizations ADD COLUMN inactive INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE organizations ADD COLUMN has_scim INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE organizations ADD COLUMN is_unified INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE users RENAME TO earlier_users;
    ${USERS_TABLE}
    INSERT INTO users (seq, id, email, email_folded, username, username_folded)
      SELECT seq, id, email, email_folded, username, username_folded FROM earlier_users;
    DROP TABLE earlier_users;

    ALTER TABLE teams ADD COLUMN access TEXT NOT NULL DEFAULT '[]';
    UPDATE teams SET access = CASE
      WHEN manages_memberships AND manages_providers THEN '["manage-membership","manage-providers"]'
      WHEN manages_memberships THEN '["manage-membership"]'
      WHEN manages_providers THEN '["manage-providers"]'
      ELSE '[]' END;
    ALTER TABLE teams DROP COLUMN manages_memberships;
    ALTER TABLE teams DROP COLUMN manages_providers;
    ALTER TABLE teams ADD COLUMN sso_team_id TEXT;
    ALTER TABLE teams ADD COLUMN scim_group_name TEXT;
    ALTER TABLE teams ADD COLUMN scim_updated_at INTEGER;

    ALTER TABLE memberships ADD COLUMN scim_identity TEXT;
    ALTER TABLE memberships ADD COLUMN scim_status TEXT;
  `);
}

/** From version 4 on any team can have a token, organizations have settings, and there are plans that are not listed. */
function addSettings(store: Store): void {
  store.execute(`
    ALTER TABLE organizations ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE teams ADD COLUMN allow_member_token_management INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE tokens ADD COLUMN team INTEGER;
    ALTER TABLE feature_sets ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 1;
  `);
}

/** From version 5 on a team can have tokens with a description beside the one without. */
function addDescriptions(store: Store): void {
  store.execute(`
    ALTER TABLE tokens ADD COLUMN description TEXT;
    DROP INDEX one_token_of_a_kind;
    ${TOKEN_PLACES}
  `);
}
