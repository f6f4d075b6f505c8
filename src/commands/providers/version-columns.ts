import type { View } from '../../stdout/view.ts';

export const PUBLIC_VERSION_VIEW: View = {
  name: 'versions',
  shape: 'record',
  columns: ['version', 'protocols'],
  fields: ['version', 'protocols', 'platforms', 'platforms.os', 'platforms.arch'],
};
