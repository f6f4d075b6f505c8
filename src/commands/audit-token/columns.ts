import { toOrganization } from '../../resources/organization.ts';
import type { RotationResult } from '../../rotation/types.ts';
import { showRelative, showTime, showTimeOrNever, showWords, toCellText } from '../../stdout/cell.ts';
import { type Columns, listFields } from '../../stdout/columns.ts';
import type { Placed, TokenRow } from '../../wire/flat.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import type { Named } from '../../wire/resources.ts';
import { ORGANIZATION } from '../organizations.ts';
import { ERROR_FIELDS, RESULT_FIELDS, type ResultRow, type RowError } from '../row-error.ts';

/** A token, and whose it is. */
export type OwnedTokenRow = TokenRow & Placed & { readonly source?: 'local-record' };

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
  fields: ['type', 'organization.id', 'description', 'created-by', 'created-by.id', 'created-by.type'],
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
    { head: 'STATUS', field: 'status', priority: 1, tone: true, show: showWords },
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
  fields: ['type', 'organization.id'],
  sentences: ({ organization }) => [{ sign: '✓', text: `Deleted ${organization.id}'s audit trail token` }],
};

/** What is printed of a rotation. */
interface RotationFacts extends Omit<RotationResult, 'organization'> {
  readonly organization: ResourceIdentifier;
  /** Under the name that people read; `sinks` stays for those who relied on it. */
  readonly places: readonly { readonly place: string; readonly delivered: boolean }[];
}

export function toRotationFacts({ organization, sinks, ...facts }: RotationResult): RotationFacts {
  const places = sinks.map(({ sink, delivered }) => ({ place: sink, delivered }));
  return { organization: toOrganization(organization), ...facts, places, sinks };
}

type Delivered = Pick<RotationRow, 'checks' | 'sinks'>;

const WORDS = {
  places: (_places: unknown, record: Delivered) => listPlaces(record, '; '),
  sinks: (_sinks: unknown, record: Delivered) => listPlaces(record, '; '),
  checks: (_checks: unknown, record: Delivered) => listChecks(record),
};

export const ROTATION_COLUMNS: Columns<RotationFacts & { readonly token?: string }> = {
  name: 'rotations',
  shape: 'record',
  shown: ['organization', 'id', 'expired-at', 'fingerprint', 'changed', 'verified'],
  lines: [
    { label: 'Organization', field: 'organization.id' },
    { label: 'Created', field: 'created-at', show: showTime },
    { label: 'Expires', field: 'expired-at', tone: true, show: showTimeOrNever('expired-at') },
    { label: 'Fingerprint', field: 'fingerprint' },
    { label: 'Changed', field: 'changed' },
    { label: 'Places', field: 'places', show: WORDS.places },
    { label: 'Verified', field: 'verified' },
    { label: 'Checks', field: 'checks', show: WORDS.checks },
    { label: 'ID', field: 'id' },
  ],
  fields: ['organization.id', 'created-at', 'places', 'sinks', 'checks', 'token'],
  times: ['created-at', 'expired-at'],
  words: WORDS,
};

/** One that failed has no facts of a token. */
export type RotationRow = Named<'type'> &
  Partial<Omit<RotationFacts, 'changed' | 'id' | 'organization'>> &
  ResultRow<'delivered' | 'none-or-not-permitted' | 'rotated' | 'unchanged'> & {
    readonly id: string | null;
    readonly organization: ResourceIdentifier;
  };

/** Rotations of several organizations: a row for each. */
export const ROTATIONS_COLUMNS: Columns<RotationRow> = {
  name: 'rotations',
  shape: 'resource',
  shown: ['result', 'organization.id', 'expired-at', 'fingerprint', 'verified', 'sinks', 'error.code', 'error.message'],
  screen: [
    ORGANIZATION,
    { head: 'RESULT', field: 'result', priority: 0, tone: true, show: showWords },
    {
      head: 'EXPIRES',
      field: 'expired-at',
      priority: 1,
      tone: true,
      show: showTimeOrNever('expired-at', showRelative),
    },
    { head: 'TO', field: 'sinks', priority: 2, wraps: true, show: (_sinks, record) => listPlaces(record, ', ') },
    { head: 'VERIFIED', field: 'verified', priority: 2, show: showVerified },
  ],
  fields: ['id', 'type', 'organization', 'created-at', 'changed', 'places', 'checks', ...RESULT_FIELDS],
  times: ['created-at', 'expired-at'],
  cells: { places: (_places, record) => listPlaces(record, ', '), sinks: (_sinks, record) => listPlaces(record, ', ') },
  words: WORDS,
};

/** Where it was delivered, and where it was not. A rotation that failed has none. */
function listPlaces({ sinks = [] }: Pick<RotationRow, 'sinks'>, separator: string): string {
  return sinks.map(({ sink, delivered }) => (delivered ? sink : `${sink} (not delivered)`)).join(separator);
}

function listChecks({ checks = [] }: Pick<RotationRow, 'checks'>): string {
  return checks.map(({ check, passed, detail }) => `${check}: ${VERDICTS[`${passed}`]}, ${detail}`).join('; ');
}

function showVerified(_verified: unknown, { changed, verified }: RotationRow): string {
  if (!changed) return '';
  return verified === true ? 'yes' : verified === false ? 'no' : 'unknown';
}

const VERDICTS = { true: 'passed', false: 'failed', null: 'unknown' };

/** `20 days ago (2026-11-02 01:04 UTC) by olive-owner` */
function showCreation(value: unknown, record: TokenRow, now: number | undefined): string {
  const creator = toCellText(record['created-by']);
  return `${showTime(value, record, now)}${creator === '' ? '' : ` by ${creator}`}`;
}

function showSource(value: unknown): string {
  return value === 'local-record' ? 'local record' : '';
}
