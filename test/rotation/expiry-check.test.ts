import { describe, expect, test } from 'vitest';
import type { CurrentToken } from '../../src/rotation/current-token.ts';
import { checkExpiry, resolveExpiry } from '../../src/rotation/expiry-check.ts';
import { type DeliveredToken, type TokenFacts, toFingerprint } from '../../src/rotation/journal.ts';
import type { RotationInput } from '../../src/rotation/types.ts';

const NOW = Date.parse('2026-11-21T09:00:00Z');
const DAY = 86_400_000;
const at = (days: number): string => new Date(NOW + days * DAY).toISOString();

const OURS = 'secret-of-ours';
const FACTS: TokenFacts = { id: 'at-ours', createdAt: at(-60), expiredAt: at(30) };
const LAST: DeliveredToken = {
  ...FACTS,
  fingerprint: toFingerprint(OURS),
  deliveredAt: at(-60),
  verified: true,
  sinks: ['file:x'],
};
const found = (facts: Partial<TokenFacts> = {}): CurrentToken => ({ kind: 'found', facts: { ...FACTS, ...facts } });
const UNKNOWN: CurrentToken = { kind: 'unknown' };

/** A place that holds this secret. Those of other kinds cannot be read. */
const place = (secret: string | undefined, kind: 'file' | 'env-file' | 'exec' = 'file') =>
  ({
    kind,
    name: `${kind}:x`,
    read: async () => secret,
  }) as RotationInput['sinks'][number];

/** `accepted`: the secrets the service takes; `unclear`: those it says nothing of. It refuses all others. */
function judge(
  given: {
    readonly conditions?: Partial<RotationInput>;
    readonly current?: CurrentToken;
    readonly last?: DeliveredToken | undefined;
    readonly places?: readonly RotationInput['sinks'][number][];
    readonly accepted?: readonly string[];
    readonly unclear?: readonly string[];
  } = {},
) {
  const { conditions = {}, current = found(), places = [], accepted = [], unclear = [] } = given;
  return checkExpiry(
    { ifExpiresWithin: undefined, ifOlderThan: undefined, sinks: places, ...conditions },
    current,
    'last' in given ? given.last : LAST,
    NOW,
    async (secret, isNew) => {
      expect(isNew).toBe(false);
      if (accepted.includes(secret)) return 'accepted';
      return unclear.includes(secret) ? 'unknown' : 'refused';
    },
  );
}

describe('a token is needed by time', () => {
  test.each<[string, Partial<RotationInput>, Partial<TokenFacts>, boolean | 'unknown', string]>([
    ['30 days left of 30', { ifExpiresWithin: 30 * DAY }, {}, true, `it expires ${at(30)}`],
    ['a millisecond more', { ifExpiresWithin: 30 * DAY - 1 }, {}, false, ''],
    ['long gone', { ifExpiresWithin: 0 }, { expiredAt: at(-400) }, true, `it expires ${at(-400)}`],
    ['never expires', { ifExpiresWithin: 30 * DAY }, { expiredAt: null }, false, ''],
    [
      'nobody knows when',
      { ifExpiresWithin: 0 },
      { expiredAt: 'soon' },
      'unknown',
      'it is unknown when the token expires',
    ],
    ['60 days old of 60', { ifOlderThan: 60 * DAY }, {}, true, `it was made ${at(-60)}`],
    ['a millisecond less', { ifOlderThan: 60 * DAY + 1 }, {}, false, ''],
    [
      'nobody knows since when',
      { ifOlderThan: 0 },
      { createdAt: '' },
      'unknown',
      'it is unknown when the token was created',
    ],
    [
      'old, though it never expires',
      { ifExpiresWithin: DAY, ifOlderThan: DAY },
      { expiredAt: null },
      true,
      `it was made ${at(-60)}`,
    ],
    ['neither was asked for', {}, { createdAt: '', expiredAt: at(-1) }, false, ''],
  ])('%s', async (_name, conditions, facts, needed, why) => {
    expect(await judge({ conditions, current: found(facts) })).toEqual(
      needed === false ? { needed, facts: { ...FACTS, ...facts }, fingerprint: LAST.fingerprint } : { needed, why },
    );
  });

  test('of the token delivered last, where the service does not show its own', async () => {
    expect(await judge({ current: UNKNOWN, conditions: { ifExpiresWithin: 30 * DAY } })).toEqual({
      needed: true,
      why: `it expires ${at(30)}`,
    });
  });

  test.each<[string, Partial<RotationInput>, string]>([
    ['expires', { ifExpiresWithin: DAY }, 'it is unknown when the token expires'],
    ['was made', { ifOlderThan: DAY }, 'it is unknown when the token was created'],
  ])('not told where the service leaves out when it %s', async (_name, conditions, why) => {
    expect(await judge({ current: { kind: 'found', facts: { id: 'at-ours' } }, conditions })).toEqual({
      needed: 'unknown',
      why,
    });
  });
});

