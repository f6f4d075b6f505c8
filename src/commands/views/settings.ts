import type { View } from '../../output/view.ts';

export const SETTING_VIEW: View = {
  name: 'settings',
  shape: 'record',
  columns: ['name', 'value', 'source'],
  fields: ['name', 'value', 'source'],
};
