import { describe, expect, test } from 'vitest';
import type { CurrentToken } from '../../../src/old/rotation/current-token.ts';
import { checkExpiry, resolveExpiry } from '../../../src/old/rotation/expiry-check.ts';
import type { DeliveredToken, TokenFacts } from '../../../src/old/rotation/journal.ts';
import type { RotationInput } from '../../../src/old/rotation/types.ts';
import { toFingerprint } from '../../../src/old/secrets/fingerprint.ts';

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
const ABSENT: CurrentToken = { kind: 'absent' };
const BARE: CurrentToken = { kind: 'found', facts: { id: 'at-ours' } };

/** A place that holds this secret. Those of other kinds cannot be read. */
const place = (secret: string | undefined, kind: 'file' | 'env-file' | 'exec' = 'file') =>
  ({
    kind,
    name: `${kind}:x`,
    isReadable: kind !== 'exec',
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
    { noun: 'audit trail token', ifExpiresWithin: undefined, ifOlderThan: undefined, sinks: places, ...conditions },
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
  const EXPIRY_UNKNOWN = 'Unknown: when the token expires.';
  const AGE_UNKNOWN = 'Unknown: when the token was created.';
  const IN_30_DAYS = 'the current token expires in 30 days (2026-12-21 09:00 UTC)';
  const OLD = 'the current token was created 60 days ago (2026-09-22 09:00 UTC)';

  test.each<[string, Partial<RotationInput>, Partial<TokenFacts>, boolean | 'unknown', string]>([
    ['30 days left of 30', { ifExpiresWithin: 30 * DAY }, {}, true, IN_30_DAYS],
    ['a millisecond more', { ifExpiresWithin: 30 * DAY - 1 }, {}, false, ''],
    [
      'long gone',
      { ifExpiresWithin: 0 },
      { expiredAt: at(-400) },
      true,
      'the current token expired 400 days ago (2025-10-17 09:00 UTC)',
    ],
    ['never expires', { ifExpiresWithin: 30 * DAY }, { expiredAt: null }, false, ''],
    ['nobody knows when', { ifExpiresWithin: 0 }, { expiredAt: 'soon' }, 'unknown', EXPIRY_UNKNOWN],
    ['60 days old of 60', { ifOlderThan: 60 * DAY }, {}, true, OLD],
    ['a millisecond less', { ifOlderThan: 60 * DAY + 1 }, {}, false, ''],
    ['nobody knows since when', { ifOlderThan: 0 }, { createdAt: '' }, 'unknown', AGE_UNKNOWN],
    ['old, never expires', { ifExpiresWithin: DAY, ifOlderThan: DAY }, { expiredAt: null }, true, OLD],
    ['neither was asked for', {}, { createdAt: '', expiredAt: at(-1) }, false, ''],
  ])('%s', async (_name, conditions, facts, needed, why) => {
    expect(await judge({ conditions, current: found(facts) })).toEqual(
      needed === false
        ? { needed, facts: { ...FACTS, ...facts }, fingerprint: LAST.fingerprint }
        : { needed, why, ...(needed === true ? {} : { isSettled: false }) },
    );
  });

  test.each<[string, Partial<RotationInput>, CurrentToken, boolean | 'unknown', string]>([
    ['of the one delivered last', { ifExpiresWithin: 30 * DAY }, UNKNOWN, true, IN_30_DAYS],
    ['that is left out', { ifExpiresWithin: DAY }, BARE, 'unknown', EXPIRY_UNKNOWN],
    ['of its making that is left out', { ifOlderThan: DAY }, BARE, 'unknown', AGE_UNKNOWN],
  ])('%s', async (_name, conditions, current, needed, why) => {
    const unsettled = needed === true ? {} : { isSettled: false };
    expect(await judge({ current, conditions })).toEqual({ needed, why, ...unsettled });
  });
});

