import type { Columns } from '../../stdout/columns.ts';

export const AUTH_COLUMNS: Columns = {
  name: 'profiles',
  shape: 'record',
  shown: ['profile', 'base-url', 'org', 'token', 'token-source', 'works', 'kind', 'account'],
  fields: ['base-url-source', 'org-source', 'reads'],
};
