export const verbs = {
  show: ['Show the audit trail token, without its secret', () => import('./show.ts')],
  generate: ['Replace the audit trail token, and print the new secret', () => import('./generate.ts')],
  rotate: ['Replace the audit trail token, and deliver the new secret', () => import('./rotate.ts')],
  delete: ['Delete the audit trail token; what uses it stops working at once', () => import('./delete.ts')],
} as const;
