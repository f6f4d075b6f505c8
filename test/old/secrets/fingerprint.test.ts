import { expect, test } from 'vitest';
import { describeToken, toFingerprint } from '../../../src/old/secrets/fingerprint.ts';

test('a fingerprint differs between secrets and shows 64 bits of their digest', () => {
  expect(toFingerprint('abc')).toBe('sha256:ba7816bf8f01cfea');
  expect(toFingerprint('abd')).not.toBe(toFingerprint('abc'));
});

test('a token so short that its fingerprint could give it away has none', () => {
  expect(describeToken('x'.repeat(19))).toBeUndefined();
  expect(describeToken('x'.repeat(20))).toBe(toFingerprint('x'.repeat(20)));
});