describe('a token is needed by what its places hold', () => {
  type Place = RotationInput['sinks'][number];
  const NEEDED = (why: string) => ({ needed: true, why });
  const NOT_NEEDED = { needed: false, facts: FACTS, fingerprint: LAST.fingerprint };
  const NOT_NEEDED_LAST = { ...NOT_NEEDED, facts: LAST };
  const NONE_HELD = NEEDED('file:x has no token that can be read');
  const NO_LONGER_WORKS = NEEDED('the delivered token no longer works');
  const NOT_FROM_HERE = NEEDED('the current token was replaced elsewhere');
  const NO_TOKEN = NEEDED('no audit trail token exists');
  const why = 'Unknown: whether the delivered token is the current one.';
  const DOUBT = { needed: 'unknown', why, isSettled: true };
  const LASTING_DOUBT = { ...DOUBT, isSettled: false };
  const [ours, theirs, other, none] = [place(OURS), place('theirs'), place('other'), place(undefined)];
  const replaced = { current: found({ id: 'at-theirs' }) };
  const notShown = { current: UNKNOWN };
  const generated = { last: { ...LAST, sinks: [] } };
  const first = { last: undefined };

  test.each<[string, Parameters<typeof judge>[0], readonly Place[], readonly string[], unknown]>([
    ['no audit trail token exists', { current: ABSENT }, [], [], NO_TOKEN],
    ['ours, in every place', {}, [ours, place(OURS, 'env-file')], [], NOT_NEEDED],
    ['ours, and no place can be read', {}, [place('not to be read', 'exec')], [], NOT_NEEDED],
    ['one place has none', {}, [ours, none], [], NONE_HELD],
    [
      'one env-file has none',
      {},
      [place(undefined, 'env-file')],
      [],
      NEEDED('env-file:x has no token that can be read'),
    ],
    [
      'one place has another, even one that works',
      {},
      [ours, theirs],
      ['theirs'],
      NEEDED('file:x holds another token'),
    ],
    ['somebody replaced it, and the place has what we delivered', replaced, [ours], [], NO_LONGER_WORKS],
    ['one of two places has what no longer works', replaced, [theirs, ours], ['theirs'], NO_LONGER_WORKS],
    [
      'somebody replaced it and brought it to every place',
      replaced,
      [theirs],
      ['theirs'],
      { needed: false, facts: { ...FACTS, id: 'at-theirs' }, fingerprint: toFingerprint('theirs') },
    ],
    ['nothing tells of what the place holds', { ...replaced, unclear: ['theirs'] }, [theirs], [], NOT_FROM_HERE],
    [
      'nothing tells of what one of two places holds',
      { ...replaced, unclear: ['other'] },
      [theirs, other],
      ['theirs'],
      NOT_FROM_HERE,
    ],
    ['somebody replaced it, and no place can be read', replaced, [], [], NOT_FROM_HERE],
    [
      'none was delivered from here, and the place has one that works',
      first,
      [theirs],
      ['theirs'],
      { ...NOT_NEEDED, fingerprint: toFingerprint('theirs') },
    ],
    ['none was delivered from here, and no place can be read', first, [], [], DOUBT],
    ['not shown, and the place has ours, which works', notShown, [ours], [OURS], NOT_NEEDED_LAST],
    ['not shown, and one of two has another that works', notShown, [ours, theirs], [OURS, 'theirs'], DOUBT],
    ['not shown, and nothing tells of ours in the place', { ...notShown, unclear: [OURS] }, [ours], [], LASTING_DOUBT],
    ['not shown, and no place can be read', notShown, [], [], LASTING_DOUBT],
    ['none is shown, and a place has one that works', { current: ABSENT }, [ours], [OURS], NOT_NEEDED_LAST],
    ['none is shown, and a place has one that is refused', { current: ABSENT }, [ours], [], NO_TOKEN],
    [
      'generate printed it, and no place can be read',
      generated,
      [],
      [],
      NEEDED('the current token was printed by generate, and not delivered'),
    ],
    ['generate printed it, and it was brought to the place', generated, [ours], [OURS], NOT_NEEDED],
    ['not shown, none delivered from here, none in the place', { ...first, ...notShown }, [none], [], NONE_HELD],
    [
      'not shown, and none was delivered from here',
      { ...first, ...notShown },
      [ours],
      [OURS],
      { ...DOUBT, why: "The service doesn't show its token, and none was delivered from here before." },
    ],
  ])('%s', async (_name, given, places, accepted, expected) => {
    expect(await judge({ ...given, places, accepted })).toEqual(expected);
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
        message: '--expires same: unknown how long the current token is valid',
        hint: 'Say when the new one expires, for example: --expires 90d',
      }),
    );
  });
});
