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
    sinks: (sinks) =>
      (sinks as RotationResult['sinks'])
        .map(({ sink, delivered }) => (delivered ? sink : `${sink} (not delivered)`))
        .join('; '),
    checks: (checks) =>
      (checks as RotationResult['checks'])
        .map(({ check, passed, detail }) => `${check}: ${VERDICTS[`${passed}`]}, ${detail}`)
        .join('; '),
  },
};

const VERDICTS = { true: 'passed', false: 'failed', null: 'cannot tell' };
