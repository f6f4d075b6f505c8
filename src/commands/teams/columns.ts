import { EMAIL, MEMBER_FIELDS, USER } from '../../members/columns.ts';
import { type Columns, formatCount, ID, STATUS } from '../../output/columns.ts';

export const TEAM_COLUMNS: Columns = {
  empty: 'no teams found',
  table: [
    { header: 'TEAM', field: 'name' },
    { header: 'MEMBERS', field: 'users-count', align: 'right', format: formatCount },
    { header: 'VISIBILITY', field: 'visibility' },
    ID,
  ],
  hasOtherFields: true,
  fields: ['type', 'organization.id', 'sso-team-id', 'scim-linked', 'is-unified'],
};

export const TEAM_MEMBER_COLUMNS: Columns = {
  empty: 'no members found',
  table: [EMAIL, STATUS, USER, ID],
  fields: [...MEMBER_FIELDS, 'teams.name'],
  hasOtherFields: true,
};
