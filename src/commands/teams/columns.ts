import { type Columns, formatCount } from '../../output/columns.ts';

export const TEAM_COLUMNS: Columns = {
  name: 'teams',
  table: [
    { header: 'TEAM', field: 'name' },
    { header: 'MEMBERS', field: 'users-count', align: 'right', format: formatCount },
    { header: 'VISIBILITY', field: 'visibility' },
    { header: 'ID', field: 'id' },
  ],
  fields: ['type', 'organization.id', 'sso-team-id', 'scim-linked', 'is-unified'],
};
