import { type Columns, listFields } from '../../stdout/columns.ts';
import { RESULT_FIELDS } from '../options.ts';

export const PROVIDER_COLUMNS: Columns = {
  name: 'providers',
  shape: 'resource',
  shown: ['id', 'registry-name', 'namespace', 'name', 'created-at'],
  fields: [
    'type',
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

export const CREATED_PROVIDER_COLUMNS: Columns = {
  ...PROVIDER_COLUMNS,
  shown: RESULT_COLUMNS,
  fields: [...listFields(PROVIDER_COLUMNS), ...RESULT_FIELDS],
};

export const DELETED_PROVIDER_COLUMNS: Columns = {
  name: 'removals',
  shape: 'resource',
  shown: RESULT_COLUMNS,
  fields: ['type', 'changed', ...RESULT_FIELDS],
};

export const PUBLIC_VERSION_COLUMNS: Columns = {
  name: 'versions',
  shape: 'record',
  shown: ['version', 'protocols'],
  fields: ['platforms', 'platforms.os', 'platforms.arch'],
};
