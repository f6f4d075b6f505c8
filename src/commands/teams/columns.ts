import type { View } from '../../stdout/view.ts';

export const TEAM_VIEW: View = {
  name: 'teams',
  shape: 'resource',
  columns: ['id', 'name'],
  fields: ['id', 'type', 'name', 'users-count', 'visibility', 'sso-team-id', 'organization-access', 'permissions'],
};
