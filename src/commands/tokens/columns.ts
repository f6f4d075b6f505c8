import { type Columns, ID, STATUS } from '../../output/columns.ts';
import { EXPIRES, LAST_USED } from '../../tokens/columns.ts';

export const TOKEN_COLUMNS: Columns = {
  empty: 'no tokens found',
  table: [{ header: 'TOKEN', field: 'token' }, EXPIRES, LAST_USED, STATUS, ID],
  hasOtherFields: true,
  fields:
    'organization.id kind team.id team.name description created-by created-by.id created-by.type ' +
    'created-at expired-at type',
};
