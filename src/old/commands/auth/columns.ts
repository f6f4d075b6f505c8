import type { TokenFacts } from '../../service/examine-token.ts';
import { NOT_SET, toSource } from '../../settings/resolve-settings.ts';
import { toCellText } from '../../stdout/cell.ts';
import type { Columns } from '../../stdout/columns.ts';

/** A profile, and whose token it has. */
export interface ProfileRow extends Omit<TokenFacts, 'refusal'> {
  /** Null in the sandbox. */
  readonly profile: string | null;
  /** Whether it is used where none is named. */
  readonly default: boolean;
  readonly 'base-url': string;
  readonly 'base-url-source': string;
  readonly org: string | null;
  readonly 'org-source': string;
  /** What is shown of it; null where there is none. */
  readonly token: string | null;
  readonly 'token-source': string;
}

export const AUTH_COLUMNS: Columns<ProfileRow> = {
  name: 'profiles',
  shape: 'record',
  screen: [
    { head: 'PROFILE', field: 'profile', priority: 0 },
    { head: 'SERVICE', field: 'base-url', priority: 0, show: showService },
    { head: 'ORGANIZATION', field: 'org', priority: 2 },
    { head: 'DEFAULT', field: 'default', priority: 2, show: (value) => (value === true ? 'yes' : '') },
    { head: 'ACCOUNT', field: 'account', priority: 2 },
    { head: 'TOKEN FROM', field: 'token-source', priority: 3, wraps: true, show: showPlace },
    { head: 'STATUS', field: 'works', priority: 1, tone: true, show: showWorks },
  ],
  shown: ['profile', 'default', 'base-url', 'org', 'token', 'token-source', 'works', 'kind', 'account'],
  fields: ['base-url-source', 'org-source'],
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

export const SANDBOX = '--sandbox';

/** Beside the name of the profile, the file that it keeps its token in. */
function showPlace(_value: unknown, { profile, 'token-source': source }: ProfileRow): string {
  if (source === NOT_SET) return '';
  return source === toSource(profile ?? '') ? 'credentials.json' : source;
}

function showWorks(_value: unknown, { token, works }: ProfileRow): string {
  if (token === null) return 'no token';
  return works === true ? 'works' : works === false ? 'refused (401)' : 'unknown';
}
