import type { View } from '../../stdout/view.ts';

/** What an organization is offered, against what there is. */
export const OFFER_VIEW: View = {
  name: 'differences',
  shape: 'record',
  columns: ['id', 'identifier', 'name', 'difference', 'attribute', 'everybody', 'organization'],
  fields: [],
};

/** Two feature sets side by side. */
export const PAIR_VIEW: View = {
  name: 'differences',
  shape: 'record',
  columns: ['attribute', 'first', 'second'],
  fields: [],
};
