import type { Columns } from '../../stdout/columns.ts';

export const CHECK_COLUMNS: Columns = {
  name: 'checks',
  shape: 'record',
  shown: ['check', 'status', 'detail', 'fix'],
};
