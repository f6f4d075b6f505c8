import { toReason } from '../errors.ts';
import type { DeliveredToken, JournalState, OpenRotation, RetiringToken } from './journal.ts';
import type { RotationWorld } from './types.ts';

export type JournalWriter = ReturnType<typeof createJournalWriter>;

/** Writes each step of one run into the journal, on top of what was found there. */
export function createJournalWriter(
  { journal, token, warn }: Pick<RotationWorld, 'journal' | 'token' | 'warn'>,
  found: JournalState,
) {
  const orWarn = (error: unknown): void => warn(toReason(error));
  const write = (state: JournalState): Promise<void> => {
    const metadata = token.isShown();
    return journal.write(metadata === undefined ? state : { ...state, metadata });
  };
  return {
    note: (open: OpenRotation) => write({ ...found, open }),
    /** For when a token was created: a journal that cannot be written must not stop its delivery. */
    tryNote: (open: OpenRotation) => write({ ...found, open }).catch(orWarn),
    /** As it was found, where that can be. */
    tryRevert: () => journal.write(found).catch(orWarn),
    /** Just what was found. False where it cannot be written, with a warning. */
    trySave: () =>
      write(found).then(
        () => true,
        (error: unknown) => {
          orWarn(error);
          return false;
        },
      ),
    close: () => write(withoutOpen(found)),
    tryClose: (last: DeliveredToken) => write({ ...withoutOpen(found), last }).catch(orWarn),
  };
}

/** Left out where no old token waits: earlier versions wrote no such member. */
export function withRetiring(
  { retiring: _retiring, ...rest }: JournalState,
  retiring: readonly RetiringToken[],
): JournalState {
  return retiring.length === 0 ? rest : { ...rest, retiring };
}

export function withoutOpen({ open: _open, ...rest }: JournalState): JournalState {
  return rest;
}
