import type { Columns } from '../../output/columns.ts';

export const SETTING_COLUMNS: Columns = {
  table: [
    { header: 'SETTING', field: 'name' },
    { header: 'VALUE', field: 'value' },
    { header: 'SOURCE', field: 'source' },
  ],
};
