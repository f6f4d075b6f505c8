import type { Verbs } from '../../cli/command.ts';

export const verbs: Verbs = {
  list: ['List events, the newest first', () => import('./list.ts')],
  follow: ['Print every event at least once and in order, across runs', () => import('./follow.ts')],
};
