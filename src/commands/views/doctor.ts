import type { View } from '../../output/view.ts';

export const CHECK_VIEW: View = {
  name: 'checks',
  shape: 'record',
  columns: ['check', 'status', 'detail', 'fix'],
  fields: ['check', 'status', 'detail', 'fix'],
};
