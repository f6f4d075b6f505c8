CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE organizations (seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, email TEXT NOT NULL,
  created_at INTEGER NOT NULL, curation INTEGER NOT NULL, user_limit INTEGER, note TEXT NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}', active INTEGER NOT NULL DEFAULT 0, invited INTEGER NOT NULL DEFAULT 0,
  inactive INTEGER NOT NULL DEFAULT 0, has_scim INTEGER NOT NULL DEFAULT 0, is_unified INTEGER NOT NULL DEFAULT 0);
CREATE TABLE users (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  email TEXT, email_folded TEXT UNIQUE, username TEXT, username_folded TEXT UNIQUE,
  is_service_account INTEGER NOT NULL DEFAULT 0, auth_method TEXT NOT NULL DEFAULT 'tfc',
  has_second_factor INTEGER NOT NULL DEFAULT 0);
CREATE INDEX service_accounts ON users (seq) WHERE is_service_account = 1;
CREATE TABLE teams (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization INTEGER NOT NULL,
  name TEXT NOT NULL, name_folded TEXT NOT NULL, visibility TEXT NOT NULL, access TEXT NOT NULL DEFAULT '[]',
  allow_member_token_management INTEGER NOT NULL DEFAULT 1, sso_team_id TEXT, scim_group_name TEXT,
  scim_updated_at INTEGER, users_count INTEGER NOT NULL DEFAULT 0, UNIQUE (organization, name));
CREATE TABLE memberships (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization INTEGER NOT NULL,
  user INTEGER NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL, scim_identity TEXT, scim_status TEXT,
  UNIQUE (organization, user));
CREATE INDEX memberships_by_organization ON memberships (organization);
CREATE INDEX memberships_by_status ON memberships (organization, status);
CREATE INDEX memberships_by_user ON memberships (user);
CREATE TABLE membership_teams (membership INTEGER NOT NULL, team INTEGER NOT NULL,
  PRIMARY KEY (membership, team)) WITHOUT ROWID;
CREATE INDEX members_by_team ON membership_teams (team, membership);
CREATE TABLE tokens (hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, organization INTEGER,
  team INTEGER, user INTEGER, created_at INTEGER NOT NULL, expired_at INTEGER, last_used_at INTEGER,
  creator_type TEXT NOT NULL, creator_id TEXT NOT NULL, description TEXT);
CREATE UNIQUE INDEX one_token_of_a_kind ON tokens (kind, organization, ifnull(team, 0))
  WHERE organization IS NOT NULL AND description IS NULL;
CREATE UNIQUE INDEX one_token_of_a_description ON tokens (organization, ifnull(team, 0), description)
  WHERE description IS NOT NULL;
CREATE TABLE token_policies (organization INTEGER NOT NULL, token_type TEXT NOT NULL, max_ttl_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (organization, token_type)) WITHOUT ROWID;
CREATE TABLE providers (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, organization INTEGER NOT NULL,
  registry_name TEXT NOT NULL, namespace TEXT NOT NULL, namespace_folded TEXT NOT NULL, name TEXT NOT NULL,
  name_folded TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  UNIQUE (organization, registry_name, namespace, name));
CREATE TABLE gpg_keys (seq INTEGER PRIMARY KEY, organization INTEGER NOT NULL, key_id TEXT NOT NULL,
  ascii_armor TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE (organization, key_id));
CREATE TABLE provider_versions (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, provider INTEGER NOT NULL,
  version TEXT NOT NULL, key_id TEXT NOT NULL, protocols TEXT NOT NULL, created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, UNIQUE (provider, version));
CREATE TABLE provider_platforms (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  os TEXT NOT NULL, arch TEXT NOT NULL, filename TEXT NOT NULL, shasum TEXT NOT NULL, UNIQUE (version, os, arch));
-- The owner of a file is a version or platform. A file has a row for each chunk of it.
CREATE TABLE release_files (seq INTEGER PRIMARY KEY, owner TEXT NOT NULL, part TEXT NOT NULL, content BLOB NOT NULL);
CREATE INDEX files_by_owner ON release_files (owner, part);
CREATE TABLE feature_sets (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, attributes TEXT NOT NULL);
CREATE TABLE eligible_feature_sets (organization INTEGER NOT NULL, feature_set INTEGER NOT NULL,
  attributes TEXT NOT NULL, PRIMARY KEY (organization, feature_set)) WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, organization INTEGER NOT NULL, occurred_at INTEGER NOT NULL,
  event TEXT NOT NULL);
CREATE INDEX events_by_time ON events (organization, occurred_at);
