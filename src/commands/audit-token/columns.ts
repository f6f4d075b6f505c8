import type { RotationResult } from '../../rotation/types.ts';
import type { Columns } from '../../stdout/columns.ts';

export const AUDIT_TOKEN_COLUMNS: Columns = {
  name: 'audit trail tokens',
  shape: 'resource',
  shown: ['id', 'created-at', 'last-used-at', 'expired-at'],
  fields: ['type', 'description', 'created-by', 'created-by.id', 'created-by.type', 'changed'],
  times: ['created-at', 'last-used-at', 'expired-at'],
};

export const ROTATION_COLUMNS: Columns = {
  name: 'rotations',
  shape: 'record',
  shown: ['organization', 'id', 'expired-at', 'fingerprint', 'changed', 'verified'],
  fields: ['created-at', 'sinks', 'checks', 'token'],
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
