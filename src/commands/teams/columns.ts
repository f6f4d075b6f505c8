import type { Columns } from '../../stdout/columns.ts';
import { showCount } from '../../stdout/show.ts';

export const TEAM_COLUMNS: Columns = {
  name: 'teams',
  shape: 'resource',
  shown: ['id', 'name', 'users-count', 'visibility'],
  screen: [
    { head: 'TEAM', field: 'name', priority: 0 },
    { head: 'MEMBERS', field: 'users-count', priority: 1, align: 'right', show: showCount },
    { head: 'VISIBILITY', field: 'visibility', priority: 3 },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: ['type', 'sso-team-id', 'organization-access', 'permissions'],
};
