export const verbs = {
  list: ['List your organizations', () => import('./list.ts')],
  show: ['Show organizations', () => import('./show.ts')],
  update: ['Change attributes of organizations', () => import('./update.ts')],
} as const;
