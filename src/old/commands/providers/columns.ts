import { isObject } from '../../json-object.ts';
import { describeReadiness, type Readiness } from '../../publish/readiness.ts';
import type { Platform } from '../../publish/release.ts';
import { showList, showRelative, showTime, showWords, toCellText } from '../../stdout/cell.ts';
import { type Columns, listFields, type Show } from '../../stdout/columns.ts';
import type { ProviderRow } from '../../wire/flat.ts';
import type { Named, PublicVersion } from '../../wire/resources.ts';
import { ORGANIZATION_FIELDS } from '../known-fields.ts';
import { toPlace, withSentences } from '../result-sentences.ts';
import { RESULT_FIELDS, type ResultRow, type RowError } from '../row-error.ts';

const ADDRESS = ['registry-name', 'namespace', 'name'] as const;

/** `public/hashicorp/aws`, as a command takes it. */
const showAddress: Show<ProviderRow> = (_value, record) => ADDRESS.map((part) => toCellText(record[part])).join('/');

/** `linux/amd64`, `windows/amd64` */
function listPlatforms(platforms: unknown): readonly string[] {
  return Array.isArray(platforms) ? platforms.map(toPlatform) : [];
}

/** `yes`, or `no: no version yet` */
const showReady: Show<Partial<Readiness>> = (ready, { missing }) => {
  if (typeof ready !== 'boolean') return '';
  return describeReadiness({ ready, missing: Array.isArray(missing) ? missing.map(toCellText) : [] });
};

export const READINESS_FIELDS = ['ready', 'missing'] as const;

