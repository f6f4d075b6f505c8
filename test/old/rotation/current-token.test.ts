import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/old/errors.ts';
import {
  type CurrentToken,
  createMetadataReader,
  findRecord,
  isSameToken,
  toCurrentToken,
  toTimes,
  toTokenFacts,
} from '../../../src/old/rotation/current-token.ts';
import type { JournalState, OpenRotation } from '../../../src/old/rotation/journal.ts';
import type { ResourceDocument } from '../../../src/old/wire/json-api.ts';

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

describe('whether the service shows its token', () => {
  const FOUND: ResourceDocument = { data: { type: 'authentication-tokens', id: 'at-1' } };
  const refusal = (status: number) =>
    new ServiceError('not-found', 'no', { status, errors: [], request: { method: 'GET', path: '/' } });

  /** `answers` to the readings, in order. */
  function read(
    answers: readonly (ResourceDocument | Error)[],
    { origin = 'https://tfe.example', metadata }: { readonly origin?: string; readonly metadata?: boolean } = {},
  ) {
    const left = [...answers];
    return createMetadataReader(
      {
        async show() {
          const next = left.shift() ?? FOUND;
          if (next instanceof Error) throw next;
          return next;
        },
      },
      { organization: 'acme', origin },
      { read: () => (metadata === undefined ? {} : { metadata }) },
    );
  }

  test.each([
    ['nothing is known of it', {}, 'unknown', undefined],
    ['an earlier run has seen it', { metadata: true }, 'absent', true],
    ['an earlier run has proved that it does not', { metadata: false }, 'unknown', false],
    ['it is the hosted edition, by its address', { origin: 'https://app.terraform.io' }, 'absent', undefined],
    ['it is the embedded one', { origin: 'sandbox' }, 'absent', undefined],
    ['the hosted edition was seen not to', { origin: 'https://app.terraform.io', metadata: false }, 'unknown', false],
  ])('a 404 where %s', async (_name, given, kind, isShown) => {
    const reader = read([refusal(404)], given);
    expect(await reader.read()).toMatchObject({ kind, refusal: { status: 404 } });
    expect(reader.isShown()).toBe(isShown);
  });

  test('one that was shown is absent after it', async () => {
    const reader = read([FOUND, refusal(404)]);
    expect(await reader.read()).toEqual({ kind: 'found', document: FOUND });
    expect(await reader.read()).toMatchObject({ kind: 'absent' });
    expect(reader.isShown()).toBe(true);
  });

  test('a 404 just after one was created proves that it does not, whatever was shown before', async () => {
    const reader = read([FOUND, refusal(404), refusal(404)], { metadata: true });
    await reader.read();
    reader.expectToken();
    expect(await reader.read()).toMatchObject({ kind: 'unknown' });
    expect(reader.isShown()).toBe(false);
  });

  test('a refusal says nothing, and what is no answer is thrown', async () => {
    const reader = read([403, 422, 401, 429, 500].map(refusal), { metadata: true });
    for (const status of [403, 422])
      expect(await reader.read()).toMatchObject({ kind: 'unknown', refusal: { status } });
    for (const status of [401, 429, 500]) await expect(reader.read()).rejects.toMatchObject({ status });
  });
});

describe('the record of a token that is not shown', () => {
  const LAST = { id: 'at-last', fingerprint: 'sha256:0', deliveredAt: '', verified: true, sinks: [] };
  const NEW = { id: 'at-new', fingerprint: 'sha256:1' };
  const OPEN: OpenRotation = { run: 'ab', startedAt: '', phase: 'minted', posts: 1, recovery: '', temporaries: [] };
  const open = (more: Partial<OpenRotation>): OpenRotation => ({ ...OPEN, ...more });

  test.each<[string, JournalState, string | undefined]>([
    ['nothing', {}, undefined],
    ['the last one', { last: LAST }, 'at-last'],
    ['the last one, and a run that sent nothing', { last: LAST, open: open({ phase: 'preflight' }) }, 'at-last'],
    ['a run that may have replaced it', { last: LAST, open: open({ phase: 'unknown' }) }, undefined],
    ['a loss', { last: LAST, open: open({ phase: 'preflight', lost: true }) }, undefined],
    ['one that reached no place', { last: LAST, open: open({ minted: NEW, undelivered: ['file:x'] }) }, 'at-new'],
    ['one that was not verified', { last: LAST, open: open({ minted: NEW, undelivered: [] }) }, undefined],
  ])('after %s', (_name, state, id) => {
    expect(findRecord(state)?.id).toBe(id);
  });
});

test('what the service answers is what is known, and times are named as it names them', () => {
  const document: ResourceDocument = { data: { type: 'authentication-tokens', id: 'at-1' } };
  expect(toCurrentToken({ kind: 'found', document })).toEqual(found('at-1'));
  expect(toCurrentToken({ kind: 'absent', refusal: {} as ServiceError })).toEqual(ABSENT);
  expect(toTimes({})).toEqual({});
  expect(toTimes({ createdAt: 'a', expiredAt: null })).toEqual({ 'created-at': 'a', 'expired-at': null });
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
    const times = { createdAt: TIMES['created-at'], expiredAt: TIMES['expired-at'] };
    expect(toFacts(TIMES, { type: 'users', id: 'user-1' })).toEqual({ id: 'at-1', ...times, createdBy: 'user-1' });
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
