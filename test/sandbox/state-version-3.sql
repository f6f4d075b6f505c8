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
CREATE TABLE feature_sets (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, attributes TEXT NOT NULL);
CREATE TABLE membership_teams (
  membership INTEGER NOT NULL,
  team INTEGER NOT NULL,
  PRIMARY KEY (membership, team)
) WITHOUT ROWID;
INSERT INTO "membership_teams" VALUES(1,1);
INSERT INTO "membership_teams" VALUES(4,2);
INSERT INTO "membership_teams" VALUES(6,2);
INSERT INTO "membership_teams" VALUES(18,2);
INSERT INTO "membership_teams" VALUES(3,3);
INSERT INTO "membership_teams" VALUES(2,4);
INSERT INTO "membership_teams" VALUES(5,4);
INSERT INTO "membership_teams" VALUES(18,4);
INSERT INTO "membership_teams" VALUES(7,5);
INSERT INTO "membership_teams" VALUES(10,6);
INSERT INTO "membership_teams" VALUES(11,6);
INSERT INTO "membership_teams" VALUES(9,7);
INSERT INTO "membership_teams" VALUES(8,8);
INSERT INTO "membership_teams" VALUES(12,8);
INSERT INTO "membership_teams" VALUES(13,9);
INSERT INTO "membership_teams" VALUES(16,10);
INSERT INTO "membership_teams" VALUES(17,10);
INSERT INTO "membership_teams" VALUES(15,11);
INSERT INTO "membership_teams" VALUES(14,12);
CREATE TABLE memberships (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization INTEGER NOT NULL,
  user INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (organization, user)
);
INSERT INTO "memberships" VALUES(1,'ou-6Wjt23i5aQLl9n0B',1,1,'active',1790177243885);
INSERT INTO "memberships" VALUES(2,'ou-yxGzLdpOz12NOmk2',1,2,'active',1790263643885);
INSERT INTO "memberships" VALUES(3,'ou-w3hrlnN5uaoExgIC',1,3,'active',1790350043885);
INSERT INTO "memberships" VALUES(4,'ou-ALJuAMkj1I5NC36S',1,4,'active',1790436443885);
INSERT INTO "memberships" VALUES(5,'ou-zx4V7VXCxvn7puiG',1,5,'active',1790522843885);
INSERT INTO "memberships" VALUES(6,'ou-BgpSqYAg3F8ikYPK',1,6,'invited',1790609243885);
INSERT INTO "memberships" VALUES(7,'ou-1siAPsYFywRoR77U',2,1,'active',1790177243885);
INSERT INTO "memberships" VALUES(8,'ou-sdSodMZUadlLH6G4',2,2,'active',1790263643885);
INSERT INTO "memberships" VALUES(9,'ou-MPvf8NPHrc9a5KxL',2,3,'active',1790350043885);
INSERT INTO "memberships" VALUES(10,'ou-yH5j4TicNMCGI1Jx',2,4,'active',1790436443885);
INSERT INTO "memberships" VALUES(11,'ou-HxReYgT2jbCQbAOD',2,7,'active',1790522843885);
INSERT INTO "memberships" VALUES(12,'ou-nxnctQBi1E4Ikz3V',2,8,'invited',1790609243885);
INSERT INTO "memberships" VALUES(13,'ou-hdIwyAPDgC7bzVgg',3,1,'active',1790177243885);
INSERT INTO "memberships" VALUES(14,'ou-1tcwPmNrM0LdPFat',3,2,'active',1790263643885);
INSERT INTO "memberships" VALUES(15,'ou-opTsNbx0pL2cFYcI',3,3,'active',1790350043885);
INSERT INTO "memberships" VALUES(16,'ou-fvWal1zCnTOvLBiZ',3,4,'active',1790436443885);
INSERT INTO "memberships" VALUES(17,'ou-DMKVtgwKovKjrf6k',3,9,'invited',1790522843885);
INSERT INTO "memberships" VALUES(18,'ou-UPlrVNXySKsb5E5p',1,10,'invited',1795361247094);
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
  active INTEGER NOT NULL DEFAULT 0,
  invited INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "organizations" VALUES(1,'org-bhvx1RH1mvLM7Epl','acme','acme','platform@acme.example.com',1787585243885,1,NULL,'everything on',5,2);
