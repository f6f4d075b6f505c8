import type { View } from '../stdout/view.ts';

/** A view of what a write left behind: the noun's columns, and whether this run changed anything. */
export function toChangeView(view: View): View {
  return { ...view, columns: [...view.columns, 'changed'] };
}

/** What remains of something that is gone. */
export const REMOVAL_VIEW: View = {
  name: 'removals',
  shape: 'resource',
  columns: ['id', 'type', 'changed'],
  fields: ['id', 'type', 'changed'],
};

/** What rows of a command over several things say of each. */
export const RESULT_FIELDS = ['result', 'error', 'error.code', 'error.message', 'error.status', 'error.next'];
