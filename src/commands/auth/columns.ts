import type { View } from '../../stdout/view.ts';

export const AUTH_VIEW: View = {
  name: 'profiles',
  shape: 'record',
  columns: ['profile', 'base-url', 'org', 'token', 'token-source', 'works', 'kind', 'account'],
  fields: [
    'profile',
    'base-url',
    'base-url-source',
    'org',
    'org-source',
    'token',
    'token-source',
    'works',
    'kind',
    'account',
    'reads',
  ],
};
