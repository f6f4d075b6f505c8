CREATE TABLE discarded_files (file TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE eligible_feature_sets (
  organization INTEGER NOT NULL,
  feature_set INTEGER NOT NULL,
  attributes TEXT NOT NULL,
  PRIMARY KEY (organization, feature_set)
) WITHOUT ROWID;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  organization INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  event TEXT NOT NULL
);
CREATE TABLE feature_sets (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  is_listed INTEGER NOT NULL DEFAULT 1,
  attributes TEXT NOT NULL
);
CREATE TABLE gpg_keys (
  seq INTEGER PRIMARY KEY,
  organization INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  ascii_armor TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization, key_id)
);
CREATE TABLE membership_teams (
  membership INTEGER NOT NULL,
  team INTEGER NOT NULL,
  PRIMARY KEY (membership, team)
) WITHOUT ROWID;
CREATE TABLE memberships (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization INTEGER NOT NULL,
  user INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  scim_identity TEXT,
  scim_status TEXT,
  UNIQUE (organization, user)
);
CREATE TABLE organizations (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  curation INTEGER NOT NULL,
  user_limit INTEGER,
  note TEXT NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  active INTEGER NOT NULL DEFAULT 0,
  invited INTEGER NOT NULL DEFAULT 0,
  inactive INTEGER NOT NULL DEFAULT 0,
  has_scim INTEGER NOT NULL DEFAULT 0,
  is_unified INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE provider_platforms (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  os TEXT NOT NULL,
  arch TEXT NOT NULL,
  filename TEXT NOT NULL,
  shasum TEXT NOT NULL,
  UNIQUE (version, os, arch)
);
CREATE TABLE provider_versions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  provider INTEGER NOT NULL,
  version TEXT NOT NULL,
  key_id TEXT NOT NULL,
  protocols TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (provider, version)
);
CREATE TABLE providers (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization INTEGER NOT NULL,
  registry_name TEXT NOT NULL,
  namespace TEXT NOT NULL,
  namespace_folded TEXT NOT NULL,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization, registry_name, namespace, name)
);
CREATE TABLE release_files (
  owner TEXT NOT NULL,
  part TEXT NOT NULL,
  file TEXT NOT NULL UNIQUE,
  PRIMARY KEY (owner, part)
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE teams (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  visibility TEXT NOT NULL,
  allow_member_token_management INTEGER NOT NULL DEFAULT 1,
  access TEXT NOT NULL DEFAULT '[]',
  sso_team_id TEXT,
  scim_group_name TEXT,
  scim_updated_at INTEGER,
  users_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (organization, name)
);
CREATE TABLE token_policies (
  organization INTEGER NOT NULL,
  token_type TEXT NOT NULL,
  max_ttl_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organization, token_type)
) WITHOUT ROWID;
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  organization INTEGER,
  team INTEGER,
  user INTEGER,
  created_at INTEGER NOT NULL,
  expired_at INTEGER,
  last_used_at INTEGER,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL
);
CREATE TABLE users (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT,
  email_folded TEXT UNIQUE,
  username TEXT,
  username_folded TEXT UNIQUE,
  is_service_account INTEGER NOT NULL DEFAULT 0,
  auth_method TEXT NOT NULL DEFAULT 'tfc',
  has_second_factor INTEGER NOT NULL DEFAULT 0
);
INSERT INTO events VALUES (1, 1, 1795498822761, '{"id":"c559b250-f749-41ab-9526-59821dc5fca3","version":"0","type":"Resource","timestamp":"2026-11-24T05:40:22.761Z","auth":{"accessor_id":"user-nAYXdJaeoxtcubhv","description":"olive-owner","type":"Client","impersonator_id":null,"organization_id":"org-2L3CPBE4rr6ME8uc"},"request":{"id":"4368f648-2081-4117-a545-71d0685ea99c"},"resource":{"id":"at-n8qdqvpL5ARMDPE7","type":"authentication_token","action":"create","meta":null}}');
INSERT INTO membership_teams VALUES (1, 1);
INSERT INTO membership_teams VALUES (4, 2);
INSERT INTO membership_teams VALUES (3, 3);
INSERT INTO membership_teams VALUES (2, 4);
INSERT INTO memberships VALUES (1, 'ou-EKLcbVPWhGLybmEH', 1, 1, 'active', 1790314821543, NULL, NULL);
INSERT INTO memberships VALUES (2, 'ou-LZCbwGUUAodxxDQ8', 1, 2, 'active', 1790401221543, NULL, NULL);
INSERT INTO memberships VALUES (3, 'ou-PFDvjELVx7XnqGK3', 1, 3, 'active', 1790487621543, NULL, NULL);
INSERT INTO memberships VALUES (4, 'ou-7uKh9osAsfCU2aac', 1, 4, 'active', 1790574021543, NULL, NULL);
INSERT INTO organizations VALUES (1, 'org-2L3CPBE4rr6ME8uc', 'acme', 'acme', 'platform@acme.example.com', 1787722821543, 1, NULL, 'everything on', '{}', 4, 0, 0, 0, 0);
INSERT INTO settings VALUES ('seed', 'empty');
INSERT INTO teams VALUES (1, 'team-AG7i7fC4EtxsBL8i', 1, 'owners', 'owners', 'organization', 1, '[]', NULL, NULL, NULL, 1);
INSERT INTO teams VALUES (2, 'team-faM53x8kdiUQtAGq', 1, 'platform', 'platform', 'organization', 1, '["manage-providers"]', NULL, NULL, NULL, 1);
INSERT INTO teams VALUES (3, 'team-6BJpiCUBAc9spwmi', 1, 'security', 'security', 'organization', 1, '["manage-membership"]', NULL, NULL, NULL, 1);
INSERT INTO teams VALUES (4, 'team-NZNPy3mFMNE4axeH', 1, 'audit', 'audit', 'secret', 1, '[]', NULL, NULL, NULL, 1);
INSERT INTO tokens VALUES ('93ed6cd7004281d9bd3dfee64f24481f23e64bb406c3a9456befe56834a40bd6', 'at-YgBoTSMxA3HotD3y', 'owner', NULL, NULL, 1, 1795498821543, NULL, NULL, 'users', 'user-nAYXdJaeoxtcubhv');
INSERT INTO tokens VALUES ('51a62e7caa1ad5a2234c31ce11675b3ec75dc0d5379a5b61655651f16e67fc2e', 'at-yc89E4XA9tvfJG88', 'member', NULL, NULL, 2, 1795498821543, NULL, NULL, 'users', 'user-gqmiaqQyq9StRGaQ');
INSERT INTO tokens VALUES ('1265ec378f145d3ab189d6f518ee426815ff6941fa4cccea63177fbddef66a9f', 'at-UScpsP42R5pmwL6c', 'team-manager', NULL, NULL, 3, 1795498821543, NULL, NULL, 'users', 'user-A9r3744caRhMYDms');
INSERT INTO tokens VALUES ('93ad68dfb2902a859b14fa5b7dd16b0e3fb25f7b410fe7db2575ab49dbfb1ed1', 'at-PADbV48xHyWjKN9L', 'registry-manager', NULL, NULL, 4, 1795498821543, NULL, NULL, 'users', 'user-oEHuNAhyBqehiL24');
INSERT INTO tokens VALUES ('05778f3bd32e85766c8fe3dd612729ca883440318304b817e7bd3edc8cee6956', 'at-9ua74K21abB4bRLm', 'owners-team', 1, NULL, NULL, 1793770821543, NULL, NULL, 'organizations', 'acme');
INSERT INTO tokens VALUES ('1c2593d775896deb937426605205a44abff0f44b4881533021d2c0025e006feb', 'at-UGjqsRLvAUJ8ZDwY', 'org-token', 1, NULL, NULL, 1793770821543, NULL, NULL, 'organizations', 'acme');
INSERT INTO tokens VALUES ('af8c8e15acdb4d717b617824d5772fd833c5511f8984f901144c47ec1e23a3b6', 'at-n8qdqvpL5ARMDPE7', 'team-token', 1, 2, NULL, 1795498822761, NULL, NULL, 'users', 'user-nAYXdJaeoxtcubhv');
INSERT INTO users VALUES (1, 'user-nAYXdJaeoxtcubhv', 'olive.owner@example.com', 'olive.owner@example.com', 'olive-owner', 'olive-owner', 0, 'tfc', 0);
INSERT INTO users VALUES (2, 'user-gqmiaqQyq9StRGaQ', 'milo.member@example.com', 'milo.member@example.com', 'milo-member', 'milo-member', 0, 'tfc', 0);
INSERT INTO users VALUES (3, 'user-A9r3744caRhMYDms', 'tara.team-manager@example.com', 'tara.team-manager@example.com', 'tara-team-manager', 'tara-team-manager', 0, 'tfc', 0);
INSERT INTO users VALUES (4, 'user-oEHuNAhyBqehiL24', 'rex.registry-manager@example.com', 'rex.registry-manager@example.com', 'rex-registry-manager', 'rex-registry-manager', 0, 'tfc', 0);
CREATE INDEX events_by_time ON events (organization, occurred_at);
CREATE INDEX members_by_team ON membership_teams (team, membership);
CREATE INDEX memberships_by_organization ON memberships (organization);
CREATE INDEX memberships_by_status ON memberships (organization, status);
CREATE INDEX memberships_by_user ON memberships (user);
CREATE UNIQUE INDEX one_token_of_a_kind ON tokens (kind, organization, ifnull(team, 0)) WHERE organization IS NOT NULL;
CREATE INDEX service_accounts ON users (seq) WHERE is_service_account = 1;
CREATE TRIGGER membership_added AFTER INSERT ON memberships BEGIN
  UPDATE organizations SET
    active = active + (new.status = 'active'),
    invited = invited + (new.status = 'invited'),
    inactive = inactive + (new.status = 'inactive')
  WHERE seq = new.organization;
