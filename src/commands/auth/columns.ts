import type { TokenFacts } from '../../service/examine-token.ts';
import { UNNAMED } from '../../settings/profile.ts';
import { NOT_SET, toSource } from '../../settings/resolve-settings.ts';
import { toCellText } from '../../stdout/cell.ts';
import type { Columns } from '../../stdout/columns.ts';

/** A profile, and whose token it has. */
export interface ProfileRow extends Omit<TokenFacts, 'refusal'> {
  /** Null in the sandbox. */
  readonly profile: string | null;
  readonly 'base-url': string;
  readonly 'base-url-source': string;
  readonly org: string | null;
  readonly 'org-source': string;
  /** What is shown of it; null where there is none. */
  readonly token: string | null;
  readonly 'token-source': string;
  readonly reads: readonly string[];
}

export const AUTH_COLUMNS: Columns<ProfileRow> = {
  name: 'profiles',
  meanings: {
    profile: `Name of the profile; ${UNNAMED} is what is stored without a name`,
    'base-url': "Address of the service's API",
    'base-url-source': 'Where that address came from',
    org: 'Organization in use; empty where none is named',
    'org-source': 'Where its name came from',
    token:
      'Fingerprint of the token; (set) of one too short for that, or that a command prints; empty where there is none',
    'token-source': 'Where the token came from',
    works: 'Whether the service takes it; empty where that is unknown',
    kind: 'Kind of token: user, team, organization, audit-trail or service-account; empty where that is unknown',
    account: 'Whose it is; empty where the service does not say',
    reads: 'What it can read of the organization',
  },
  shape: 'record',
  screen: [
    { head: 'PROFILE', field: 'profile', priority: 0 },
    { head: 'SERVICE', field: 'base-url', priority: 0, show: showService },
    { head: 'ORGANIZATION', field: 'org', priority: 2 },
    { head: 'ACCOUNT', field: 'account', priority: 2 },
    { head: 'TOKEN FROM', field: 'token-source', priority: 3, wraps: true, show: showPlace },
    { head: 'STATUS', field: 'works', priority: 1, tone: true, show: showWorks },
  ],
  lines: [
    { label: 'Profile', field: 'profile', show: (value) => (value === UNNAMED ? '' : toCellText(value)) },
    { label: 'Service', field: 'base-url', show: showService },
    { label: 'Organization', field: 'org', show: showOrganization },
    { label: 'Token', field: 'token-source', show: showToken },
    { label: 'Account', field: 'account', show: showAccount },
    { label: 'Can read', field: 'reads', show: showReads },
  ],
  shown: ['profile', 'base-url', 'org', 'token', 'token-source', 'works', 'kind', 'account'],
  fields: ['base-url-source', 'org-source', 'reads'],
};

/** What is stored under one name. */
export interface StoredProfile {
  readonly name: string;
  readonly 'base-url': string;
  readonly org: string | null;
  /** Null where none is stored, and no command prints one. */
  readonly token: 'stored' | 'token-command' | null;
  /** Whether it is used where none is named. */
  readonly default: boolean;
}

export const STORED_PROFILE_COLUMNS: Columns<StoredProfile> = {
  name: 'profiles',
  meanings: {
    name: 'Name of the profile',
    'base-url': "Address of the service's API",
    org: 'Its organization; empty where none is stored',
    token: 'stored, token-command where a command prints it, or empty',
    default: 'Whether it is used where none is named',
  },
  shape: 'record',
  screen: [
    { head: 'NAME', field: 'name', priority: 0 },
    { head: 'SERVICE', field: 'base-url', priority: 0, show: showService },
    { head: 'ORGANIZATION', field: 'org', priority: 2 },
    { head: 'TOKEN', field: 'token', priority: 3, show: (value) => toCellText(value ?? 'none') },
    { head: 'DEFAULT', field: 'default', priority: 1, show: (value) => (value === true ? 'yes' : '') },
  ],
  shown: ['name', 'base-url', 'org', 'token', 'default'],
};

/** Kinds of tokens as people read them. */
export const TOKEN_KINDS: Readonly<Record<NonNullable<TokenFacts['kind']>, string>> = {
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

function showOrganization(_value: unknown, { org, 'org-source': source }: ProfileRow): string {
  return org === null ? 'none' : `${org} (${source === SANDBOX ? 'sandbox default' : source})`;
}

export const SANDBOX = '--sandbox';

/** `members, audit token` */
function showReads(_value: unknown, { reads }: ProfileRow): string {
  return reads.map((name) => name.replace('-', ' ')).join(', ');
}

/** Beside the name of the profile, the file that it keeps its token in. */
function showPlace(_value: unknown, { profile, 'token-source': source }: ProfileRow): string {
  if (source === NOT_SET) return '';
  return source === toSource(profile ?? '') ? 'credentials.json' : source;
}

/** The sandbox has tokens of its own. */
function showToken(_value: unknown, { token, 'token-source': source }: ProfileRow): string {
  if (source === SANDBOX) return '';
  if (token === null) return source === NOT_SET ? 'none' : `none. ${source}`;
  return `${token === '(set)' ? 'set' : token}, from ${source}`;
}

function showAccount(_value: unknown, record: ProfileRow): string {
  if (record.token === null) return '';
  const kind = record.kind === null ? undefined : TOKEN_KINDS[record.kind];
  const who = record.account ?? '';
  const named = who === '' ? (kind ?? '') : `${who}${kind === undefined ? '' : ` (${kind})`}`;
  return [named, showWorks(undefined, record)].filter((text) => text !== '').join(', ');
}

function showWorks(_value: unknown, { token, works }: ProfileRow): string {
  if (token === null) return 'no token';
  return works === true ? 'works' : works === false ? 'refused (401)' : 'unknown';
}
