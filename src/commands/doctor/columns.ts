import type { View } from '../../stdout/view.ts';

export const CHECK_VIEW: View = {
  name: 'checks',
  shape: 'record',
  columns: ['check', 'status', 'detail', 'fix'],
  fields: ['check', 'status', 'detail', 'fix'],
};
