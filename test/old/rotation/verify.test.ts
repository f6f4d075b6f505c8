import { expect, test } from 'vitest';
import type { CurrentToken } from '../../../src/old/rotation/current-token.ts';
import type { TokenService } from '../../../src/old/rotation/types.ts';
import { verifyToken } from '../../../src/old/rotation/verify.ts';

const FACTS = { id: 'at-new' };
const found = (id: string): CurrentToken => ({ kind: 'found', facts: { id } });
const SHOWN = { check: 'metadata', passed: true, detail: 'the current token is the new one' };
const READS = { check: 'audit-trail', passed: true, detail: 'the new token reads the audit trail' };
const MUTE = { check: 'audit-trail', passed: null, detail: "the audit trail has no events yet, or can't be read" };

/** `command`: what the user's own command ended with, null for well. */
function verify(current: CurrentToken | Error, trial: 'accepted' | 'refused' | 'unknown', command?: string | null) {
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
  const runCommand = async (secret: string): Promise<string | undefined> => {
    expect(secret).toBe('the-secret');
    return command ?? undefined;
  };
  const verifyCommand = command === undefined ? undefined : runCommand;
  return verifyToken('the-secret', FACTS, { kind: 'unknown' }, { token: token as TokenService, verifyCommand });
}

const UNKNOWN: CurrentToken = { kind: 'unknown' };
const HIDDEN = { check: 'metadata', passed: null, detail: "the service doesn't show which token is current" };
const RAN = { check: 'command', passed: true, detail: 'exit code 0' };
const ANOTHER = { check: 'metadata', passed: false, detail: 'the current token is at-other' };
const REFUSED = { check: 'audit-trail', passed: false, detail: 'the service rejects the new token' };

test.each<[string, Parameters<typeof verify>, verified: boolean | null, checks: readonly object[]]>([
  ['both checks say so', [found('at-new'), 'accepted'], true, [SHOWN, READS]],
  ['the metadata say so', [found('at-new'), 'unknown'], true, [SHOWN, MUTE]],
  ['the audit trail says so', [UNKNOWN, 'accepted'], true, [HIDDEN, READS]],
  ["the user's own command alone says so", [UNKNOWN, 'unknown', null], true, [HIDDEN, MUTE, RAN]],
  ['the id is another', [found('at-other'), 'accepted'], false, [ANOTHER, READS]],
  ['it is refused', [found('at-new'), 'refused'], false, [SHOWN, REFUSED]],
  [
    "the user's own command fails",
    [found('at-new'), 'accepted', 'exit code 3'],
    false,
    [SHOWN, READS, { check: 'command', passed: false, detail: 'exit code 3' }],
  ],
  ['nothing is shown', [UNKNOWN, 'unknown'], null, [HIDDEN, MUTE]],
  // After a 201, a 404 proves nothing against the token.
  ['there is none', [{ kind: 'absent' }, 'unknown'], null, [HIDDEN, MUTE]],
  ['the service cannot be asked', [new Error('no connection'), 'unknown'], null, [HIDDEN, MUTE]],
])('where %s', async (_name, given, verified, checks) => {
  expect(await verify(...given)).toEqual({ verified, checks });
});
