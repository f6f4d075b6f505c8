import type { Columns } from '../../stdout/columns.ts';

export const TEAM_COLUMNS: Columns = {
  name: 'teams',
  shape: 'resource',
  shown: ['id', 'name'],
  fields: ['type', 'users-count', 'visibility', 'sso-team-id', 'organization-access', 'permissions'],
};
