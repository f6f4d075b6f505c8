export const verbs = {
  list: ['List tokens of an organization and its teams, soonest expiry first', () => import('./list.ts')],
  rotate: ['Replace a token, and deliver the new secret', () => import('./rotate.ts')],
  delete: ['Delete tokens; what uses them stops working at once', () => import('./delete.ts')],
} as const;
