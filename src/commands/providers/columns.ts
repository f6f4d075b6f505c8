import type { Columns } from '../../stdout/columns.ts';
import { RESULT_FIELDS } from '../change-columns.ts';

export const PROVIDER_COLUMNS: Columns = {
  name: 'providers',
  shape: 'resource',
  shown: ['id', 'registry-name', 'namespace', 'name', 'created-at'],
  fields: [
    'id',
    'type',
    'name',
    'namespace',
    'registry-name',
    'created-at',
    'updated-at',
    'permissions',
    'permissions.can-delete',
    'organization',
    'organization.id',
    'versions',
    'registry-provider-versions',
    'changed',
  ],
  times: ['created-at', 'updated-at'],
};

const RESULT_COLUMNS = ['result', 'address', 'id', 'error.code', 'error.message'];

/** What `create` leaves behind: a row a provider. */
export const CREATED_PROVIDER_COLUMNS: Columns = {
  ...PROVIDER_COLUMNS,
  shown: RESULT_COLUMNS,
  fields: [...PROVIDER_COLUMNS.fields, 'address', ...RESULT_FIELDS],
};

/** What `delete` leaves behind. */
export const DELETED_PROVIDER_COLUMNS: Columns = {
  name: 'removals',
  shape: 'resource',
  shown: RESULT_COLUMNS,
  fields: ['id', 'type', 'address', 'changed', ...RESULT_FIELDS],
};

export const PUBLIC_VERSION_COLUMNS: Columns = {
  name: 'versions',
  shape: 'record',
  shown: ['version', 'protocols'],
  fields: ['version', 'protocols', 'platforms', 'platforms.os', 'platforms.arch'],
};
