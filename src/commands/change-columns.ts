import type { Columns } from '../stdout/columns.ts';

/** The columns of what a write left behind: the noun’s own, and whether this run changed anything. */
export function withChanged(columns: Columns): Columns {
  return { ...columns, shown: [...columns.shown, 'changed'] };
}

/** What remains of something that is gone. */
export const REMOVAL_COLUMNS: Columns = {
  name: 'removals',
  shape: 'resource',
  shown: ['id', 'type', 'changed'],
};

/** What rows of a command over several things say of each, beside the columns that show its result. */
export const RESULT_FIELDS = ['error', 'error.status', 'error.next'];
