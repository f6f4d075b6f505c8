export const verbs = {
  list: ['List public and private providers', () => import('./list.ts')],
  get: ['Show one provider', () => import('./get.ts')],
  versions: ['List the versions of a provider, and what private ones are missing', () => import('./versions.ts')],
  create: ['Add public or private providers; existing ones are not changed', () => import('./create.ts')],
  delete: ['Delete providers, or versions and platforms of private ones', () => import('./delete.ts')],
  publish: ['Publish a version of a private provider, as goreleaser makes it', () => import('./publish.ts')],
  check: ['Check that the organization lists what lock files use; 13 if not', () => import('./check.ts')],
} as const;
