export const verbs = {
  list: ['List public and private providers', () => import('./list.ts')],
  get: ['Show one provider', () => import('./get.ts')],
  versions: ['List the versions of a provider, and what those of a private one lack', () => import('./versions.ts')],
  create: ['Add public or private providers; existing ones are not changed', () => import('./create.ts')],
  delete: ['Delete providers, or versions and platforms of private ones', () => import('./delete.ts')],
  publish: ['Publish a version of a private provider, as goreleaser makes it', () => import('./publish.ts')],
  check: ['Exit 13 unless the organization lists what lock files use', () => import('./check.ts')],
} as const;
