import type { View } from '../../stdout/view.ts';

export const SETTING_VIEW: View = {
  name: 'settings',
  shape: 'record',
  columns: ['name', 'value', 'source'],
  fields: ['name', 'value', 'source'],
};

export const PATH_VIEW: View = { name: 'paths', shape: 'record', columns: ['path'], fields: ['path'] };
