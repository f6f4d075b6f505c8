import { describe, expect, test } from 'vitest';
import type { CurrentToken } from '../../src/rotation/current-token.ts';
import type { TokenService } from '../../src/rotation/types.ts';
import { verifyToken } from '../../src/rotation/verify.ts';

const FACTS = { id: 'at-new' };
const found = (id: string): CurrentToken => ({ kind: 'found', facts: { id } });
const SHOWN = { check: 'metadata', passed: true, detail: 'the current token is the new one' };
const READS = { check: 'audit-trail', passed: true, detail: 'the new token reads the audit trail' };
const MUTE = { check: 'audit-trail', passed: null, detail: 'the audit trail is empty or cannot be read' };

function verify(
  current: CurrentToken | Error,
  trial: 'accepted' | 'refused' | 'unknown',
  more: { readonly command?: string | null } = {},
) {
  const token: Pick<TokenService, 'read' | 'tryOut'> = {
    async read() {
      if (current instanceof Error) throw current;
      return current;
    },
    async tryOut(secret, isNew) {
      expect([secret, isNew]).toEqual(['the-secret', true]);
      return trial;
    },
  };
  return verifyToken('the-secret', FACTS, {
    token: token as TokenService,
    verifyCommand:
      more.command === undefined
        ? undefined
        : async (secret) => {
            expect(secret).toBe('the-secret');
            return more.command ?? undefined;
          },
  });
}

describe('a new token is verified', () => {
  test('when both checks say so', async () => {
    expect(await verify(found('at-new'), 'accepted')).toEqual({ verified: true, checks: [SHOWN, READS] });
  });

  test('when one of them proves nothing', async () => {
    expect(await verify(found('at-new'), 'unknown')).toEqual({ verified: true, checks: [SHOWN, MUTE] });
    expect(await verify({ kind: 'unknown' }, 'accepted')).toMatchObject({
      verified: true,
      checks: [
        { check: 'metadata', passed: null, detail: 'the service does not show which token is current' },
        { passed: true },
      ],
    });
  });

  test('when the user’s own command says so, and the others prove nothing', async () => {
    expect(await verify({ kind: 'unknown' }, 'unknown', { command: null })).toMatchObject({
      verified: true,
      checks: [{ passed: null }, MUTE, { check: 'command', passed: true, detail: 'ended with exit code 0' }],
    });
  });
});

describe('a new token is known to be another than the current one', () => {
  test.each<[string, Parameters<typeof verify>, unknown]>([
    [
      'by its id',
      [found('at-other'), 'accepted'],
      { check: 'metadata', passed: false, detail: 'the current token is at-other' },
    ],
    [
      'when it is refused',
      [found('at-new'), 'refused'],
      { check: 'audit-trail', passed: false, detail: 'the service refuses the new token' },
    ],
    [
      'by one’s own command',
      [found('at-new'), 'accepted', { command: 'exit code 3' }],
      { check: 'command', passed: false, detail: 'exit code 3' },
    ],
  ])('%s', async (_name, given, check) => {
    const { verified, checks } = await verify(...given);
    expect(verified).toBe(false);
    expect(checks).toContainEqual(check);
  });
});

test('nothing is known where no token is shown, or the service cannot be asked', async () => {
  // After a 201, a 404 proves nothing against the token.
  for (const current of [{ kind: 'unknown' } as const, { kind: 'absent' } as const, new Error('no connection')]) {
    expect(await verify(current, 'unknown')).toEqual({
      verified: null,
      checks: [{ check: 'metadata', passed: null, detail: 'the service does not show which token is current' }, MUTE],
    });
  }
});
