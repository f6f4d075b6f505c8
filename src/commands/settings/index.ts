export const verbs = {
  list: ['List settings, and where each value comes from', () => import('./list.ts')],
  get: ['Print the value of a setting', () => import('./get.ts')],
  set: ['Store a setting', () => import('./set.ts')],
  unset: ['Remove a stored setting', () => import('./unset.ts')],
} as const;
