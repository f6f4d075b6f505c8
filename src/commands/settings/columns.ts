import type { Columns } from '../../stdout/columns.ts';

export const SETTING_COLUMNS: Columns = {
  name: 'settings',
  shape: 'record',
  shown: ['name', 'value', 'source'],
};

export const PATH_COLUMNS: Columns = { name: 'paths', shape: 'record', shown: ['path'], fields: ['path'] };
