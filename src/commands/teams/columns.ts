import { EMAIL, MEMBER_FIELDS, USER } from '../../members/columns.ts';
import { type Columns, ERROR, formatCount, ID, RESULT, STATUS } from '../../output/columns.ts';

export const TEAM_COLUMNS: Columns = {
  empty: 'no teams found',
  table: [
    { header: 'TEAM', field: 'name' },
    { header: 'MEMBERS', field: 'users-count', align: 'right', format: formatCount },
    { header: 'VISIBILITY', field: 'visibility' },
    ID,
  ],
  hasOtherFields: true,
  fields: 'type organization.id sso-team-id scim-linked is-unified',
};

export const TEAM_MEMBER_COLUMNS: Columns = {
  empty: 'no members found',
  table: [EMAIL, STATUS, USER, ID],
  fields: `${MEMBER_FIELDS} teams.name`,
  hasOtherFields: true,
};

export const TEAM_RESULT_COLUMNS: Columns = {
  table: [
    RESULT,
    { header: 'ORGANIZATION', field: 'organization.id' },
    { header: 'TEAM', field: 'name' },
    ID,
    ...ERROR,
  ],
  fields: 'type changed',
};
