import type { Context } from '../context/context.ts';
import { withLock } from '../files/process-lock.ts';
import { findPlanted } from '../files/strangers.ts';
import { createMetadataReader } from '../rotation/current-token.ts';
import { createJournal, toLockPlace } from '../rotation/journal.ts';
import type { Service } from '../service/service.ts';

const LATER = 'Run this again when it has ended.';

export type TokenState = ReturnType<typeof openTokenState>;

/** What is kept here of the organization's token. Throws UsageError where another user may have put it there. */
export function openTokenState({ identity, places }: Context) {
  const { host, interrupts } = places;
  const organization = identity.organization();
  const directory = places.organizationStateDirectory();
  const planted = findPlanted(directory, host, {
    so: 'what rotations need is not kept there',
    hint: 'Set ORGCTL_STATE_DIR to a folder where only you and root can write.',
  });
  if (planted !== undefined) throw planted;
  const unique = places.uniqueName();
  const journal = createJournal(directory, { unique, user: host.user });
  const describe = `rotation of ${organization}`;
  return {
    directory,
    unique,
    journal,
    createReader: ({ auditTokens }: Pick<Service, 'auditTokens'>) =>
      createMetadataReader(auditTokens, { organization, origin: identity.serviceOrigin() }, journal),
    /** Throws BusyError at once where another run changes the token. */
    hold: <T>(act: () => Promise<T>) =>
      withLock(
        toLockPlace(directory),
        { ...host, wait: 0, signal: interrupts.signal, unique, describe, hint: LATER },
        act,
      ),
  };
}
