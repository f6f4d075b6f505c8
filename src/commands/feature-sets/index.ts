export const verbs = {
  list: ['List plans', () => import('./list.ts')],
  current: ['Show the plan of an organization, its limits, and the seats used and left', () => import('./current.ts')],
} as const;