describe('a token is needed by what its places hold', () => {
  const NEEDED = (why: string) => ({ needed: true, why });
  const NOT_NEEDED = { needed: false, facts: FACTS, fingerprint: LAST.fingerprint };

  test.each<[string, Parameters<typeof judge>[0], unknown]>([
    ['there is no token', { current: { kind: 'absent' } }, NEEDED('there is no token')],
    ['ours, in every place', { places: [place(OURS), place(OURS, 'env-file')] }, NOT_NEEDED],
    ['ours, and no place can be read', { places: [place('not to be read', 'exec')] }, NOT_NEEDED],
    [
      'one place has none',
      { places: [place(OURS), place(undefined)] },
      NEEDED('a place that is to hold the token holds none'),
    ],
    [
      'one env-file has none',
      { places: [place(undefined, 'env-file')] },
      NEEDED('a place that is to hold the token holds none'),
    ],
    [
      'one place has another, even one that works',
      { places: [place(OURS), place('theirs')], accepted: ['theirs'] },
      NEEDED('a place that is to hold the token holds another'),
    ],
    [
      'somebody replaced it, and the place has what we delivered',
      { current: found({ id: 'at-theirs' }), places: [place(OURS)] },
      NEEDED('the token that was delivered no longer works'),
    ],
    [
      'one of two places has what no longer works',
      { current: found({ id: 'at-theirs' }), places: [place('theirs'), place(OURS)], accepted: ['theirs'] },
      NEEDED('the token that was delivered no longer works'),
    ],
    [
      'somebody replaced it and brought it to every place',
      { current: found({ id: 'at-theirs' }), places: [place('theirs')], accepted: ['theirs'] },
      { needed: false, facts: { ...FACTS, id: 'at-theirs' }, fingerprint: toFingerprint('theirs') },
    ],
    [
      'somebody replaced it, and nothing tells what the place holds',
      { current: found({ id: 'at-theirs' }), places: [place('theirs')], unclear: ['theirs'] },
      NEEDED('the current token at-theirs is not the one delivered from here'),
    ],
    [
      'somebody replaced it, and nothing tells what one of two places holds',
      {
        current: found({ id: 'at-theirs' }),
        places: [place('theirs'), place('other')],
        accepted: ['theirs'],
        unclear: ['other'],
      },
      NEEDED('the current token at-theirs is not the one delivered from here'),
    ],
    [
      'somebody replaced it, and no place can be read',
      { current: found({ id: 'at-theirs' }) },
      NEEDED('the current token at-theirs is not the one delivered from here'),
    ],
    [
      'none was delivered from here, and the place has one that works',
      { last: undefined, places: [place('theirs')], accepted: ['theirs'] },
      { needed: false, facts: FACTS, fingerprint: toFingerprint('theirs') },
    ],
    [
      'none was delivered from here, and no place can be read',
      { last: undefined },
      { needed: 'unknown', why: 'it is unknown whether the delivered token is the current one' },
    ],
    [
      'not shown, and the place has ours, which works',
      { current: UNKNOWN, places: [place(OURS)], accepted: [OURS] },
      { needed: false, facts: LAST, fingerprint: LAST.fingerprint },
    ],
    [
      'not shown, and one of two places has another that works',
      { current: UNKNOWN, places: [place(OURS), place('theirs')], accepted: [OURS, 'theirs'] },
      { needed: 'unknown', why: 'it is unknown whether the delivered token is the current one' },
    ],
    [
      'not shown, and the place has ours, of which nothing tells',
      { current: UNKNOWN, places: [place(OURS)], unclear: [OURS] },
      { needed: 'unknown', why: 'it is unknown whether the delivered token is the current one' },
    ],
    [
      'not shown, and no place can be read',
      { current: UNKNOWN },
      { needed: 'unknown', why: 'it is unknown whether the delivered token is the current one' },
    ],
    [
      'none is shown, and a place has one that works',
      { current: { kind: 'absent' }, places: [place(OURS)], accepted: [OURS] },
      { needed: false, facts: LAST, fingerprint: LAST.fingerprint },
    ],
    [
      'none is shown, and a place has one that is refused',
      { current: { kind: 'absent' }, places: [place(OURS)] },
      NEEDED('there is no token'),
    ],
    [
      'generate printed it, and no place can be read',
      { last: { ...LAST, sinks: [] } },
      NEEDED('the current token at-ours was printed by generate, and not delivered'),
    ],
    [
      'generate printed it, and it was brought to the place',
      { last: { ...LAST, sinks: [] }, places: [place(OURS)], accepted: [OURS] },
      NOT_NEEDED,
    ],
    [
      'not shown, none was delivered from here, and the place has none',
      { current: UNKNOWN, last: undefined, places: [place(undefined)] },
      NEEDED('a place that is to hold the token holds none'),
    ],
    [
      'not shown, and none was delivered from here',
      { current: UNKNOWN, last: undefined, places: [place(OURS)], accepted: [OURS] },
      { needed: 'unknown', why: 'the service does not show its token, and none was delivered from here before' },
    ],
  ])('%s', async (_name, given, due) => {
    expect(await judge(given)).toEqual(due);
  });
});

