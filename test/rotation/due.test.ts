import { expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { resolveExpiry } from '../../src/rotation/due.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const LIFE = { id: 'at-1', createdAt: '2026-11-01T00:00:00Z', expiredAt: '2026-11-11T00:00:00Z' };

test('the same lifetime again, in whole seconds', () => {
  expect(resolveExpiry('same', LIFE, NOW)).toBe('2026-12-01T09:00:00Z');
  expect(resolveExpiry('same', { ...LIFE, expiredAt: null }, NOW)).toBeNull();
});

test.each([
  ['what ends before it begins', '2026-10-01T00:00:00Z'],
  ['what is no time', 'soon'],
  ['what ends beyond all years', '+275760-09-13T00:00:00Z'],
])('a lifetime that nobody could write is refused: %s', (_name, expiredAt) => {
  expect(() => resolveExpiry('same', { ...LIFE, expiredAt }, NOW)).toThrow(UsageError);
});
