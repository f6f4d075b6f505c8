import type { View } from '../../stdout/view.ts';
import { RESULT_FIELDS } from '../change-columns.ts';

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
  columns: [
    'result',
    'action',
    'email',
    'organization.id',
    'id',
    'teams.name',
    'teams-missing',
    'error.code',
    'error.message',
  ],
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
    'teams.name',
    'organization',
    'organization.id',
    'changed',
    'teams-missing',
    ...RESULT_FIELDS,
  ],
  times: ['created-at'],
};