describe('the new token', () => {
  const lives = (facts: Partial<TokenFacts> | undefined) =>
    resolveExpiry('same', facts === undefined ? undefined : { id: 'at-1', ...facts }, NOW);

  test('lives as long as was asked for', () => {
    expect(resolveExpiry('2027-01-01T00:00:00Z', undefined, NOW)).toBe('2027-01-01T00:00:00Z');
    expect(resolveExpiry(null, FACTS, NOW)).toBeNull();
  });

  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z', '2026-12-21T09:00:00Z'],
    // Made within a second: the lifetime is rounded up to whole ones.
    ['2026-01-01T00:00:00.250Z', '2026-01-01T00:01:00Z', '2026-11-21T09:01:00Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z', '2026-11-21T09:00:01Z'],
  ])('lives as long as the current one, made %s, expires %s', (createdAt, expiredAt, expiry) => {
    expect(lives({ createdAt, expiredAt })).toBe(expiry);
  });

  test('lives for ever like the current one, whenever that was made', () => {
    expect(lives({ expiredAt: null })).toBeNull();
  });

  test.each([
    [undefined],
    [{}],
    [{ createdAt: at(-1) }],
    [{ expiredAt: at(1) }],
    [{ createdAt: at(1), expiredAt: at(1) }],
    [{ createdAt: at(1), expiredAt: at(-1) }],
    [{ createdAt: at(-1), expiredAt: 'soon' }],
    // What ends beyond all years.
    [{ createdAt: at(-1), expiredAt: '+275760-09-13T00:00:00Z' }],
    // What would end with the last of them.
    [{ createdAt: new Date(NOW).toISOString(), expiredAt: '9999-12-31T00:00:00Z' }],
  ])('has no lifetime to take from %j', (facts) => {
    expect(() => lives(facts)).toThrow(
      expect.objectContaining({
        exit: 'usage',
        message: '--expires same: it is unknown how long the current token lives',
        hint: 'Say how long the new one is to live, for example --expires 90d.',
      }),
    );
  });
});