INSERT INTO "organizations" VALUES(2,'org-S3I0WH1KEPpAlSzp','globex','globex','cloud@globex.example.com',1787585243885,1,NULL,'trial used, so no trial feature set',5,1);
INSERT INTO "organizations" VALUES(3,'org-6rqi7Y7kgOLuOay5','initech','initech','it@initech.example.com',1787585243885,0,5,'public provider curation disabled, user limit reached',4,1);
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
INSERT INTO "providers" VALUES(1,'prov-3afS5kfK8qJkonZP',1,'public','hashicorp','hashicorp','aws','aws',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(2,'prov-YUZYABzIJqJMYcUC',1,'public','hashicorp','hashicorp','random','random',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(3,'prov-DCGLHlHGjJP7ZJ2e',1,'public','integrations','integrations','github','github',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(4,'prov-c04gktA8WbLRXhA5',1,'private','acme','acme','internal-dns','internal-dns',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(5,'prov-0pBZJXvVWbIv6ZsJ',1,'private','acme','acme','inventory','inventory',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(6,'prov-It1knMR85OeT8RY6',2,'public','hashicorp','hashicorp','google','google',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(7,'prov-wETzXWGc8elr8JHU',2,'private','globex','globex','reactor','reactor',1792769243885,1792769243885);
INSERT INTO "providers" VALUES(8,'prov-NCMTLBqhfuahaAfF',3,'private','initech','initech','tps','tps',1792769243885,1792769243885);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "settings" VALUES('seed','demo');
CREATE TABLE teams (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  visibility TEXT NOT NULL,
  manages_memberships INTEGER NOT NULL,
  manages_providers INTEGER NOT NULL,
  users_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (organization, name)
);
INSERT INTO "teams" VALUES(1,'team-LidO1Spg6dbYOVf6',1,'owners','owners','organization',1,1,1);
INSERT INTO "teams" VALUES(2,'team-9lNKlaWvQECb1Ren',1,'platform','platform','organization',0,1,1);
INSERT INTO "teams" VALUES(3,'team-cqrFXpMFoKvOFFFL',1,'security','security','organization',1,0,1);
INSERT INTO "teams" VALUES(4,'team-0CfkK2cTPNvTpWAq',1,'audit','audit','secret',0,0,2);
INSERT INTO "teams" VALUES(5,'team-9yRGq3QHb99V3Xoa',2,'owners','owners','organization',1,1,1);
INSERT INTO "teams" VALUES(6,'team-QgWZ8NffTQCYXw2H',2,'platform','platform','organization',0,1,2);
INSERT INTO "teams" VALUES(7,'team-cOxs3jXXaK6asM1n',2,'security','security','organization',1,0,1);
INSERT INTO "teams" VALUES(8,'team-EyaHDTteNwK7hf9P',2,'audit','audit','secret',0,0,1);
INSERT INTO "teams" VALUES(9,'team-LEZvhSpIoG8Dudch',3,'owners','owners','organization',1,1,1);
INSERT INTO "teams" VALUES(10,'team-VwADfXXA3buWUuaq',3,'platform','platform','organization',0,1,1);
INSERT INTO "teams" VALUES(11,'team-KCnbZ023G9cMEuZA',3,'security','security','organization',1,0,1);
INSERT INTO "teams" VALUES(12,'team-5ahEDHZxjbjA1zGs',3,'audit','audit','secret',0,0,1);
CREATE TABLE token_policies (
  organization INTEGER NOT NULL,
  token_type TEXT NOT NULL,
  max_ttl_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organization, token_type)
) WITHOUT ROWID;
INSERT INTO "token_policies" VALUES(1,'audit_trails',7776000000,1795361246292,1795361246292);
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  organization INTEGER,
  user INTEGER,
  created_at INTEGER NOT NULL,
  expired_at INTEGER,
  last_used_at INTEGER,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL
);
INSERT INTO "tokens" VALUES('93ed6cd7004281d9bd3dfee64f24481f23e64bb406c3a9456befe56834a40bd6','at-I3NQkkTGKEDhR1WS','owner',NULL,1,1795361243885,NULL,NULL,'users','user-jTfUfV1yMS1Kpfxw');
INSERT INTO "tokens" VALUES('51a62e7caa1ad5a2234c31ce11675b3ec75dc0d5379a5b61655651f16e67fc2e','at-t6TOmRup8aL0aJ4e','member',NULL,2,1795361243885,NULL,NULL,'users','user-Yx6XFO2kNB1ETIXD');
INSERT INTO "tokens" VALUES('1265ec378f145d3ab189d6f518ee426815ff6941fa4cccea63177fbddef66a9f','at-XV03XDFuBgPw06fI','team-manager',NULL,3,1795361243885,NULL,NULL,'users','user-Pc0zr2Fj1OoNc0By');
INSERT INTO "tokens" VALUES('93ad68dfb2902a859b14fa5b7dd16b0e3fb25f7b410fe7db2575ab49dbfb1ed1','at-T2yQjI8K9WpyVpiN','registry-manager',NULL,4,1795361243885,NULL,NULL,'users','user-ifvkF8yMIvWZouGz');
INSERT INTO "tokens" VALUES('05778f3bd32e85766c8fe3dd612729ca883440318304b817e7bd3edc8cee6956','at-Z8I68mR5g7dSZ91x','owners-team',1,NULL,1793633243885,NULL,NULL,'organizations','acme');
INSERT INTO "tokens" VALUES('1c2593d775896deb937426605205a44abff0f44b4881533021d2c0025e006feb','at-w6hMZIvvk2U2tmG4','org-token',1,NULL,1793633243885,NULL,NULL,'organizations','acme');
INSERT INTO "tokens" VALUES('f9bce79de7f4820f8cc7727a8c0412aea119d3e749a30af7e768dce200516381','at-er4kS4YaqSryZVg0','audit-token',1,NULL,1793633243885,NULL,NULL,'organizations','acme');
INSERT INTO "tokens" VALUES('03f3508b4fa764886868a724c3118775d7e561d6758fcdfe2d70cfccb12d2574','at-eHF0CDDgTqvM7YYT','owners-team',2,NULL,1793633243885,NULL,NULL,'organizations','globex');
INSERT INTO "tokens" VALUES('df205f16b4db94a80c729962aeee23fecd8f260745c0789ff9cffbd8eb32fbda','at-s8cNpSjtB0f0meSE','org-token',2,NULL,1793633243885,NULL,NULL,'organizations','globex');
INSERT INTO "tokens" VALUES('80ff70418c6ad1830cda49ce4720ca009986a16e4089f381381033d3091c1c01','at-EqOyS7zBlisDnYGZ','audit-token',2,NULL,1793633243885,NULL,NULL,'organizations','globex');
INSERT INTO "tokens" VALUES('c16958f885390b1ddd8a0809219434905604bb9524500ce5577fb7c0b92c311b','at-CAmgfxVp0IAlGlp3','owners-team',3,NULL,1793633243885,NULL,NULL,'organizations','initech');
INSERT INTO "tokens" VALUES('cb8bda00aaa818abe5e501d3512a22b327ed75bec743a0b738f3cbb4386e8e97','at-ieSJbILBGpEBDHeW','org-token',3,NULL,1793633243885,NULL,NULL,'organizations','initech');
CREATE TABLE users (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  username TEXT,
  username_folded TEXT UNIQUE
);
INSERT INTO "users" VALUES(1,'user-jTfUfV1yMS1Kpfxw','olive.owner@example.com','olive.owner@example.com','olive-owner','olive-owner');
INSERT INTO "users" VALUES(2,'user-Yx6XFO2kNB1ETIXD','milo.member@example.com','milo.member@example.com','milo-member','milo-member');
INSERT INTO "users" VALUES(3,'user-Pc0zr2Fj1OoNc0By','tara.team-manager@example.com','tara.team-manager@example.com','tara-team-manager','tara-team-manager');
INSERT INTO "users" VALUES(4,'user-ifvkF8yMIvWZouGz','rex.registry-manager@example.com','rex.registry-manager@example.com','rex-registry-manager','rex-registry-manager');
INSERT INTO "users" VALUES(5,'user-tWfucVzYzy6qHcOe','ada.auditor@example.com','ada.auditor@example.com','ada-auditor','ada-auditor');
INSERT INTO "users" VALUES(6,'user-aIVU1831pgTA6LBk','ivan.invitee@example.com','ivan.invitee@example.com',NULL,NULL);
INSERT INTO "users" VALUES(7,'user-KNzkyA9fzOCOKiBY','gina.globex@example.com','gina.globex@example.com','gina-globex','gina-globex');
INSERT INTO "users" VALUES(8,'user-c6V7HoDWNIP1DEeH','noor.newcomer@example.com','noor.newcomer@example.com',NULL,NULL);
INSERT INTO "users" VALUES(9,'user-D7kzQQRAevecNY5u','peter.programmer@example.com','peter.programmer@example.com',NULL,NULL);
INSERT INTO "users" VALUES(10,'user-tLfQQg1h4iTDLgPL','ina@example.com','ina@example.com',NULL,NULL);
CREATE INDEX events_by_time ON events (organization, occurred_at);
CREATE INDEX members_by_team ON membership_teams (team, membership);
CREATE INDEX memberships_by_organization ON memberships (organization);
CREATE INDEX memberships_by_status ON memberships (organization, status);
CREATE INDEX memberships_by_user ON memberships (user);
CREATE UNIQUE INDEX one_token_of_a_kind ON tokens (kind, organization) WHERE organization IS NOT NULL;
CREATE TRIGGER membership_added AFTER INSERT ON memberships BEGIN
  UPDATE organizations SET active = active + (new.status = 'active'), invited = invited + (new.status = 'invited')
  WHERE seq = new.organization;
END;
CREATE TRIGGER membership_changed AFTER UPDATE OF status ON memberships BEGIN
  UPDATE organizations SET
    active = active + (new.status = 'active') - (old.status = 'active'),
    invited = invited + (new.status = 'invited') - (old.status = 'invited')
  WHERE seq = new.organization;
  UPDATE teams SET users_count = users_count + (new.status = 'active') - (old.status = 'active')
  WHERE seq IN (SELECT team FROM membership_teams WHERE membership = new.seq);
END;
CREATE TRIGGER membership_removed AFTER DELETE ON memberships BEGIN
  UPDATE organizations SET active = active - (old.status = 'active'), invited = invited - (old.status = 'invited')
  WHERE seq = old.organization;
  UPDATE teams SET users_count = users_count - (old.status = 'active')
  WHERE seq IN (SELECT team FROM membership_teams WHERE membership = old.seq);
  DELETE FROM membership_teams WHERE membership = old.seq;
END;
CREATE TRIGGER team_joined AFTER INSERT ON membership_teams
WHEN (SELECT status FROM memberships WHERE seq = new.membership) = 'active' BEGIN
  UPDATE teams SET users_count = users_count + 1 WHERE seq = new.team;
END;
CREATE TRIGGER team_left AFTER DELETE ON membership_teams
WHEN (SELECT status FROM memberships WHERE seq = old.membership) = 'active' BEGIN
  UPDATE teams SET users_count = users_count - 1 WHERE seq = old.team;
END;
