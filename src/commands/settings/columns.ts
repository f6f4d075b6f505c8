import { type Column, type Columns, RESULT } from '../../output/columns.ts';

const SETTING: Column[] = [
  { header: 'SETTING', field: 'name' },
  { header: 'VALUE', field: 'value' },
];

export const SETTING_COLUMNS: Columns = { table: [...SETTING, { header: 'SOURCE', field: 'source' }] };

export const CHANGE_COLUMNS: Columns = { table: [RESULT, ...SETTING], fields: 'changed' };
