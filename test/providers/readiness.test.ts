import { expect, test } from 'vitest';
import { createReadiness, sortVersions } from '../../src/providers/readiness.ts';

const SENT = { hasFile: true, upload: '' };
const MISSING = { hasFile: false, upload: '' };
const VERSION = { sums: SENT, signature: SENT, keyId: 'ABCD' };
const LINUX = { os: 'linux', arch: 'amd64', hasFile: true };

test.each([
  [VERSION, [LINUX], []],
  [{ ...VERSION, sums: MISSING }, [LINUX], ['SHA256SUMS']],
  [{ ...VERSION, signature: MISSING }, [LINUX], ['signature']],
  [VERSION, [], ['platform']],
  [VERSION, [LINUX, { ...LINUX, os: 'darwin', hasFile: false }], ['file of darwin_amd64']],
])('%j with %j has no %j', (version, platforms, missing) => {
  expect(createReadiness(version, platforms, ['abcd'])).toEqual({ ready: missing.length === 0, missing });
});

test.each([
  ['ABCD', ['1234', 'abcd'], true, []],
  ['ABCD', ['1234'], false, ['key ABCD']],
  ['', ['1234'], false, ['key']],
  ['34365D9472D7468F', [], true, []],
  ['ABCD', undefined, null, []],
])('a version that key %j signed, where the organization has %j, is ready: %j', (keyId, keyIds, ready, missing) => {
  expect(createReadiness({ ...VERSION, keyId }, [LINUX], keyIds)).toEqual({ ready, missing });
});

test('versions come newest first, pre-releases after their release, other texts last', () => {
  const sorted = ['other', '1.9.0', '1.10.0-rc.2', '1.10.0', '1.10.0-rc.10', 'v2.0.0'].map((version) => ({ version }));
  expect(sortVersions(sorted).map(({ version }) => version)).toEqual([
    'v2.0.0',
    '1.10.0',
    '1.10.0-rc.10',
    '1.10.0-rc.2',
    '1.9.0',
    'other',
  ]);
});
