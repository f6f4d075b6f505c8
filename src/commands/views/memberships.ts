import type { View } from '../../output/view.ts';

export const MEMBERSHIP_VIEW: View = {
  name: 'memberships',
  shape: 'resource',
  columns: ['id', 'status', 'email', 'user.username', 'teams'],
  fields: [
    'id',
    'type',
    'status',
    'email',
    'created-at',
    'is-org-two-factor-required',
    'user',
    'user.id',
    'user.username',
    'user.email',
    'user.two-factor',
    'user.is-service-account',
    'user.auth-method',
    'teams',
    'teams.id',
    'teams.name',
    'organization',
    'organization.id',
    'changed',
    'teams-missing',
  ],
  times: ['created-at'],
};

const RESULT_FIELDS = ['result', 'error', 'error.code', 'error.message', 'error.status', 'error.next'];

/** What `invite` and `resend` leave behind: a row a person. */
export const INVITATION_VIEW: View = {
  ...MEMBERSHIP_VIEW,
  columns: [...MEMBERSHIP_VIEW.columns, 'changed', 'teams-missing', 'result', 'error.code'],
  fields: [...MEMBERSHIP_VIEW.fields, ...RESULT_FIELDS],
};

/** What `remove` leaves behind: a row a membership, and one for each person who was not there. */
export const MEMBER_REMOVAL_VIEW: View = {
  name: 'removals',
  shape: 'resource',
  columns: ['id', 'type', 'changed', 'email', 'organization', 'result', 'error.code'],
  fields: ['id', 'type', 'changed', 'email', 'asked', 'organization', ...RESULT_FIELDS],
};
