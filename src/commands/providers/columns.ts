import { isObject } from '../../json-object.ts';
import { describeReadiness } from '../../publish/readiness.ts';
import { showList, showRelative, showTime, showWords, toCellText } from '../../stdout/cell.ts';
import { type Columns, listFields, type Show } from '../../stdout/columns.ts';
import { getField } from '../../stdout/fields.ts';
import type { FlatRecord } from '../../stdout/flatten.ts';
import { withSentences } from '../result-sentences.ts';
import { RESULT_FIELDS } from '../row-error.ts';

/** `public/hashicorp/aws`, as a command takes it. */
const showAddress: Show = (_value, record) =>
  ['registry-name', 'namespace', 'name'].map((field) => toCellText(record[field])).join('/');

/** `linux/amd64`, `windows/amd64` */
function listPlatforms(platforms: unknown): readonly string[] {
  return Array.isArray(platforms) ? platforms.map(toPlatform) : [];
}

/** `yes`, or `no: no version yet` */
const showReady: Show = (ready, { missing }) => {
  if (typeof ready !== 'boolean') return '';
  return describeReadiness({ ready, missing: Array.isArray(missing) ? missing.map(toCellText) : [] });
};

export const READINESS_FIELDS: readonly string[] = ['ready', 'missing'];

export const PROVIDER_COLUMNS: Columns = {
  name: 'providers',
  shape: 'resource',
  shown: ['id', 'registry-name', 'namespace', 'name', 'created-at'],
  screen: [
    { head: 'PROVIDER', field: 'name', priority: 0, show: showAddress },
    { head: 'ADDED', field: 'created-at', priority: 2, show: showRelative },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  lines: [
    { label: 'Provider', field: 'name', show: showAddress },
    { label: 'Organization', field: 'organization.id' },
    { label: 'Ready', field: 'ready', show: showReady },
    { label: 'Added', field: 'created-at', show: showTime },
    { label: 'Updated', field: 'updated-at', show: showTime },
    { label: 'ID', field: 'id' },
  ],
  fields: [
    'type',
    'updated-at',
    'permissions',
    'permissions.can-delete',
    'organization',
    'organization.id',
    'versions',
    'registry-provider-versions',
  ],
  times: ['created-at', 'updated-at'],
};

/** One provider: of a private one also whether Terraform can install it. */
export const ONE_PROVIDER_COLUMNS: Columns = {
  ...PROVIDER_COLUMNS,
  fields: [...(PROVIDER_COLUMNS.fields ?? []), ...READINESS_FIELDS],
};

const RESULT_COLUMNS = ['result', 'address', 'id', 'error.code', 'error.message'];

/** What `create` leaves behind: a row a provider. `organization`: undefined where the rows say which. */
export function toCreatedColumns(organization: string | undefined): Columns {
  const toPlace = createPlace(organization);
  const columns: Columns = {
    ...PROVIDER_COLUMNS,
    shown: RESULT_COLUMNS,
    fields: [...listFields(PROVIDER_COLUMNS), 'changed', ...RESULT_FIELDS],
  };
  return withSentences(columns, {
    created: (record) => ({
      sign: '✓',
      text: `Added ${toCellText(record['address'])} to ${toPlace(record)}`,
    }),
    unchanged: (record) => ({ sign: '=', text: `${toCellText(record['address'])} is already in ${toPlace(record)}` }),
  });
}

/** What `delete` leaves behind, likewise. */
export function toDeletedColumns(organization: string | undefined): Columns {
  const toPlace = createPlace(organization);
  const columns: Columns = {
    name: 'removals',
    shape: 'resource',
    shown: RESULT_COLUMNS,
    fields: ['type', 'changed', 'organization', 'organization.id', ...RESULT_FIELDS],
  };
  return withSentences(columns, {
    deleted: (record) => ({ sign: '✓', text: `Deleted ${toCellText(record['address'])} from ${toPlace(record)}` }),
    absent: (record) => ({ sign: '=', text: `${toCellText(record['address'])} is not in ${toPlace(record)}` }),
  });
}

function createPlace(organization: string | undefined): (record: FlatRecord) => string {
  return (record) => organization ?? toCellText(getField(record, 'organization.id'));
}

export const PUBLIC_VERSION_COLUMNS: Columns = {
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
  fields: ['platforms.os', 'platforms.arch'],
};

/** Of a private provider, with what keeps Terraform from installing each. */
export const PRIVATE_VERSION_COLUMNS: Columns = {
  ...PUBLIC_VERSION_COLUMNS,
  empty: "No versions yet. Terraform can't install it.",
  screen: [
    ...(PUBLIC_VERSION_COLUMNS.screen ?? []),
    { head: 'MISSING', field: 'missing', priority: 1, wraps: true, show: showList },
  ],
  fields: [...(PUBLIC_VERSION_COLUMNS.fields ?? []), ...READINESS_FIELDS, 'id', 'key-id', 'created-at'],
  times: ['created-at'],
};

export interface PublishedDetails {
  readonly keyId: string;
  /** What stands for each platform that is there: `linux_amd64, 12.4 MiB` */
  readonly platforms: readonly string[];
}

/** What `publish` leaves behind. */
export function toPublishedColumns({ keyId, platforms }: PublishedDetails): Columns {
  return {
    name: 'versions',
    shape: 'record',
    shown: RESULT_COLUMNS,
    fields: ['changed', ...READINESS_FIELDS, 'platforms', 'platforms.os', 'platforms.arch', 'error'],
    sentences(record) {
      const address = toCellText(record['address']);
      const missing = Array.isArray(record['missing']) ? record['missing'].map(toCellText) : [];
      if (record['changed'] !== true && record['ready'] === true) {
        return [{ sign: '=', text: `${address} is published already, and Terraform can install it` }];
      }
      const isWhole = !missing.some((each) => /^(?:SHA256SUMS|signature|key) /.test(each));
      return [
        { sign: '✓', text: `Version ${address.slice(address.lastIndexOf('@') + 1)}` },
        ...(isWhole ? [{ sign: '✓' as const, text: `SHA256SUMS and signature (key ${keyId})` }] : []),
        ...platforms.map((text) => ({ sign: '✓' as const, text })),
        ...missing.map((text) => ({ sign: '✗' as const, text })),
        ...(record['ready'] === true
          ? [{ sign: '✓' as const, text: `Published ${address}: Terraform can install it` }]
          : []),
      ];
    },
  };
}

/** What lock files use, against what an organization lists. */
export const CHECKED_PROVIDER_COLUMNS: Columns = {
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

export const PLAN_COLUMNS: Columns = {
  name: 'steps',
  empty: 'No changes.',
  shape: 'record',
  shown: ['action', 'organization.id', 'address', 'id'],
  fields: ['organization'],
};

/** What became of each step: a row a provider, said as what `create` and `delete` leave behind. */
export const APPLIED_COLUMNS: Columns = {
  ...PROVIDER_COLUMNS,
  name: 'steps',
  shown: ['result', ...PLAN_COLUMNS.shown, 'error.code', 'error.message'],
  fields: [...listFields(PROVIDER_COLUMNS), 'changed', ...RESULT_FIELDS],
  sentences(record, now) {
    const toColumns = record['action'] === 'delete' ? toDeletedColumns : toCreatedColumns;
    return toColumns(undefined).sentences?.(record, now) ?? [];
  },
};

function toPlatform(platform: unknown): string {
  return isObject(platform) ? `${toCellText(platform['os'])}/${toCellText(platform['arch'])}` : toCellText(platform);
}
