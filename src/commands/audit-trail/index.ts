export const verbs = {
  list: ['List events, the newest first', () => import('./list.ts')],
  follow: ['Print every event at least once and in order, across runs', () => import('./follow.ts')],
} as const;
