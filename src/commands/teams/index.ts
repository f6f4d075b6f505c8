export const verbs = {
  list: ['List teams', () => import('./list.ts')],
  members: ['List the members of a team', () => import('./members.ts')],
  add: ['Add people to a team', () => import('./add.ts')],
  remove: ['Remove people from a team', () => import('./remove.ts')],
} as const;
