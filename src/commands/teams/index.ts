export const verbs = {
  list: ['List teams', () => import('./list.ts')],
  members: ['List the members of a team', () => import('./members.ts')],
  add: ['Add people to a team', () => import('./add.ts')],
  remove: ['Remove people from a team', () => import('./remove.ts')],
  create: ['Create teams; existing ones are not changed', () => import('./create.ts')],
  update: ['Rename a team, or change its visibility or access', () => import('./update.ts')],
  delete: ['Delete teams', () => import('./delete.ts')],
} as const;
