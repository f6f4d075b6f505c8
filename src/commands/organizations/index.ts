export const verbs = {
  list: ['List your organizations', () => import('./list.ts')],
  show: ['Show organizations', () => import('./show.ts')],
  update: ['Change attributes of organizations', () => import('./update.ts')],
  check: ['Check organizations against rules', () => import('./check.ts')],
} as const;
