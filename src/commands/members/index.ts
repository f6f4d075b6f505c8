export const verbs = {
  list: ['List members and invitations', () => import('./list.ts')],
  mine: ['List the organizations you are in', () => import('./mine.ts')],
  show: ['Show one member or invitation', () => import('./show.ts')],
  invite: ['Invite people by email; existing members are not changed', () => import('./invite.ts')],
  remove: ['Remove people from an organization, or cancel invitations', () => import('./remove.ts')],
  resend: ['Send invitations again; the old ones are revoked', () => import('./resend.ts')],
  plan: ['Show how organizations differ from a roster; exit 13 if they do', () => import('./plan.ts')],
  apply: ['Change organizations so that they match a roster', () => import('./apply.ts')],
  report: [
    'Print an access review: everyone, their teams, owners and two-factor authentication',
    () => import('./report.ts'),
  ],
} as const;
