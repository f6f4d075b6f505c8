export const verbs = {
  list: ['List your organizations', () => import('./list.ts')],
  show: ['Show organizations', () => import('./show.ts')],
} as const;