export const PROVIDER_COLUMNS: Columns<ProviderRow> = {
  name: 'providers',
  shape: 'resource',
  shown: ['id', 'registry-name', 'namespace', 'name', 'created-at'],
  screen: [
    { head: 'PROVIDER', field: 'name', fields: ADDRESS, priority: 0, show: showAddress },
    { head: 'ADDED', field: 'created-at', priority: 2, show: showRelative },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: [
    'type',
    'updated-at',
    'permissions',
    'permissions.can-delete',
    ...ORGANIZATION_FIELDS,
    'versions',
    'registry-provider-versions',
  ],
  times: ['created-at', 'updated-at'],
};

/** One provider: of a private one also whether Terraform can install it. */
export const ONE_PROVIDER_COLUMNS: Columns<ProviderRow & Partial<Readiness>> = {
  ...PROVIDER_COLUMNS,
  lines: [
    { label: 'Provider', field: 'name', show: showAddress },
    { label: 'Organization', field: 'organization.id' },
    { label: 'Ready', field: 'ready', show: showReady },
    { label: 'Added', field: 'created-at', show: showTime },
    { label: 'Updated', field: 'updated-at', show: showTime },
    { label: 'ID', field: 'id' },
  ],
  fields: [...(PROVIDER_COLUMNS.fields ?? []), ...READINESS_FIELDS],
};

const RESULT_COLUMNS = ['result', 'address', 'id', 'error.code', 'error.message'] as const;

/** What became of a provider, of a version of one, or of an organization whose providers could not be read. */
export type ProviderResultRow = ProviderRow &
  ResultRow<'absent' | 'created' | 'deleted' | 'unchanged'> & {
    readonly address?: string;
  };

function withProviderSentences(columns: Columns<ProviderResultRow>): Columns<ProviderResultRow> {
  return withSentences(columns, {
    created: (record) => ({ sign: '✓', text: `Added ${record.address} to ${toPlace(record)}` }),
    unchanged: (record) => ({ sign: '=', text: `${record.address} is already in ${toPlace(record)}` }),
    deleted: (record) => ({ sign: '✓', text: `Deleted ${record.address} from ${toPlace(record)}` }),
    absent: (record) => ({ sign: '=', text: `${record.address} is not in ${toPlace(record)}` }),
  });
}

/** What `create` leaves behind: a row a provider. */
export const CREATED_COLUMNS = withProviderSentences({
  ...PROVIDER_COLUMNS,
  shown: RESULT_COLUMNS,
  fields: [...listFields(PROVIDER_COLUMNS), 'changed', ...RESULT_FIELDS],
});

/** What `delete` leaves behind, likewise. */
export const DELETED_COLUMNS = withProviderSentences({
  name: 'removals',
  shape: 'resource',
  shown: RESULT_COLUMNS,
  fields: ['type', 'changed', ...ORGANIZATION_FIELDS, ...RESULT_FIELDS],
});

export const PUBLIC_VERSION_COLUMNS: Columns<PublicVersion & Partial<PrivateVersionRow>> = {
  name: 'versions',
  shape: 'record',
  shown: ['version', 'protocols', 'platforms'],
  screen: [
    { head: 'VERSION', field: 'version', priority: 0 },
    { head: 'PROTOCOLS', field: 'protocols', priority: 2 },
    {
      head: 'PLATFORMS',
      field: 'platforms',
      priority: 1,
      wraps: true,
      show: (value) => listPlatforms(value).join(', '),
    },
  ],
  cells: { platforms: (value) => listPlatforms(value).join(',') },
  fields: ['platforms.os', 'platforms.arch', ...READINESS_FIELDS, 'id', 'key-id', 'created-at'],
};

/** A version of a private provider, with what keeps Terraform from installing it. */
export type PrivateVersionRow = PublicVersion & Readiness & Named<'created-at' | 'id' | 'key-id'>;

export const PRIVATE_VERSION_COLUMNS: Columns<PrivateVersionRow> = {
  ...PUBLIC_VERSION_COLUMNS,
  empty: "No versions yet. Terraform can't install it.",
  screen: [
    ...(PUBLIC_VERSION_COLUMNS.screen ?? []),
    { head: 'MISSING', field: 'missing', priority: 1, wraps: true, show: showList },
  ],
  times: ['created-at'],
};

export interface PublishedDetails {
  readonly keyId: string;
  /** What stands for each platform that is there: `linux_amd64, 12.4 MiB` */
  readonly platforms: readonly string[];
}

/** What `publish` leaves behind. */
export interface PublishedRow extends Partial<Readiness> {
  readonly result: 'failed' | 'planned' | 'published' | 'unchanged';
  readonly id: string | null;
  readonly address: string;
  readonly changed: boolean;
  readonly platforms: readonly Platform[];
  readonly error?: RowError;
}

export function toPublishedColumns({ keyId, platforms }: PublishedDetails): Columns<PublishedRow> {
  return {
    name: 'versions',
    shape: 'record',
    shown: RESULT_COLUMNS,
    fields: ['changed', ...READINESS_FIELDS, 'platforms', 'platforms.os', 'platforms.arch', 'error'],
    sentences({ address, missing = [], changed, ready = false }) {
      if (!changed && ready) {
        return [{ sign: '=', text: `${address} is published already, and Terraform can install it` }];
      }
      const isWhole = !missing.some((each) => /^(?:SHA256SUMS|signature|key) /.test(each));
      return [
        { sign: '✓', text: `Version ${address.slice(address.lastIndexOf('@') + 1)}` },
        ...(isWhole ? [{ sign: '✓' as const, text: `SHA256SUMS and signature (key ${keyId})` }] : []),
        ...platforms.map((text) => ({ sign: '✓' as const, text })),
        ...missing.map((text) => ({ sign: '✗' as const, text })),
        ...(ready ? [{ sign: '✓' as const, text: `Published ${address}: Terraform can install it` }] : []),
      ];
    },
  };
}

export interface CheckedRow {
  readonly status: 'listed' | 'not-listed';
  readonly address: string;
  /** The lock files that use it. */
  readonly file: readonly string[];
}

/** What lock files use, against what an organization lists. */
export const CHECKED_PROVIDER_COLUMNS: Columns<CheckedRow> = {
  name: 'providers',
  empty: 'The lock files use no providers.',
  shape: 'record',
  shown: ['status', 'address', 'file'],
  screen: [
    { head: 'PROVIDER', field: 'address', priority: 0 },
    { head: 'STATUS', field: 'status', priority: 1, tone: true, show: showWords },
    { head: 'FILE', field: 'file', priority: 2, wraps: true, show: showList },
  ],
};

function toPlatform(platform: unknown): string {
  return isObject(platform) ? `${toCellText(platform['os'])}/${toCellText(platform['arch'])}` : toCellText(platform);
}
