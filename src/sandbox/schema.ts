import TABLES from './schema.sql';

export const APPLICATION_ID = 0x6f726763; // "orgc"
export const SCHEMA_VERSION = 8;

export const TABLE_NAMES = [...TABLES.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name);

type Row = 'old' | 'new';

const count = (sign: '+' | '-', row: Row): string => {
  const names = ['active', 'invited', 'inactive'];
  const columns = names.map((name) => `${name} = ${name} ${sign} (${row}.status = '${name}')`);
  return `UPDATE organizations SET ${columns.join(', ')} WHERE seq = ${row}.organization`;
};
const countInTeams = (row: Row, change: string): string => `UPDATE teams SET users_count = users_count ${change}
  WHERE seq IN (SELECT team FROM membership_teams WHERE membership = ${row}.seq)`;
const countInTeam = (sign: '+' | '-', row: Row): string => `UPDATE teams SET users_count = users_count ${sign} 1
  WHERE seq = ${row}.team AND (SELECT status FROM memberships WHERE seq = ${row}.membership) = 'active'`;
const removeFrom = (tables: string, where: string): string[] =>
  tables.split(' ').map((table) => `DELETE FROM ${table} WHERE ${where}`);

const CHANGED = "+ (new.status = 'active') - (old.status = 'active')";
const REMOVE_FILES = 'DELETE FROM release_files WHERE owner = old.id';
const OF_ORGANIZATION = 'memberships teams tokens token_policies gpg_keys providers eligible_feature_sets events';

/** Stored counts, since no page of a hundred thousand members should count them again, and cascading deletes. */
const TRIGGERS: [event: string, ...statements: string[]][] = [
  ['INSERT ON memberships', count('+', 'new')],
  ['UPDATE OF status ON memberships', count('-', 'old'), count('+', 'new'), countInTeams('new', CHANGED)],
  [
    'DELETE ON memberships',
    count('-', 'old'),
    countInTeams('old', "- (old.status = 'active')"),
    'DELETE FROM membership_teams WHERE membership = old.seq',
  ],
  ['INSERT ON membership_teams', countInTeam('+', 'new')],
  ['DELETE ON membership_teams', countInTeam('-', 'old')],
  ['DELETE ON organizations', ...removeFrom(OF_ORGANIZATION, 'organization = old.seq')],
  ['DELETE ON teams', ...removeFrom('membership_teams tokens', 'team = old.seq')],
  ['DELETE ON providers', ...removeFrom('provider_versions', 'provider = old.seq')],
  ['DELETE ON provider_versions', ...removeFrom('provider_platforms', 'version = old.seq'), REMOVE_FILES],
  ['DELETE ON provider_platforms', REMOVE_FILES],
];

const formatTrigger = ([event, ...statements]: (typeof TRIGGERS)[number], index: number): string =>
  `CREATE TRIGGER trigger_${index} AFTER ${event} BEGIN ${statements.join('; ')}; END;`;

export const SCHEMA = TABLES + TRIGGERS.map(formatTrigger).join('\n');
