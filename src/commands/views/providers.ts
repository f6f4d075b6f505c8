import type { View } from '../../output/view.ts';

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
