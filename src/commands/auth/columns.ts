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
    { head: 'ACCOUNT', field: 'account', priority: 1 },
    { head: 'TOKEN FROM', field: 'token-source', priority: 3, wraps: true },
    { head: 'STATUS', field: 'works', priority: 1, tone: true, show: showWorks },
  ],
  lines: [
    { label: 'Profile', field: 'profile' },
    { label: 'Service', field: 'base-url', show: showService },
    { label: 'Organization', field: 'org', show: showOrganization },
    { label: 'Token', field: 'token-source', show: showToken },
    { label: 'Account', field: 'account', show: showAccount },
    { label: 'Can read', field: 'reads', show: (value) => (Array.isArray(value) ? value.join(', ') : '') },
  ],
  shown: ['profile', 'base-url', 'org', 'token', 'token-source', 'works', 'kind', 'account'],
  fields: ['base-url-source', 'org-source', 'reads'],
};

const KINDS: Readonly<Record<string, string>> = {
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
  return value === null || value === undefined ? 'none' : `${toCellText(value)} (${toCellText(record['org-source'])})`;
}

function showToken(value: unknown, { token }: FlatRecord): string {
  if (typeof token !== 'string') return `none: ${toCellText(value)}`;
  return token === '(set)' ? toCellText(value) : `${token}, from ${toCellText(value)}`;
}

function showAccount(value: unknown, record: FlatRecord): string {
  const kind = KINDS[toCellText(record['kind'])];
  const who = toCellText(value);
  const named = who === '' ? (kind ?? '') : `${who}${kind === undefined ? '' : ` (${kind})`}`;
  return [named, showWorks(record['works'], record)].filter((text) => text !== '').join(', ');
}

function showWorks(value: unknown, { token }: FlatRecord): string {
  if (token === null) return 'no token';
  return value === true ? 'works' : value === false ? 'refused (401)' : 'unknown';
}
