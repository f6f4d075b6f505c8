export const verbs = {
  list: ['List public and private providers', () => import('./list.ts')],
  get: ['Show one provider', () => import('./get.ts')],
  versions: [
    'List the versions of a provider, newest first; of a private one also what they lack',
    () => import('./versions.ts'),
  ],
  create: ['Add public or private providers; existing ones are not changed', () => import('./create.ts')],
  delete: ['Delete providers, or versions and platforms of private ones', () => import('./delete.ts')],
  publish: ['Publish a version of a private provider, as goreleaser makes it', () => import('./publish.ts')],
  check: [
    'Check that the organization lists the providers that lock files use (exit 13 if not)',
    () => import('./check.ts'),
  ],
} as const;
