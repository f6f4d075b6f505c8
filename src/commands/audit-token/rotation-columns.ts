import type { RotationResult } from '../../rotation/types.ts';
import type { View } from '../../stdout/view.ts';

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
  words: {
    sinks: (sinks) => (sinks as RotationResult['sinks']).map(toSinkWords).join('; '),
    checks: (checks) => (checks as RotationResult['checks']).map(toCheckWords).join('; '),
  },
};

function toSinkWords({ sink, delivered }: RotationResult['sinks'][number]): string {
  return delivered ? sink : `${sink} (not delivered)`;
}

function toCheckWords({ check, passed, detail }: RotationResult['checks'][number]): string {
  const verdict = { true: 'passed', false: 'failed', null: 'cannot tell' }[`${passed}`];
  return `${check}: ${verdict}, ${detail}`;
}
