import { type Column, type Columns, ERROR, ID, ORGANIZATION, RESULT } from '../../output/columns.ts';

const TEAM: Column = { header: 'TEAM', field: 'name' };

export const TEAM_COLUMNS: Columns = {
  empty: 'no teams found',
  table: [
    TEAM,
    { header: 'MEMBERS', field: 'users-count', align: 'right', format: 'count' },
    { header: 'VISIBILITY', field: 'visibility' },
    ID,
  ],
  hasOtherFields: true,
  fields: 'type organization.id sso-team-id scim-linked is-unified',
};

export const TEAM_RESULT_COLUMNS: Columns = {
  table: [RESULT, ORGANIZATION, TEAM, ID, ...ERROR],
  fields: 'type changed before after',
};
