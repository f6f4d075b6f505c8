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
INSERT INTO "events" VALUES(1,1,1795316243750,'{"id":"aeaa2eb6-bb9b-4e59-9e93-c86954744b8d","version":"0","type":"Resource","timestamp":"2026-11-22T02:57:23.750Z","auth":{"accessor_id":"user-8NDC0lHASc1dhUSR","description":"olive-owner","type":"Client","impersonator_id":null,"organization_id":"org-AYAnXOLnCDbObKXb"},"request":{"id":"6e69e6a1-e839-47ab-acd9-e09f6e254859"},"resource":{"id":"at-oK9ALef4Phgj7y4F","type":"authentication_token","action":"create","meta":null}}');
INSERT INTO "events" VALUES(2,1,1795316244202,'{"id":"c6711ad3-5784-46a0-becc-e3f16c0731be","version":"0","type":"Resource","timestamp":"2026-11-22T02:57:24.202Z","auth":{"accessor_id":"user-8NDC0lHASc1dhUSR","description":"olive-owner","type":"Client","impersonator_id":null,"organization_id":"org-AYAnXOLnCDbObKXb"},"request":{"id":"6408a1bd-e8c9-4647-98d0-8fc6b784ce48"},"resource":{"id":"ou-dS4DizF7TgtB3Zm9","type":"organization_user","action":"create","meta":null}}');
CREATE TABLE feature_sets (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, attributes TEXT NOT NULL);
CREATE TABLE membership_teams (
  membership INTEGER NOT NULL,
  team INTEGER NOT NULL,
  PRIMARY KEY (membership, team)
) WITHOUT ROWID;
INSERT INTO "membership_teams" VALUES(1,1);
INSERT INTO "membership_teams" VALUES(2,4);
INSERT INTO "membership_teams" VALUES(3,3);
INSERT INTO "membership_teams" VALUES(4,2);
INSERT INTO "membership_teams" VALUES(5,5);
INSERT INTO "membership_teams" VALUES(6,8);
INSERT INTO "membership_teams" VALUES(7,7);
INSERT INTO "membership_teams" VALUES(8,6);
INSERT INTO "membership_teams" VALUES(9,9);
INSERT INTO "membership_teams" VALUES(10,12);
INSERT INTO "membership_teams" VALUES(11,11);
INSERT INTO "membership_teams" VALUES(12,10);
INSERT INTO "membership_teams" VALUES(13,4);
CREATE TABLE memberships (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization INTEGER NOT NULL,
  user INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (organization, user)
);
INSERT INTO "memberships" VALUES(1,'ou-h3xCMab2VlUpg7DI',1,1,'active',1790132243225);
INSERT INTO "memberships" VALUES(2,'ou-zDF4HYTNkytgNI6o',1,2,'active',1790218643225);
INSERT INTO "memberships" VALUES(3,'ou-xxoek7D0Xus4ZI9C',1,3,'active',1790305043225);
INSERT INTO "memberships" VALUES(4,'ou-hNI0xpp3HseY0rtf',1,4,'active',1790391443225);
INSERT INTO "memberships" VALUES(5,'ou-YTD18vA7vlAAnSQb',2,1,'active',1790132243225);
INSERT INTO "memberships" VALUES(6,'ou-tCROTQDDyXgJ1w1x',2,2,'active',1790218643225);
INSERT INTO "memberships" VALUES(7,'ou-8uSyg4mXiOz852MJ',2,3,'active',1790305043225);
INSERT INTO "memberships" VALUES(8,'ou-6ycTPE6C3NOjH1hm',2,4,'active',1790391443225);
INSERT INTO "memberships" VALUES(9,'ou-eDUYU18yNt6TsMSr',3,1,'active',1790132243225);
INSERT INTO "memberships" VALUES(10,'ou-i6Lp83d0Q8kArXs2',3,2,'active',1790218643225);
INSERT INTO "memberships" VALUES(11,'ou-m4TRfutoXWj8LWLe',3,3,'active',1790305043225);
INSERT INTO "memberships" VALUES(12,'ou-QC4MCENcF1BuKgfp',3,4,'active',1790391443225);
INSERT INTO "memberships" VALUES(13,'ou-dS4DizF7TgtB3Zm9',1,5,'invited',1795316244202);
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
INSERT INTO "organizations" VALUES(1,'org-AYAnXOLnCDbObKXb','acme','acme','platform@acme.example.com',1787540243225,1,NULL,'everything on',4,1);
INSERT INTO "organizations" VALUES(2,'org-eeI148Qu6yXyjzKw','globex','globex','cloud@globex.example.com',1787540243225,1,NULL,'trial used, so no trial feature set',4,0);
INSERT INTO "organizations" VALUES(3,'org-aHSrLwG4ERrNWzFA','initech','initech','it@initech.example.com',1787540243225,0,4,'public provider curation disabled, user limit reached',4,0);
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
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "settings" VALUES('seed','empty');
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
INSERT INTO "teams" VALUES(1,'team-y7STPcEg51p8WFvO',1,'owners','owners','organization',1,1,1);
INSERT INTO "teams" VALUES(2,'team-CaORnibDf1GapPL1',1,'platform','platform','organization',0,1,1);
INSERT INTO "teams" VALUES(3,'team-5cNGNbmkkEDAaxZu',1,'security','security','organization',1,0,1);
INSERT INTO "teams" VALUES(4,'team-HADf8r851Mp7jvy6',1,'audit','audit','secret',0,0,2);
INSERT INTO "teams" VALUES(5,'team-PyXWnSXb42ljoXEr',2,'owners','owners','organization',1,1,1);
INSERT INTO "teams" VALUES(6,'team-ILDy9dubykuaTDVW',2,'platform','platform','organization',0,1,1);
INSERT INTO "teams" VALUES(7,'team-pLuJB684lGc4apk7',2,'security','security','organization',1,0,1);
INSERT INTO "teams" VALUES(8,'team-YvFJBsDAdaRVz2YP',2,'audit','audit','secret',0,0,1);
INSERT INTO "teams" VALUES(9,'team-FNdMoa2m86NgLq1Q',3,'owners','owners','organization',1,1,1);
INSERT INTO "teams" VALUES(10,'team-MRqsciKR3VCKpD05',3,'platform','platform','organization',0,1,1);
INSERT INTO "teams" VALUES(11,'team-6MKUPhzf2jC8688t',3,'security','security','organization',1,0,1);
INSERT INTO "teams" VALUES(12,'team-7YJBQjtEqgkbZumw',3,'audit','audit','secret',0,0,1);
CREATE TABLE tokens (
  text TEXT PRIMARY KEY,
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
INSERT INTO "tokens" VALUES('sandbox.owner','at-ngePrVwHyxnYlNl4','owner',NULL,1,1795316243225,NULL,NULL,'users','user-8NDC0lHASc1dhUSR');
INSERT INTO "tokens" VALUES('sandbox.member','at-HdZRH40AkMhvtflN','member',NULL,2,1795316243225,NULL,NULL,'users','user-R6HPzIBDZCTuEUPn');
INSERT INTO "tokens" VALUES('sandbox.team-manager','at-rGQGByixLfyQCqNC','team-manager',NULL,3,1795316243225,NULL,NULL,'users','user-S8tJ8HieM7iYSn6L');
INSERT INTO "tokens" VALUES('sandbox.registry-manager','at-kSGA1FoxmniWCrOc','registry-manager',NULL,4,1795316243225,NULL,NULL,'users','user-0bGNXWIfhopdZbI8');
INSERT INTO "tokens" VALUES('sandbox.owners-team.acme','at-zBKYwDbfjD5ldUff','owners-team',1,NULL,1793588243225,NULL,NULL,'organizations','acme');
INSERT INTO "tokens" VALUES('sandbox.org-token.acme','at-9RSFmam6icZpNFrP','org-token',1,NULL,1793588243225,NULL,NULL,'organizations','acme');
INSERT INTO "tokens" VALUES('sandbox.owners-team.globex','at-KZMvj1P2q1U8U8oo','owners-team',2,NULL,1793588243225,NULL,NULL,'organizations','globex');
INSERT INTO "tokens" VALUES('sandbox.org-token.globex','at-H3lUOFw7tHTxoNp0','org-token',2,NULL,1793588243225,NULL,NULL,'organizations','globex');
INSERT INTO "tokens" VALUES('sandbox.owners-team.initech','at-GDEf69fDD5gJdiBH','owners-team',3,NULL,1793588243225,NULL,NULL,'organizations','initech');
INSERT INTO "tokens" VALUES('sandbox.org-token.initech','at-ocVPr2Dr9SvGOHGN','org-token',3,NULL,1793588243225,NULL,NULL,'organizations','initech');
INSERT INTO "tokens" VALUES('sandbox.k58z0X1zYo1FHPkIhyi6UYS2FkEPqDNtqjnsDCjxoDP5eFh59CWU3lpS','at-oK9ALef4Phgj7y4F','audit-token',1,NULL,1795316243750,NULL,NULL,'users','user-8NDC0lHASc1dhUSR');
CREATE TABLE users (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  username TEXT,
  username_folded TEXT UNIQUE
);
INSERT INTO "users" VALUES(1,'user-8NDC0lHASc1dhUSR','olive.owner@example.com','olive.owner@example.com','olive-owner','olive-owner');
INSERT INTO "users" VALUES(2,'user-R6HPzIBDZCTuEUPn','milo.member@example.com','milo.member@example.com','milo-member','milo-member');
INSERT INTO "users" VALUES(3,'user-S8tJ8HieM7iYSn6L','tara.team-manager@example.com','tara.team-manager@example.com','tara-team-manager','tara-team-manager');
INSERT INTO "users" VALUES(4,'user-0bGNXWIfhopdZbI8','rex.registry-manager@example.com','rex.registry-manager@example.com','rex-registry-manager','rex-registry-manager');
INSERT INTO "users" VALUES(5,'user-OWx9opdCimnXLrJX','ina.invitee@example.com','ina.invitee@example.com',NULL,NULL);
CREATE INDEX memberships_by_organization ON memberships (organization);
CREATE INDEX memberships_by_status ON memberships (organization, status);
CREATE INDEX memberships_by_user ON memberships (user);
CREATE TRIGGER membership_added AFTER INSERT ON memberships BEGIN
  UPDATE organizations SET active = active + (new.status = 'active'), invited = invited + (new.status = 'invited')
  WHERE seq = new.organization;
END;
CREATE TRIGGER membership_changed AFTER UPDATE OF status ON memberships BEGIN
  UPDATE organizations SET
    active = active + (new.status = 'active') - (old.status = 'active'),
    invited = invited + (new.status = 'invited') - (old.status = 'invited')
  WHERE seq = new.organization;
END;
CREATE TRIGGER membership_removed AFTER DELETE ON memberships BEGIN
  UPDATE organizations SET active = active - (old.status = 'active'), invited = invited - (old.status = 'invited')
  WHERE seq = old.organization;
  DELETE FROM membership_teams WHERE membership = old.seq;
END;
CREATE TRIGGER team_joined AFTER INSERT ON membership_teams BEGIN
  UPDATE teams SET users_count = users_count + 1 WHERE seq = new.team;
END;
CREATE TRIGGER team_left AFTER DELETE ON membership_teams BEGIN
  UPDATE teams SET users_count = users_count - 1 WHERE seq = old.team;
END;
CREATE UNIQUE INDEX one_token_of_a_kind ON tokens (kind, organization) WHERE organization IS NOT NULL;
CREATE INDEX events_by_time ON events (organization, occurred_at);
