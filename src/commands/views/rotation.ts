import type { View } from '../../output/view.ts';

export const ROTATION_VIEW: View = {
  name: 'rotations',
  shape: 'record',
  columns: ['organization', 'id', 'expired-at', 'fingerprint', 'changed', 'verified'],
  fields: [
    'organization',
    'id',
    'created-at',
    'expired-at',
    'fingerprint',
    'changed',
    'sinks',
    'verified',
    'checks',
    'token',
  ],
  times: ['created-at', 'expired-at'],
};
