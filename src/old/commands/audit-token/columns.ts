import { showRelative, showTime, showTimeOrNever, showWords, toCellText } from '../../stdout/cell.ts';
import { type Columns, listFields } from '../../stdout/columns.ts';
import type { Placed, TokenRow } from '../../wire/flat.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import type { Named } from '../../wire/resources.ts';
import { ORGANIZATION } from '../organizations.ts';
import { ERROR_FIELDS, type RowError } from '../row-error.ts';

/** A token, and whose it is. */
export type OwnedTokenRow = TokenRow & Placed & Named<'team'> & { readonly source?: 'local-record' };

export const AUDIT_TOKEN_COLUMNS: Columns<OwnedTokenRow> = {
  name: 'audit trail tokens',
  shape: 'resource',
  shown: ['id', 'organization', 'created-at', 'last-used-at', 'expired-at'],
  lines: [
    { label: 'Organization', field: 'organization' },
    { label: 'Created', field: 'created-at', show: showCreation },
    { label: 'Last used', field: 'last-used-at', show: showTimeOrNever('last-used-at') },
    { label: 'Expires', field: 'expired-at', tone: true, show: showTimeOrNever('expired-at') },
    { label: 'ID', field: 'id' },
    { label: 'Source', field: 'source', show: showSource },
  ],
  fields: [
    'type',
    'organization.id',
    'organization.type',
    'description',
    'team',
    'token',
    'created-by',
    'created-by.id',
    'created-by.type',
  ],
  times: ['created-at', 'last-used-at', 'expired-at'],
};

export type TokenStatus = 'expired' | 'expiring' | 'failed' | 'none-or-not-permitted' | 'ok' | 'refused' | 'unknown';

export type TokenStatusRow = OwnedTokenRow & { readonly status: TokenStatus; readonly error?: RowError };

/** The tokens of several organizations: a row for each, also where there is none. */
export const AUDIT_TOKEN_STATUS_COLUMNS: Columns<TokenStatusRow> = {
  ...AUDIT_TOKEN_COLUMNS,
  shown: ['organization.id', 'id', 'created-at', 'last-used-at', 'expired-at', 'status', 'error.code'],
  screen: [
    ORGANIZATION,
    {
      head: 'EXPIRES',
      field: 'expired-at',
      priority: 0,
      tone: true,
      show: showTimeOrNever('expired-at', showRelative),
    },
    { head: 'STATUS', field: 'status', priority: 0, tone: true, show: showWords },
    { head: 'CREATED', field: 'created-at', priority: 2, show: showRelative },
    { head: 'LAST USED', field: 'last-used-at', priority: 2, show: showTimeOrNever('last-used-at', showRelative) },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: [...listFields(AUDIT_TOKEN_COLUMNS), 'source', ...ERROR_FIELDS],
};

interface DeletionRow {
  readonly id: string | null;
  readonly type: string;
  readonly organization: ResourceIdentifier;
  readonly changed: true;
}

/** What is left of a token that was deleted. */
export const DELETION_COLUMNS: Columns<DeletionRow> = {
  name: 'removals',
  shape: 'resource',
  shown: ['id', 'organization', 'changed'],
  fields: ['type', 'organization.id', 'organization.type'],
  sentences: ({ organization }) => [{ sign: '✓', text: `Deleted ${organization.id}'s audit trail token` }],
};

/** `20 days ago (2026-11-02 01:04 UTC) by olive-owner` */
function showCreation(value: unknown, record: TokenRow, now: number | undefined): string {
  const creator = toCellText(record['created-by']);
  return `${showTime(value, record, now)}${creator === '' ? '' : ` by ${creator}`}`;
}

function showSource(value: unknown): string {
  return value === 'local-record' ? 'local record' : '';
}
