export const verbs = {
  show: ['Show the audit trail token, without its secret', () => import('./show.ts')],
  generate: [
    'Create an audit trail token that replaces the current one, and print its secret',
    () => import('./generate.ts'),
  ],
  rotate: ['Replace the audit trail token, and deliver the new secret', () => import('./rotate.ts')],
  delete: ['Delete the audit trail token; what uses it stops working at once', () => import('./delete.ts')],
} as const;
