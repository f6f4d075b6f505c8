import { describe, expect, test } from 'vitest';
import { type CurrentToken, isSameToken, toTokenFacts } from '../../src/rotation/current-token.ts';

const found = (id: string): CurrentToken => ({ kind: 'found', facts: { id } });
const ABSENT: CurrentToken = { kind: 'absent' };
const UNKNOWN: CurrentToken = { kind: 'unknown' };

test.each<[boolean, CurrentToken, CurrentToken]>([
  [true, found('a'), found('a')],
  [false, found('a'), found('b')],
  [true, ABSENT, ABSENT],
  [false, found('a'), ABSENT],
  [false, found('a'), UNKNOWN],
  [false, ABSENT, UNKNOWN],
  // Who says nothing does not say the same twice.
  [false, UNKNOWN, UNKNOWN],
])('the same is %s for %j and %j', (isSame, one, other) => {
  expect(isSameToken(one, other)).toBe(isSame);
  expect(isSameToken(other, one)).toBe(isSame);
});

describe('what is remembered of a token', () => {
  const TIMES = { 'created-at': '2026-01-01T00:00:00.000Z', 'expired-at': '2027-01-01T00:00:00.000Z' };
  const toFacts = (attributes?: object, creator?: unknown) =>
    toTokenFacts({
      data: {
        type: 'authentication-tokens',
        id: 'at-1',
        ...(attributes === undefined ? {} : { attributes }),
        ...(creator === undefined ? {} : { relationships: { 'created-by': { data: creator } } }),
      },
    } as unknown as Parameters<typeof toTokenFacts>[0]);

  test('is its id, its times and its creator', () => {
    expect(toFacts(TIMES, { type: 'users', id: 'user-1' })).toEqual({
      id: 'at-1',
      createdAt: TIMES['created-at'],
      expiredAt: TIMES['expired-at'],
      createdBy: 'user-1',
    });
  });

  test('is that it never expires', () => {
    expect(toFacts({ 'expired-at': null })).toEqual({ id: 'at-1', expiredAt: null });
  });

  test.each([
    [undefined, undefined],
    [{}, null],
    [{ 'created-at': null }, []],
    [{ 'created-at': 'a secret', 'expired-at': 'another' }, { id: 7 }],
    [{ 'created-at': 1_700_000_000_000, 'expired-at': 2_000 }, 'user-1'],
  ])('is nothing but its id of %j by %j', (attributes, creator) => {
    expect(toFacts(attributes, creator)).toEqual({ id: 'at-1' });
  });

  test('has no creator where the service names no relationship', () => {
    const data = { type: 'authentication-tokens', id: 'at-1', relationships: {} };
    expect(toTokenFacts({ data } as unknown as Parameters<typeof toTokenFacts>[0])).toEqual({ id: 'at-1' });
  });
});
