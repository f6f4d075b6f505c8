import type { View } from '../../output/view.ts';

/** The steps between an organization and its roster. */
export const PLAN_VIEW: View = {
  name: 'steps',
  shape: 'record',
  columns: ['action', 'email', 'id', 'status', 'teams', 'teams-missing'],
  fields: ['action', 'email', 'id', 'status', 'teams', 'teams-missing', 'organization'],
};

/** What became of each step: a row a person. */
export const APPLIED_VIEW: View = {
  name: 'steps',
  shape: 'resource',
  columns: ['action', 'id', 'status', 'email', 'teams', 'changed', 'teams-missing', 'result', 'error.code'],
  fields: [
    'action',
    'id',
    'type',
    'status',
    'email',
    'created-at',
    'user',
    'user.id',
    'user.username',
    'teams',
    'teams.id',
    'organization',
    'organization.id',
    'changed',
    'teams-missing',
    'result',
    'error',
    'error.code',
    'error.message',
    'error.status',
    'error.next',
  ],
  times: ['created-at'],
};