END;
CREATE TRIGGER membership_changed AFTER UPDATE OF status ON memberships BEGIN
  UPDATE organizations SET
    active = active + (new.status = 'active') - (old.status = 'active'),
    invited = invited + (new.status = 'invited') - (old.status = 'invited'),
    inactive = inactive + (new.status = 'inactive') - (old.status = 'inactive')
  WHERE seq = new.organization;
  UPDATE teams SET users_count = users_count + (new.status = 'active') - (old.status = 'active')
  WHERE seq IN (SELECT team FROM membership_teams WHERE membership = new.seq);
END;
CREATE TRIGGER membership_removed AFTER DELETE ON memberships BEGIN
  UPDATE organizations SET
    active = active - (old.status = 'active'),
    invited = invited - (old.status = 'invited'),
    inactive = inactive - (old.status = 'inactive')
  WHERE seq = old.organization;
  UPDATE teams SET users_count = users_count - (old.status = 'active')
  WHERE seq IN (SELECT team FROM membership_teams WHERE membership = old.seq);
  DELETE FROM membership_teams WHERE membership = old.seq;
END;
CREATE TRIGGER organization_left_registry AFTER DELETE ON organizations BEGIN
  DELETE FROM gpg_keys WHERE organization = old.seq;
  DELETE FROM providers WHERE organization = old.seq;
END;
CREATE TRIGGER provider_platform_removed AFTER DELETE ON provider_platforms BEGIN
  DELETE FROM release_files WHERE owner = old.id;
END;
CREATE TRIGGER provider_removed AFTER DELETE ON providers BEGIN
  DELETE FROM provider_versions WHERE provider = old.seq;
END;
CREATE TRIGGER provider_version_removed AFTER DELETE ON provider_versions BEGIN
  DELETE FROM provider_platforms WHERE version = old.seq;
  DELETE FROM release_files WHERE owner = old.id;
END;
CREATE TRIGGER release_file_removed AFTER DELETE ON release_files BEGIN
  INSERT INTO discarded_files (file) VALUES (old.file);
END;
CREATE TRIGGER team_joined AFTER INSERT ON membership_teams
WHEN (SELECT status FROM memberships WHERE seq = new.membership) = 'active' BEGIN
  UPDATE teams SET users_count = users_count + 1 WHERE seq = new.team;
END;
CREATE TRIGGER team_left AFTER DELETE ON membership_teams
WHEN (SELECT status FROM memberships WHERE seq = old.membership) = 'active' BEGIN
  UPDATE teams SET users_count = users_count - 1 WHERE seq = old.team;
END;
