import { toOrganization } from '../resources/organization.ts';
import type { RotationResult } from '../rotation/types.ts';
import { showRelative, showTime, showTimeOrNever, showWords } from '../stdout/cell.ts';
import type { Columns } from '../stdout/columns.ts';
import { describeRetired } from '../tokens/describe.ts';
import type { ResourceIdentifier } from '../wire/json-api.ts';
import type { Named } from '../wire/resources.ts';
import { ORGANIZATION_FIELDS } from './known-fields.ts';
import { ORGANIZATION } from './organizations.ts';
import { RESULT_FIELDS, type ResultRow } from './row-error.ts';

/** What is printed of a rotation. */
export interface RotationFacts extends Omit<RotationResult, 'id' | 'organization'> {
  /** Null as long as there is none. */
  readonly id: string | null;
  readonly organization: ResourceIdentifier;
  /** Under the name that people read; `sinks` stays for those who relied on it. */
  readonly places: readonly { readonly place: string; readonly delivered: boolean }[];
}

export function toRotationFacts({ organization, sinks, ...facts }: RotationResult): RotationFacts {
  const places = sinks.map(({ sink, delivered }) => ({ place: sink, delivered }));
  return { organization: toOrganization(organization), ...facts, places, sinks };
}

/** What verbs print of one rotation, and of each of several. */
export interface RotationColumns {
  readonly one: Columns<RotationFacts & { readonly token?: string }>;
  readonly each: Columns<RotationRow>;
}

type Delivered = Pick<Partial<RotationRow>, 'changed' | 'checks' | 'sinks'>;

const WORDS = {
  places: (_places: unknown, record: Delivered) => listPlaces(record, '; '),
  sinks: (_sinks: unknown, record: Delivered) => listPlaces(record, '; '),
  checks: (_checks: unknown, record: Delivered) => listChecks(record),
  retired: (_retired: unknown, record: Pick<RotationResult, 'retired'>) => listRetired(record),
};

const ROTATION: RotationColumns['one'] = {
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
  fields: ['organization.id', 'organization.type', 'created-at', 'places', 'sinks', 'checks', 'token'],
  times: ['created-at', 'expired-at'],
  words: WORDS,
};

/** One that failed has no facts of a token. */
export type RotationRow = Named<'type'> &
  Partial<Omit<RotationFacts, 'changed' | 'id' | 'organization'>> &
  ResultRow<'delivered' | 'none-or-not-permitted' | 'retired' | 'rotated' | 'unchanged'> & {
    readonly id: string | null;
    readonly organization: ResourceIdentifier;
  };

/** Rotations of several organizations: a row for each. */
const ROTATIONS: RotationColumns['each'] = {
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
  fields: ['id', 'type', ...ORGANIZATION_FIELDS, 'created-at', 'changed', 'places', 'checks', ...RESULT_FIELDS],
  times: ['created-at', 'expired-at'],
  cells: { places: (_places, record) => listPlaces(record, ', '), sinks: (_sinks, record) => listPlaces(record, ', ') },
  words: WORDS,
};

export const AUDIT_ROTATION_COLUMNS: RotationColumns = { one: ROTATION, each: ROTATIONS };

const OF_ANY_KIND = ['kind', 'team', 'team.id', 'team.name', 'description'] as const;

/** Of a token of any kind, which may have stood beside an old one. */
export const TOKEN_ROTATION_COLUMNS: RotationColumns = {
  one: {
    ...ROTATION,
    shown: [...ROTATION.shown, 'retired'],
    lines: [...(ROTATION.lines ?? []), { label: 'Old tokens', field: 'retired', show: WORDS.retired }],
    fields: [...(ROTATION.fields ?? []), ...OF_ANY_KIND],
    cells: { ...ROTATION.cells, retired: WORDS.retired },
  },
  each: {
    ...ROTATIONS,
    shown: [
      ...(['result', 'organization.id', 'expired-at', 'fingerprint', 'verified', 'sinks'] as const),
      ...(['retired', 'error.code', 'error.message'] as const),
    ],
    screen: [
      ...(ROTATIONS.screen ?? []),
      { head: 'OLD TOKENS', field: 'retired', priority: 2, wraps: true, show: WORDS.retired },
    ],
    fields: [...(ROTATIONS.fields ?? []), ...OF_ANY_KIND],
    cells: { ...ROTATIONS.cells, retired: WORDS.retired },
  },
};

function listRetired(record: Pick<RotationResult, 'retired'>): string {
  return describeRetired(record)
    .map(({ text }) => text)
    .join('; ');
}

/** Where it was delivered, and where it was not; in a dry run where it would be. A rotation that failed has none. */
function listPlaces(
  { sinks = [], changed = false }: Pick<Partial<RotationRow>, 'changed' | 'sinks'>,
  separator: string,
) {
  return sinks.map(({ sink, delivered }) => (delivered || !changed ? sink : `${sink} (not delivered)`)).join(separator);
}

function listChecks({ checks = [] }: Pick<RotationRow, 'checks'>): string {
  return checks.map(({ check, passed, detail }) => `${check}: ${VERDICTS[`${passed}`]}, ${detail}`).join('; ');
}

function showVerified(_verified: unknown, { changed, verified }: RotationRow): string {
  if (!changed) return '';
  return verified === true ? 'yes' : verified === false ? 'no' : 'unknown';
}

const VERDICTS = { true: 'passed', false: 'failed', null: 'unknown' };
