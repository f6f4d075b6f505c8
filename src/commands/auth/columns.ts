import { NOT_SET, toSource } from '../../settings/resolve-settings.ts';
import { toCellText } from '../../stdout/cell.ts';
import type { Columns } from '../../stdout/columns.ts';
import type { FlatRecord } from '../../stdout/flatten.ts';

export const AUTH_COLUMNS: Columns = {
  name: 'profiles',
  shape: 'record',
  screen: [
    { head: 'PROFILE', field: 'profile', priority: 0, show: (value) => toCellText(value ?? '(default)') },
    { head: 'SERVICE', field: 'base-url', priority: 0, show: showService },
    { head: 'ORGANIZATION', field: 'org', priority: 2 },
    { head: 'ACCOUNT', field: 'account', priority: 2 },
    { head: 'TOKEN FROM', field: 'token-source', priority: 3, wraps: true, show: showPlace },
    { head: 'STATUS', field: 'works', priority: 1, tone: true, show: showWorks },
  ],
  lines: [
    { label: 'Profile', field: 'profile' },
    { label: 'Service', field: 'base-url', show: showService },
    { label: 'Organization', field: 'org', show: showOrganization },
    { label: 'Token', field: 'token-source', show: showToken },
    { label: 'Account', field: 'account', show: showAccount },
    { label: 'Can read', field: 'reads', show: showReads },
  ],
  shown: ['profile', 'base-url', 'org', 'token', 'token-source', 'works', 'kind', 'account'],
  fields: ['base-url-source', 'org-source', 'reads'],
};

/** Kinds of tokens as people read them. */
export const TOKEN_KINDS: Readonly<Record<string, string>> = {
  user: 'user token',
  team: 'team token',
  organization: 'organization token',
  'audit-trail': 'audit trail token',
  'service-account': 'service account',
};

/** The host where the rest is as everywhere. */
function showService(value: unknown): string {
  const { host } = /^https:\/\/(?<host>[^/]+)\/api\/v2$/.exec(toCellText(value))?.groups ?? {};
  return host ?? toCellText(value);
}

function showOrganization(value: unknown, record: FlatRecord): string {
  if (value === null || value === undefined) return 'none';
  const source = toCellText(record['org-source']);
  return `${toCellText(value)} (${source === SANDBOX ? 'sandbox default' : source})`;
}

const SANDBOX = '--sandbox';

/** `members, audit token` */
function showReads(value: unknown): string {
  return Array.isArray(value) ? value.map((name) => toCellText(name).replace('-', ' ')).join(', ') : '';
}

/** Beside the name of the profile, the file that it keeps its token in. */
function showPlace(value: unknown, { profile }: FlatRecord): string {
  const source = toCellText(value);
  if (source === NOT_SET) return '';
  return source === toSource(toCellText(profile)) ? 'credentials.json' : source;
}

/** The sandbox has tokens of its own. */
function showToken(value: unknown, { token }: FlatRecord): string {
  if (value === SANDBOX) return '';
  if (typeof token !== 'string') return value === NOT_SET ? 'none' : `none. ${toCellText(value)}`;
  return token === '(set)' ? toCellText(value) : `${token}, from ${toCellText(value)}`;
}

function showAccount(value: unknown, record: FlatRecord): string {
  if (record['token'] === null) return '';
  const kind = TOKEN_KINDS[toCellText(record['kind'])];
  const who = toCellText(value);
  const named = who === '' ? (kind ?? '') : `${who}${kind === undefined ? '' : ` (${kind})`}`;
  return [named, showWorks(record['works'], record)].filter((text) => text !== '').join(', ');
}

function showWorks(value: unknown, { token }: FlatRecord): string {
  if (token === null) return 'no token';
  return value === true ? 'works' : value === false ? 'refused (401)' : 'unknown';
}
