import type { View } from '../../stdout/view.ts';
import { RESULT_FIELDS } from '../change-columns.ts';

export const PROVIDER_VIEW: View = {
  name: 'providers',
  shape: 'resource',
  columns: ['id', 'registry-name', 'namespace', 'name', 'created-at'],
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
export const CREATED_PROVIDER_VIEW: View = {
  ...PROVIDER_VIEW,
  columns: RESULT_COLUMNS,
  fields: [...PROVIDER_VIEW.fields, 'address', ...RESULT_FIELDS],
};

/** What `delete` leaves behind. */
export const DELETED_PROVIDER_VIEW: View = {
  name: 'removals',
  shape: 'resource',
  columns: RESULT_COLUMNS,
  fields: ['id', 'type', 'address', 'changed', ...RESULT_FIELDS],
};
